"""`sameas explain` and `sameas same`: why, and an exit status that answers."""

from __future__ import annotations

import json

import pytest

import sameas as library
from tests.cli.program import in_process, on_terminal, sameas

RAW = "HTTPS://User:secret@Example.com/a;jsessionid=1?utm_source=x&b=2#top"


def test_explain_shows_every_step_as_aligned_text_in_a_pipe():
    ended = sameas("explain", RAW)
    assert (ended.status, ended.err) == (0, "")
    explanation = library.explain(RAW)
    heads = [line for line in ended.lines if line[:2].strip().isdigit()]
    assert heads == [
        f"{number:2}. {step.rule} ({step.clause}): {step.why}"
        for number, step in enumerate(explanation.steps, 1)
    ]
    assert explanation.result is not None
    assert f"url      {explanation.result.url}" in ended.lines
    assert f"key      {explanation.result.key}" in ended.lines
    assert "flags    credentials" in ended.lines
    assert 'note     fragment_note = "top"' in ended.lines
    assert "secret" not in ended.out
    assert "\x1b" not in ended.out


def test_explain_as_json_has_the_result_and_the_steps():
    [line] = in_process("explain", "--json", RAW).lines
    data, wanted = json.loads(line), library.explain(RAW)
    assert [tuple(step.values()) for step in data["steps"]] == [
        (step.rule, step.clause, step.before, step.after, step.why) for step in wanted.steps
    ]
    assert list(data["steps"][0]) == ["rule", "clause", "before", "after", "why"]
    assert wanted.result is not None
    assert (data["url"], data["key"]) == (wanted.result.url, wanted.result.key)


def test_explain_shows_why_a_url_is_refused():
    ended = in_process("explain", "ftp://example.com/")
    assert ended.status == 1
    assert any(line.startswith("refused  scheme: ") for line in ended.lines)
    [line] = in_process("explain", "--json", "ftp://example.com/").lines
    assert json.loads(line)["error"]["code"] == "scheme"


def test_explain_of_two_begins_with_the_sentence_and_marks_the_rule():
    a, b = "http://example.com/a", "https://www.example.com/a/"
    ended = in_process("explain", a, b)
    found = library.compare(a, b)
    assert ended.status == 0
    assert ended.lines[0] == found.sentence
    assert [line for line in ended.lines if line.startswith(("A ", "B "))] == [f"A  {a}", f"B  {b}"]
    marked = [line.split("  ")[0] for line in ended.lines if line.startswith(" * ")]
    assert f" * {found.rule}" in marked
    [line] = in_process("explain", "--json", a, b).lines
    data = json.loads(line)
    assert list(data) == ["same", "rule", "clause", "sentence", "a", "b"]
    assert (data["same"], data["sentence"]) == (True, found.sentence)
    assert len(data["a"]["steps"]) == len(found.a.steps)


@pytest.mark.parametrize(
    ("a", "b", "status", "word"),
    [
        ("http://www.example.com/a/", "https://example.com/a?utm_source=x", 0, "same"),
        ("http://example.com/a", "http://example.com/b", 1, "different"),
    ],
)
def test_same_answers_with_a_word_a_sentence_and_the_exit_status(
    a: str, b: str, status: int, word: str
):
    ended = sameas("same", a, b)
    assert (ended.status, ended.err) == (status, "")
    assert ended.lines == [word, library.compare(a, b).sentence]
    as_json = in_process("same", "--json", a, b)
    assert as_json.status == status
    assert json.loads(as_json.out)["same"] is (status == 0)


def test_same_of_a_refused_url_is_neither_yes_nor_no():
    ended = sameas("same", "http://a/", "ftp://u:secret@b/")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("argument 2: scheme: ")
    assert "secret" not in ended.err
    as_json = in_process("same", "--json", "http://a/", "ftp://u:secret@b/")
    assert as_json.status == 2
    assert json.loads(as_json.out)["same"] is None
    empty = in_process("explain", "", "http://a/")
    assert empty.lines[0] == "They cannot be compared: an empty text is refused (empty)."


def test_the_policy_decides_what_is_the_same():
    pair = ("HTTPS://Example.com/A", "example.com/a")
    assert in_process("same", "--policy", "tk", *pair).status == 0
    assert in_process("same", *pair).status == 2


def test_explain_is_a_coloured_table_on_a_terminal():
    _, seen = on_terminal("explain", RAW, streams="out")
    assert "before → after" in seen
    assert "\x1b[9;31m" in seen
    _, without = on_terminal("explain", RAW, streams="out", env={"NO_COLOR": "1"})
    assert "before → after" in without
    assert "31m" not in without


def test_what_an_input_holds_never_reaches_the_terminal_raw():
    hostile = "http://example.com/\x1b]0;owned\x07\x1b[2J\u202e?a=\x9b31m"
    env = {"NO_COLOR": "1", "TERM": "dumb"}
    for args in (["explain", hostile], ["explain", hostile, "x\x1b[2J"]):
        _, seen = on_terminal(*args, env=env)
        assert "\\x1b]0;owned" in seen
        assert not set("\x07\x9b\u202e") & set(seen)
        assert "\x1b[2J" not in seen
        assert "\x1b]" not in seen
    _, seen = on_terminal("explain", "--policy", "tk", "http://example.com/%1B%5B2J%C2%9B")
    assert "\\x1b[2j" in seen
    assert "\x1b[2j" not in seen
    _, seen = on_terminal("canon", "--input", "no\x1b[2Jfile")
    assert "no\\x1b[2Jfile" in seen
