"""Links in files: which values are links, where each stands, and what a broken piece costs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.registry.read import links_in
from sameas.registry.types import FIELD, Found, Piece, Unread

A, B = "https://a.example/x", "https://b.example/ñ"


def _read(path: Path, data: str | bytes, *fields: str) -> list[Piece]:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return list(links_in(str(path), fields or (FIELD,)))


def _places(pieces: list[Piece]) -> list[tuple[Any, ...]]:
    return [
        (p.line, p.field, p.record, p.value) if isinstance(p, Found) else (p.line, p.reason)
        for p in pieces
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f'{{"fuente_url": "{A}"}}', [(1, "fuente_url", 0, A)]),
        (f'\n[{{}},\n {{"fuente_url"\n:"{A}"}}]', [(4, "[1].fuente_url", 0, A)]),
        (
            f'{{"pasos": [{{"n": 1}}, {{"fuente_url": "{A}", "x": 2}}], "fuente_url": "{B}"}}',
            [(1, "pasos[1].fuente_url", 0, A), (1, "fuente_url", 0, B)],
        ),
        (
            f'{{"fuente_url": ["{A}", null, "{B}"]}}',
            [
                (1, "fuente_url[0]", 0, A),
                (1, "fuente_url[1]", 0, None),
                (1, "fuente_url[2]", 0, B),
            ],
        ),
        ('{"fuente_url": 7, "x": "fuente_url"}', [(1, "fuente_url", 0, None)]),
        ('{"fuente_url": -1.5e3}', [(1, "fuente_url", 0, None)]),
        (
            f'{{"fuente_url": {{"url": "{A}", "fuente_url": "{B}"}}}}',
            [(1, "fuente_url", 0, None), (1, "fuente_url.fuente_url", 0, B)],
        ),
        ('{"a": {"fuente_url": []}, "b": [[]], "c": {}}', []),
        (
            f'{{"fuente_url": "{A}", "fuente_url": "{B}"}}',
            [(1, "fuente_url", 0, A), (1, "fuente_url", 0, B)],
        ),
        ('{"fuente_url": "https:\\/\\/a.example\\/x"}', [(1, "fuente_url", 0, A)]),
        ('{"a": "\\"fuente_url\\": 1", "b}": "]", "fuente_url": ""}', [(1, "fuente_url", 0, "")]),
        ('"fuente_url"', []),
    ],
)
def test_every_value_of_the_field_is_found_at_any_depth_with_its_place(
    text: str, wanted: list[tuple[Any, ...]], tmp_path: Path
):
    assert _places(_read(tmp_path / "a.json", text)) == wanted


def test_other_fields_are_found_by_their_names(tmp_path: Path):
    text = json.dumps({"url": A, "fuentes": [{"enlace": B}], "fuente_url": "no"})
    found = _read(tmp_path / "a.json", text, "url", "enlace")
    assert _places(found) == [(1, "url", 0, A), (1, "fuentes[0].enlace", 0, B)]


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b'{\n"fuente_url": "x",\n}', 3, "is not JSON: "),
        (b"", 1, "is not JSON: "),
        (b'{"fuente_url": "x"', 1, "is not JSON: "),
        (b'{"a": 1}\n{"b": 2}', 2, "is not JSON: Extra data"),
        (b'{\n"a": "\xff"}', 2, "is not UTF-8 text: the byte 0xff"),
        ("{}".encode("utf-16"), 1, "is UTF-16 text"),
        (b"[" * 200_000, 1, "is nested too deep"),
    ],
)
def test_a_broken_file_is_named_with_its_line(data: bytes, line: int, reason: str, tmp_path: Path):
    (told,) = _read(tmp_path / "a.json", data)
    assert isinstance(told, Unread)
    assert told.line == line
    assert told.reason.startswith(reason)


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    assert _places(list(links_in(str(tmp_path / "no.json"), (FIELD,)))) == [
        (0, "cannot be read: No such file or directory")
    ]


def test_nobody_waits_for_a_pipe(tmp_path: Path):
    os.mkfifo(tmp_path / "a.json")
    assert _places(list(links_in(str(tmp_path / "a.json"), (FIELD,)))) == [
        (0, "cannot be read: it is a pipe or a device")
    ]


def test_a_broken_line_of_json_lines_costs_the_others_nothing(tmp_path: Path):
    lines = [f'{{"fuente_url": "{A}"}}', "", "{oops", f'{{"a": [{{"fuente_url": "{B}"}}]}}', "[]"]
    found = _read(tmp_path / "a.jsonl", "\r\n".join(lines))
    assert _places(found)[::2] == [
        (1, "fuente_url", 1, A),
        (4, "a[0].fuente_url", 4, B),
    ]
    assert isinstance(found[1], Unread)
    assert found[1].line == 3


def test_a_csv_gives_its_columns_under_the_delimiter_that_has_them(tmp_path: Path):
    text = f'id;fuente_url;"nota"\r\n1;"{A}";"a;b"\r\n2; {B} ;"two\r\nlines"\r\n\r\n3;;x\r\n'
    assert _places(_read(tmp_path / "a.csv", text)) == [
        (2, "fuente_url", 2, A),
        (3, "fuente_url", 3, f" {B} "),
        (6, "fuente_url", 6, ""),
    ]
    assert _places(_read(tmp_path / "p.csv", f"id|fuente_url\n1|{A}\n")) == [
        (2, "fuente_url", 2, A)
    ]
    assert _read(tmp_path / "b.csv", "id,fuente_url_2\n1,x\n") == []
    assert _read(tmp_path / "c.csv", "") == []


@pytest.mark.parametrize(
    "text", [f"id,fuente_url\r1,{A}\r", f"id:fuente_url\n1:{A}\n", 'id,"fuente_url\n1,x\n']
)
def test_a_csv_that_names_the_field_and_has_no_such_column_is_told(tmp_path: Path, text: str):
    reason = "names fuente_url, and no column is called so: cells are parted by , ; | or a tab, "
    assert _places(_read(tmp_path / "a.csv", text)) == [(1, f"{reason}lines by LF")]


def test_a_line_for_one_spreadsheet_alone_is_told(tmp_path: Path):
    assert _places(_read(tmp_path / "a.csv", f"sep=;\nid;fuente_url\n1;{A}\n")) == [
        (1, "sep= is no row of a CSV: take the line out")
    ]


def test_a_torn_row_of_a_csv_costs_the_others_nothing(tmp_path: Path):
    rows = ["id,fuente_url", f"1,{A}", '2,"open', f"3,{B}", f'4,"{A}"x', f"5,{A},6", f"7,{B}"]
    assert _places(_read(tmp_path / "a.csv", "\n".join(rows))) == [
        (2, "fuente_url", 2, A),
        (3, "the row is not CSV: a quote opens and does not close"),
        (4, "fuente_url", 4, B),
        (5, "the row is not CSV: text follows the end of a quote"),
        (6, "the row has 3 fields, the first line 2: is a quote missing?"),
        (7, "fuente_url", 7, B),
    ]


def test_a_value_on_a_later_line_of_its_row_has_the_line_it_stands_on(tmp_path: Path):
    text = f'nota,fuente_url\n"a\nb\n""c""","{A}"\nx,{B}\n'
    assert _places(_read(tmp_path / "a.csv", text)) == [
        (4, "fuente_url", 2, A),
        (5, "fuente_url", 5, B),
    ]


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", FIELD, "ñ", '"', "[{"]), inner, max_size=3)
    ),
    max_leaves=12,
)


def _wanted(value: Any, inherited: bool = False) -> list[Any]:
    """The plain way: every value of the field, of the parsed document."""
    if isinstance(value, dict):
        own = [None] if inherited else []
        return own + [v for key, inner in value.items() for v in _wanted(inner, key == FIELD)]
    if isinstance(value, list):
        return [v for inner in value for v in _wanted(inner, inherited)]
    return [value if isinstance(value, str) else None] if inherited else []


@given(_json, st.sampled_from([None, 1, "\t"]), st.booleans(), st.booleans())
def test_what_is_found_is_what_the_parser_sees_and_where_it_stands(
    tmp_path_factory: pytest.TempPathFactory, value: Any, indent: Any, ascii_only: bool, mark: bool
):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    data = b"\xef\xbb\xbf" * mark + text.encode("utf-8", "surrogatepass")
    path = tmp_path_factory.getbasetemp() / "found.json"
    pieces = _read(path, data)
    if any(isinstance(piece, Unread) for piece in pieces):
        assert not data.decode("utf-8", "replace").isascii()  # half a surrogate pair, unescaped
        return
    assert [p.value for p in pieces if isinstance(p, Found)] == _wanted(value)
    for piece in pieces:
        assert isinstance(piece, Found)
        spelled = data[piece.span.start : piece.span.end].decode()
        assert piece.line == data.count(b"\n", 0, piece.span.start) + 1
        if piece.value is not None:
            assert spelled == piece.literal
            assert json.loads(spelled) == piece.value
