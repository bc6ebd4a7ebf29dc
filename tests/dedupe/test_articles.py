"""What counts as an article: mappings, objects, rows of Arrow; and what each odd field means."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from sameas.dedupe import (
    deduplicate,
    deduplicate_by_title,
    deduplicate_by_url,
    find_duplicates,
    normalize_url,
    quality,
)
from sameas.errors import MissingExtra

URL, SAME_URL = "https://example.com/a", "https://www.example.com/a/?utm_source=x"


@dataclass(frozen=True)
class Article:
    url: str = URL
    title: str = "Harbour bridge opens"
    full_text: str = ""
    district: str = ""
    source: str = ""
    language: str = "en"


class Table:
    """What any library with the Arrow interface gives."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested)


SHAPES = {
    "a mapping": lambda **fields: fields,
    "a read-only mapping": lambda **fields: MappingProxyType(fields),
    "an object": SimpleNamespace,
    "a frozen dataclass": Article,
}


@pytest.mark.parametrize("made", SHAPES.values(), ids=SHAPES)
def test_any_object_with_the_fields_will_do(made: Any) -> None:
    short, long = (
        made(title="Bridge opens", full_text="x"),
        made(title="bridge OPENS", full_text="xx"),
    )
    other = made(title="Something else")
    assert deduplicate_by_title([short, other, long]) == [other, long]


@pytest.mark.parametrize("wrapped", [lambda table: table, Table], ids=["pyarrow", "any"])
def test_an_arrow_table_gives_an_arrow_table(wrapped: Any) -> None:
    table = pa.table({"url": [URL, "https://b.example", SAME_URL], "full_text": ["", None, "xx"]})
    kept = deduplicate(wrapped(table), "url")
    assert kept.schema == table.schema
    assert kept.to_pydict()["url"] == ["https://b.example", SAME_URL]


def test_a_stream_of_batches_that_can_be_read_once_is_read_once() -> None:
    table = pa.table({"url": [URL, SAME_URL, "https://b.example"]})
    assert deduplicate(table.to_reader(), "url").to_pydict() == {"url": [URL, "https://b.example"]}


def test_a_table_without_rows_stays_one() -> None:
    table = pa.table({"url": pa.array([], pa.string())})
    assert deduplicate(table).schema == table.schema


def test_text_views_which_some_libraries_give_stay_text_views() -> None:
    urls = pa.array([URL, SAME_URL, "https://b.example"]).cast(pa.string_view())
    kept = deduplicate(pa.table({"url": urls}), "url")
    assert kept.schema == pa.schema([("url", pa.string_view())])
    assert kept.to_pydict() == {"url": [URL, "https://b.example"]}


def test_a_column_of_times_that_python_cannot_tell_is_no_hindrance() -> None:
    times = pa.array([1, 2, 3], pa.timestamp("ns"))
    table = pa.table({"url": [URL, SAME_URL, "https://b.example"], "published": times})
    newest = deduplicate(table, "url", quality=lambda row: row["published"])
    assert newest["published"].cast(pa.int64()).to_pylist() == [2, 3]


@pytest.mark.parametrize("one", ["articles.csv", b"articles.csv", {"url": URL}])
def test_one_article_or_the_name_of_a_file_is_not_a_list_of_articles(one: Any) -> None:
    for asked in (deduplicate, find_duplicates):
        with pytest.raises(TypeError, match="one by one, in a list or a table"):
            asked(one)


def test_text_in_an_arrow_table_that_is_no_utf_8_is_read_as_its_bytes() -> None:
    data = pa.array([b"http://a.example/\xe9", b"http://a.example/%E9"], pa.binary())
    unchecked = pa.Array.from_buffers(pa.string(), 2, data.buffers())
    assert find_duplicates(pa.table({"url": unchecked}), "url").survivors == (0,)


def test_a_table_without_pyarrow_is_told_which_extra_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(pa.table({"url": [URL]}))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'sameas\[arrow\]'"):
        deduplicate(table)


def test_any_iterable_will_do_and_nothing_is_mutated() -> None:
    rows = [{"url": URL, "title": "a"}, {"url": SAME_URL, "title": "b"}]
    before = deepcopy(rows)
    assert deduplicate_by_url(iter(rows)) == [rows[0]]
    assert rows == before


def test_quality_is_the_text_then_the_district_then_the_source() -> None:
    ranked = [
        {},
        {"source": "Gazette"},
        {"district": "Pune"},
        {"district": "Pune", "source": "Gazette"},
        {"full_text": "x"},
        {"full_text": "xx"},
    ]
    shuffled = ranked[3:] + ranked[:3]
    assert sorted(shuffled, key=quality) == ranked
    assert quality({"district": "  "}) == quality({"district": None}) == quality({})


def test_the_better_copy_stays_and_the_earlier_one_of_equals() -> None:
    rows = [Article(source="A"), Article(source="B"), Article(district="D"), Article(district="E")]
    assert deduplicate_by_url(rows) == [rows[2]]
    assert deduplicate_by_url(rows[:2]) == [rows[0]]


def test_a_caller_s_own_quality_decides_who_stays() -> None:
    rows = [{"url": URL, "votes": 3}, {"url": SAME_URL, "votes": 7}, {"url": URL, "votes": 1}]
    assert deduplicate_by_url(rows, quality=lambda row: row["votes"]) == [rows[1]]


@pytest.mark.parametrize("missing", [None, "", "  ", 7, float("nan"), ["http://a.example"], b""])
def test_an_article_without_a_url_is_a_duplicate_of_none_by_url(missing: Any) -> None:
    found = find_duplicates([{"url": missing}, {"url": missing}, {}], "url")
    assert found.survivors == (0, 1, 2)
    assert found.without_url == (0, 1, 2)


def test_an_article_whose_url_is_refused_stays_and_is_named() -> None:
    found = find_duplicates([{"url": "no link"}, {"url": "no link"}, {"url": URL}], "url")
    assert found.survivors == (0, 1, 2)
    assert {i: error.code for i, error in found.refused_urls.items()} == {
        0: "relative",
        1: "relative",
    }


@pytest.mark.parametrize("missing", [None, "", " \u00a0", 7, float("nan"), ["x"], b""])
def test_an_article_without_a_title_is_a_duplicate_of_none_by_title(missing: Any) -> None:
    found = find_duplicates([{"title": missing}, {"title": missing}, {}], "title")
    assert found.without_title == (0, 1, 2)
    assert found.survivors == (0, 1, 2)


def test_titles_in_bytes_are_read_as_utf_8() -> None:
    rows = [{"title": "Fluß tritt über die Ufer"}, {"title": "Fluß tritt über die Ufer".encode()}]
    assert find_duplicates(rows, "title").survivors == (0,)
    torn = [{"title": b"caf\xe9 reopens downtown"}, {"title": b"caf\xe8 reopens downtown"}]
    assert find_duplicates(torn, "title").survivors == (0,)


def test_the_url_that_articles_are_compared_by_is_that_of_news() -> None:
    assert (
        normalize_url("https://www.example.com/x/?b=2&ref=y&a=1#c")
        == "https://example.com/x?a=1&b=2"
    )
