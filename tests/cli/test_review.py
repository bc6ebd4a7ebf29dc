"""`sameas review` as a shell sees it: the queue looked at, answered, taken back, exported."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from sameas.cli.review import Kind
from sameas.review.kinds import KINDS
from tests.cli.program import Ended, in_process, on_terminal
from tests.registry.runs import GOOD, tramites

U = "https://sede.uno.gob.es"
NAMES = [
    "id",
    "kind",
    "about",
    "url",
    "file",
    "line",
    "field",
    "question",
    "answers",
    "suggestion",
    "reason",
    "evidence",
    "asked_at",
    "decision",
    "value",
    "decided_by",
    "decided_at",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAMEAS_STORE", "sameas.db")
    tramites(tmp_path, a=f"{U}", b="www.boe.es/a/b/c", c=f"{GOOD}?ver=2", d=GOOD, e=GOOD)
    assert _check().status == 1
    return tmp_path


def _check(*args: str) -> Ended:
    return in_process("registry", "check", "--offline", *args, ".")


def _review(*args: str) -> Ended:
    return in_process("review", *args)


def _listed(*args: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _review("list", "--json", *args).lines]


def _id(kind: str) -> str:
    (found,) = _listed("--kind", kind)
    return str(found["id"])


def test_the_open_questions_are_listed_in_the_order_of_the_files():
    found = _listed()
    assert [list(one) for one in found] == [NAMES] * 4
    assert [(one["kind"], Path(one["file"]).name, one["about"]) for one in found] == [
        ("homepage", "a.json", U),
        ("invalid", "b.json", "www.boe.es/a/b/c"),
        ("parameter", "c.json", "sede.uno.gob.es?ver"),
        ("duplicate", "d.json", GOOD),
    ]
    lines = _review("list").lines
    assert [line.split()[:3] for line in lines] == [[o["id"], o["kind"], o["about"]] for o in found]
    assert lines[1].split()[-1] == "tramites/b.json:3"


def test_all_that_is_known_of_one_is_shown_with_the_ways_to_answer():
    number = _id("invalid")
    shown = _review("show", number)
    assert shown.lines[:3] == [
        "This is no link. What should stand here?",
        "    www.boe.es/a/b/c",
        "    in tramites/b.json:3",
    ]
    assert "Suggested: replace https://www.boe.es/a/b/c; what was meant is not in the file." in (
        shown.lines
    )
    assert f"  sameas review decide {number} keep: " in shown.out
    assert json.loads(_review("show", number, "--json").out)["evidence"][0].startswith("relative: ")


def test_a_decision_tells_who_and_when_silences_the_next_run_and_is_taken_back(
    monkeypatch: pytest.MonkeyPatch,
):
    number = _id("homepage")
    monkeypatch.setenv("USER", "ana")
    ended = _review("decide", number, "accept_home")
    assert (ended.status, ended.out) == (0, f"decided: {number} accept_home\n")
    (decided,) = _listed("--decided")
    assert (decided["decision"], decided["decided_by"]) == ("accept_home", "ana")
    assert decided["decided_at"].endswith("Z")
    assert "accept_home" in _review("list", "--decided").out
    assert "a.json" not in _check().out
    assert "homepage" not in [one["kind"] for one in _listed()]

    ended = _review("decide", number, "--undo", "--by", "luis", "--json")
    assert json.loads(ended.out)["decided_by"] == "luis"
    assert "a.json:3: homepage" in _check().out
    assert _id("homepage") == number


def test_a_parameter_that_goes_is_written_into_the_overrides_file_and_the_store_moves_along():
    number = _id("parameter")
    refused = _review("decide", number, "drop")
    assert refused.status == 2
    assert "give --overrides FILE" in refused.err
    kept = _id("homepage")
    _review("decide", kept, "keep")

    ended = _review("decide", number, "drop", "--overrides", "mine.json")
    assert ended.lines == [
        f"decided: {number} drop",
        "mine.json is written: from now on run with --overrides mine.json",
    ]
    assert _check().status == 2
    found = [json.loads(line) for line in _check("--overrides", "mine.json", "--json").lines]
    problems = {Path(one["file"]).stem: one["problems"] for one in found}
    assert problems["c"] == ["not_canonical", "duplicate"]
    assert "a" not in problems
    assert "parameter" not in [one["kind"] for one in _listed()]

    ended = _review("decide", number, "--undo", "--overrides", "mine.json")
    assert ended.status == 0
    assert json.loads(Path("mine.json").read_text()) == {"overrides": []}
    assert "a.json" not in _check().out
    assert _id("parameter") == number


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["decide", "ID"], "give a DECISION, or --undo"),
        (["decide", "ID", "keep", "--undo"], "give a DECISION, or --undo"),
        (["decide", "ID", "hide"], '"hide" is no decision'),
        (["decide", "ID", "not_duplicate"], '"not_duplicate" is no answer to this question'),
        (["decide", "ID", "replace"], '"replace" needs a URL'),
        (["decide", "ID", "replace", "x"], "'x' has no scheme"),
        (["decide", "ID", "suggested"], "nothing is suggested for it"),
        (["decide", "ID", "--undo"], "nothing is decided about it"),
        (["decide", "no", "keep"], "there is no such question"),
        (["show", "no"], "there is no such question"),
        (["list", "--store", "none.db"], "there is no such store"),
        (["list", "--kind", "none"], "Invalid value for '--kind'"),
    ],
)
def test_what_cannot_be_done_is_told_with_what_can(args: list[str], said: str):
    number = _id("homepage")
    ended = _review(*(number if word == "ID" else word for word in args))
    assert (ended.status, ended.out) == (2, "")
    assert said in " ".join(ended.err.replace("│", " ").split())
    assert _listed("--decided") == []


def test_the_store_is_not_written_over(folder: Path):
    before = (folder / "sameas.db").read_bytes()
    for ended in (_review("export", "-o", "sameas.db"), _check("--html", "sameas.db")):
        assert (ended.status, ended.out) == (2, "")
        assert "--store" in ended.err
    assert (folder / "sameas.db").read_bytes() == before


def test_everything_is_exported_for_a_spreadsheet_or_a_program(folder: Path):
    _review("decide", _id("duplicate"), "not_duplicate", "--by", "ana")
    assert _review("export", "-o", "r.csv").out == ""
    text = (folder / "r.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0]) == NAMES
    assert [(row["kind"], row["decision"]) for row in rows] == [
        ("homepage", ""),
        ("invalid", ""),
        ("parameter", ""),
        ("duplicate", "not_duplicate"),
    ]
    assert rows[0]["answers"] == "accept_home\nreplace\nkeep"
    assert _review("export").out == text
    lines = _review("export", "--format", "jsonl", "--kind", "duplicate").lines
    assert [json.loads(line)["decided_by"] for line in lines] == ["ana"]


def test_a_cell_that_a_spreadsheet_would_run_is_text(folder: Path):
    tramites(folder, b="=cmd|' /C calc'!A0")
    _check()
    (row,) = csv.DictReader(io.StringIO(_review("export", "--kind", "invalid").out, newline=""))
    assert row["url"].startswith("'=cmd")


def test_on_a_terminal_no_line_is_broken_and_nothing_is_painted():
    _, seen = on_terminal("review", "list", env={"SAMEAS_STORE": "sameas.db"})
    assert "\x1b" not in seen
    assert "in tramites/b.json:3, suggested: replace https://www.boe.es/a/b/c" in seen


def test_nothing_open_and_nothing_decided_is_said():
    assert _review("list", "--kind", "dead").err == "sameas: nothing is open\n"
    assert _review("list", "--decided").err == "sameas: nothing is decided\n"


def test_every_kind_of_question_can_be_chosen():
    assert {kind.value for kind in Kind} == set(KINDS)
