"""The bench of feeds on a few of them: every subject is measured, and the page says of what."""

from __future__ import annotations

from pathlib import Path

from bench import feeds


def test_a_run_measures_every_subject_and_writes_its_page(tmp_path: Path) -> None:
    out = tmp_path / "feeds.md"
    assert feeds.main(["--feeds", "30", "--rounds", "2", "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    for name in (feeds.BARE, feeds.CLIENT, feeds.IN_MEMORY, feeds.IN_FILE):
        assert text.count(f"| {name} |") == 1
    assert "`python -m bench.feeds --feeds 30 --rounds 2`" in text
    assert str(tmp_path) not in text


def test_the_middle_round_is_what_counts() -> None:
    assert feeds.Reading("x", (1.0, 100.0, 3.0)).middle == 3.0
