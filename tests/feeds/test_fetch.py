"""What is sent and what an answer means, decided without a network."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from sameas.errors import FeedError, Hop, InvalidURL
from sameas.feeds.address import LONGEST, feed_address
from sameas.feeds.fetch import Fetched, headers_for, judged, settled, unreadable
from sameas.feeds.moves import SETTLED, at, moved, permanent
from sameas.feeds.passwords import Passwords
from sameas.feeds.types import Document
from sameas.net.reply import Headers, Reply
from sameas.store.types import Feed

NOW = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
URL = "https://example.org/feed"
FEED = Feed(1, URL, NOW - timedelta(days=99))
ETAG, DATE = 'W/"a-gzip"', "Thu, 19 Nov 2026 20:00:00 GMT"
KNOWN = replace(FEED, etag=ETAG, last_modified=DATE, validators_url=URL, body_hash="x", failures=3)
NOBODY = Passwords()


def reply(status: int, body: bytes = b"", hops: tuple[Hop, ...] = (), **said: str) -> Reply:
    pairs = ((name.replace("_", "-").encode(), value.encode()) for name, value in said.items())
    return Reply(hops[-1].location if hops else URL, status, Headers(pairs), body, hops)


def judge(feed: Feed, status: int, body: bytes = b"", **said: str) -> Fetched:
    return judged(feed, reply(status, body, **said), NOW)


@pytest.mark.parametrize("etag", ['"a"', 'W/"a"', '"a-gzip"', "a", '"é\\"', '"a", "b"'])
def test_validators_go_back_byte_for_byte_and_both(etag: str):
    after = judge(FEED, 200, b"<rss/>", ETag=etag, Last_Modified=DATE).after
    sent = headers_for(after, NOBODY)(URL)
    assert sent["If-None-Match"].encode("latin-1") == etag.encode()
    assert sent["If-Modified-Since"] == DATE


def test_validators_go_to_the_url_that_gave_them_and_to_no_other():
    there = "https://cdn.example.org/feed"
    hop = Hop(URL, 302, there)
    after = judged(FEED, reply(200, b"<rss/>", (hop,), ETag='"a"'), NOW).after
    assert after.validators_url == there
    assert "If-None-Match" not in headers_for(after, NOBODY)(URL)
    assert headers_for(after, NOBODY)(there)["If-None-Match"] == '"a"'


def test_a_missing_validator_is_forgotten_on_every_200():
    after = judge(KNOWN, 200, b"<rss/>", ETag='"b"').after
    assert (after.etag, after.last_modified) == ('"b"', None)
    after = judge(KNOWN, 200, b"<rss/>").after
    assert (after.etag, after.last_modified, after.failures) == (None, None, 0)
    assert "If-None-Match" not in headers_for(after, NOBODY)(URL)


def test_an_unchanged_body_under_a_changed_etag_is_no_change():
    feed = replace(KNOWN, body_hash=sha256(b"<rss/>").hexdigest())
    found = judge(feed, 200, b"<rss/>", ETag='"flapped"')
    assert (found.kind, found.after.etag, found.after.http_status) == (
        "unchanged",
        '"flapped"',
        200,
    )
    assert judge(feed, 200, b"<rss />").kind == "body"


def test_a_304_keeps_the_validators_and_clears_the_failures():
    found = judge(KNOWN, 304)
    assert found.kind == "unchanged"
    assert (found.after.etag, found.after.last_modified) == (ETAG, DATE)
    assert (found.after.failures, found.after.error, found.after.last_success_at) == (0, None, NOW)


@pytest.mark.parametrize(
    "feed",
    [FEED, replace(KNOWN, validators_url="https://elsewhere.org/"), replace(FEED, body_hash="x")],
)
def test_a_304_to_a_request_without_validators_is_an_error(feed: Feed):
    found = judge(feed, 304)
    assert found.kind == "failed"
    assert "was not asked that" in (found.after.error or "")


@pytest.mark.parametrize(
    "status", [201, 204, 206, 226, 300, 305, 400, 401, 403, 404, 418, 451, 500, 502, 503]
)
def test_a_failure_is_counted_and_keeps_all_that_is_known(status: int):
    found = judge(KNOWN, status, b"<rss/>", ETag='"error-page"')
    assert (found.kind, found.after.failures, found.after.http_status) == ("failed", 4, status)
    assert f"(status {status})" in (found.after.error or "")
    assert (found.after.etag, found.after.body_hash) == (ETAG, "x")
    assert found.after.next_check_at == NOW + timedelta(hours=8)
    assert found.after.status == "active"


def test_a_410_stops_the_feed():
    found = judge(KNOWN, 410)
    assert (found.kind, found.after.status, found.after.next_check_at) == ("gone", "gone", None)
    assert judge(found.after, 200, b"<rss/>").after.status == "active"


def test_a_feed_that_was_gone_is_asked_for_in_full():
    assert "If-None-Match" in headers_for(KNOWN, NOBODY)(URL)
    gone = judge(KNOWN, 410).after
    assert (gone.etag, gone.last_modified, gone.body_hash) == (None, None, None)
    assert "If-None-Match" not in headers_for(gone, NOBODY)(URL)


def test_a_410_of_a_place_it_is_redirected_to_for_now_stops_nothing():
    temporary, permanent_ = Hop(URL, 302, "https://b.org/"), Hop(URL, 301, "https://b.org/")
    assert judged(KNOWN, reply(410, b"", (temporary,)), NOW).kind == "failed"
    assert judged(KNOWN, reply(410, b"", (permanent_,)), NOW).kind == "gone"


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("said", ["7200", "Thu, 19 Nov 2026 22:00:00 GMT"])
def test_a_server_that_says_wait_is_waited_for(status: int, said: str):
    found = judge(KNOWN, status, Retry_After=said)
    assert (found.kind, found.after.waiting) == ("waiting", True)
    assert found.after.next_check_at == NOW + timedelta(hours=2)
    assert "until 2026-11-19 22:00 UTC" in (found.after.error or "")
    assert judge(found.after, 304).after.waiting is False


def test_a_429_without_a_time_is_waited_for_too():
    assert judge(FEED, 429).after.next_check_at == NOW + timedelta(hours=1)


def test_a_body_that_is_no_feed_leaves_the_feed_as_it_was():
    found = judge(KNOWN, 200, b"<html>", ETag='"b"')
    after = unreadable(found, FeedError("html", "a page", "look"), NOW).after
    assert (after.etag, after.body_hash, after.failures) == (ETAG, "x", 4)
    assert (after.error, after.http_status) == ("a page (look)", 200)


def test_a_torn_document_is_asked_for_in_full_again():
    known = replace(KNOWN, last_success_at=NOW - timedelta(days=1))
    found = judge(known, 200, b"<rss>", ETag='"b"')
    after = settled(found, Document("T", (), whole=False), NOW)
    assert (after.etag, after.last_modified, after.body_hash) == (None, None, None)
    assert after.last_success_at == known.last_success_at
    whole = settled(found, Document("T", (), timedelta(hours=3)), NOW)
    assert (whole.etag, whole.title) == ('"b"', "T")
    assert whole.next_check_at == NOW + timedelta(hours=3)


NEW = "https://new.example.org/feed"


@pytest.mark.parametrize("status", [301, 308])
def test_a_permanent_redirect_takes_effect_when_seen_again_after_a_week(status: int):
    hops = (Hop(URL, status, NEW),)
    first = moved(FEED, hops, NOW)
    assert (first.feed_url, first.moved_to, first.moved_seen_at) == (URL, NEW, NOW)
    soon = moved(first, hops, NOW + SETTLED - timedelta(seconds=1))
    assert (soon.feed_url, soon.moved_seen_at) == (URL, NOW)
    late = moved(soon, hops, NOW + SETTLED)
    assert (late.feed_url, late.former, late.moved_to) == (NEW, (URL,), None)


@pytest.mark.parametrize("status", [302, 303, 307])
def test_other_redirects_never_move_a_feed(status: int):
    hops = (Hop(URL, status, NEW),)
    again = moved(moved(FEED, hops, NOW), hops, NOW + 9 * SETTLED)
    assert (again.feed_url, again.moved_to) == (URL, None)


def test_a_redirect_that_went_away_or_changed_begins_anew():
    first = moved(FEED, (Hop(URL, 301, NEW),), NOW)
    assert moved(first, (), NOW + SETTLED).moved_to is None
    other = moved(first, (Hop(URL, 301, "https://c.org/"),), NOW + SETTLED)
    assert (other.feed_url, other.moved_seen_at) == (URL, NOW + SETTLED)


def test_the_step_to_https_takes_effect_at_once_and_no_other_does():
    plain = replace(FEED, feed_url="http://example.org/feed")
    assert moved(plain, (Hop(plain.feed_url, 301, URL),), NOW).feed_url == URL
    for target in ("https://example.org/other", "https://www.example.org/feed", NEW):
        assert moved(plain, (Hop(plain.feed_url, 301, target),), NOW).feed_url == plain.feed_url
    assert moved(FEED, (Hop(URL, 301, plain.feed_url),), NOW).feed_url == URL
    assert moved(plain, (Hop(plain.feed_url, 302, URL),), NOW).feed_url == plain.feed_url


def test_permanence_ends_at_the_first_redirect_that_is_not():
    hops = (
        Hop(URL, 301, NEW),
        Hop(NEW, 302, "https://cdn.org/"),
        Hop("https://cdn.org/", 301, "x"),
    )
    assert permanent(hops) == NEW
    assert permanent(hops[1:]) == ""


def test_a_feed_that_moves_twice_keeps_every_address_it_had():
    there = at(at(FEED, NEW), "https://third.org/")
    assert there.former == (URL, NEW)
    assert at(there, URL).former == (NEW, "https://third.org/")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("HTTP://Example.org:80/a?utm_source=x#top", "http://example.org/a?utm_source=x"),
        ("feed://example.org/a", "https://example.org/a"),
        ("feed:https://example.org/a", "https://example.org/a"),
        (" https://example.org ", "https://example.org/"),
        ("https://example.org/?a&&b", "https://example.org/?a&&b"),
    ],
)
def test_an_address_is_kept_as_browsers_spell_it(given: str, kept: str):
    assert feed_address(given) == kept
    assert feed_address(kept) == kept


def test_an_address_too_long_for_an_index_is_refused_and_no_feed_moves_to_one():
    long = f"https://example.org/{'a' * LONGEST}"
    with pytest.raises(FeedError) as caught:
        feed_address(long)
    assert caught.value.code == "too_long"
    assert len(feed_address(long[:LONGEST])) == LONGEST
    hops = (Hop(URL, 301, long),)
    assert permanent(hops) == ""
    assert permanent((Hop(URL, 301, long[:LONGEST]),)) == long[:LONGEST]


def test_an_address_with_a_password_is_refused_and_shows_none():
    with pytest.raises(FeedError) as caught:
        feed_address("https://ann:s3cret@example.org/feed")
    assert caught.value.code == "credentials"
    assert "s3cret" not in str(caught.value)
    with pytest.raises(InvalidURL):
        feed_address("ftp://example.org/feed")
