"""`sameas store`: what it shows, what it takes over, and how it fails."""

from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sameas import Policy
from sameas.store.opening import open_store
from sameas.store.schema import REVISION
from tests.cli.program import in_process, on_terminal, sameas
from tests.feeds.documents import item, recorded

SECRET = "s3cret"


def _filled(target: str) -> str:
    store = open_store(target)
    recorded(store, item("1", "/1"), item("2", "/2"))
    store.close()
    return target


def _from_before(file: Path) -> None:
    with closing(sqlite3.connect(file)) as old:
        old.execute("CREATE TABLE entries (id INTEGER PRIMARY KEY, dedupe_key TEXT)")
        old.execute("INSERT INTO entries (dedupe_key) VALUES ('guid:1')")
        old.commit()


def test_info_shows_what_there_is(new_target: Callable[[], str]):
    target = _filled(new_target())
    print_ = Policy.load("feed").fingerprint
    shown = in_process("store", "info", "--store", target)
    assert shown.status == 0
    head, *rows = shown.lines
    assert (
        f": sqlite, version {REVISION}, " in head or f": postgresql, version {REVISION}, " in head
    )
    assert [row.split() for row in rows] == [
        ["feeds", "1"],
        ["entries", "2", "feed@1", f"({print_[:12]})"],
        ["entry_identities", "6", "feed@1", f"({print_[:12]})"],
        ["entry_sources", "2"],
        ["domains", "0"],
        ["links", "0"],
        ["reviews", "0"],
    ]
    data = json.loads(in_process("store", "info", "--json", env={"SAMEAS_STORE": target}).out)
    counts = {"feeds": 1, "entries": 2, "entry_identities": 6, "entry_sources": 2}
    assert data["rows"] == counts | {"domains": 0, "links": 0, "reviews": 0}
    assert [stamp["fingerprint"] for stamp in data["stamps"]] == [print_, print_]
    assert data["bytes"] > 0


@pytest.mark.parametrize("command", ["info", "migrate"])
def test_what_brings_a_part_that_is_missing_is_named(command: str, tmp_path: Path):
    code = "import sys; sys.modules['sqlalchemy'] = None; from sameas.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "store", command, "--store", str(tmp_path / "store.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "sameas: the store needs an extra: pip install 'sameas[store]'\n"


def test_on_a_terminal_the_columns_have_names(tmp_path: Path):
    target = _filled(str(tmp_path / "store.db"))
    ended, seen = on_terminal("store", "info", "--store", target)
    assert ended.status == 0
    assert "keys made under" in seen


def test_without_a_name_it_is_the_users_own(tmp_path: Path):
    env = {"XDG_DATA_HOME": str(tmp_path / "data"), "SAMEAS_STORE": ""}
    missing = sameas("store", "info", env=env)
    own = tmp_path / "data" / "sameas" / "sameas.db"
    assert (missing.status, missing.out) == (2, "")
    hint = "look at its name; `sameas feeds add` or `sameas registry check` makes one"
    assert missing.err == f"sameas: {own}: there is no such store ({hint})\n"
    assert sameas("store", "migrate", env=env).status == 0
    assert stat.S_ISREG(own.stat().st_mode)
    assert sameas("store", "info", env=env).status == 0


def test_where_the_users_folder_cannot_be_made_it_is_named(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    ended = in_process("store", "info", env={"XDG_DATA_HOME": str(blocked), "SAMEAS_STORE": ""})
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"sameas: {blocked}/sameas: the folder cannot be made: ")
    assert ended.err.endswith("(name a store with --store)\n")


def test_who_has_no_home_is_told_to_name_a_store(monkeypatch: pytest.MonkeyPatch):
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    ended = in_process("store", "info", env={"XDG_DATA_HOME": "", "SAMEAS_STORE": ""})
    hint = "(name a store with --store)"
    assert ended.status == 2
    assert ended.err == f"sameas: the user's own store: there is no home folder {hint}\n"


def test_migrate_takes_over_rows_from_before_and_says_so(tmp_path: Path):
    file = tmp_path / "old.db"
    _from_before(file)
    refused = in_process("store", "info", "--store", str(file))
    assert refused.status == 2
    assert "run `sameas store migrate` first" in refused.err
    done = in_process("store", "migrate", "--store", str(file))
    assert done.status == 0
    assert done.lines[:3] == [
        "taken over: 0 feeds",
        "taken over: 1 entries",
        "taken over: 0 entry_identities",
    ]
    again = json.loads(in_process("store", "migrate", "--store", str(file), "--json").out)
    assert again["taken"] == {}
    assert [stamp["policy"] for stamp in again["stamps"]] == ["feed@1"]
    assert in_process("store", "info", "--store", str(file)).status == 0


def test_a_password_is_shown_nowhere():
    for target in (f"postgresql://u:{SECRET}@127.0.0.1:1/d", f"postgresql://u:{SECRET}@h:x/d"):
        for command in ("info", "migrate"):
            ended = in_process("store", command, "--store", target)
            assert ended.status == 2
            assert ended.err.startswith("sameas: postgresql://")
            assert SECRET not in ended.out + ended.err


def test_an_unknown_policy_changes_nothing(tmp_path: Path):
    file = tmp_path / "old.db"
    _from_before(file)
    before = file.read_bytes()
    assert in_process("store", "migrate", "--store", str(file), "-p", "fead").status == 2
    assert file.read_bytes() == before
