"""Links within the checkout lead somewhere: to a file, a folder, or a heading of a page."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from tools.policy_pages import slug

from tests.docs.test_blocks import FENCE, ROOT

HIDDEN = {".venv", "node_modules"}
PAGES = sorted(
    page
    for page in ROOT.rglob("*.md")
    if not any(part in HIDDEN or part.startswith(".") for part in page.relative_to(ROOT).parts)
)
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")


def _prose(page: Path) -> str:
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text("utf-8")))


@cache
def _anchors(page: Path) -> set[str]:
    """Headings as GitHub names them; of those with one name the second has -1 behind it."""
    text, seen, found = FENCE.sub("", page.read_text("utf-8")), Counter[str](), set()
    for heading in re.findall(r"^#{1,6} (.+)$", text, re.M):
        name = slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        found.add(name if not seen[name] else f"{name}-{seen[name]}")
        seen[name] += 1
    return found


def _has(file: Path, anchor: str) -> bool:
    return not anchor or (file.suffix == ".md" and anchor in _anchors(file))


def _broken(page: Path, text: str) -> list[str]:
    broken = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or not file.is_relative_to(ROOT) or not _has(file, anchor):
            broken.append(target)
    return broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_the_page_leads_somewhere(page: Path) -> None:
    assert _broken(page, _prose(page)) == []


def test_the_pages_are_found_and_have_links() -> None:
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "spec/semantics.md", "docs/policies/default.md"} <= names
    assert sum(len(LINK.findall(_prose(page))) for page in PAGES) > 50


@pytest.mark.parametrize(
    "target", ["no-such.md", "semantics.md#c99", "../../etc/passwd", "#no-such", "run.py#main"]
)
def test_a_link_that_leads_nowhere_is_found(target: str) -> None:
    page = ROOT / "spec" / "semantics.md"
    assert _broken(page, f"[a]({target}) [b](run.py) [c](#the-plan)") == [target]


def test_an_anchor_is_made_as_github_makes_it() -> None:
    assert slug("C17 `path.trailing_slash` {root}") == "c17-pathtrailing_slash-root"
    assert slug("What is touched when…") == "what-is-touched-when"
