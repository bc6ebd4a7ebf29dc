"""The page of batches: verdicts that follow from its figures, nobody left out in silence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.batch_page import FLOOR, KEY, PACKAGE, TIGHT, TWO, W3LIB, Reading, Run, page

from bench import batch, floor
from tests.native.wheel import needed

READINGS = [
    Reading(name, "1", "", micros, micros * 1.1, wall, 10)
    for name, micros, wall in [
        (KEY, 0.1, 0.2), (TWO, 0.1, 0.1), (W3LIB, 2.5, 2.5), (PACKAGE, 11.0, 11.0),
        (FLOOR, 0.12, 0.12), (TIGHT, 0.11, 0.11),
    ]
]  # fmt: skip
RUN = Run("2026-11-19", "make bench", {"cores": "2"}, 1, "", 100, 3, READINGS, [])


def _verdicts(readings: list[Reading]) -> list[bool | None]:
    lines = page(replace(RUN, readings=readings)).splitlines()
    found = [line for line in lines if line.startswith("- ")]
    return [None if "NOT RUN" in line else "**holds**" in line for line in found]


def test_the_verdicts_follow_from_the_figures() -> None:
    key, two, *others = READINGS
    assert _verdicts(READINGS) == [True] * 6
    assert _verdicts([replace(key, processor=0.115, wall=0.16), two, *others]) == [
        True, False, True, True, False, False,
    ]  # fmt: skip
    assert _verdicts([replace(key, processor=0.19), two, *others]) == [
        False, False, False, False, False, True,
    ]  # fmt: skip
    assert _verdicts(READINGS[:2]) == [None, None, None, None, None, True]


def test_the_page_tells_what_was_handed_back_and_who_is_missing() -> None:
    text = page(replace(RUN, missing=["w3lib (No module named 'w3lib')"]))
    assert "hands 3 (3.00 %) back" in text
    assert "## NOT RUN\n\n- w3lib (No module" in text
    assert "hands" not in page(replace(RUN, handed_back=None))


@needed
def test_a_run_measures_who_is_there_and_writes_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent() -> None:
        raise ImportError("no Rust toolchain")

    monkeypatch.setattr(floor, "library", absent)
    monkeypatch.delenv("CI", raising=False)
    given = ["--size", "300", "--some", "20", "--rounds", "1", "--out", str(tmp_path)]
    assert batch.main(given) == 0
    text = (tmp_path / "batch.md").read_text(encoding="utf-8")
    assert "`python -m bench.batch --size 300 --some 20 --rounds 1`" in text
    assert "| **sameas default, key** | 0.1.0 |" in text
    assert "| tk-normalizer | 1.3.0 |" in text
    assert "- bare parse, OpenSSL's hash (no Rust toolchain)" in text
    assert "NOT RUN: bare parse (no Rust toolchain)" in capsys.readouterr().err
    assert str(tmp_path) not in text
    monkeypatch.setenv("CI", "true")
    assert batch.main(given) == 1
