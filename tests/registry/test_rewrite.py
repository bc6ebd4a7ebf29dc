"""Values replaced in place: every other byte stays, and nothing is ever half written."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.errors import RecordsError
from sameas.registry.read import links_in
from sameas.registry.rewrite import back_up, edit, rewrite, want_writable
from sameas.registry.types import FIELD, Found

OLD, NEW = "http://a.example/x/", "https://a.example/x"


def _found(path: Path) -> list[Found]:
    return [piece for piece in links_in(str(path), (FIELD,)) if isinstance(piece, Found)]


def _replaced(path: Path, data: bytes, value: str = NEW) -> bytes:
    path.write_bytes(data)
    found = [piece for piece in _found(path) if piece.value is not None]
    rewrite(str(path), [edit(str(path), piece.span, piece.literal, value) for piece in found])
    return path.read_bytes()


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.json", f'\t{{ "fuente_url" :"{OLD}" }} \r\n', f'\t{{ "fuente_url" :"{NEW}" }} \r\n'),
        (
            "a.json",
            '\ufeff{"b": "\\u00f1/\\/", "fuente_url": "http:\\/\\/a.example\\/x\\/", "b": 1e400}',
            '\ufeff{"b": "\\u00f1/\\/", "fuente_url": "https:\\/\\/a.example\\/x", "b": 1e400}',
        ),
        (
            "a.jsonl",
            f'{{"fuente_url": "{OLD}"}}\r\n{{oops\n\n{{"ñ": ["{OLD}"], "fuente_url":["{OLD}"]}}',
            f'{{"fuente_url": "{NEW}"}}\r\n{{oops\n\n{{"ñ": ["{OLD}"], "fuente_url":["{NEW}"]}}',
        ),
        (
            "a.csv",
            f'\ufeffa;fuente_url\r\n "x" ;{OLD}\r\n"y\n""z""";"{OLD}"\r\n1;"open\n2;{OLD}',
            f'\ufeffa;fuente_url\r\n "x" ;{NEW}\r\n"y\n""z""";"{NEW}"\r\n1;"open\n2;{NEW}',
        ),
    ],
)
def test_only_the_value_changes(name: str, before: str, after: str, tmp_path: Path):
    assert _replaced(tmp_path / name, before.encode()) == after.encode()


@pytest.mark.parametrize("delimiter", ",;|\t")
def test_a_delimiter_in_a_value_does_not_part_it(delimiter: str, tmp_path: Path):
    path, value = tmp_path / "a.csv", f"{NEW}?b=1{delimiter}2"
    _replaced(path, f"id{delimiter}fuente_url\n1{delimiter}{OLD}\n".encode(), value)
    assert [piece.value for piece in _found(path)] == [value]


def test_a_value_that_needs_quotes_in_a_csv_gets_them(tmp_path: Path):
    data = _replaced(tmp_path / "a.csv", f"id,fuente_url\n1,{OLD}\n".encode(), NEW + ',1;"2"')
    assert data == f'id,fuente_url\n1,"{NEW},1;""2"""\n'.encode()
    assert _found(tmp_path / "a.csv")[0].value == NEW + ',1;"2"'


_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_values = st.recursive(
    st.none() | st.integers() | _text | st.just(OLD),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([FIELD, "nota", "Ñ", '"\\']), inner, max_size=4)
    ),
    max_leaves=15,
)
_layout = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 2, "\t"]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([(",", ":"), (" , ", " :\t"), (",\r\n", ": ")]),
    }
)


@given(_values, _layout, st.booleans(), _text)
def test_in_json_every_byte_but_the_values_stays(
    tmp_path_factory: pytest.TempPathFactory, value: Any, layout: Any, mark: bool, new: str
):
    data = b"\xef\xbb\xbf" * mark + json.dumps(value, **layout).encode()
    path = tmp_path_factory.getbasetemp() / "rewritten.json"
    path.write_bytes(data)
    before = [piece for piece in _found(path) if piece.value is not None]
    after = _replaced(path, data, new)
    assert _outside(data, before) == _outside(after, [p for p in _found(path) if p.value == new])
    assert json.loads(after.decode("utf-8-sig")) == _put(value, new)


def _outside(data: bytes, found: list[Found]) -> list[bytes]:
    """What stands between the values."""
    edges = [0, *(edge for piece in found for edge in (piece.span.start, piece.span.end)), None]
    return [data[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2)]


def _put(value: Any, new: str, inherited: bool = False) -> Any:
    if isinstance(value, dict):
        return {key: _put(inner, new, key == FIELD) for key, inner in value.items()}
    if isinstance(value, list):
        return [_put(inner, new, inherited) for inner in value]
    return new if inherited and isinstance(value, str) else value


_cell = st.lists(st.sampled_from([*'ab",;\t\nñ ', "\r\n"]), max_size=6).map("".join)


@given(
    st.lists(st.tuples(_cell, _cell), max_size=5),
    st.sampled_from(",;\t"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.booleans(),
)
def test_in_csv_every_byte_but_the_values_stays(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str]],
    delimiter: str,
    ending: str,
    quoting: Any,
    mark: bool,
):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=ending, quoting=quoting)
    writer.writerows([("nota", FIELD), *rows])
    data = b"\xef\xbb\xbf" * mark + stream.getvalue().encode()
    path = tmp_path_factory.getbasetemp() / "rewritten.csv"
    path.write_bytes(data)
    before = _found(path)
    assert [piece.value for piece in before] == [link for _, link in rows]
    after = _replaced(path, data)
    found = _found(path)
    assert [piece.value for piece in found] == [NEW] * len(rows)
    assert _outside(data, before) == _outside(after, found)
    read = csv.reader(io.StringIO(after.decode("utf-8-sig"), newline=""), delimiter=delimiter)
    assert [row[0] for row in read][1:] == [note for note, _ in rows]


def test_a_file_that_has_changed_meanwhile_is_left_alone(tmp_path: Path):
    path = tmp_path / "a.json"
    path.write_text(f'{{"fuente_url": "{OLD}"}}')
    (piece,) = _found(path)
    path.write_text(f'{{"fuente_url":  "{OLD}"}}')
    with pytest.raises(RecordsError, match="has changed since it was read"):
        rewrite(str(path), [edit(str(path), piece.span, piece.literal, NEW)])
    assert path.read_text() == f'{{"fuente_url":  "{OLD}"}}'
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_and_symbolic_links_stay(tmp_path: Path):
    real = tmp_path / "real.json"
    real.write_text(f'{{"fuente_url": "{OLD}"}}')
    real.chmod(0o640)
    named = tmp_path / "named.json"
    named.symlink_to(real)
    (piece,) = _found(named)
    rewrite(str(named), [edit(str(named), piece.span, piece.literal, NEW)])
    assert named.is_symlink()
    assert real.read_text() == f'{{"fuente_url": "{NEW}"}}'
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_file_marked_as_read_only_is_left_alone_and_not_even_copied(tmp_path: Path):
    file = tmp_path / "a.json"
    file.write_text("{}")
    file.chmod(0o444)
    with pytest.raises(RecordsError, match="is marked as read-only"):
        want_writable(str(file))
    file.chmod(0o644)
    want_writable(str(file))


def test_a_backup_never_takes_the_place_of_another(tmp_path: Path):
    path = tmp_path / "a.json"
    names = []
    for number in range(3):
        path.write_text(str(number))
        names.append(Path(back_up(str(path))).name)
    assert names == ["a.json.bak", "a.json.2.bak", "a.json.3.bak"]
    assert [(tmp_path / name).read_text() for name in names] == ["0", "1", "2"]
