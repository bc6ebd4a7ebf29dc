"""The benchmark of changes on a few rows: every row of its page is there, made from figures."""

from __future__ import annotations

from pathlib import Path

from bench.change import main
from bench.change_page import Reading, page


def test_a_run_writes_its_page(tmp_path: Path):
    out = tmp_path / "change.md"
    options = ["--urls", "1000", "--entries", "1000", "--pairs", "1000"]
    assert main([*options, "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "`python -m bench.change --urls 1000 --entries 1000 --pairs 1000`" in text
    assert str(tmp_path) not in text
    lines = text.splitlines()
    for where in ("SQLite", "PostgreSQL"):
        assert sum(line.startswith(f"| {where} |") for line in lines) == 2 * 3
    assert sum(line.startswith("|  | ") for line in lines) == 2 * 3 + 1 + 4


def test_growth_is_made_from_the_figures():
    readings = [Reading("diff", "", 10, 1, 50, 1, 1), Reading("diff", "", 1000, 50, 100, 1, 1)]
    text = page({"command": "`c`"}, readings)
    assert "100 times as many take 50.0 times as long and 2.00 times the memory." in text
