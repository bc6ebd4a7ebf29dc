"""The whole run on planted libraries: three files, nothing left out, nobody skipped in silence."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench.chart import Bar, Chart, draw
from bench.kept import Kept
from bench.markdown import code, figure
from bench.page import Run, Section
from bench.peers import (
    CAN_ADA,
    COMPAT,
    COURLAN,
    DEFAULT_KEY,
    FLOOR,
    NATIVE_KEY,
    NATIVE_RESULT,
    PACKAGE,
    TK_KEY,
)
from bench.speed import Reading
from bench.traps import GROUPS

from bench import __main__ as program
from bench import corpus, page, speed
from tests.bench import planted

SVG = "{http://www.w3.org/2000/svg}"
SUBJECTS = [
    planted.subject(DEFAULT_KEY, planted.as_it_is, "assert url", "ours"),
    planted.subject("quicker & dirty", planted.all_one),
    planted.subject(FLOOR, planted.refuses, kind="floor"),
    planted.absent_subject(),
]
PEERS = [planted.peer(planted.as_it_is), planted.ABSENT]


@pytest.fixture
def planted_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "SUBJECTS", SUBJECTS)
    monkeypatch.setattr(program, "PEERS", PEERS)
    monkeypatch.delenv("CI", raising=False)


def _run(out: Path, *more: str) -> int:
    return program.main(["--size", "200", "--rounds", "1", "--out", str(out), *more])


@pytest.mark.usefixtures("planted_only")
def test_a_run_writes_its_page_its_chart_and_its_matrix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = tmp_path / "given.txt.gz"
    given.write_bytes(gzip.compress(b"http://example.com/a\n\nhttp://example.com/b\r\n"))
    out = tmp_path / "out"
    assert _run(out, "--input", str(given)) == 0

    readme = (out / "README.md").read_text(encoding="utf-8")
    assert "`python -m bench --input given.txt.gz --size 200 --rounds 1`" in readme
    assert "## Links of our own making\n\n200 links" in readme
    assert "## Links of given.txt.gz\n\n2 of the 2 lines" in readme
    assert str(tmp_path) not in readme
    assert "- absent (No module named 'absent')" in readme

    matrix = (out / "traps.md").read_text(encoding="utf-8")
    for traps in GROUPS.values():
        for trap in traps:
            assert f"### {trap.name}\n\n{trap.right}" in matrix
    assert "- absent (No module named 'absent')" in matrix
    assert "`http://user:s3cret@example.com/a`" in matrix

    chart = ElementTree.parse(out / "speed.svg").getroot()
    assert [text.text for text in chart.iter(f"{SVG}text") if "name" in text.attrib["class"]]
    assert "NOT RUN: absent" in capsys.readouterr().err


@pytest.mark.usefixtures("planted_only")
def test_who_is_missing_fails_the_run_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(program, "PEERS", [planted.ABSENT])
    assert _run(tmp_path) == 1


@pytest.mark.usefixtures("planted_only")
def test_a_file_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(tmp_path / "out", "--input", str(tmp_path / "nowhere")) == 2
    assert "nowhere is not a file" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_command_of_a_full_run_is_the_one_make_knows() -> None:
    size, rounds = corpus.DEFAULT_SIZE, program.ROUNDS
    file = Path("somewhere/given.txt")
    wanted = program.Wanted(file, size, rounds, Path("out"), [], [], {})
    assert program._command(wanted) == "make bench FILE=given.txt"
    assert program._command(replace(wanted, input=None)) == "make bench"


def test_every_subject_does_every_url_of_every_round() -> None:
    seen: list[str] = []
    subject = planted.subject("counts", seen.append)
    calls, _ = speed.connected([subject])
    readings = speed.measure([subject], calls, ["a", "b", "c"], 4, lambda _: None)
    assert len(readings[0].rounds) == 4
    assert seen == ["a", "b", "c"] * 5, "four rounds and the warm-up"


def test_a_refused_url_is_counted_and_stops_nothing() -> None:
    subject = planted.subject("refuses", planted.refuses)
    calls, _ = speed.connected([subject])
    assert speed.measure([subject], calls, ["a", "b"], 1, lambda _: None)[0].refused == 2


def test_a_sample_of_a_file_is_the_same_in_every_run_and_from_all_over_it(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text("".join(f"http://example.com/{i}\n" for i in range(5_000)), encoding="utf-8")
    sample, count = speed.read_lines(file, 100)
    assert (len(sample), count) == (100, 5_000)
    assert sample == speed.read_lines(file, 100)[0]
    places = [int(url.rsplit("/", 1)[1]) for url in sample]
    assert min(places) < 1_000
    assert max(places) > 4_000
    assert len(set(places)) == 100


def _claimed(**best: float) -> str:
    names = {"default": DEFAULT_KEY, "courlan": COURLAN, "tk": TK_KEY, "package": PACKAGE,
             "compat": COMPAT, "native": NATIVE_KEY, "whole": NATIVE_RESULT,
             "can_ada": CAN_ADA}  # fmt: skip
    readings = [
        Reading(planted.subject(names[name], planted.as_it_is), (value,), 0)
        for name, value in best.items()
    ]
    section = Section("Links", "", readings)
    run = Run("today", "make bench", {}, 1, [section], [], [])
    return page.page(run).partition("## What is claimed")[2].partition("## Links")[0]


def test_a_claim_is_judged_by_the_figures_of_the_run() -> None:
    held = _claimed(
        default=10, courlan=10.5, tk=20, package=50, compat=24, native=0.8, whole=1.2, can_ada=0.4
    )
    assert held.count("**holds**") == 5
    assert "10.0 µs against 10.5 µs" in held
    lost = _claimed(
        default=11, courlan=10.5, tk=26, package=50, compat=25.1, native=0.9, whole=1.3, can_ada=0.4
    )
    assert lost.count("**does not hold**") == 5


def test_a_claim_about_a_library_that_is_missing_is_not_made() -> None:
    text = _claimed(default=10, tk=20, package=50, compat=24, native=1, whole=1, can_ada=2)
    assert text.count("NOT RUN") == 1
    assert text.count("**holds**") == 4


def test_what_the_native_engine_hands_back_is_told_list_by_list() -> None:
    kept = [Kept("Links", 400, {"default": 2, "tk": 3})]
    run = Run("today", "make bench", {}, 1, [Section("Links", "", [])], [], [], kept)
    assert "| Links | 400 | 0.50% | 0.75% |" in page.page(run)
    assert "NOT RUN: the native engine" in page.page(replace(run, kept=()))


def test_who_is_faster_is_said_in_words() -> None:
    readings = [
        Reading(planted.subject(DEFAULT_KEY, planted.as_it_is, kind="ours"), (10.0, 12.0), 0),
        Reading(planted.subject("swift", planted.as_it_is), (2.0,), 0),
    ]
    text = page.page(Run("today", "x", {}, 2, [Section("Links", "", readings)], [], []))
    assert "Faster than `sameas default, key`: swift (5.0 times: nothing)." in text
    assert "| +20 % |" in text


def test_the_chart_can_be_read_by_people_who_see_it_and_people_who_do_not() -> None:
    bars = [Bar("a < b", 2.0, 3.0, "ours"), Bar("slow & sure", 140.0, 150.0, "peer")]
    chart = Chart("Title", "Subtitle.", "µs", bars, [("ours", "us")], 2.0)
    text = draw(chart)
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img"
    labelled = root.attrib["aria-labelledby"].split()
    said = {e.attrib["id"]: e.text or "" for e in root if "id" in e.attrib}
    assert [said[name] for name in labelled] == [
        "Title",
        "Subtitle. In µs: a < b 2.00; slow & sure 140.",
    ]
    assert "prefers-color-scheme: dark" in text
    widths = [float(e.attrib["width"]) for e in root.iter(f"{SVG}rect")
              if e.attrib["class"] in ("ours", "peer") and e.attrib["height"] == "15"]  # fmt: skip
    assert widths[1] / widths[0] == pytest.approx(70, rel=0.05)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a|b", "`a\\|b`"),
        ("a`b", "`` a`b ``"),
        ("a\x00\ud800b", "`a\\x00\\ud800b`"),
        ("", "nothing"),
        ("x" * 100, "`" + "x" * 79 + "…`"),
    ],
)
def test_code_shows_what_cannot_be_seen(text: str, written: str) -> None:
    assert code(text) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0.1234, "0.12"), (9.876, "9.88"), (98.76, "98.8"), (1234.5, "1,234")]
)
def test_a_figure_has_the_digits_that_mean_something(value: float, written: str) -> None:
    assert figure(value) == written
