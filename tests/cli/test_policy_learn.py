"""`sameas policy learn`: what it shows, writes and asks; and that what it writes can be judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import Ended, in_process


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = ["url,hash"]
    for _ in range(2):
        for n in range(8):
            rows += [f"https://h.example/a{n}/,{n}", f"https://h.example/a{n}/index.html,{n}"]
            rows += [f"https://h.example/a{n}/?aff=x{n},{n}"]
    (tmp_path / "fetched.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def _learn(folder: Path, *options: str) -> Ended:
    return in_process("policy", "learn", "-i", str(folder / "fetched.csv"), *options)


def test_a_person_is_shown_each_rule_with_its_reasons(folder: Path):
    shown = _learn(folder)
    assert (shown.status, shown.err) == (0, "")
    assert shown.lines[0] == "pairs 48 · hosts 1 · rules 2"
    assert any(line.startswith("h.example: parameter aff: ") for line in shown.lines)
    assert any(line.startswith("h.example: index page index.html: ") for line in shown.lines)


def test_what_is_written_can_be_judged(folder: Path):
    files = str(folder / "a.json"), str(folder / "a.toml")
    partly = _learn(folder, "-o", files[0])
    assert partly.err == (
        "sameas: 1 rules cannot be said in overrides: --policy-file FILE writes them\n"
    )
    assert _learn(folder, "-o", files[0], "--policy-file", files[1]).status == 0
    judged = in_process(
        "policy", "diff", "default", files[1], "--overrides", files[0],
        "-i", str(folder / "fetched.csv"), "-c", "url", "--json",
    )  # fmt: skip
    data = json.loads(judged.out)
    assert (data["rows"], data["changed"], data["merged"], data["split"]) == (48, 32, 8, 0)
    assert sorted(one["rule"] for one in data["rules"]) == ["override", "path.pieces"]
    assert sorted(one.name for one in folder.iterdir()) == ["a.json", "a.toml", "fetched.csv"]


def test_a_script_gets_one_object(folder: Path):
    data = json.loads(_learn(folder, "--json").out)
    rule = next(one for one in data["rules"] if one["kind"] == "parameter")
    assert (rule["host"], rule["name"], rule["against"]) == ("h.example", "aff", 0)
    assert rule["support"] > 8
    assert rule["confidence"] == 1
    assert rule["counter_example"] is None


def test_questions_go_into_the_queue_and_an_answer_into_the_overrides(folder: Path):
    store = ("--store", str(folder / "s.db"))
    assert _learn(folder, "--ask", *store).lines[-1].startswith("new questions 1; ")
    assert _learn(folder, "--ask", *store).lines[-1].startswith("new questions 0; ")
    listed = in_process("review", "list", "--kind", "parameter", "--json", *store)
    question = json.loads(listed.out)
    assert (question["about"], question["suggestion"]) == ("h.example?aff", "drop")
    file = str(folder / "overrides.json")
    answered = in_process(
        "review", "decide", question["id"], "suggested", "--overrides", file, *store
    )
    assert answered.status == 0
    assert json.loads(Path(file).read_text())["overrides"][0]["drop_query_params"] == ["aff"]


def test_rows_without_a_hash_are_named_and_end_with_1(folder: Path):
    with open(folder / "fetched.csv", "a") as file:
        file.write("https://h.example/x,\nnonsense,1\n")
    ended = _learn(folder)
    assert ended.status == 1
    first, second = ended.err.splitlines()
    assert first == f"{folder}/fetched.csv:50: no_content: it has no content hash; skipped"
    assert second.startswith(f"{folder}/fetched.csv:51: relative: ")
    assert ended.lines[1:3] == ["skipped 1: no_content", "skipped 1: relative"]


def test_without_either_source_or_with_a_wrong_column_it_is_refused(folder: Path):
    assert in_process("policy", "learn").status == 2
    wrong = _learn(folder, "--hash-column", "md5")
    assert wrong.status == 2
    assert 'has no column "md5"' in wrong.err


@pytest.mark.parametrize("missing", ["duckdb", "pyarrow"])
def test_the_extra_that_is_missing_is_named(folder: Path, missing: str):
    code = f"import sys; sys.modules[{missing!r}] = None; from sameas.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "policy", "learn", "-i", str(folder / "fetched.csv")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "sameas: learning needs an extra: pip install 'sameas[learn]'\n"
