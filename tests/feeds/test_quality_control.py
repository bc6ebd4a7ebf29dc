"""The seed's Quality Control Checklist and its Error Handling, line by line, through whole runs."""

from __future__ import annotations

import sqlalchemy as sa

from sameas.store.schema import entries as entries_table
from sameas.store.schema import entry_identities
from sameas.store.sql import SqlStore
from tests.feeds.runs import HOUR, NOW, added, entries, item, rss, sync
from tests.net.servers import Server, in_turn, reply, routes

TRACKED = "HTTPS://Example.com/Post/?id=7&utm_medium=rss&source=feed#comments"


def test_url_canonicalization_was_applied_before_dedupe(kept: SqlStore):
    """One page under two spellings is one entry, and stored as its canonical URL."""
    with Server(
        routes({"/a": reply(rss(item(link=TRACKED))), "/b": reply(rss(item(link=TRACKED)))})
    ) as server:
        added(kept, server.url("/a"), server.url("/b"))
        sync(kept, urls=[server.url("/a")])
        assert sync(kept, urls=[server.url("/b")]).counts.new == 0
    (entry,) = entries(kept)
    assert entry.canonical_url == "https://example.com/Post/?id=7"
    assert entry.dedupe_key == "url:https://example.com/Post/?id=7"


def test_conditional_request_state_was_applied_when_available(kept: SqlStore):
    body = rss(item("1"))
    etag, date = 'W/"1-gzip"', "Thu, 19 Nov 2026 20:00:00 GMT"
    script = in_turn([reply(body, etag=etag, last_modified=date), reply(status=304)])
    with Server(script) as server:
        added(kept, server.url("/feed"))
        sync(kept)
        ran = sync(kept, NOW + HOUR)
        first, second = server.asked
    assert "if-none-match" not in first.headers
    assert second.headers["if-none-match"] == etag
    assert second.headers["if-modified-since"] == date
    assert (ran.one.status, ran.counts.seen) == ("no_change", 1)


def test_every_output_item_has_at_least_one_stable_identity_key(kept: SqlStore):
    items = (
        item("1", "https://example.org/1"),
        item("2"),
        item(link="https://example.org/3"),
        item(title="neither guid nor link"),
        item(link="mailto:nobody@example.org", title="a link that is refused"),
    )
    with Server(reply(rss(*items))) as server:
        added(kept, server.url("/feed"))
        assert sync(kept).counts.new == 5
        assert sync(kept, NOW + HOUR).counts.new == 0
    with kept.engine.connect() as connection:
        holders = set(connection.scalars(sa.select(entry_identities.c.entry_id)))
        assert set(connection.scalars(sa.select(entries_table.c.entry_id))) == holders
    assert all(entry.dedupe_key for entry in entries(kept))


def test_feed_and_entry_metadata_were_persisted_successfully(kept: SqlStore):
    published = "Thu, 19 Nov 2026 20:00:00 GMT"
    one = item("1", "https://example.org/1", "One", "Short.", published)
    with Server(reply(rss(one), etag='"1"')) as server:
        added(kept, server.url("/feed"))
        sync(kept)
        url = server.url("/feed")
    (feed,), (entry,) = kept.feeds(), entries(kept)
    assert (feed.feed_url, feed.title, feed.etag, feed.last_checked_at) == (url, "News", '"1"', NOW)
    assert (entry.feed_url, entry.guid, entry.title, entry.summary) == (url, "1", "One", "Short.")
    assert entry.published == "2026-11-19T20:00:00Z"
    assert (entry.first_seen_at, entry.last_seen_at) == (NOW, NOW)
    assert (entry.match_confidence, len(entry.content_hash)) == ("high", 64)


def test_no_full_text_extraction_and_no_summarization_were_performed(kept: SqlStore):
    full = (
        '<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">'
        "All of it.</content:encoded>"
    )
    body = rss(item("1", "{page}"), item("2", summary="Short.")).replace(
        b"</item>", full.encode() + b"</item>"
    )
    with Server(reply(body.replace(b"{page}", b"/page"))) as server:
        added(kept, server.url("/feed"))
        sync(kept)
        assert server.paths == ["/feed"]
    assert [entry.summary for entry in entries(kept)] == ["", "Short."]


def test_invalid_feeds_are_reported_and_the_valid_ones_go_on(kept: SqlStore):
    table = {"/good": reply(rss(item("1"))), "/bad": reply(b"<html></html>")}
    with Server(routes(table)) as server:
        added(kept, server.url("/bad"), server.url("/good"), server.url("/missing"))
        ran = sync(kept)
        status = {url.rpartition("/")[2]: ran.by_url[url].status for url in ran.by_url}
    assert status == {"good": "ok", "bad": "failed", "missing": "failed"}
    assert len(entries(kept)) == 1


def test_an_entry_without_guid_and_link_is_known_by_a_hash_with_low_confidence(kept: SqlStore):
    with Server(reply(rss(item(title="Only a title")))) as server:
        added(kept, server.url("/feed"))
        sync(kept)
        assert sync(kept, NOW + HOUR).counts.new == 0
    (entry,) = entries(kept)
    assert entry.match_confidence == "low"
    assert entry.dedupe_key.startswith("hash:")
