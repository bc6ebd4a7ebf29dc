"""The keys of one item, its snapshot, its hashes and its confidence, as the seed lists them."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from sameas import Policy
from sameas.feeds.apart import Candidate, told_apart
from sameas.feeds.identity import identified
from sameas.feeds.types import Document, Item
from sameas.store.text import LONGEST_KEY
from sameas.store.types import Feed, Identity
from tests.feeds.documents import FEED, NOW, POLICY, SITE, document, item

ROW = Feed(1, FEED, NOW)


def _candidates(*items: Item, feed: Feed = ROW, policy: Policy = POLICY) -> list[Candidate]:
    return list(told_apart(document(*items), feed, policy).candidates)


def _one(*items: Item, feed: Feed = ROW) -> Candidate:
    (candidate,) = _candidates(*items, feed=feed)
    return candidate


def _hash(*words: str) -> str:
    return sha256(json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def test_the_keys_of_an_entry_stand_in_the_seeds_order():
    candidate = _one(item("tag:1", "/Post/?utm_source=rss&id=7#top"))
    assert candidate.keys == (
        Identity("guid", f"{FEED}:tag:1"),
        Identity("canonical_url", f"{SITE}/Post/?id=7"),
        Identity("legacy_guid", "guid:tag:1"),
    )
    assert candidate.content.canonical_url == f"{SITE}/Post/?id=7"
    assert candidate.content.link == f"{SITE}/Post/?utm_source=rss&id=7#top"


@pytest.mark.parametrize(
    ("given", "keys", "snapshot", "confidence"),
    [
        (item("g", "/1"), ["guid", "canonical_url", "legacy_guid"], f"guid:{FEED}:g", "high"),
        (item("g"), ["guid", "legacy_guid"], f"guid:{FEED}:g", "high"),
        (item("", "/1"), ["canonical_url"], f"url:{SITE}/1", "high"),
        (item("  ", "/1"), ["canonical_url"], f"url:{SITE}/1", "high"),
        (item("g", "no link"), ["guid", "legacy_guid"], f"guid:{FEED}:g", "high"),
        (item("", "ftp://h/", "T"), ["fallback_hash"], None, "low"),
        (item("", "", "T"), ["fallback_hash"], None, "low"),
        (item(), ["fallback_hash"], None, "low"),
    ],
)
def test_every_entry_has_a_stable_key_a_snapshot_and_a_confidence(
    given: Item, keys: list[str], snapshot: str | None, confidence: str
):
    candidate = _one(given)
    assert [key.key_type for key in candidate.keys] == keys
    assert candidate.content.dedupe_key == (snapshot or f"hash:{candidate.own.key_value}")
    assert candidate.content.match_confidence == confidence


def test_the_fallback_hash_is_over_feed_title_published_author_and_summary():
    given = item("", "", " A \n title ", author="B", published="2026", summary="C", updated="x")
    assert _one(given).own.key_value == _hash(FEED, "A title", "2026", "B", "C")
    for name in ("title", "author", "published", "summary"):
        assert _one(replace(given, **{name: "other"})).own != _one(given).own
    assert _one(replace(given, updated="y")).own == _one(given).own
    elsewhere = replace(ROW, feed_url="https://b.example/feed")
    assert _one(given, feed=elsewhere).own != _one(given).own


def test_the_content_hash_is_over_six_words_with_spaces_collapsed():
    given = Item("g", f"{SITE}/1?ref=a", "A  B", "C", "2025", "2026", "D\tE ä")
    assert _one(given).content.content_hash == _hash(
        "A B", f"{SITE}/1", "C", "2025", "2026", "D E ä"
    )
    same = replace(given, guid="other", link=f"{SITE}/1?ref=b", title="A B ")
    assert _one(same).content.content_hash == _one(given).content.content_hash
    for name in ("title", "link", "author", "published", "updated", "summary"):
        changed = replace(given, **{name: f"{SITE}/2"})
        assert _one(changed).content.content_hash != _one(given).content.content_hash


def test_words_cannot_slip_into_the_next_field():
    one, other = item("g", title="a", author="b c"), item("g", title="a b", author="c")
    assert _one(one).content.content_hash != _one(other).content.content_hash


def test_under_a_policy_with_a_form_of_its_own_the_form_is_compared():
    (candidate,) = _candidates(item("", "http://www.a.example/x/"), policy=Policy.load("default"))
    assert candidate.own == Identity("canonical_url", "a.example/x")
    assert candidate.content.canonical_url == "http://www.a.example/x/"


def test_former_addresses_give_further_keys_to_look_for():
    moved = replace(ROW, feed_url="https://new.example/", former=(FEED,))
    assert _one(item("g", "/1"), feed=moved).former == (Identity("guid", f"{FEED}:g"),)
    assert _one(item("", "", "T"), feed=moved).former == (_one(item("", "", "T")).own,)


def test_a_long_key_stands_as_its_hash():
    url = f"{SITE}/{'x' * 5000}"
    candidate = _one(item("g" * 5000, url))
    values = [key.key_value for key in candidate.keys]
    assert values == [
        f"{start}sha256:{sha256(text.encode()).hexdigest()}"
        for start, text in (("", f"{FEED}:{'g' * 5000}"), ("", url), ("guid:", "g" * 5000))
    ]
    assert candidate.content.canonical_url == url
    short = _one(item("é" * ((LONGEST_KEY - len(FEED) - 1) // 2)))
    assert short.own.key_value.startswith(FEED)


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"])
def test_text_that_no_database_holds_stands_as_its_escape(text: str):
    candidate = _one(Item(text, "", text, text, text, text, text))
    escaped = text.replace("\x00", "\\x00").replace("\ud800", "\\ud800")
    assert candidate.own.key_value == f"{FEED}:{escaped}"
    assert (candidate.content.title, candidate.content.summary) == (escaped, escaped)


def test_credentials_are_in_no_column():
    content = _one(item("HTTPS://u:s3cret@a.example/1", "https://u:s3cret@a.example/1")).content
    assert "s3cret" not in repr(content)
    assert content.guid == "HTTPS://***@a.example/1"
    assert "s3cret" not in repr(_one(item("", "https://u:s3cret@a.example:x/", "T")))
    tag = "tag:bob@a.example,2026:1"
    assert identified(item(tag), POLICY).guid == tag


def test_items_that_are_equal_are_one_entry():
    apart = told_apart(document(item("a", "/1"), item("a", "/1")), ROW, POLICY)
    assert (len(apart.candidates), apart.doubles, apart.repeated_guids) == (1, 1, 1)


def test_a_guid_repeated_for_other_links_is_told_apart_by_the_links():
    candidates = _candidates(item("a", "/1"), item("a", "/2"), item("b", "/3"))
    assert sorted(candidate.own for candidate in candidates) == [
        Identity("canonical_url", f"{SITE}/1"),
        Identity("canonical_url", f"{SITE}/2"),
        Identity("guid", f"{FEED}:b"),
    ]
    assert {c.content.dedupe_key for c in candidates} > {f"url:{SITE}/1", f"url:{SITE}/2"}


def test_a_guid_repeated_on_one_link_is_told_apart_by_its_words():
    candidates = _candidates(item("a", "/1", "one"), item("a", "/1", "two"))
    assert len({candidate.own for candidate in candidates}) == 2
    assert {candidate.own.key_type for candidate in candidates} == {"guid"}
    assert {candidate.content.match_confidence for candidate in candidates} == {"low"}
    same = _candidates(item("a", "/1", "one"), item("a", "/1", "two", updated="2026"))
    assert [c.own for c in same] == [c.own for c in candidates]


def test_a_link_that_several_entries_share_is_a_key_of_none():
    for candidate in _candidates(item("a", "/1"), item("b", "/1?ref=x"), item("c", "/2")):
        shares = candidate.content.canonical_url == f"{SITE}/1"
        assert (Identity("canonical_url", f"{SITE}/1") in candidate.keys) is False
        assert (len(candidate.keys) == 2) is shares


def test_an_item_without_a_guid_is_the_one_that_bears_its_link():
    assert _one(item("a", "/1"), item("", "/1")).own == Identity("guid", f"{FEED}:a")
    owns = [c.own for c in _candidates(item("a", "/1"), item("b", "/1"), item("", "/1"))]
    assert Identity("canonical_url", f"{SITE}/1") in owns
    assert len(owns) == 3


def test_of_two_wordings_the_later_one_stands():
    older, later = item("", "/1", "old", updated="2025"), item("", "/1", "new", updated="2026")
    assert _one(later, older).content.title == _one(older, later).content.title == "new"


def test_an_empty_document_has_no_entries():
    assert told_apart(Document(), ROW, POLICY).candidates == ()
