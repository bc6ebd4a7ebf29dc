"""`sameas registry check --fix`: what is written into files, and when nothing is."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.checking import BAD, MENDED, U, check, objects
from tests.cli.program import in_process
from tests.registry.runs import GOOD, tramites


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return work


def _git(*args: str) -> None:
    name = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *name, *args], check=True, capture_output=True)


def test_in_git_files_are_mended_where_everything_is_committed(folder: Path):
    tramites(folder, a=BAD, b=f"{U}/", c=GOOD)
    before = (folder / "tramites" / "a.json").read_text()
    _git("init", "-q")
    _git("add", ".")
    _git("commit", "-qm", "as it was")
    ended = check("--fix", ".")
    assert ended.status == 1
    assert "2 links mended in 2 files" in ended.lines
    assert (folder / "tramites" / "a.json").read_text() == before.replace(BAD, MENDED)
    assert sorted(p.name for p in (folder / "tramites").iterdir()) == ["a.json", "b.json", "c.json"]
    _git("commit", "-qam", "mended")
    again = check("--fix", "--json", ".")
    assert [one["problems"] for one in objects(again)] == [["homepage"]]


@pytest.mark.parametrize("change", ["changed", "staged", "untracked", "ignored"])
def test_in_git_nothing_is_mended_while_something_is_not_committed(change: str, folder: Path):
    tramites(folder, a=BAD)
    _git("init", "-q")
    (folder / ".gitignore").write_text("tramites/z.json\n" if change == "ignored" else "")
    _git("add", ".")
    _git("commit", "-qm", "as it was")
    name = {"untracked": "n", "ignored": "z"}.get(change, "a")
    tramites(folder, **{name: BAD + "&y=1"})
    if change == "staged":
        _git("add", ".")
    before = {path: path.read_bytes() for path in (folder / "tramites").iterdir()}
    ended = check("--fix", ".")
    assert ended.status == 2
    assert ended.out == ""
    assert f"not everything is committed (tramites/{name}.json)" in ended.err.replace("\n", "")
    assert {path: path.read_bytes() for path in (folder / "tramites").iterdir()} == before

    ended = check("--fix", "--backup", ".")
    assert ended.status == 1
    copy = (folder / "tramites" / f"{name}.json.bak").read_bytes()
    assert copy == before[folder / "tramites" / f"{name}.json"]


def test_what_else_is_not_committed_is_no_hindrance(folder: Path):
    tramites(folder / "data", a=BAD)
    _git("init", "-q")
    _git("add", ".")
    _git("commit", "-qm", "as it was")
    (folder / "data" / "notes.txt").write_text("x")
    tramites(folder / "elsewhere", b=BAD)
    assert "1 link mended in 1 file" in check("--fix", "data").lines
    assert "1 link mended in 1 file" not in check("--fix", "data").lines


def test_a_repository_inside_another_counts_as_well(folder: Path):
    tramites(folder / "own" / "inner", a=BAD)
    _git("init", "-q")
    (folder / "own" / "note.txt").write_text("x")
    _git("add", "own/note.txt")
    _git("commit", "-qm", "as it was")
    _git("init", "-q", "own/inner")
    ended = check("--fix", ".")
    assert ended.status == 2
    assert "not everything is committed (own/inner" in ended.err


def test_what_a_symbolic_link_leads_to_is_copied_even_in_git(folder: Path):
    (folder / "out").mkdir()
    tramites(folder / "out", a=BAD)
    (folder / "repo" / "tramites").mkdir(parents=True)
    (folder / "repo" / "tramites" / "b.json").symlink_to(folder / "out" / "tramites" / "a.json")
    _git("init", "-q", "repo")
    _git("-C", "repo", "add", ".")
    _git("-C", "repo", "commit", "-qm", "as it was")
    ended = check("--fix", "repo")
    assert "as it was: repo/tramites/b.json.bak" in ended.lines
    assert BAD in (folder / "repo" / "tramites" / "b.json.bak").read_text()
    assert MENDED in (folder / "out" / "tramites" / "a.json").read_text()


def test_git_that_fails_is_no_leave_to_write(folder: Path, monkeypatch: pytest.MonkeyPatch):
    tramites(folder, a=BAD)
    _git("init", "-q")
    (folder / ".git" / "config").write_text("[broken")
    before = (folder / "tramites" / "a.json").read_bytes()
    ended = check("--fix", ".")
    assert ended.status == 2
    assert "git cannot tell what has changed here" in ended.err
    assert (folder / "tramites" / "a.json").read_bytes() == before
    monkeypatch.setenv("PATH", "")
    assert "as it was: tramites/a.json.bak" in check("--fix", ".").lines


def test_outside_of_git_a_copy_is_left_beside_each_file(folder: Path):
    tramites(folder, a=BAD, b=GOOD)
    before = (folder / "tramites" / "a.json").read_bytes()
    ended = check("--fix", ".")
    assert ended.lines[-2:] == ["1 link mended in 1 file", "as it was: tramites/a.json.bak"]
    assert (folder / "tramites" / "a.json.bak").read_bytes() == before
    assert not (folder / "tramites" / "b.json.bak").exists()


def test_a_file_that_cannot_be_written_costs_the_others_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    tramites(folder, a=BAD, b=BAD)
    real = os.replace

    def refusing(source: str, target: Path) -> None:
        if Path(target).name == "a.json":
            raise PermissionError(13, "Permission denied")
        real(source, target)

    monkeypatch.setattr(os, "replace", refusing)
    ended = check("--fix", ".")
    assert ended.status == 1
    assert "a.json: cannot be written: Permission denied" in ended.err
    assert "1 link mended in 1 file" in ended.lines
    assert MENDED in (folder / "tramites" / "b.json").read_text()
    assert BAD in (folder / "tramites" / "a.json").read_text()


def test_a_replacement_that_was_decided_is_written(folder: Path):
    tramites(folder, a=f"{U}/es")
    check("--store", "s.db", ".")
    listed = in_process("review", "list", "--store", "s.db", "--json")
    number = json.loads(listed.out)["id"]
    in_process("review", "decide", number, "replace", GOOD, "--store", "s.db")
    assert "1 link mended in 1 file" in check("--store", "s.db", "--fix", ".").lines
    assert json.loads((folder / "tramites" / "a.json").read_text())["fuente_url"] == GOOD
    assert check("--store", "s.db", ".").status == 0


def test_a_file_s_name_is_no_pattern_to_git(folder: Path):
    """To git, `:!*.json` would be all files but these."""
    path = folder / ":!*.json"
    path.write_text(json.dumps({"fuente_url": GOOD}))
    _git("init", "-q")
    _git("add", ".")
    _git("commit", "-qm", "as it was")
    path.write_text(json.dumps({"fuente_url": BAD}))
    ended = check("--fix", path.name)
    assert (ended.status, json.loads(path.read_text())) == (2, {"fuente_url": BAD})
    assert "not everything is committed (:!*.json)" in ended.err
