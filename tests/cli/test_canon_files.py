"""`sameas canon` on files: whole or not at all, gone on with, in bounded memory."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sameas.cli import canon
from tests.cli.limits import MEGABYTE, interrupted_when, limited
from tests.cli.program import Ended, in_process, on_terminal, sameas
from tests.native.wheel import NATIVE

ENGINES = ("python", *NATIVE)
KINDS = ("txt", "csv", "jsonl", "parquet")


def url(i: int) -> str:
    odd = {3: "no url", 5: f"http://u:secret@h/{i}", 7: f"http://h/{i}\n", 11: f"http://жж/{i}"}
    return odd.get(i % 50, f"HTTP://www.Example.com:80/{i}?utm_source=x&id={i}#top")


def written(folder: Path, kind: str, count: int, form: Callable[[int], str] = url) -> Path:
    file = folder / f"links.{kind}"
    urls = [form(i) for i in range(count)]
    if kind == "parquet":
        pq.write_table(pa.table({"url": urls}), file, row_group_size=700)
    elif kind == "csv":
        quoted = (f'{i},"{u}"\n' if "\n" in u else f"{i},{u}\n" for i, u in enumerate(urls))
        file.write_text("id,url\n" + "".join(quoted))
    elif kind == "jsonl":
        file.write_text("".join(json.dumps({"url": u}) + "\n" for u in urls))
    else:
        file.write_text("".join(u.replace("\n", "") + "\n" for u in urls))
    return file


def asked(file: Path, *more: str) -> list[str]:
    column = [] if file.suffix == ".txt" else ["--column", "url"]
    return ["canon", "--input", str(file), *column, *more]


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_row_gives_what_it_gives_alone(
    kind: str, engine: str, more: tuple[str, ...], tmp_path: Path
) -> None:
    file = written(tmp_path, kind, 400)
    together = in_process(*asked(file, "--engine", engine, *more))
    urls = [url(i).replace("\n", "") if kind == "txt" else url(i) for i in range(400)]
    alone = in_process("canon", "--engine", "python", *more, "--", *urls)
    assert together.out == alone.out
    assert (together.status, alone.status) == (1, 1)
    reasons = [line.split(": ", 1)[1] for line in together.err.splitlines()]
    assert reasons == [line.split(": ", 1)[1] for line in alone.err.splitlines()]
    assert "secret" not in together.out + together.err


@pytest.mark.parametrize("kind", KINDS)
def test_an_output_is_what_standard_output_would_be(kind: str, tmp_path: Path) -> None:
    file, out = written(tmp_path, kind, 300), tmp_path / "out"
    shown, made = in_process(*asked(file)), in_process(*asked(file, "--output", str(out)))
    assert (made.status, made.out, made.err) == (shown.status, "", shown.err)
    assert out.read_text() == shown.out
    assert sorted(os.listdir(tmp_path)) == [file.name, "out"]


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Small blocks, and an interrupt before the block of that number."""

    def stop(at: int) -> None:
        blocks = 0

        def counted(policy: Any, block: Any) -> Any:
            nonlocal blocks
            blocks += 1
            if blocks == at:
                raise KeyboardInterrupt
            return urls(policy, block)

        monkeypatch.setattr(canon.canon_blocks, "urls", counted)

    urls = canon.canon_blocks.urls
    monkeypatch.setattr("sameas.records.blocks._MOST_ROWS", 64)
    monkeypatch.setattr("sameas.records.lines._BLOCK", 4096)
    return stop


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_is_interrupted_is_gone_on_with(
    kind: str, tmp_path: Path, stopping: Callable[[int], None]
) -> None:
    file, out = written(tmp_path, kind, 1000), tmp_path / "out"
    command = asked(file, "--output", str(out))
    whole = in_process(*command)
    wanted = out.read_bytes()
    out.unlink()
    stopping(5)
    first = in_process(*command)
    assert first.status == 130
    assert not out.exists()
    assert "the same command goes on from there" in first.err
    stopping(7)
    second = in_process(*command)
    assert second.status == 130
    assert f"going on behind {_rows_told(first)} rows" in second.err
    assert _rows_told(second) > _rows_told(first)
    stopping(0)
    last = in_process(*command)
    assert last.status == whole.status == 1
    assert out.read_bytes() == wanted
    assert last.err.splitlines()[-1] == whole.err.splitlines()[-1]
    assert sorted(os.listdir(tmp_path)) == [file.name, "out"]


def _rows_told(ended: Ended) -> int:
    [line] = [line for line in ended.err.splitlines() if "stopped behind" in line]
    return int(line.split("behind ")[1].split(" rows")[0].replace(",", ""))


@pytest.mark.parametrize("changed", ["input", "policy", "format"])
def test_what_has_changed_starts_anew_and_is_told(
    changed: str, tmp_path: Path, stopping: Callable[[int], None]
) -> None:
    file, out = written(tmp_path, "txt", 1000), tmp_path / "out"
    stopping(3)
    assert in_process(*asked(file, "-o", str(out))).status == 130
    more = {"policy": ["--policy", "feed"], "format": ["--json"]}.get(changed, [])
    if changed == "input":
        file.write_text(file.read_text() + "http://more/\n")
    stopping(0)
    again = in_process(*asked(file, "-o", str(out), *more))
    assert f"is of another {changed}: starting anew" in again.err
    assert out.read_text() == in_process(*asked(file, *more)).out


def test_a_torn_row_of_csv_is_no_place_to_go_on_from(
    tmp_path: Path, stopping: Callable[[int], None]
) -> None:
    """The lines it swallowed are read again, and how often counts."""
    file, out = tmp_path / "torn.csv", tmp_path / "out"
    lines = [f'{i},"http://h/{i}\n' if i % 9 == 4 else f"{i},http://h/{i}\n" for i in range(900)]
    file.write_text("id,url\n" + "".join(lines))
    wanted = in_process(*asked(file)).out
    for at in (2, 4, 6):
        stopping(at)
        assert in_process(*asked(file, "-o", str(out))).status == 130
    stopping(0)
    in_process(*asked(file, "-o", str(out)))
    assert out.read_text() == wanted


def test_an_interrupt_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    file, out = written(tmp_path, "txt", 60_000), tmp_path / "out"
    ended = interrupted_when(
        tmp_path / "out.part", *asked(file, "-o", str(out), "--engine", "python")
    )
    assert ended.status == 130
    assert "Traceback" not in ended.err
    assert not out.exists()
    assert sameas(*asked(file, "-o", str(out), "--engine", "python")).status == 1
    assert out.read_text() == in_process(*asked(file)).out


def test_a_disk_that_is_full_is_told_and_gone_on_from(tmp_path: Path) -> None:
    file, out = written(tmp_path, "txt", 100_000), tmp_path / "out"
    ended = limited("RLIMIT_FSIZE", 2 * MEGABYTE, *asked(file, "-o", str(out)))
    assert ended.status == 2
    assert f"sameas: {out}: cannot be written: " in ended.err
    assert not out.exists()
    again = in_process(*asked(file, "-o", str(out)))
    assert out.read_text() == in_process(*asked(file)).out
    assert again.status == 1


def test_a_torn_parquet_file_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    file, out = (
        written(tmp_path, "parquet", 20_000, lambda i: f"http://h/{i * 7919}"),
        tmp_path / "o",
    )
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] + bytes(9000) + data[len(data) // 2 + 9000 :])
    ended = in_process(*asked(file, "-o", str(out)))
    assert ended.status == 2
    assert "cannot be read further" in ended.err
    assert not out.exists()
    file.write_bytes(data[:-9])
    ended = in_process(*asked(file, "-o", str(out)))
    assert (ended.status, "is no Parquet file" in ended.err) == (2, True)
    assert not out.exists()


@pytest.mark.parametrize("name", ["links.csv", "links.parquet"])
def test_a_missing_column_is_told_with_those_there_are(name: str, tmp_path: Path) -> None:
    written(tmp_path, name.partition(".")[2], 10)
    ended = in_process("canon", "-i", str(tmp_path / name), "-c", "link", "-o", str(tmp_path / "o"))
    assert ended.status == 2
    assert '"url"' in ended.err
    assert os.listdir(tmp_path) == [name]


def test_the_input_is_not_its_own_output(tmp_path: Path) -> None:
    file = written(tmp_path, "txt", 10)
    before = file.read_text()
    ended = in_process(*asked(file, "-o", str(file)))
    assert (ended.status, "are one file: name another" in ended.err) == (2, True)
    assert file.read_text() == before


def test_urls_and_pipes_can_have_an_output_too(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert sameas("canon", "http://a", "-o", str(out)).status == 0
    assert out.read_text() == "http://a/\n"
    assert sameas("canon", "--input", "-", "-o", str(out), stdin=b"http://b").status == 0
    assert out.read_text() == "http://b/\n"
    assert sameas("canon", "http://a", "-o", "-").out == "http://a/\n"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_file_takes_no_more_memory_than_it_is_given(kind: str, tmp_path: Path) -> None:
    """Data of 40 MB and their results under a limit that leaves room for the program alone."""
    file = written(tmp_path, kind, 10_000, lambda i: f"http://h/{i}/" + "x" * 4000)
    ended = limited("RLIMIT_DATA", 200 * MEGABYTE, *asked(file, "-o", str(tmp_path / "out")))
    assert (ended.status, ended.err) == (0, "")
    assert len((tmp_path / "out").read_text().splitlines()) == 10_000


def test_a_limit_on_memory_is_kept_and_what_needs_more_is_told(tmp_path: Path) -> None:
    small, large = tmp_path / "small.parquet", tmp_path / "large.parquet"
    for file, size in ((small, 100), (large, 300 * MEGABYTE)):
        pq.write_table(pa.table({"url": ["http://h/", "x" * size]}), file, compression="zstd")
    out, limit = tmp_path / "out", ("--memory-limit", "400MB")
    assert sameas(*asked(small, *limit)).lines == ["http://h/", ""]
    ended = sameas(*asked(large, *limit, "-o", str(out)))
    assert ended.status == 2
    assert "malloc" in ended.err or "needs more" in ended.err
    assert sorted(os.listdir(tmp_path)) == ["large.parquet", "small.parquet"]
    assert sameas(*asked(large, "-o", str(out))).status == 1
    assert out.read_text() == "http://h/\n\n"


def test_the_bar_tells_rows_their_rate_and_the_share_that_is_read(tmp_path: Path) -> None:
    file = written(tmp_path, "txt", 40_000, lambda i: f"http://h/{i}")
    ended, seen = on_terminal(*asked(file, "-o", str(tmp_path / "out")), streams="out err")
    assert ended.status == 0
    assert "100%" in seen
    assert "40,000 lines · " in seen
    assert "/s" in seen
