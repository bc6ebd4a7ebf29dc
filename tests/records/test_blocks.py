"""Rows in blocks: the same rows whatever the blocks are, and reading that begins behind some."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas.errors import RecordsError
from sameas.records import lines as module
from sameas.records.blocks import field_blocks, row_blocks
from sameas.records.lines import LONGEST_LINE, line_blocks, line_rows, pass_over
from sameas.records.read import reading
from sameas.records.source import Refused

SHAPES = ["a", "b" * 40, "", "\r", "é", " ", "\ufeff", "x" * (LONGEST_LINE + 9)]


def rows(data: bytes, after: int = 0) -> list[Any]:
    blocks = line_blocks(io.BytesIO(data), "links.txt", after)
    return [row for block in blocks for row in block.rows()]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(SHAPES)), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_blocks_have_the_rows_that_one_line_after_another_gives(
    shapes: list[str], ending: str, ended: bool
) -> None:
    data = (ending.join(shapes) + ending * ended).encode()
    wanted = list(line_rows(io.BytesIO(data), "links.txt"))
    with pytest.MonkeyPatch.context() as patch:
        for size in (module._BLOCK, 64, 7):
            patch.setattr(module, "_BLOCK", size)
            assert rows(data) == wanted


def test_a_pipe_is_not_waited_for() -> None:
    class Pipe(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(min(size or 0, 5))

    blocks = line_blocks(Pipe(b"a\nb\nccccc\nd\n"), "", 0)
    assert [block.text for block in blocks] == [b"a\nb\n", b"ccccc\n", b"d\n"]


@pytest.mark.parametrize("after", [0, 1, 2, 5, 6, 9])
def test_lines_are_passed_over(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"one\ntwo\r\n\nfour\nfive\nsix"
    assert rows(data, after) == rows(data)[after:]
    monkeypatch.setattr(module, "_SKIP", 3)
    stream = io.BytesIO(data)
    pass_over(stream, after)
    assert stream.read() == b"".join(data.splitlines(keepends=True)[after:])


@pytest.mark.parametrize("kind", ["txt", "csv", "jsonl", "parquet"])
def test_reading_goes_on_behind_any_row(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"links.{kind}"
    urls = [f"http://h/{i}" for i in range(20)]
    if kind == "parquet":
        pq.write_table(pa.table({"url": urls}), file, row_group_size=6)
    elif kind == "csv":
        file.write_text("id,url\n" + "".join(f'"{i}\n",{url}\n\n' for i, url in enumerate(urls)))
    else:
        row = "{}\n".format if kind == "txt" else lambda url: json.dumps({"url": url}) + "\n"
        file.write_text("".join(map(row, urls)))
    column = "" if kind == "txt" else "url"

    def found(after: int = 0) -> list[Any]:
        with reading(str(file), "", column, after) as source:
            return [row for _, block in source.rows for row in block.rows()]

    everything = found()
    assert len(everything) == 20
    for i, (number, _) in enumerate(everything):
        assert found(number - 1) == everything[i:]


def test_values_that_are_no_single_line_stand_apart() -> None:
    torn = Refused("row", "torn")
    given = [(2, "a\nb"), (3, "é\udce9"), (5, "\ud800"), (7, torn), (9, b"x")]
    [block] = row_blocks(given)
    assert block.text == b"\n\xc3\xa9\xe9\n\n\nx\n"
    assert block.apart == {0: "a\nb", 2: "\ud800", 3: torn}
    assert list(block.rows()) == [*given[:1], (3, b"\xc3\xa9\xe9"), *given[2:]]


def test_blocks_are_of_a_bounded_size() -> None:
    sizes = [len(block.numbers) for block in row_blocks((i, "x") for i in range(40_000))]
    assert sum(sizes) == 40_000
    assert max(sizes) < 20_000
    wide = [len(block.text) for block in row_blocks((i, "x" * 900_000) for i in range(6))]
    assert max(wide) < 2_000_000
    assert [len(block.numbers) for block in row_blocks(((1, "a"), (2, "b")), 1)] == [1, 1]


def test_rows_before_a_break_are_given_first() -> None:
    def torn() -> Any:
        yield 1, "a"
        raise RecordsError("a.csv", "cannot be read further")

    blocks = row_blocks(torn())
    assert next(blocks).text == b"a\n"
    with pytest.raises(RecordsError):
        next(blocks)


def test_each_row_of_fields_has_its_rank_and_what_is_blank_stands_apart() -> None:
    given: list[Any] = [
        (2, {"url": "http://a", "n": 3}), (3, Refused("row", "torn")), (4, {"url": "\xa0", "n": 1}),
        (5, {"n": 2}), (6, {"url": 7, "n": 0}),
    ]  # fmt: skip
    [block] = field_blocks(given, "url", lambda row: int(row["n"]))
    assert block.ranks == [3, 0, 1, 2, 0]
    assert block.text == b"http://a\n\n\n\n\n"
    assert block.apart == {1: given[1][1], 2: None, 3: None, 4: 7}
