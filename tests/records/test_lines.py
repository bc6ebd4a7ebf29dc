"""Lines: bytes stay bytes, and no line costs another."""

from __future__ import annotations

import io

import pytest

from sameas.errors import RecordsError
from sameas.records.lines import LONGEST_LINE, line_rows, numbered
from sameas.records.source import Refused


def rows(data: bytes) -> list[tuple[int, object]]:
    return list(line_rows(io.BytesIO(data), "links.txt"))


def test_both_line_endings_go_and_nothing_else_does():
    assert rows(b"a\r\nb \r\r\n\x00\xff\nlast") == [
        (1, b"a"),
        (2, b"b \r"),
        (3, b"\x00\xff"),
        (4, b"last"),
    ]


def test_an_empty_line_is_a_row_and_the_end_of_the_file_is_none():
    assert rows(b"a\n\nb\n") == [(1, b"a"), (2, b""), (3, b"b")]
    assert rows(b"") == []


def test_a_byte_order_mark_is_no_part_of_the_first_line():
    assert rows(b"\xef\xbb\xbfa\n\xef\xbb\xbfb") == [(1, b"a"), (2, b"\xef\xbb\xbfb")]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_the_longest_line_is_read_and_one_byte_more_is_refused(ending: bytes, mark: bytes):
    whole = b"x" * LONGEST_LINE
    assert rows(mark + whole + ending) == [(1, whole)]
    [(number, refused)] = rows(mark + whole + b"x" + ending)
    assert number == 1
    assert isinstance(refused, Refused)
    assert refused.code == "too_long"


def test_a_line_far_too_long_costs_the_next_nothing():
    found = rows(b"a\n" + b"x" * 3_000_000 + b"\nb\n")
    assert [row[0] for row in found] == [1, 2, 3]
    assert found[2] == (3, b"b")


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
def test_utf_16_text_is_named_as_such(name: str, mark: str):
    data = f"{mark}http://example.com/\n".encode(name)
    with pytest.raises(RecordsError, match="UTF-16") as told:
        rows(data)
    assert told.value.place == "links.txt"
    assert "UTF-8" in told.value.hint


def test_an_endless_line_is_read_in_pieces():
    class Endless(io.BytesIO):
        largest = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            self.largest = max(self.largest, size or 0)
            return super().readline(size)

    stream = Endless(b"x" * 5_000_000)
    assert list(numbered(stream, 100, "")) == [(1, None)]
    assert 0 < stream.largest <= 1024 * 1024
