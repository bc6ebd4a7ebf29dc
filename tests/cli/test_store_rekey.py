"""`sameas store rekey` and `find`: tried first, done when told to, taken back; what each shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sameas.store.opening import open_store
from tests.change.stores import BODY, filled
from tests.cli.program import Ended, in_process


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = open_store(str(tmp_path / "news.db"))
    filled(store, 1)
    store.close()
    (tmp_path / "wider.toml").write_text(f'name="wider"\nversion=1\nextends="feed"\n{BODY}')
    return tmp_path


def _store(folder: Path, *args: str) -> Ended:
    words = [str(folder / word) if word.endswith(".toml") else word for word in args]
    return in_process("store", *words, "--store", str(folder / "news.db"))


def test_it_is_tried_unless_told_to_do_it(folder: Path):
    shown = _store(folder, "rekey", "--to", "wider.toml")
    assert shown.status == 0
    assert shown.lines == [
        "feed@1 to wider@1, tried, nothing is changed",
        "entries 9 · rewritten 5 · merged 2 · split 1 · kept apart 2",
        "merges  https://a.example/m0",
        "  into  https://a.example/m0?from=a",
        "merges  https://a.example/m0?from=c",
        "  into  https://a.example/m0?from=a",
        "splits  https://a.example/s0?ref=1",
        "  from  https://a.example/s0",
        "To do it: the same command with --apply",
    ]
    assert _store(folder, "info", "--json").out.count("feed@1") == 2
    done = json.loads(_store(folder, "rekey", "--to", "wider.toml", "--apply", "--json").out)
    assert (done["applied"], done["merged"], done["split"]) == (True, 2, 1)
    assert done["samples"]["merged"][0]["into"] == "https://a.example/m0?from=a"
    assert _store(folder, "info", "--json").out.count("wider@1") == 2


def test_taken_back(folder: Path):
    _store(folder, "rekey", "--to", "wider.toml", "--apply")
    back = _store(folder, "rekey", "--undo", "--apply")
    assert back.lines == ["wider@1 back to feed@1", "entries 7 · rewritten 5 · parted 2"]
    again = _store(folder, "rekey", "--undo", "--apply")
    assert again.status == 2
    assert "there is no move to take back" in again.err


def test_an_entry_is_found_by_what_it_was_known_by(folder: Path):
    _store(folder, "rekey", "--to", "wider.toml", "--apply")
    old = "https://a.example/m0?from=a"
    shown = _store(folder, "find", "https://a.example/m0", old)
    assert shown.status == 0
    now, was = shown.lines
    number = now.split()[1]
    assert now == f"entry {number} (canonical_url): {old}"
    assert was == f"entry {number} (canonical_url, under feed@1): {old}"
    data = json.loads(_store(folder, "find", "--json", old).out)
    assert (data["key"], data["policy"], data["title"]) == (old, "feed@1", "meets 0")
    missing = _store(folder, "find", "https://a.example/never")
    assert (missing.status, missing.out) == (1, "")
    assert missing.err.startswith("https://a.example/never: leads to no entry of ")


def test_links_and_questions_move_too(folder: Path):
    ended = _store(folder, "rekey", "--links", "--to", "clara", "--apply")
    assert ended.lines == ["links and questions to clara@1: 0 rows changed"]
    stamps = json.loads(_store(folder, "info", "--json").out)["stamps"]
    assert {one["table_name"]: one["policy"] for one in stamps} == {
        "entries": "feed@1",
        "entry_identities": "feed@1",
        "links": "clara@1",
        "reviews": "clara@1",
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "give --to POLICY, or --undo"),
        (["--undo"], "give --apply"),
        (["--links", "--to", "clara"], "give --apply"),
        (["--undo", "--links", "--apply"], "--links is moved back with --to"),
        (["--to", "tk"], "tk@1 makes no URLs"),
        (["--to", "fead"], "did you mean feed?"),
    ],
)
def test_what_cannot_be_done_is_refused(folder: Path, options: list[str], said: str):
    ended = _store(folder, "rekey", *options)
    assert (ended.status, ended.out) == (2, "")
    assert said in " ".join(ended.err.split())
