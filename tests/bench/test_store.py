"""The store's benchmark on a few entries: every row of its page is there, and made from figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.store import main
from bench.store_page import Growth, Reading, Run, page
from bench.store_subjects import START, bare, documents, feeds, ours, prepared

from sameas.store.opening import open_store
from tests.store.dump import dumped

FACTS = {"command": "`c`"}


def test_both_subjects_write_the_same_rows(tmp_path: Path):
    given = documents(2, 5)
    mine, theirs = (open_store(str(tmp_path / name)) for name in ("mine.db", "theirs.db"))
    ours(mine, feeds(mine, 2), given, START)
    bare(theirs, prepared(feeds(theirs, 2), given), START)
    for name in ("entries", "entry_identities", "entry_sources"):
        assert dumped(mine)[name] == dumped(theirs)[name]
        assert len(dumped(mine)[name]) >= 10
    mine.close()
    theirs.close()


def test_a_run_writes_its_page(tmp_path: Path):
    out = tmp_path / "store.md"
    options = ["--entries", "1000", "--rounds", "1", "--up-to", "100", "--out", str(out)]
    assert main(options) == 0
    text = out.read_text(encoding="utf-8")
    assert "`python -m bench.store --entries 1000 --rounds 1 --up-to 100`" in text
    assert str(tmp_path) not in text
    lines = text.splitlines()
    for kind in ("SQLite", "PostgreSQL"):
        assert sum(line.startswith(f"| {kind} |") for line in lines) == 4 + 3


@pytest.mark.parametrize(
    ("fast", "said"), [(50.0, "**It holds** throughout: the least is 0.50"), (49.0, "**It is miss")]
)
def test_the_claim_is_made_from_the_figures(fast: float, said: str):
    readings = [Reading("SQLite", 50, "new", fast, 100), Reading("SQLite", 50, "seen", 99, 100)]
    growth = [Growth("SQLite", 1, 0.1, 0.2, 0.3, 0.4, 5)]
    assert said in page(Run(FACTS, 1, readings, growth))
