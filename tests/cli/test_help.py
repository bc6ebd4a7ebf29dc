"""Help: everything is documented, every example runs, completion knows the names."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer.main
from typer.testing import CliRunner

import sameas as library
from sameas.cli.app import app
from sameas.cli.options import store_target
from sameas.feeds.record import record_failure
from sameas.store.opening import open_store
from tests import spark
from tests.cli.program import PROGRAM, environment, in_process, on_terminal, sameas
from tests.cli.registry_examples import prepared
from tests.cli.resolve_examples import answering
from tests.feeds.documents import item, recorded

URL = "http://example.com/a"


def _commands(command: Any = None, path: str = "sameas") -> Iterator[tuple[str, Any]]:
    command = command or typer.main.get_command(app)
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, f"{path} {name}")


COMMANDS = dict(_commands())


def _help(path: str) -> str:
    found = CliRunner().invoke(app, [*path.split()[1:], "--help"], prog_name="sameas")
    assert found.exit_code == 0
    return found.stdout


def _examples(path: str) -> list[str]:
    _, _, end = _help(path).partition("  Examples:\n")
    return [line.strip() for line in end.splitlines()]


def _command(line: str) -> tuple[list[str], str]:
    """The arguments of our program in a line for a shell, and the file it is to read."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>;")
    lexer.whitespace_split = True
    words = list(lexer)
    words = words[words.index("sameas") + 1 :]
    end = next((i for i, word in enumerate(words) if word in ("|", ">", ";", "<")), len(words))
    return words[:end], words[end + 1] if words[end : end + 1] == ["<"] else ""


def test_the_commands_are_these():
    assert {path.removeprefix("sameas").strip() for path in COMMANDS} == {
        "",
        "canon",
        "explain",
        "same",
        "dedupe",
        "policy",
        "policy list",
        "policy show",
        "policy check",
        "policy diff",
        "policy import",
        "policy learn",
        "store",
        "store info",
        "store migrate",
        "store rekey",
        "store find",
        "doctor",
        "serve",
        "feeds",
        "feeds add",
        "feeds remove",
        "feeds list",
        "feeds sync",
        "feeds entries",
        "feeds prune",
        "feeds import",
        "feeds export",
        "resolve",
        "registry",
        "registry check",
        "review",
        "review list",
        "review show",
        "review decide",
        "review export",
    }


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_is_documented_with_examples(path: str):
    text = _help(path)
    assert text.splitlines()[2].strip().endswith(".")
    for param in COMMANDS[path].params:
        if param.param_type_name == "argument":
            assert param.metavar in text.splitlines()[0]
        else:
            assert param.opts[0] in text
            assert param.help
    examples = _examples(path)
    assert examples
    assert all(re.search(rf"\b{path}\b", line) for line in examples)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("path", COMMANDS)
def test_every_example_runs(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for store in (store_target(""), "news.db"):
        open_store(store).close()
    files = {
        "links.txt": URL,
        "articles.csv": f"url,title\n{URL},A",
        "articles.jsonl": f'{{"url": "{URL}", "title": "A"}}',
        "rows": f'{{"link": "{URL}"}}',
        "mine.toml": 'name = "mine"\nversion = 1\n',
        "overrides.json": '{"overrides": []}',
        "feeds.opml": "<opml/>",
        "rules.json": '{"providers": {"a": {"urlPattern": ".*", "rules": ["from"]}}}',
        "fetched.csv": f"url,hash\n{URL},1",
        "params.txt": "$removeparam=from",
        "feeds.netrc": "machine example.com login ann password s3cret",
    }
    _store_with_feeds_that_are_gone()
    _store_with_an_entry()
    monkeypatch.setattr("sameas.web.serving.serve", lambda *_: None)
    monkeypatch.setenv("SAMEAS_TOKEN", "correct-horse-battery-staple")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    pq.write_table(pa.table({"url": [URL], "title": ["A"]}), tmp_path / "articles.parquet")
    meant = {"URL": URL, "$old": URL, "$new": URL, "policies/*.toml": "mine.toml"}
    for line in _examples(path):
        args, given = _command(line)
        stdin = (tmp_path / (given or "links.txt")).read_text()
        if "--spark" in line:  # a process of its own, so that its Java ends with it
            env = spark.environment(tmp_path)
            assert sameas(*args, env=env, cwd=tmp_path, patience=300).status == 0, line
            continue
        words = meant | prepared(line, tmp_path)
        with answering(monkeypatch, tmp_path) if "sameas resolve" in line else nullcontext():
            found = CliRunner().invoke(app, [words.get(word, word) for word in args], input=stdin)
        assert found.exit_code == 0, line
        assert found.stderr == "" or found.stderr.startswith("articles 1 · "), line


def _store_with_feeds_that_are_gone() -> None:
    """No example asks the network."""
    now = datetime.now(UTC)
    with closing(open_store(store_target(""))) as store:
        for feed in store.add_feeds([(URL, ""), ("https://example.org/feed.xml", "")], now):
            record_failure(store, feed, replace(feed, status="gone"))


def _store_with_an_entry() -> None:
    with closing(open_store(store_target(""))) as store:
        recorded(store, item("", URL), feed="https://example.org/feed.xml")


def test_the_version_is_told():
    assert sameas("--version").out == f"sameas {library.__version__}\n"


def test_no_command_and_a_wrong_one_end_with_2():
    assert sameas().status == 2
    ended = sameas("cannon", URL)
    assert ended.status == 2
    assert "Did you mean 'canon'?" in ended.err


def test_help_is_plain_text_also_on_a_terminal():
    _, seen = on_terminal("canon", "--help")
    assert "\x1b" not in seen
    assert seen.replace("\r", "") == sameas("canon", "--help").out


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("sameas canon --policy n", ["news"]),
        ("sameas same -p cl", ["clara"]),
        ("sameas policy show t", ["tk"]),
        ("sameas canon --policy m", ["mine.toml"]),
        ("sameas canon --engine p", ["python"]),
        ("sameas canon --format pa", ["parquet"]),
        ("sameas ex", ["explain"]),
    ],
)
def test_the_shell_completes(
    line: str, wanted: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text("")
    env = {
        "_SAMEAS_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    assert in_process(env=env).lines == wanted


@pytest.mark.parametrize(
    ("shell", "word"),
    [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "complete --command")],
)
def test_each_shell_has_a_script_for_completion(shell: str, word: str):
    found = in_process(env={"_SAMEAS_COMPLETE": f"source_{shell}"})
    assert found.status == 0
    assert "_SAMEAS_COMPLETE" in found.out
    assert word in found.out


def test_the_script_for_the_shell_one_sits_in_is_shown():
    command = ["bash", "-c", '"$@"; exit $?', "bash", *PROGRAM, "--show-completion"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "complete -o" in done.stdout
