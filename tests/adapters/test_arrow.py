"""A column gives what one URL at a time gives, whatever kind of column it is."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spec.run import OVERRIDES, WITH_OVERRIDES, suites

from sameas import Policy
from sameas.adapters import arrow
from tests.adapters.columns import KINDS, ROWS, TEXT, Made, field, one_by_one, sliced
from tests.adapters.engines import each_engine, policy
from tests.laws.strategies import POLICIES, as_bytes, raws

SUITES = suites()
EXPECTED = one_by_one(policy("python"), ROWS)


def given_column(rows: list[bytes | None]) -> Any:
    return pa.array(rows, pa.binary())


def test_the_rows_tried_are_of_every_sort() -> None:
    assert None in EXPECTED
    assert {"relative", "empty", "port", "scheme"} < set(field(EXPECTED, "error"))
    assert ["credentials"] in field(EXPECTED, "flags")


@each_engine
@pytest.mark.parametrize("made", KINDS.values(), ids=KINDS)
def test_a_column_of_any_kind_gives_what_single_urls_give(engine: str, made: Made) -> None:
    chosen, column = policy(engine), made(ROWS)
    assert arrow.canonicalize(column, chosen).to_pylist() == EXPECTED
    assert arrow.key(column, chosen).to_pylist() == field(EXPECTED, "key")
    assert arrow.url(column, chosen).to_pylist() == field(EXPECTED, "url")


@each_engine
@pytest.mark.parametrize("made", KINDS.values(), ids=KINDS)
def test_a_column_without_rows_gives_one_without_rows(engine: str, made: Made) -> None:
    for answer in (arrow.canonicalize, arrow.key, arrow.url):
        found = answer(made([]), policy(engine))
        assert (len(found), found.type) == (0, answer(pa.array(ROWS), policy(engine)).type)


@each_engine
@pytest.mark.parametrize("name", SUITES)
def test_the_vectors_give_in_a_column_what_they_give_alone(engine: str, name: str) -> None:
    overrides = OVERRIDES if name.endswith(WITH_OVERRIDES) else None
    policy_name = name.removesuffix(WITH_OVERRIDES)
    rows = [as_bytes(vector.row["input"]) for vector in SUITES[name]]
    expected = one_by_one(policy("python", policy_name, overrides), rows)
    chosen = policy(engine, policy_name, overrides)
    assert arrow.canonicalize(given_column(rows), chosen).to_pylist() == expected
    assert arrow.key(given_column(rows), chosen).to_pylist() == field(expected, "key")
    assert arrow.url(given_column(rows), chosen).to_pylist() == field(expected, "url")


@each_engine
@pytest.mark.parametrize("name", POLICIES)
@given(
    rows=st.lists(
        st.none() | raws.map(lambda raw: raw if isinstance(raw, bytes) else as_bytes(raw)),
        max_size=12,
    )
)
def test_whatever_stands_in_a_column_each_row_is_answered_by_itself(
    engine: str, name: str, rows: list[bytes | None]
) -> None:
    expected = one_by_one(POLICIES[name], rows)
    assert arrow.canonicalize(given_column(rows), policy(engine, name)).to_pylist() == expected


@each_engine
@given(
    rows=st.lists(st.sampled_from(ROWS), max_size=40),
    before=st.integers(0, 20),
    kind=st.sampled_from(TEXT),
)
def test_where_a_slice_begins_changes_nothing(
    engine: str, rows: list[str | None], before: int, kind: Any
) -> None:
    found = arrow.key(sliced(rows, kind, before), policy(engine))
    assert found.to_pylist() == [field(EXPECTED, "key")[ROWS.index(row)] for row in rows]


@each_engine
def test_bytes_that_are_no_utf_8_are_read_as_single_urls_read_them(engine: str) -> None:
    rows = [b"http://h/\xe9", b"http://h/%E9", b"\xff", b"http://\xff/", b"http://h/\xed\xa0\x80"]
    found = arrow.canonicalize(given_column(rows), policy(engine)).to_pylist()
    assert found == one_by_one(policy("python"), rows)
    assert found[0] == found[1]


@each_engine
def test_text_that_is_no_utf_8_whatever_its_column_says_is_read_as_its_bytes(engine: str) -> None:
    data = given_column([b"http://h/\xe9", b"http://h/%E9"])
    unchecked = pa.Array.from_buffers(pa.string(), 2, data.buffers())
    one, two = arrow.key(unchecked, policy(engine)).to_pylist()
    assert one == two is not None


@each_engine
def test_keys_come_as_32_bytes_where_that_is_asked_for(engine: str) -> None:
    expected = [None if key is None else bytes.fromhex(key) for key in field(EXPECTED, "key")]
    found = arrow.key(pa.array(ROWS), policy(engine), binary=True)
    assert (found.type, found.to_pylist()) == (pa.binary(32), expected)
    whole = arrow.canonicalize(pa.array(ROWS), policy(engine), binary=True)
    assert field(whole.to_pylist(), "key") == expected


@each_engine
def test_what_comes_out_is_valid_arrow(engine: str) -> None:
    for made in KINDS.values():
        for answer in (arrow.canonicalize, arrow.key, arrow.url):
            answer(made(ROWS), policy(engine)).validate(full=True)


@each_engine
def test_chunks_stay_as_they_are_cut(engine: str) -> None:
    column = pa.chunked_array([ROWS[:2], [], ROWS[2:]], pa.string())
    found = arrow.key(column, policy(engine))
    assert [len(chunk) for chunk in found.chunks] == [2, 0, len(ROWS) - 2]


def test_an_entry_of_a_dictionary_is_looked_at_once_and_one_that_no_row_has_seldom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, chosen = [], Policy.load(engine="python")
    key = chosen.key
    monkeypatch.setattr(chosen, "key", lambda url: asked.append(url) or key(url))
    urls = [f"http://h/{i}" for i in range(10)]
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 500), pa.array(urls))
    assert len(arrow.key(column, chosen)) == 1000
    assert asked == urls
    assert len(arrow.key(column[:3], chosen)) == 3
    assert asked == [*urls, *urls[:2], urls[0]]


def test_a_stream_is_read_to_its_end_and_a_table_of_one_column_is_that_column() -> None:
    reader = pa.table({"u": pa.array(ROWS)}).to_reader(max_chunksize=4)
    assert arrow.key(reader).to_pylist() == field(EXPECTED, "key")


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (["http://h/"], "is Arrow data, not list"),
        (pa.array([1]), "text or bytes, not int64"),
        (pa.array([1]).dictionary_encode(), "text or bytes, not dictionary"),
        (pa.table({"a": ["x"], "b": ["y"]}), "text or bytes, not struct"),
    ],
)
def test_what_is_no_column_of_urls_is_refused_as_a_whole(column: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        arrow.key(column)


@pytest.mark.parametrize("threads", [0, -1])
def test_somebody_has_to_do_the_work(threads: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        arrow.key(pa.array(ROWS), threads=threads)
    with pytest.raises(ValueError, match="at least one"):
        policy("python").canonicalize_many([], threads)


MISSING = {
    "arrow": ("arrow", "pyarrow"),
    "polars": ("polars", "polars"),
    "duckdb": ("duckdb", "duckdb"),
    "pandas": ("pandas", "pandas"),
    "pydantic": ("pydantic", "pydantic_core"),
    "scrapy": ("scrapy", "scrapy"),
}


@pytest.mark.parametrize("adapter", MISSING)
def test_an_adapter_whose_library_is_missing_names_the_extra_that_brings_it(adapter: str) -> None:
    extra, library = MISSING[adapter]
    code = f"""
import sys
sys.modules[{library!r}] = None
from sameas.errors import MissingExtra
try:
    import sameas.adapters.{adapter}
except MissingExtra as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"pip install 'sameas[{extra}]'" in told.stdout
