"""Streams: constant memory, results as they come, and endings that leave no mess."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.program import PROGRAM, environment

FEW, MANY, WIDE = 8000, 32000, 4096


def _url(number: int) -> str:
    return f"http://example.com/{number}/" + "x" * WIDE


def _written(folder: Path, kind: str, count: int) -> Path:
    file = folder / f"{count}.{kind}"
    urls = [_url(i) for i in range(count)]
    if kind == "parquet":
        pq.write_table(pa.table({"url": urls}), file, use_dictionary=False, compression="none")
        return file
    start = {"csv": "id,url\n"}.get(kind, "")
    row = {
        "txt": "{0}",
        "bad": "{0} \x00 refused: no scheme".replace("{0}", "//{0}"),
        "csv": '1,"{0}"',
        "jsonl": json.dumps({"url": "URL"}).replace("{", "{{").replace("}", "}}"),
    }[kind]
    lines = (row.format(url).replace("URL", url) + "\n" for url in urls)
    file.write_text(start + "".join(lines))
    return file


_MEASURED = """
import resource, subprocess, sys
nowhere = subprocess.DEVNULL
status = subprocess.call(sys.argv[1:], stdin=nowhere, stdout=nowhere, stderr=nowhere)
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small process between, because a child's peak begins at its parent's size."""


def _peak(*args: str) -> int:
    """The most memory the program held, in bytes."""
    found = subprocess.check_output(
        [sys.executable, "-c", _MEASURED, *PROGRAM, *args], env=environment()
    )
    status, peak = map(int, found.split())
    assert status in (0, 1)
    return peak * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize("kind", ["txt", "bad", "csv", "jsonl", "parquet"])
def test_memory_does_not_grow_with_the_file(kind: str, tmp_path: Path):
    column = () if kind in ("txt", "bad") else ("--column", "url")
    few, many = (
        _peak("canon", "--policy", "feed", "--input", str(_written(tmp_path, kind, count)), *column)
        for count in (FEW, MANY)
    )
    held = (MANY - FEW) * WIDE
    assert many - few < held / 3


def test_a_line_without_end_is_not_held_in_memory(tmp_path: Path):
    short, long = tmp_path / "short.txt", tmp_path / "long.txt"
    short.write_bytes(b"x" * 100_000)
    with open(long, "wb") as file:
        file.truncate(100_000_000)
    few, many = (_peak("canon", "--input", str(file)) for file in (short, long))
    assert many - few < 10_000_000


_INTERRUPTIBLE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Whoever runs the tests in the background has interrupts ignored, and that is inherited."""


def _started(*args: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _INTERRUPTIBLE, *PROGRAM, *args]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment())


def test_a_bad_line_is_named_before_the_next_one_comes_and_an_interrupt_is_no_traceback():
    with _started("canon", "--input", "-") as program:
        deadline = threading.Timer(30, program.kill)  # or it would wait for the bad line forever
        deadline.start()
        assert program.stdin is not None
        assert program.stderr is not None
        program.stdin.write(b"http://a.example/\nnews item\n")
        program.stdin.flush()
        assert program.stderr.readline().startswith(b"line 2: relative: ")
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=30)
        deadline.cancel()
    assert (program.returncode, out, err) == (130, b"http://a.example/\n\n", b"")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_reader_that_leaves_ends_the_program_without_a_word(as_json: bool, tmp_path: Path):
    file = tmp_path / "links.txt"
    file.write_text(f"{_url(1)}\n" * 2000)
    options = ["--json"] if as_json else []
    with _started("canon", "--policy", "feed", "--input", str(file), *options) as program:
        assert program.stdout is not None
        assert program.stdout.readline()
        program.stdout.close()
        assert program.stderr is not None
        err = program.stderr.read()
    assert (program.returncode, err) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "command",
    [["canon", "http://a/"], ["policy", "list"], ["--help"], ["canon", "--help"], ["--version"]],
)
def test_a_full_disk_is_told(command: list[str]):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, *command],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"sameas: stopped: ")
    assert done.stderr.count(b"\n") == 1


def test_closed_streams_are_told_or_done_without():
    def shell(line: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["sh", "-c", line, "sh", *PROGRAM], capture_output=True, env=environment(), check=False
        )

    no_out = shell('"$@" canon http://a/ >&-')
    assert (no_out.returncode, b"standard output is closed" in no_out.stderr) == (2, True)
    no_in = shell('"$@" canon --input - <&-')
    assert (no_in.returncode, b"standard input is closed" in no_in.stderr) == (2, True)
    no_err = shell('"$@" canon http://a/ item 2>&-')
    assert (no_err.returncode, no_err.stdout) == (1, b"http://a/\n\n")
