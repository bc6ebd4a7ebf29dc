"""By URL, by title and by both: who is one with whom, and how that is proven."""

from __future__ import annotations

import random
from difflib import SequenceMatcher
from typing import Any

import pytest

from sameas import InvalidURL
from sameas.dedupe import Evidence, deduplicate, find_duplicates
from sameas.dedupe.by_title import comparable, language_of
from tests.dedupe import made

URL, SAME_URL = "https://example.com/a", "https://www.example.com/a/?utm_source=x"
TITLE = "Harbour bridge opens after two years of repair"


def members(rows: list[Any], by: Any = "both", **how: Any) -> list[tuple[int, ...]]:
    return [group.members for group in find_duplicates(rows, by, **how).groups]


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Headline - TOI", "headline"),
        ("Headline - NDTV", "headline"),
        ("A - B - C", "a - b"),
        ("Well-known - " + "x" * 40, "well-known"),
        ("Well-known - " + "x" * 41, "well-known - " + "x" * 41),
        ("Headline - ", "headline"),
        (" - Gazette", "- gazette"),
        ("   - Gazette", "- gazette"),
        ("Headline -TOI", "headline -toi"),
        ("  STRASSE \t und\u00a0 Straße \n", "strasse und strasse"),
    ],
)
def test_titles_are_compared_without_source_case_and_spaces(title: str, told: str) -> None:
    assert comparable(title) == told


@pytest.mark.parametrize(
    ("given", "language"),
    [("en", "en"), ("EN-gb", "en"), ("en_US", "en"), (" hi ", "hi"), ("", ""), (None, ""), (3, "")],
)
def test_a_language_is_its_primary_subtag(given: Any, language: str) -> None:
    assert language_of({"language": given}) == language


def test_titles_in_two_languages_are_not_compared() -> None:
    rows = [{"title": TITLE, "language": code} for code in ("en", "hi", "en-GB", None, "", "de")]
    assert members(rows, "title") == [(0, 2), (3, 4)]


def test_one_language_can_hold_for_all() -> None:
    rows = [{"title": TITLE, "language": code} for code in ("en", "hi", None)]
    assert members(rows, "title", language="en") == [(0, 1, 2)]


def test_groups_are_connected_by_what_is_alike_in_between() -> None:
    words = "abcdefghijklmnopqrst"
    chain = [words, "1" + words[1:], "12" + words[2:], "123" + words[3:], "12345" + words[5:]]
    rows = [{"title": title} for title in chain]
    assert members([rows[0], rows[4]], "title") == []
    assert members(rows, "title") == [(0, 1, 2, 3, 4)]


def test_titles_that_stand_several_times_are_asked_in_every_order_they_have() -> None:
    """Alike in one order only: the pair is found where that order occurs."""
    one, two = _one_way()
    assert members([{"title": one}, {"title": two}], "title") == [(0, 1)]
    assert members([{"title": two}, {"title": one}], "title") == []
    assert members([{"title": t} for t in (two, one, two)], "title") == [(0, 1, 2)]
    assert members([{"title": t} for t in (two, two, one)], "title") == [(0, 1)]


def _one_way() -> tuple[str, str]:
    """Two titles whose ratio is 0.85 or more in one order and less in the other."""
    chance = random.Random(5)
    while True:
        one = "".join(chance.choices("abc", k=30))
        letters = list(one)
        for _ in range(4):
            letters.insert(chance.randrange(len(letters)), letters.pop(chance.randrange(30)))
        two = "".join(letters)
        there = SequenceMatcher(None, one, two).ratio()
        if there >= 0.85 > SequenceMatcher(None, two, one).ratio():
            return one, two


def test_by_url_the_evidence_names_what_both_are_compared_by() -> None:
    rows = [{"url": URL}, {"url": "https://b.example"}, {"url": SAME_URL}]
    [group] = find_duplicates(rows, "url").groups
    assert group.evidence == (Evidence("url", 0, 2, 1.0, "https://example.com/a"),)


def test_another_policy_decides_otherwise() -> None:
    rows = [{"url": URL}, {"url": "http://www.example.com/a/"}]
    assert members(rows, "url", policy="news") == []
    assert members(rows, "url", policy="default") == [(0, 1)]


def test_both_is_by_url_and_then_by_title_among_those_left() -> None:
    rows = [
        {"url": URL, "title": TITLE},
        {"url": SAME_URL, "title": "Quite another headline", "full_text": "long"},
        {"url": "https://b.example", "title": TITLE},
        {"url": "https://c.example", "title": "Quite another headline"},
    ]
    found = find_duplicates(rows, "both")
    assert [group.members for group in found.groups] == [(0, 1, 3)]
    assert found.survivors == (1, 2)
    assert [e.rule for e in found.groups[0].evidence] == ["url", "title"]


def test_both_equals_the_two_one_after_the_other() -> None:
    for number in range(200):
        rows = made.articles(number)
        for i, row in enumerate(rows):
            row["url"] = f"https://example.com/{hash((number, i // 3)) % 7}"
        one_by_one = deduplicate(deduplicate(rows, "url"), "title")
        assert deduplicate(rows, "both") == one_by_one


def test_no_articles_have_no_duplicates() -> None:
    found = find_duplicates([])
    assert (found.total, found.survivors, found.groups) == (0, (), ())


def test_another_word_for_by_is_refused() -> None:
    with pytest.raises(ValueError, match="'url', 'title' or 'both', not 'guid'"):
        find_duplicates([], "guid")  # type: ignore[arg-type]


def test_a_refusal_says_why() -> None:
    [error] = find_duplicates([{"url": "ftp://a.example"}], "url").refused_urls.values()
    assert isinstance(error, InvalidURL)
    assert error.code == "scheme"
