"""`sameas policy diff`: what it shows, in which forms, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import in_process, sameas

POLICY = 'name = "mine"\nversion = 1\nextends = "default"\n[query]\ndrop = { add = ["from"] }\n'
LINKS = "https://a.example/x?from=1\nhttps://a.example/x\nhttps://ann:s3cret@a.example/y?from=1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(POLICY)
    (tmp_path / "links.txt").write_text(LINKS)
    (tmp_path / "overrides.json").write_text(
        '{"overrides": [{"match": {"host": "a.example"}, "drop_query_params": ["from"]}]}'
    )
    return tmp_path


def _diff(folder: Path, *options: str, old: str = "default@1", new: str = "mine.toml"):
    new = str(folder / new) if new.endswith(".toml") else new
    return in_process("policy", "diff", old, new, "-i", str(folder / "links.txt"), *options)


def test_a_person_is_shown_counts_rules_and_samples(folder: Path):
    shown = _diff(folder)
    assert (shown.status, shown.err) == (0, "")
    assert shown.lines[1:4] == [
        "rows 3 · keys that change 2",
        "merged: 2 groups become 1, in 2 rows",
        "split: 0 groups become 0, in 0 rows",
    ]
    assert "  query.drop (C15): 2 · 1 · 0" in shown.lines
    assert "2 groups, 2 rows, become one: a.example/x" in shown.lines
    assert "s3cret" not in shown.out


def test_a_script_gets_one_object(folder: Path):
    data = json.loads(_diff(folder, "--json", "--samples", "1").out)
    assert [data[name] for name in ("rows", "changed", "merged", "split")] == [3, 2, 1, 0]
    assert data["old"]["policy"] == "default@1"
    (changed,) = data["samples"]["changed"]
    assert changed["row"] == 1
    assert (changed["before"], changed["after"]) == ("a.example/x?from=1", "a.example/x")
    assert changed["rule"] == "query.drop"
    assert "s3cret" not in json.dumps(data)


def test_an_overrides_file_is_judged_like_a_policy(folder: Path):
    file = str(folder / "overrides.json")
    data = json.loads(_diff(folder, "--overrides", file, "--json", new="default").out)
    assert (data["changed"], data["merged"]) == (2, 1)
    assert data["rules"][0]["rule"] == "override"
    back = _diff(folder, "--old-overrides", file, "--json", new="default")
    assert json.loads(back.out)["split"] == 1


def test_the_report_has_charts_and_shows_what_comes_from_outside_as_text(folder: Path):
    (folder / "links.txt").write_text(LINKS + "https://a.example/<script>?from=1\n")
    page = folder / "diff.html"
    assert _diff(folder, "--html", str(page)).status == 0
    text = page.read_text()
    assert text.count("<svg") == 2
    assert "Groups that become one" in text
    assert "<mark>" in text
    assert "<script" not in text
    assert "s3cret" not in text


def test_a_report_of_no_change_says_so(folder: Path):
    page = folder / "diff.html"
    assert _diff(folder, "--html", str(page), new="default").status == 0
    assert "Nothing changes on this data." in page.read_text()


def test_rows_that_are_refused_are_named_and_end_with_1(folder: Path):
    (folder / "links.txt").write_text(LINKS + "nonsense\n")
    ended = _diff(folder)
    assert ended.status == 1
    assert ended.err.startswith(f"{folder}/links.txt:4: relative: 'nonsense' has no scheme")
    assert "refused 1" in ended.lines


def test_a_pipe_and_a_column_will_do(folder: Path):
    given = b'{"link": "https://a.example/?from=1"}\n'
    ended = sameas(
        "policy", "diff", "default", str(folder / "mine.toml"), "-i", "-",
        "--format", "jsonl", "--column", "link", stdin=given,
    )  # fmt: skip
    assert ended.status == 0
    assert ended.lines[1] == "rows 1 · keys that change 1"


def test_what_is_no_policy_is_refused(folder: Path):
    for old in ("fead", "feed@99"):
        ended = _diff(folder, old=old)
        assert (ended.status, ended.out) == (2, "")
