"""The two lists of URLs: the same every time, and with the kinds they claim."""

from __future__ import annotations

import re

import ada_url
import pytest
from bench.length import LONG, LONG_HOST, SHORT, SHORT_HOST

from bench import corpus, hostile


def test_the_same_seed_makes_the_same_links() -> None:
    assert corpus.make(300) == corpus.make(300)
    assert corpus.make(300) != corpus.make(300, seed=1)
    assert hostile.make(300) == hostile.make(300)
    assert hostile.make(300) != hostile.make(300, seed=1)


def test_every_link_of_the_corpus_is_one_a_browser_opens() -> None:
    links = corpus.make(2_000)
    assert len(links) == 2_000
    assert [link for link in links if not ada_url.check_url(link)] == []


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        ("home page", r"^https?://[^/?#]+/?$"),
        ("article", r"/20\d\d/\d\d/\d\d/[a-z-]+"),
        ("product", r"/(p|product)/[a-z-]+"),
        ("search", r"/search\?q="),
        ("document", r"\.pdf"),
        ("thread", r"viewtopic\.php"),
        ("wiki page", r"/wiki/"),
        ("procedure with a session", r";jsessionid="),
        ("video", r"youtube\.com/watch\?v="),
        ("shop", r"/dp/B\d+"),
        ("post", r"(twitter|x)\.com/\w+/status/"),
        ("wrapped link", r"google\.com/url\?"),
        ("host beyond ASCII", r"^https?://[^/]*[^\x00-\x7f]"),
        ("campaign", r"utm_source="),
        ("content parameter", r"[?&](ref|source)="),
        ("fragment", r"#\w"),
        ("route", r"#!/"),
        ("capitals in the host", r"^https?://[A-Z]"),
        ("default port", r":443"),
        ("dot segments", r"/a/\.\./|/\./"),
        ("percent-encoding", r"%[0-9A-F]{2}"),
    ],
)
def test_the_corpus_has_this_kind(kind: str, pattern: str) -> None:
    assert any(re.search(pattern, link) for link in corpus.make(3_000)), kind


def test_every_odd_piece_is_somewhere_among_the_hostile_urls() -> None:
    text = "\n".join(hostile.make())
    pieces = [*hostile._HOSTS, *hostile._SEGMENTS, *hostile._PIECES, *hostile._FRAGMENTS]
    assert [piece for piece in pieces if piece not in text] == []


def test_surrogates_and_nuls_are_in_all_that_promise_them() -> None:
    for url in hostile.with_surrogates():
        with pytest.raises(UnicodeEncodeError):
            url.encode()
    assert all("\x00" in url or "%00" in url for url in hostile.with_nul())


@pytest.mark.parametrize("name", hostile.SHAPES)
def test_a_shape_grows_with_its_length_and_stays_within_what_is_accepted(name: str) -> None:
    shape = hostile.SHAPES[name]
    short, long = shape(SHORT), shape(LONG)
    assert 3.5 < len(long) / len(short) < 4.5
    assert 0.9 * LONG < len(_encoded(long)) <= LONG + 64


def test_a_short_shape_is_one_that_a_person_could_type() -> None:
    for shape in hostile.SHORT_SHAPES.values():
        assert len(shape(SHORT_HOST)) < len(shape(LONG_HOST)) <= 64


def _encoded(url: str) -> str:
    """The URL with all encoded that a parser encodes in a path."""
    return re.sub(r"[^\x21-\x7e]|[<{]", lambda c: "%XX" * len(c.group().encode()), url)
