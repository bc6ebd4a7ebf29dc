"""Output that grows beside its name: gone on with by the same run, and by no other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sameas.errors import RecordsError
from sameas.records import part as module
from sameas.records.part import growing

RUN = {"input": ["a", 1], "policy": "news"}


def stopped(file: Path, written: bytes, lost: bytes = b"", run: dict[str, object] = RUN) -> None:
    """A run that is interrupted after it has written some, and some that does not count."""

    def begun() -> None:
        with growing(file, run) as part:
            part.stream.write(written)
            part.reached({"rows": len(written)})
            part.stream.write(lost)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun()


def test_a_whole_output_takes_its_name_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"old")
    file.chmod(0o640)
    with growing(file, RUN) as part:
        part.stream.write(b"new")
        part.stream.flush()
        assert file.read_bytes() == b"old"
        assert part.path.name == "out.part"
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["out"]


def test_a_run_that_was_stopped_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "out"
    stopped(file, b"one\n", lost=b"torn")
    assert not file.exists()
    assert sorted(os.listdir(tmp_path)) == ["out.part", "out.part.json"]
    with growing(file, RUN) as part:
        assert part.state == {"rows": 4}
        assert part.other == ""
        part.stream.write(b"two\n")
    assert file.read_bytes() == b"one\ntwo\n"
    assert os.listdir(tmp_path) == ["out"]


def test_another_run_starts_anew_and_can_say_what_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "out"
    for run, other in (({**RUN, "policy": "feed"}, "policy"), ({**RUN, "input": 2}, "input")):
        stopped(file, b"one\n")
        with growing(file, run) as part:
            assert (part.state, part.other) == ({}, other)
            part.stream.write(b"two\n")
        assert file.read_bytes() == b"two\n"


def test_a_run_that_got_nowhere_leaves_nothing(tmp_path: Path) -> None:
    def begun() -> None:
        with growing(tmp_path / "out", RUN) as part:
            part.stream.write(b"x")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        begun()
    assert os.listdir(tmp_path) == []


def test_a_run_that_is_killed_has_what_it_marked(tmp_path: Path) -> None:
    code = f"""
import os
from sameas.records import part as module
module._MARK_EVERY = 4
with module.growing({str(tmp_path / "out")!r}, {RUN!r}) as part:
    part.stream.write(b"one\\n")
    part.reached({{"rows": 1}})
    part.stream.write(b"two\\nthr")
    part.stream.flush()
    os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    assert not (tmp_path / "out").exists()
    with growing(tmp_path / "out", RUN) as part:
        assert part.state == {"rows": 1}
    assert (tmp_path / "out").read_bytes() == b"one\n"


def test_a_part_that_is_shorter_than_the_journal_says_is_not_trusted(tmp_path: Path) -> None:
    stopped(tmp_path / "out", b"one\n")
    os.truncate(tmp_path / "out.part", 2)
    with growing(tmp_path / "out", RUN) as part:
        assert part.state == {}
    stopped(tmp_path / "out", b"one\n")
    (tmp_path / "out.part.json").write_text("torn")
    with growing(tmp_path / "out", RUN) as part:
        assert (part.state, part.other) == ({}, "journal")


def test_somebody_else_s_file_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "out.part").write_bytes(b"mine")
    with pytest.raises(RecordsError, match="is in the way"), growing(tmp_path / "out", RUN):
        raise AssertionError
    assert (tmp_path / "out.part").read_bytes() == b"mine"


def test_two_runs_do_not_write_one_output(tmp_path: Path) -> None:
    with (
        growing(tmp_path / "out", RUN) as part,
        pytest.raises(RecordsError, match="being written by another run"),
        growing(tmp_path / "out", RUN),
    ):
        raise AssertionError
    assert part.stream.closed
    assert os.listdir(tmp_path) == ["out"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(RecordsError, match=r"none/out: cannot be written: No such file"),
        growing(tmp_path / "none" / "out", RUN),
    ):
        raise AssertionError


def test_marks_are_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = []
    write = module.Part._write_journal

    def counted(part: module.Part) -> None:
        marks.append(part._end)
        write(part)

    monkeypatch.setattr(module.Part, "_write_journal", counted)
    with growing(tmp_path / "out", RUN) as part:
        for i in range(1, 101):
            part.stream.write(bytes(1024 * 1024))
            part.reached({"rows": i})
    assert len(marks) == 1 + 100 // 16
