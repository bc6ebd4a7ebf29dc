"""CSV: every row under its header, whatever its neighbours look like."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas.errors import RecordsError
from sameas.records import csv_rows as module
from sameas.records.csv_rows import csv_rows
from sameas.records.source import Refused


def rows(data: bytes, column: str = "url") -> list[tuple[int, object]]:
    return list(csv_rows(io.BytesIO(data), column, "a.csv"))


def codes(found: list[tuple[int, object]]) -> list[object]:
    return [value.code if isinstance(value, Refused) else value for _, value in found]


def test_the_column_is_found_by_its_name():
    assert rows(b"id,url\r\n1,http://a/\r\n2,http://b/\r\n") == [(2, "http://a/"), (3, "http://b/")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_the_one_under_which_the_column_is_named(delimiter: str):
    other = "|,;\t".replace(delimiter, "")
    data = f"id{delimiter}url\n1{delimiter}http://a/{other}\n".encode()
    assert rows(data) == [(2, f"http://a/{other}")]


def test_a_quoted_field_may_hold_delimiters_quotes_and_line_breaks():
    data = b'url,text\n"http://a/,b","say ""x""\nand more"\nhttp://c/,d\n'
    assert rows(data) == [(2, "http://a/,b"), (4, "http://c/")]


def test_the_line_ends_of_an_old_mac_are_named_as_such():
    with pytest.raises(RecordsError, match=r"CR alone.*end them with LF"):
        rows(b"url,b\rhttp://a/,1\rhttp://b/,2\r")


def test_blank_lines_are_no_rows():
    assert rows(b"url,b\nhttp://a/,1\n\n\r\nhttp://b/,2\n") == [(2, "http://a/"), (5, "http://b/")]


def test_bytes_that_are_no_utf_8_stay_what_they_are():
    [(_, value)] = rows(b"url\nhttp://a/\xe9\x00\n")
    assert isinstance(value, str)
    assert value.encode("utf-8", "surrogateescape") == b"http://a/\xe9\x00"


def test_a_row_with_more_or_fewer_fields_than_the_header_is_refused_alone():
    data = b"url,b\nhttp://a/,1\nhttp://b/\nhttp://c/,1,2\nhttp://d/,1\n"
    assert codes(rows(data)) == ["http://a/", "row", "row", "http://d/"]


@pytest.mark.parametrize(
    "bad", [b'"http://x/,1', b'"http://x/"y,1', b'"http://x/",', b'1,"open', b"a\rb,1"]
)
def test_a_torn_row_costs_the_rows_around_it_nothing(bad: bytes):
    before, after = b"url,b\nhttp://a/,1\n", b'\nhttp://b/,2\n"http://c/","3"\nhttp://d/,4\n'
    found = rows(before + bad + after)
    assert [number for number, _ in found] == [2, 3, 4, 5, 6]
    good = ["http://a/", "http://b/", "http://c/", "http://d/"]
    assert [value for _, value in found if value in good] == good


def test_a_quote_that_never_closes_is_named_where_it_opens():
    found = rows(b'url\nhttp://a/\n"http://b/\n' + b"http://c/\n" * 50)
    assert [number for number, value in found if isinstance(value, Refused)] == [3]
    assert len(found) == 52


def test_a_field_may_be_longer_than_the_csv_module_likes_and_its_limit_is_put_back():
    before = csv.field_size_limit()
    data = b"url,text\nhttp://a/," + b"x" * 300_000 + b"\n"
    assert rows(data) == [(2, "http://a/")]
    assert csv.field_size_limit() == before


def test_a_row_longer_than_memory_should_hold_is_refused_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "LONGEST_ROW", 1000)
    data = b"url,b\nhttp://a/,1\n" + b"x" * 2000 + b',1\n"' + b"y\n" * 2000 + b"http://b/,1\n"
    found = rows(data)
    assert found[0] == (2, "http://a/")
    assert codes(found)[1] == "too_long"
    assert found[-1] == (2004, "http://b/")


@pytest.mark.parametrize("line", [b'a",b","c', b'"', b',"', b'"""', b'x,"y",z"', b'","'])
def test_hostile_quotes_are_read_a_few_times_each_and_not_over_and_over(
    line: bytes, monkeypatch: pytest.MonkeyPatch
):
    asked = 0
    text = module._text

    def counted(line: module._Line) -> str:
        nonlocal asked
        asked += 1
        return text(line)

    monkeypatch.setattr(module, "_text", counted)
    count = 2000
    found = rows(b"url,b\n" + (line + b"\n") * count)
    assert found
    assert asked <= 8 * count


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\r")), st.text("ab,;\t\" '")
        ),
        max_size=8,
    )
)
def test_what_the_csv_module_writes_is_read_back(pairs: list[tuple[str, str]]):
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(("url", "b"))
    writer.writerows(pairs)
    assert [value for _, value in rows(written.getvalue().encode())] == [url for url, _ in pairs]


@pytest.mark.parametrize(
    ("data", "column", "place", "told"),
    [
        (b"", "url", "a.csv", "empty"),
        (b"id,link\n1,2\n", "url", "a.csv:1", 'there are "id", "link"'),
        (b"id,Url\n1,2\n", "url", "a.csv:1", 'the nearest is "Url"'),
        (b"id;link;x\n1;2;3\n", "url", "a.csv:1", 'there are "id", "link", "x"'),
        (b"id,url\n1,2\n", "", "a.csv:1", 'there are "id", "url"'),
        (b"url,url\n1,2\n", "url", "a.csv:1", '2 columns "url"'),
        (b"http://a/,1\nhttp://b/,2\n", "url", "a.csv:1", "holds links"),
        ("\ufeffurl\nx".encode("utf-16-le"), "url", "a.csv", "UTF-16"),
        (b'"url\nx\n', "url", "a.csv:1", "no line of column names"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_before_any_row(
    data: bytes, column: str, place: str, told: str
):
    with pytest.raises(RecordsError) as error:
        csv_rows(io.BytesIO(data), column, "a.csv")
    assert error.value.place == place
    assert told in str(error.value)


PIECES = st.lists(
    st.sampled_from(['"', '""', ",", "a", "b c", "\n", "\r", "é", " ", '"a"', '"b,c"', "\n1,"]),
    max_size=12,
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(PIECES)
def test_one_reader_for_many_rows_gives_what_one_for_each_gives(pieces: list[str]):
    data = ("id,url\n" + "".join(pieces)).encode()
    found = rows(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SURE", -1)
        assert found == rows(data)
