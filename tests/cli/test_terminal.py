"""Terminals and pipes: bars where somebody sees them, and nothing slow before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.cli.terminal import json_line, plain
from sameas.report.changed import changed
from tests.cli.program import environment, on_terminal, sameas


@pytest.fixture
def links(tmp_path: Path) -> Path:
    file = tmp_path / "links.txt"
    file.write_text("http://example.com/\nnews item\n" * 2000)
    return file


def test_a_bar_goes_to_the_terminal_and_the_results_to_the_pipe(links: Path):
    ended, seen = on_terminal("canon", "-p", "feed", "--input", str(links), streams="err")
    assert ended.status == 1
    assert ended.out == "http://example.com/\n\n" * 2000
    assert "━" in seen
    assert "%" in seen
    assert "\x1b[?25h" in seen  # the cursor is shown again
    assert seen.count(": relative: ") == 2000


@pytest.mark.parametrize("streams", ["out err", "out"])
def test_there_is_no_bar_where_results_go_to_the_terminal_or_nobody_looks(
    streams: str, links: Path
):
    _, seen = on_terminal("canon", "-p", "feed", "--input", str(links), streams=streams)
    assert "\x1b" not in seen
    assert "%" not in seen


def test_what_is_slow_to_load_is_loaded_when_it_is_needed():
    code = """
import sys
from sameas.cli.app import app
app({args}, standalone_mode=False)
print(*sys.modules)
"""
    for args in (["canon", "http://a/"], ["explain", "http://a/"], ["canon", "--help"]):
        found = subprocess.check_output(
            [sys.executable, "-c", code.format(args=args)], env=environment(), text=True
        )
        loaded = set(found.split())
        assert "sameas.cli.canon" in loaded
        assert not loaded & {"rich.console", "rich.table", "rich.progress", "pyarrow"}


def test_the_program_runs_under_its_own_name_too():
    program = Path(sys.executable).parent / "sameas"
    done = subprocess.run(
        [program, "canon", "http://a"], capture_output=True, env=environment(), check=False
    )
    assert (done.returncode, done.stdout) == (0, sameas("canon", "http://a").out.encode())


@given(st.text(st.characters()))
def test_plain_text_has_no_control_characters_and_keeps_what_can_be_printed(text: str):
    harmless = plain(text)
    assert harmless.isprintable()
    assert plain(harmless) == harmless
    if text.isprintable():
        assert harmless == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_is_one_line_of_printable_ascii(text: str):
    line = json_line({"input": text})
    assert line.isascii()
    assert line.isprintable()


@given(st.text("ab/?&=#", max_size=30), st.text("ab/?&=#", max_size=30))
def test_marks_leave_both_texts_whole_and_what_is_not_marked_alike(before: str, after: str):
    one, two = changed(before, after)
    assert "".join(piece for piece, _ in one) == before
    assert "".join(piece for piece, _ in two) == after
    same = ["".join(piece for piece, mark in marked if not mark) for marked in (one, two)]
    assert same[0] == same[1]
    if before == after:
        assert same[0] == before


def test_marks_on_texts_without_end_are_coarse_and_cheap():
    one, two = changed("a/" * 20_000, "b/" * 20_000)
    assert [mark for piece, mark in one if piece] == [True, False]
    assert "".join(piece for piece, _ in two) == "b/" * 20_000
