"""`sameas dedupe --by url --memory-limit`: what memory alone would give, in bounded memory."""

from __future__ import annotations

import builtins
import csv
import io
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sameas.cli import dedupe_large
from tests.cli.limits import MEGABYTE, interrupted_when, limited
from tests.cli.program import Ended, in_process, on_terminal, sameas

LIMIT = ("--by", "url", "--memory-limit", "400MB")
KINDS = ("txt", "csv", "jsonl", "parquet")


def rows(count: int, seed: int = 1) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    made = []
    for i in range(count):
        page = chance.randrange(count // 2)
        odd = {3: "no url", 5: "", 7: "\xa0", 9: "ftp://u:secret@h/", 11: f"http://h/{page % 9}\n"}
        made.append(
            {
                "id": i,
                "url": odd.get(i % 60, f"http://www.h/{page}/?utm_source={i}"),
                "full_text": "x" * chance.randrange(3),
                "district": chance.choice(["", "Harbour", " "]),
                "source": chance.choice(["", "Gazette\nand Post"]),
            }
        )
    return made


def written(folder: Path, kind: str, made: list[dict[str, Any]]) -> Path:
    file = folder / f"articles.{kind}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(made), file, row_group_size=300)
    elif kind == "csv":
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, [*made[0]], lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)
        file.write_text(out.getvalue() + '7,"torn\n\n9,http://www.h/1,too,many,fields,here\n')
    elif kind == "jsonl":
        lines = [json.dumps(row) + "\n" for row in made]
        lines.insert(5, '{torn\n\n{"url": 17}\n{"url": null}\n{"title": "no url"}\n')
        file.write_text("".join(lines))
    else:
        file.write_text("".join(row["url"].replace("\n", "") + "\n" for row in made) + "x" * 70_000)
    return file


def told(ended: Ended) -> list[str]:
    """What is said, whatever the order in which rows are named."""
    return sorted(ended.err.splitlines())


@pytest.mark.parametrize("kind", KINDS)
def test_the_survivors_are_those_that_memory_gives(kind: str, tmp_path: Path) -> None:
    file = written(tmp_path, kind, rows(1500))
    large, small = tmp_path / f"large.{kind}", tmp_path / f"small.{kind}"
    on_disk = in_process("dedupe", str(file), *LIMIT, "-o", str(large))
    in_memory = in_process("dedupe", str(file), "--by", "url", "-o", str(small))
    assert (on_disk.status, on_disk.out) == (in_memory.status, "") == (1, "")
    assert told(on_disk) == told(in_memory)
    if kind == "parquet":
        assert pq.read_table(large).equals(pq.read_table(small))
    else:
        assert large.read_bytes() == small.read_bytes()
    assert small.stat().st_size < file.stat().st_size
    assert sorted(os.listdir(tmp_path)) == sorted([file.name, large.name, small.name])
    assert "secret" not in on_disk.err


def test_a_file_without_rows_and_one_without_duplicates(tmp_path: Path) -> None:
    for text in ("url\n", "url\nhttp://a/\nhttp://b/\n"):
        (tmp_path / "a.csv").write_text(text)
        ended = in_process("dedupe", str(tmp_path / "a.csv"), *LIMIT)
        assert (ended.status, ended.out) == (0, text)


def test_pipes_are_read_and_written_too() -> None:
    links = b"http://www.a.example/x/\nhttp://b.example\nhttp://a.example/x?ref=1\n"
    ended = sameas("dedupe", "-", *LIMIT, stdin=links)
    assert ended.lines == ["http://www.a.example/x/", "http://b.example"]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--memory-limit", "1GB"), "--memory-limit goes with --by url"),
        (("--memory-limit", "1GB", "--by", "title"), "add --by url"),
        ((*LIMIT, "--groups", "g"), "--groups needs all groups in memory"),
        ((*LIMIT, "--report", "r"), "--report needs all groups in memory"),
        ((*LIMIT, "--json"), "--json needs all groups in memory"),
        (("--by", "url", "--memory-limit", "much"), "'much' is no size"),
        (("--by", "url", "--memory-limit", "9MB"), "9MB is too little to work in"),
        ((*LIMIT, "--url-column", "link"), 'there are "url", "title"'),
        ((*LIMIT, "-o", "x.parquet"), "written as they are read: as csv"),
    ],
)
def test_what_does_not_go_together_is_told_with_what_to_do(
    args: tuple[str, ...], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("url,title\nhttp://a/,A\n")
    ended = in_process("dedupe", "a.csv", *args)
    assert (ended.status, ended.out) == (2, "")
    assert reason in " ".join(ended.err.split())
    assert os.listdir(tmp_path) == ["a.csv"]


@pytest.mark.parametrize(
    ("size", "wanted"),
    [("400MB", 400_000_000), ("1GB", 10**9), ("1.5 gb", 1_500_000_000), ("2GiB", 2**31)],
)
def test_sizes_are_read_as_people_write_them(size: str, wanted: int) -> None:
    from sameas.cli.options import memory_size

    assert memory_size(size) == wanted


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name == "duckdb":
            raise ImportError(name)
        return load(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    (tmp_path / "a.txt").write_text("http://a/\n")
    ended = in_process("dedupe", str(tmp_path / "a.txt"), *LIMIT, "-o", str(tmp_path / "out"))
    assert ended.status == 2
    assert "pip install 'sameas[duckdb]'" in ended.err
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Small steps, and an interrupt before rows are put on disk for that time."""

    def stop(at: int) -> None:
        times = 0

        def counted(rows: Any) -> None:
            nonlocal times
            times += 1
            if times == at:
                raise KeyboardInterrupt
            put_down(rows)

        monkeypatch.setattr(dedupe_large._Rows, "put_down", counted)

    put_down = dedupe_large._Rows.put_down
    monkeypatch.setattr(dedupe_large, "_AT_ONCE", 100)
    monkeypatch.setattr("sameas.records.blocks._MOST_ROWS", 64)
    monkeypatch.setattr("sameas.records.lines._BLOCK", 4096)
    return stop


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_is_interrupted_is_gone_on_with(
    kind: str, tmp_path: Path, stopping: Callable[[int], None]
) -> None:
    file, out = written(tmp_path, kind, rows(1000)), tmp_path / f"out.{kind}"
    command = ("dedupe", str(file), *LIMIT, "-o", str(out))
    whole = in_process(*command)
    wanted = out.read_bytes()
    out.unlink()
    stopping(3)
    first = in_process(*command)
    assert first.status == 130
    assert "the same command goes on from there" in first.err
    assert sorted(os.listdir(tmp_path)) == [file.name, f"{out.name}.part.duckdb"]
    stopping(0)
    last = in_process(*command)
    assert "going on behind " in last.err
    assert out.read_bytes() == wanted
    assert last.status == whole.status
    totals = [
        line for line in whole.err.splitlines() if line.startswith(("articles", "not", "left"))
    ]
    assert last.err.splitlines()[-len(totals) :] == totals
    assert sorted(os.listdir(tmp_path)) == [file.name, out.name]


def test_rows_that_no_run_can_begin_at_are_not_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopping: Callable[[int], None]
) -> None:
    """Between rows that are torn there may be lines that are read again, to the end of the file."""
    file, most = tmp_path / "torn.csv", 0
    lines = [f'{i},"http://h/{i % 70}\n' if i % 9 == 4 else f"{i},http://h/{i % 70}\n"
             for i in range(3000)]  # fmt: skip
    file.write_text("id,url\n" + "".join(lines))
    take = dedupe_large._Rows.take

    def taken(rows: Any, *given: Any) -> None:
        nonlocal most
        take(rows, *given)
        most = max(most, rows.waiting)

    monkeypatch.setattr(dedupe_large._Rows, "take", taken)
    stopping(0)
    found = in_process("dedupe", str(file), *LIMIT)
    assert 64 <= most < 200
    assert found.out == in_process("dedupe", str(file), "--by", "url").out


@pytest.mark.parametrize("changed", ["input", "policy"])
def test_what_has_changed_starts_anew_and_is_told(
    changed: str, tmp_path: Path, stopping: Callable[[int], None]
) -> None:
    file, out = written(tmp_path, "txt", rows(1000)), tmp_path / "out.txt"
    stopping(3)
    assert in_process("dedupe", str(file), *LIMIT, "-o", str(out)).status == 130
    more = ["--policy", "feed"] if changed == "policy" else []
    if changed == "input":
        file.write_text(file.read_text() + "\nhttp://more/\n")
    stopping(0)
    again = in_process("dedupe", str(file), *LIMIT, "-o", str(out), *more)
    assert f"is of another {changed}: starting anew" in again.err
    assert out.read_text() == in_process("dedupe", str(file), "--by", "url", *more).out


def _links(folder: Path, count: int) -> Path:
    file = folder / "links.txt"
    with file.open("w") as out:
        for i in range(count):
            out.write(f"https://site{i // 2 % 97}.example/section/{i // 2}?id={i // 2}\n")
    return file


def test_300_000_urls_are_done_under_a_limit_the_system_sets(tmp_path: Path) -> None:
    file, out = _links(tmp_path, 300_000), tmp_path / "out.txt"
    wanted = [*dict.fromkeys(file.read_text().splitlines())]
    assert len(wanted) < 300_000
    ended = limited("RLIMIT_DATA", 400 * MEGABYTE, "dedupe", str(file), *LIMIT, "-o", str(out))
    assert (ended.status, ended.out) == (0, "")
    assert out.read_text().splitlines() == wanted


def test_an_interrupt_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    file, out = _links(tmp_path, 300_000), tmp_path / "out.txt"
    command = ("dedupe", str(file), *LIMIT, "-o", str(out))
    ended = interrupted_when(tmp_path / "out.txt.part.duckdb", *command)
    assert ended.status == 130
    assert "Traceback" not in ended.err
    assert not out.exists()
    assert sameas(*command).status == 0
    assert sorted(os.listdir(tmp_path)) == ["links.txt", "out.txt"]


@pytest.mark.parametrize("size", [1, 4])
def test_a_disk_that_is_full_is_told(size: int, tmp_path: Path) -> None:
    file, out = _links(tmp_path, 300_000), tmp_path / "out.txt"
    command = ("dedupe", str(file), *LIMIT, "-o", str(out))
    ended = limited("RLIMIT_FSIZE", size * MEGABYTE, *command)
    assert ended.status == 2
    assert "Traceback" not in ended.err
    assert not out.exists()
    assert sameas(*command).status == 0


def test_a_torn_parquet_file_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    table = pa.table({"url": [f"http://h/{i * 7919}" for i in range(20_000)]})
    pq.write_table(table, file, row_group_size=2000)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] + bytes(9000) + data[len(data) // 2 + 9000 :])
    ended = in_process("dedupe", str(file), *LIMIT, "-o", str(tmp_path / "out.parquet"))
    assert ended.status == 2
    assert "cannot be read further" in ended.err
    assert not (tmp_path / "out.parquet").exists()


def test_the_bar_is_on_a_terminal_alone(tmp_path: Path) -> None:
    file, out = _links(tmp_path, 60_000), tmp_path / "out.txt"
    for streams in ("err", "out err"):
        _, seen = on_terminal("dedupe", str(file), *LIMIT, "-o", str(out), streams=streams)
        assert "finding duplicates" in seen
        assert "60,000 lines · " in seen
    assert "━" not in sameas("dedupe", str(file), *LIMIT, "-o", str(out)).err
