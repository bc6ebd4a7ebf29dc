"""Output takes its name only when it is whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from sameas.errors import RecordsError
from sameas.records.aside import written


def test_what_was_written_takes_the_name_when_the_block_ends(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    with written(file) as stream:
        stream.write(b"url\n")
        assert not file.exists()
    assert file.read_bytes() == b"url\n"
    assert os.listdir(tmp_path) == ["out.csv"]


@pytest.mark.parametrize("stopped", [ValueError, KeyboardInterrupt])
def test_a_run_that_stops_leaves_the_old_file_and_nothing_else(
    stopped: type[BaseException], tmp_path: Path
) -> None:
    file = tmp_path / "out.csv"
    file.write_bytes(b"old")

    def run() -> None:
        with written(file) as stream:
            stream.write(b"new")
            raise stopped

    with pytest.raises(stopped):
        run()
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_the_old_file_s_permissions_are_kept_and_a_new_one_s_are_usual(tmp_path: Path) -> None:
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.write_bytes(b"")
    old.chmod(0o640)
    usual.write_bytes(b"")
    for file in (old, new):
        with written(file):
            pass
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_link_stays_a_link_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    with written(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["ह" * 83 + ".csv", "x" * 255, "🌉" * 63])
def test_the_longest_name_a_file_may_have_will_do(name: str, tmp_path: Path) -> None:
    with written(tmp_path / name) as stream:
        stream.write(b"url\n")
    assert os.listdir(tmp_path) == [name]


def test_links_in_a_circle_end_in_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with written(tmp_path / "a") as stream:
        stream.write(b"url\n")
    assert (tmp_path / "a").read_bytes() == b"url\n"


def test_a_device_is_written_to_as_it_is() -> None:
    with written(os.devnull) as stream:
        stream.write(b"gone")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(RecordsError, match=r"none/out: cannot be written: No such file"),
        written(tmp_path / "none" / "out"),
    ):
        raise AssertionError("there is nothing to write to")
    with (
        pytest.raises(RecordsError, match=r"/dev/full: cannot be written: No space left"),
        written("/dev/full") as stream,
    ):
        stream.write(b"x")
