"""The door: which format a file is read in, and what is told where none can be opened."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sameas.errors import RecordsError
from sameas.records import read as module
from sameas.records.read import reading
from sameas.records.source import Row

CSV = b"id,url\n1,http://a/\n"
JSON = b'{"url": "http://a/"}\n'


def read(path: Path, format: str = "", column: str = "") -> list[object]:
    with reading(str(path), format, column) as source:
        return [value for _, block in source.rows for _, value in block.rows()]


@pytest.mark.parametrize(
    ("name", "data", "column", "wanted"),
    [
        ("a.txt", b"http://a/\n", "", [b"http://a/"]),
        ("a", b"http://a/\n", "", [b"http://a/"]),
        ("a.CSV", CSV, "url", [b"http://a/"]),
        ("a.tsv", CSV.replace(b",", b"\t"), "url", [b"http://a/"]),
        ("a.jsonl", JSON, "url", [b"http://a/"]),
        ("a.ndjson", JSON, "url", [b"http://a/"]),
    ],
)
def test_the_ending_decides(
    name: str, data: bytes, column: str, wanted: list[object], tmp_path: Path
):
    file = tmp_path / name
    file.write_bytes(data)
    assert read(file, column=column) == wanted


def test_a_format_that_is_given_beats_the_ending(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_bytes(JSON)
    assert read(file, "jsonl", "url") == [b"http://a/"]
    assert read(file, "lines") == [JSON.strip()]


def test_places_are_written_as_editors_read_them(tmp_path: Path):
    for name in ("a.txt", "a.parquet"):
        (tmp_path / name).write_bytes(b"x\n")
    pq.write_table(pa.table({"url": ["x"]}), tmp_path / "a.parquet")
    with reading(str(tmp_path / "a.txt")) as source:
        assert source.place(7) == f"{tmp_path}/a.txt:7"
    with reading(str(tmp_path / "a.parquet"), column="url") as source:
        assert source.place(7) == f"{tmp_path}/a.parquet, row 7"


def test_a_file_knows_how_far_it_has_been_read(tmp_path: Path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"http://a/\n" * 10)
    with reading(str(file)) as source:
        assert (source.done(), source.total) == (0, 100)
        assert sum(len(block.numbers) for _, block in source.rows) == 10
        assert source.done() == 100
    pq.write_table(pa.table({"url": ["x", "y"]}), tmp_path / "a.parquet")
    with reading(str(tmp_path / "a.parquet"), column="url") as source:
        assert (source.done(), source.total) == (0, 2)
        assert sum(len(block.numbers) for _, block in source.rows) == 2
        assert source.done() == 2


def test_parquet_from_a_pipe_is_put_aside_and_read(tmp_path: Path):
    table, pipe = tmp_path / "a.parquet", tmp_path / "pipe"
    pq.write_table(pa.table({"url": ["http://a/"]}), table)
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(table.read_bytes()))
    writer.start()
    assert read(pipe, "parquet", "url") == [b"http://a/"]
    writer.join()


@pytest.mark.parametrize(
    ("name", "format", "column", "told"),
    [
        ("none.txt", "", "", "there is no such file"),
        ("", "", "", "is a directory"),
        ("a.txt", "", "url", "lines, which have no columns"),
        ("a.jsonl", "", "", "which column holds the links?"),
        ("nul\0", "", "", "NUL"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    name: str, format: str, column: str, told: str, tmp_path: Path
):
    for there in ("a.txt", "a.jsonl"):
        (tmp_path / there).write_bytes(b"")
    path = f"{tmp_path}/{name}"
    with pytest.raises(RecordsError) as error, reading(path, format, column):
        pass
    assert error.value.place == path
    assert told in error.value.reason


def test_a_file_that_breaks_while_it_is_read_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def torn(*_: object) -> Iterator[Row]:
        yield 2, "http://a/"
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(module, "csv_rows", torn)
    file = tmp_path / "a.csv"
    file.write_bytes(b"url\n")
    with reading(str(file)) as source:
        assert list(next(source.rows)[1].rows()) == [(2, b"http://a/")]
        with pytest.raises(RecordsError, match=r"cannot be read further: Input/output error"):
            next(source.rows)
