"""Every block of the documentation runs. The word behind the fence says how; no block is exempt
but those marked `install`, which are counted here."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from sameas import Policy, PolicyError
from tests.docs import feed_session, service_session

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("spec/*.md"), *ROOT.glob("docs/**/*.md")])
NOT_RUN = {
    "sh install": {"README.md": 1, "CONTRIBUTING.md": 1, "docs/feeds.md": 1, "docs/service.md": 1}
}
"""What would install things or run these tests again, by page: one more needs a line here."""

FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.M | re.S)
BLOCKS = [
    (page, text.count("\n", 0, block.start()) + 1, block[2].strip(), block[3])
    for page in PAGES
    for text in [page.read_text("utf-8")]
    for block in FENCE.finditer(text)
]
KIND_OF_SESSION = {"feeds": feed_session, "service": service_session}
"""Blocks of a kind that ends so are one session of their page: one folder, from top to bottom."""

RUN = [
    pytest.param(kind, text, id=f"{page.relative_to(ROOT)}:{line}")
    for page, line, kind, text in BLOCKS
    if kind not in NOT_RUN and kind.partition(" ")[2] not in KIND_OF_SESSION
]
SESSIONS = sorted(
    {
        (page, word)
        for page, _, kind, _ in BLOCKS
        if (word := kind.partition(" ")[2]) in KIND_OF_SESSION
    }
)


def _python(text: str, _: Path) -> None:
    """As doctest has it where there is a `>>>`, else executed."""
    if ">>>" not in text:
        exec(compile(text, "block", "exec"), {"__name__": "block"})
        return
    example = doctest.DocTestParser().get_doctest(text, {}, "block", None, 0)
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    assert not failed.failed, "".join(said)


COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)


def _console(text: str, _: Path) -> None:
    """Commands behind `$`, each with what it writes to standard output."""
    for command, shown in COMMAND.findall(text):
        done = _shell(command)
        assert done.stdout.splitlines() == shown.splitlines(), f"{command}\n{done.stderr}"


def _sh(text: str, _: Path) -> None:
    done = _shell(f"set -e\n{text}")
    assert done.returncode == 0, done.stdout + done.stderr


def _shell(
    command: str, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAMEAS_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=cwd,
        env={**kept, **(env or {}), "PATH": path, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )


def _toml(text: str, folder: Path) -> None:
    file = folder / "policy.toml"
    file.write_text(text, "utf-8")
    assert Policy.load(file).name


def _json(text: str, folder: Path) -> None:
    data = json.loads(text)
    if "overrides" in data:
        file = folder / "overrides.json"
        file.write_text(text, "utf-8")
        assert Policy.load("curious-now", overrides=file).plan.rules


KINDS = {"python": _python, "console": _console, "sh": _sh, "toml": _toml, "json": _json}


@pytest.mark.parametrize(("kind", "text"), RUN)
def test_the_block_runs_and_gives_what_it_shows(kind: str, text: str, tmp_path: Path) -> None:
    assert kind in KINDS, f"{kind!r}: a block is one of {', '.join([*KINDS, *NOT_RUN])}"
    assert text.strip(), "an empty block shows nothing"
    KINDS[kind](text, tmp_path)


@pytest.mark.parametrize(("page", "word"), SESSIONS, ids=lambda each: getattr(each, "name", each))
def test_the_session_of_a_page_gives_what_it_shows(page: Path, word: str, tmp_path: Path) -> None:
    session = KIND_OF_SESSION[word]
    with session.environment(tmp_path) as env:
        for at, line, kind, text in BLOCKS:
            if at != page or kind.partition(" ")[2] != word:
                continue
            if kind == f"sh {word}":
                done = _shell(session.command(f"set -e\n{text}", env), tmp_path, env)
                assert done.returncode == 0, f"{page}:{line}: {done.stdout}{done.stderr}"
                continue
            assert kind == f"console {word}"
            for command, shown in COMMAND.findall(text):
                done = _shell(session.command(command, env), tmp_path, env)
                assert session.plain(done.stdout) == session.plain(shown), done.stderr


def test_blocks_that_are_not_run_are_the_ones_listed_here() -> None:
    found = {kind: Counter[str]() for kind in NOT_RUN}
    for page, _, kind, _ in BLOCKS:
        if kind in NOT_RUN:
            found[kind][str(page.relative_to(ROOT))] += 1
    assert found == NOT_RUN


def test_no_fence_is_overlooked() -> None:
    for page in PAGES:
        fences = re.findall(r"^\s*(?:```|~~~)", page.read_text("utf-8"), re.M)
        assert len(fences) == 2 * sum(block[0] == page for block in BLOCKS), page


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("python", ">>> 1 + 1\n3\n"),
        ("python", "assert False\n"),
        ("console", "$ echo one\ntwo\n"),
        ("console", "$ echo one\none\n$ echo two\n"),
        ("sh", "false\ntrue\n"),
        ("toml", 'name = "a"\nversion = 1\n[quary]\n'),
        ("json", '{"overrides": [{}]}\n'),
        ("json", "{"),
    ],
)
def test_a_block_that_is_wrong_is_caught(kind: str, text: str, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, PolicyError, json.JSONDecodeError)):
        KINDS[kind](text, tmp_path)
