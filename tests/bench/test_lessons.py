"""The made-up sites and what is learned of them: they know nothing of the learner, and are fair."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest
from bench.lessons import Score, main, page, score
from bench.sites import ASIDE, KINDS, made

from bench import sites


def test_the_sites_do_not_know_the_learner():
    tree = ast.parse(Path(sites.__file__).read_text(encoding="utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not [name for name in imported if name.startswith(("sameas", "bench"))]
    assert len(KINDS) >= 12
    assert len(ASIDE) == 2


@pytest.mark.parametrize("kind", KINDS | ASIDE)
def test_a_site_is_the_same_every_time_and_changes_as_it_says(kind: str):
    site = made(kind, 1, 60, 12)
    assert site == made(kind, 1, 60, 12)
    assert site != made(kind, 2, 60, 12)
    pages: dict[str, str] = {}
    said: dict[str, set[str]] = defaultdict(set)
    for url, content in site.fetches:
        said[url].add(content)
    for url, page_ in site.held_out:
        assert pages.setdefault(url, page_) == page_
    contents = {content for _, content in site.fetches}
    assert 60 <= len(contents) < len(site.fetches) * 0.6


@pytest.mark.parametrize("kind", ["campaigns", "sometimes_content", "slash_that_matters"])
def test_the_rules_there_are_are_found_and_no_others(kind: str):
    found = score(kind, range(2), 50, 10)
    assert (found.precision, found.recall, found.false_merges) == (1, 1, 0)
    assert found.merges > 0


def test_a_run_writes_its_page(tmp_path: Path):
    out = tmp_path / "lessons.md"
    options = ["--sites", "1", "--pages", "20", "--fetches", "6"]
    assert main([*options, "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "`python -m bench.lessons --sites 1 --pages 20 --fetches 6`" in text
    for kind in KINDS | ASIDE:
        assert f"| {kind.replace('_', ' ')} |" in text


@pytest.mark.parametrize(
    ("found", "wrong", "false", "said"),
    [
        (9, 0, 0, "**Reached** by all"),
        (8, 0, 0, "**Missed** by: a kind"),
        (9, 1, 0, "**Missed** by: a kind"),
        (9, 0, 1, "**Missed** by: a kind"),
    ],
)
def test_the_claim_is_made_from_the_figures(found: int, wrong: int, false: int, said: str):
    one = Score("a_kind", 10, found, wrong, 1000, false, 5)
    assert said in page([one], [], "c", "")
