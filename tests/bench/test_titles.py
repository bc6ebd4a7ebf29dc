"""Headlines that are the same in every run, and a page whose verdicts follow from its figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bench.headlines import (
    TONGUES,
    Sample,
    one_language,
    random_headlines,
    templated_headlines,
    ten_languages,
)
from bench.titles_page import Reading, Run, page

from bench import titles
from sameas.dedupe import find_duplicates
from tests.native.wheel import needed

READINGS = [
    Reading(who, sample, size, seconds, seconds * 1.1, seconds, 100, True, 7)
    for who, sample, size, seconds in [
        ("sameas", "random", 50, 2.0),
        ("sameas, NumPy", "random", 50, 7.0),
        ("cdist", "random", 50, 80.0),
        ("cdist, all cores", "random", 50, 42.0),
        ("sameas", "templated", 50, 4.0),
        ("sameas, NumPy", "templated", 50, 6.5),
        ("sameas", "random", 200, 34.0),
        ("sameas", "ten languages", 1000, 70.0),
        ("sameas", "one language", 1000, 140.0),
    ]
]


def _verdicts(readings: list[Reading]) -> list[bool]:
    text = page(Run("2026-11-19", "make bench", {"cores": "2"}, 1, readings))
    *lines, last = [line for line in text.splitlines() if line.startswith("- ")]
    assert "1,000 headlines in one language, finishes: 140 s on the clock" in last
    return ["**holds**" in line for line in lines]


def test_the_verdicts_follow_from_the_figures() -> None:
    assert _verdicts(READINGS) == [True] * 6
    slower = [replace(r, processor=r.processor * 3, wall=r.wall * 3) for r in READINGS[:2]]
    assert _verdicts(slower[:1] + READINGS[1:]) == [False, False, True, False, True, True]
    assert _verdicts(READINGS[:1] + slower[1:] + READINGS[2:])[2] is False
    longer, most = replace(READINGS[4], processor=4.4), replace(READINGS[6], processor=36.1)
    changed = [*READINGS[:4], longer, READINGS[5], most, *READINGS[7:]]
    assert _verdicts(changed) == [True, True, True, True, False, False]


@needed
def test_a_run_measures_in_processes_of_their_own_and_writes_its_page(tmp_path: Path) -> None:
    given = ["--size", "60", "--million", "100", "--rounds", "1", "--out", str(tmp_path)]
    assert titles.main(given) == 0
    text = (tmp_path / "titles.md").read_text(encoding="utf-8")
    assert "`python -m bench.titles --size 60 --million 100 --rounds 1`" in text
    assert text.count("| 1 GiB |") == 8
    assert str(tmp_path) not in text


def test_the_limit_on_memory_is_a_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(titles.resource, "setrlimit", lambda *limit: asked.append(limit))
    titles.one("sameas", "random", 10, True)
    titles.one("sameas", "random", 10, False)
    assert asked == [(titles.resource.RLIMIT_AS, (1 << 30, 1 << 30))]


@pytest.mark.parametrize(
    "made", [random_headlines, templated_headlines, ten_languages, one_language]
)
def test_the_same_size_gives_the_same_headlines(made: object) -> None:
    assert callable(made)
    first: Sample = made(500)
    assert len(first.rows) == 500
    assert first == made(500)


def test_what_is_retold_is_found_and_little_else() -> None:
    sample = random_headlines(3000)
    rows = [row._asdict() for row in sample.rows]
    found = {group.members for group in find_duplicates(rows, "title").groups}
    assert set(sample.twins) <= found
    assert len(found) < 2 * len(sample.twins)


def test_templated_headlines_are_mostly_alike_and_never_equal() -> None:
    rows = [row._asdict() for row in templated_headlines(2000).rows]
    assert len({row["title"] for row in rows}) == 2000
    assert len(find_duplicates(rows, "title").survivors) < 200


def test_ten_languages_have_a_tenth_each_in_their_own_script() -> None:
    rows = ten_languages(2000).rows
    assert Counter(row.language for row in rows) == {tongue.code: 200 for tongue in TONGUES}
    assert len({row.title for row in rows}) < 2000
