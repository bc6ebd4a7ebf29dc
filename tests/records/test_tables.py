"""Files that are read twice: the columns that decide, then the rows that stay, as they stand."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas.errors import RecordsError
from sameas.records import tables
from sameas.records.source import Refused
from sameas.records.tables import Table


def table(data: bytes, format: str) -> Table:
    return Table(io.BytesIO(data), "", format)


def read(source: Table, *columns: str, optional: tuple[str, ...] = ()) -> list[Any]:
    return [row for _, row in source.rows(columns, optional).rows]


def copied(source: Table, keep: list[int]) -> bytes:
    out = io.BytesIO()
    source.copy(keep, out)
    return out.getvalue()


def parquet(columns: dict[str, Any], **how: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **how)
    return out.getvalue()


DATA = {
    "csv": b'\xef\xbb\xbfurl,more\r\nhttp://a,"1,\r\n2"\r\n\r\nhttp://b,\xe9\r\nhttp://c,3',
    "jsonl": b'{"url":"http://a","x":1}\n\n{"url": "http://b"}\r\n{"url":"http://c"}',
    "lines": b"http://a\nhttp://b\xe9\r\nhttp://c",
}


@pytest.mark.parametrize("format", DATA)
def test_all_rows_kept_is_the_file_byte_for_byte(format: str) -> None:
    source = table(DATA[format], format)
    assert [row["url"][:8] for row in read(source, "url")] in (
        ["http://a", "http://b", "http://c"],
        [b"http://a", b"http://b", b"http://c"],
    )
    assert copied(source, [1, 1, 1]) == DATA[format]


@pytest.mark.parametrize(
    ("format", "left"),
    [
        ("csv", b"\xef\xbb\xbfurl,more\r\nhttp://b,\xe9\r\n"),
        ("jsonl", b'{"url": "http://b"}\r\n'),
        ("lines", b"http://b\xe9\r\n"),
    ],
)
def test_a_row_that_goes_takes_its_own_lines_and_no_other(format: str, left: bytes) -> None:
    source = table(DATA[format], format)
    read(source, "url")
    assert copied(source, [0, 1, 0]) == left


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    rows=st.lists(st.tuples(st.text("ab,\"'\n\r;é"), st.text('ab,\n" '), st.booleans()), max_size=8)
)
def test_any_rows_of_csv_are_copied_whole(rows: list[tuple[str, str, bool]]) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("url", "more"), *(row[:2] for row in rows)])
    source = table(out.getvalue().encode(), "csv")
    found = [(row["url"], row["more"]) for row in read(source, "url", "more")]
    assert found == [(url.replace("\r\n", "\n"), more) for url, more, _ in rows]
    left = copied(source, [stays for *_, stays in rows]).decode()
    assert list(csv.reader(io.StringIO(left, newline="")))[1:] == [
        [url, more] for url, more, stays in rows if stays
    ]


def test_an_optional_column_is_read_where_it_is() -> None:
    source = table(b"url,language\nhttp://a,en\n", "csv")
    assert read(source, "url", optional=("language", "title")) == [
        {"url": "http://a", "language": "en"}
    ]
    source = table(parquet({"url": ["http://a"], "n": [3]}), "parquet")
    assert read(source, "url", optional=("n", "title")) == [{"url": b"http://a", "n": 3}]
    source = table(b'{"url":"http://a","n":3}\n{"n":null}\n', "jsonl")
    assert read(source, "url", optional=("n",)) == [{"url": "http://a", "n": 3}, {"n": None}]


def test_a_row_that_cannot_be_read_is_refused_by_itself() -> None:
    source = table(b'{"url":"http://a"}\n{torn\n[1]\n{"url":"http://b"}\n', "jsonl")
    rows = read(source, "url")
    assert [isinstance(row, Refused) for row in rows] == [False, True, True, False]
    assert copied(source, [1, 0, 0, 1]) == b'{"url":"http://a"}\n{"url":"http://b"}\n'


@pytest.mark.parametrize(
    ("data", "format", "told"),
    [
        (b"link,head\n1,2\n", "csv", 'has no column "url".*there are "link", "head"'),
        (b'{"URL":"http://a"}\n', "jsonl", 'no row has "url".*the nearest is "URL"'),
        (parquet({"urls": ["http://a"]}), "parquet", 'has no column "url".*nearest is "urls"'),
    ],
)
def test_a_column_that_is_not_there_is_named_with_those_that_are(
    data: bytes, format: str, told: str
) -> None:
    with pytest.raises(RecordsError, match=told):
        read(table(data, format), "url")


def test_json_lines_without_a_row_have_no_column_to_miss() -> None:
    assert read(table(b"\n\n", "jsonl"), "url") == []


def test_a_table_begins_where_the_stream_stands() -> None:
    stream = io.BytesIO(b"# by hand\nurl\nhttp://a\nhttp://b\n")
    stream.readline()
    source = Table(stream, "", "csv")
    assert len(read(source, "url")) == 2
    assert copied(source, [0, 1]) == b"url\nhttp://b\n"


@pytest.mark.parametrize("format", ["csv", "parquet"])
@pytest.mark.parametrize(("needed", "optional"), [("n", "url"), ("url", "n")])
def test_a_column_that_is_there_twice_is_told(format: str, needed: str, optional: str) -> None:
    columns = [pa.array(["a"]), pa.array(["b"]), pa.array(["c"])]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(columns, names=["url", "n", "n"]), out)
    data = out.getvalue() if format == "parquet" else b"url,n,n\na,b,c\n"
    with pytest.raises(RecordsError, match='has 2 columns "n"'):
        read(table(data, format), needed, optional=(optional,))


def test_lines_have_one_column() -> None:
    with pytest.raises(RecordsError, match='has lines, but no "title"'):
        read(table(b"http://a\n", "lines"), "url", "title")


def test_parquet_keeps_types_metadata_and_order() -> None:
    schema = pa.schema(
        [("url", pa.large_string()), ("n", pa.int16()), ("tags", pa.list_(pa.string()))],
        metadata={"made by": "a test"},
    )
    made = pa.table(
        {"url": ["http://a", None, "http://c"], "n": [1, 2, None], "tags": [["x"], [], None]},
        schema=schema,
    )
    out = io.BytesIO()
    pq.write_table(made, out)
    source = table(out.getvalue(), "parquet")
    assert len(read(source, "url")) == 3
    left = pq.read_table(io.BytesIO(copied(source, [1, 0, 1])))
    assert left.schema.equals(pq.read_table(out).schema, check_metadata=True)
    assert left.schema.metadata == {b"made by": b"a test"}
    assert left.to_pylist() == made.take([0, 2]).to_pylist()


FAR = 2**62
TIMES = {
    "nanoseconds": (pa.array([1, None], pa.timestamp("ns")), "1970-01-01 00:00:00.000000001"),
    "nanoseconds of a zone": (
        pa.array([1, None], pa.timestamp("ns", "Asia/Kolkata")), "1970-01-01 00:00:00.000000001",
    ),
    "an unknown zone": (
        pa.array([0, None], pa.timestamp("ms", "Mars/Base")), "1970-01-01 00:00:00.000",
    ),
    "a far year": (pa.array([FAR, None], pa.timestamp("us")), f"<value out of range: {FAR}>"),
    "a time of day": (pa.array([1, None], pa.time64("ns")), "00:00:00.000000001"),
    "a while": (pa.array([FAR + 1, None], pa.duration("ns")), f"{FAR + 1}"),
    "in a struct": (pa.array([{"a": FAR}, None], pa.struct([("a", pa.timestamp("us"))])), None),
}  # fmt: skip


@pytest.mark.parametrize(("array", "text"), TIMES.values(), ids=TIMES)
def test_a_time_that_python_has_no_word_for_costs_nobody_their_row(array: Any, text: Any) -> None:
    source = table(parquet({"url": ["a", "b"], "published": array}), "parquet")
    found = [row["published"] for row in read(source, "url", optional=("published",))]
    assert found == [text, None]


def test_text_views_are_copied_as_text_views() -> None:
    views = {kind: pa.array(["a", None, "c"]).cast(kind)
             for kind in (pa.string_view(), pa.binary_view())}  # fmt: skip
    made = pa.table({"url": ["a", "b", "c"], **{str(k): array for k, array in views.items()}})
    out = io.BytesIO()
    pq.write_table(made, out)
    source = table(out.getvalue(), "parquet")
    read(source, "url")
    left = pq.read_table(io.BytesIO(copied(source, [1, 0, 1])))
    assert left.schema == made.schema
    assert left.to_pylist() == [made.to_pylist()[i] for i in (0, 2)]


def test_rows_that_cannot_be_copied_are_told() -> None:
    nested = pa.array([["a"]]).cast(pa.list_(pa.string_view()))
    source = table(parquet({"url": ["a"], "tags": nested}), "parquet")
    read(source, "url")
    with pytest.raises(RecordsError, match=r"its rows cannot be copied: .*string_view"):
        copied(source, [1])


def test_parquet_is_written_in_row_groups_of_a_fair_size(monkeypatch: pytest.MonkeyPatch) -> None:
    urls = [f"http://a.example/{number:06}" for number in range(5000)]
    source = table(parquet({"url": urls}), "parquet")
    read(source, "url")
    assert pq.ParquetFile(io.BytesIO(copied(source, [1] * 5000))).num_row_groups == 1
    monkeypatch.setattr(tables, "_ROW_GROUP", 50_000)
    groups = pq.ParquetFile(io.BytesIO(copied(source, [1] * 5000)))
    assert 1 < groups.num_row_groups < 5
    assert groups.read()["url"].to_pylist() == urls


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "lines"])
def test_nothing_kept_is_an_empty_file_of_the_format(format: str) -> None:
    data = {**DATA, "parquet": parquet({"url": ["a", "b", "c"]})}[format]
    source = table(data, format)
    read(source, "url")
    left = copied(source, [0, 0, 0])
    if format == "parquet":
        assert pq.read_table(io.BytesIO(left)).num_rows == 0
    else:
        assert left == (b"\xef\xbb\xbfurl,more\r\n" if format == "csv" else b"")


def test_a_parquet_file_that_is_torn_in_the_middle_is_told_with_its_row() -> None:
    data = bytearray(
        parquet({"url": [f"http://a/{i}" for i in range(4000)]}, row_group_size=1000,
                compression="none", use_dictionary=False)
    )  # fmt: skip
    middle = data.index(b"http://a/2500")
    data[middle - 5000 : middle + 5000] = b"\xff" * 10_000
    with pytest.raises(RecordsError, match=r"row \d+: cannot be read further"):
        read(table(bytes(data), "parquet"), "url")


def test_json_of_every_kind_of_value_is_given_as_it_is() -> None:
    values = ["x", 1, 1.5, None, True, [1], {"a": 1}]
    data = "".join(json.dumps({"title": value}) + "\n" for value in values).encode()
    assert [row["title"] for row in read(table(data, "jsonl"), "title")] == values
