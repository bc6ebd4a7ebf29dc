"""Real servers on loopback that misbehave, asked by the real client: each costs itself alone."""

from __future__ import annotations

import gzip
import zlib
from datetime import timedelta
from pathlib import Path

import pytest

from sameas.feeds.record import prune
from sameas.feeds.sync import AT_ONCE
from sameas.feeds.types import Counts
from sameas.store.protocol import Store
from tests.feeds.runs import (
    DAY,
    HOUR,
    NOW,
    added,
    entries,
    item,
    numbered,
    rss,
    sync,
    titles,
)
from tests.net.ask import led, loopback
from tests.net.servers import (
    Answer,
    HangUp,
    Pause,
    Server,
    authority,
    in_turn,
    redirect,
    reply,
    routes,
    tls,
)

GOOD = reply(numbered(1))
DRIP = (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", *(b"<", Pause(0.05)) * 40)
MANY_HEADERS = (b"HTTP/1.1 200 OK\r\n", *(b"X-Filler: " + b"x" * 1000 + b"\r\n",) * 20_000)
MISBEHAVING: dict[str, tuple[Answer, str]] = {
    "gzip bomb": (
        reply(gzip.compress(b"\0" * 30_000_000), content_encoding="gzip"),
        "larger than",
    ),
    "20 MB of headers": (MANY_HEADERS, "header"),
    "a drip": (DRIP, "second"),
    "a hang-up": ((b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<rss>", HangUp()), ""),
    "a reset": ((HangUp(reset=True),), ""),
    "no HTTP": ((b"SSH-2.0-OpenSSH\r\n", HangUp()), ""),
    "a redirect loop": (redirect("/a redirect loop"), "circle"),
    "a redirect to nowhere": (reply(status=302), "without saying where to"),
    "a redirect to a file": (redirect("file:///etc/passwd"), ""),
    "a web page": (reply(b"<!doctype html><html></html>"), "web page"),
    "a challenge": (
        reply(b"<html>Just a moment...</html>", 403, cf_mitigated="challenge"),
        "challenge",
    ),
    "nothing": (reply(b""), "empty"),
    "entities": (reply(b'<!DOCTYPE r [<!ENTITY a "b">]><rss/>'), "entities"),
    "another format": (reply(b"<urlset/>"), "<urlset>"),
    "an unasked 304": (reply(status=304), "was not asked that"),
    "a 500": (reply(b"<rss/>", 500), "status 500"),
    "a 401": (reply(status=401), "--passwords"),
    "a 410": (reply(status=410), "gone for good"),
}


def test_whatever_one_server_does_costs_its_own_feed_alone(kept: Store):
    table = {f"/{name}".replace(" ", "%20"): answer for name, (answer, _) in MISBEHAVING.items()}
    with Server(routes(table | {"/good": GOOD})) as server:
        urls = {name: server.url(f"/{name}".replace(" ", "%20")) for name in MISBEHAVING}
        added(kept, *urls.values(), server.url("/good"), "http://127.0.0.1:1/refuses")
        ran = sync(kept, settings=loopback(seconds=1.0, per_host=8))
        assert ran.by_url[server.url("/good")].status == "ok"
        assert ran.by_url["http://127.0.0.1:1/refuses"].status == "failed"
    for name, (_, said) in MISBEHAVING.items():
        outcome = ran.by_url[urls[name]]
        assert (name, outcome.status) == (name, "failed")
        assert said in (outcome.feed.error or ""), name
        assert outcome.feed.failures == 1
    assert titles(kept) == ["Entry 1"]
    stored = {feed.feed_url: feed.error for feed in kept.feeds()}
    assert all(stored[urls[name]] for name in MISBEHAVING)


def test_a_certificate_for_another_name_is_refused_and_the_right_one_taken(
    memory: Store, tmp_path: Path
):
    bundle = tmp_path / "authority.pem"
    authority().cert_pem.write_to_path(str(bundle))
    with (
        Server(GOOD, tls=tls("right.example")) as right,
        Server(GOOD, tls=tls("other.example")) as wrong,
    ):
        added(memory, "https://right.example/feed", "https://wrong.example/feed")
        rules = (
            *led("right.example", 443, right).connect_to,
            *led("wrong.example", 443, wrong).connect_to,
        )
        ran = sync(memory, settings=loopback(connect_to=rules, cafile=str(bundle)))
        assert wrong.asked == []
    assert ran.by_url["https://right.example/feed"].status == "ok"
    failed = ran.by_url["https://wrong.example/feed"]
    assert failed.status == "failed"
    assert "certificate" in (failed.feed.error or "")


def test_a_flapping_etag_over_one_body_is_no_change(kept: Store):
    answers = [reply(numbered(1, 2), etag=f'"{n}"') for n in range(3)]
    with Server(in_turn(answers)) as server:
        added(kept, server.url("/feed"))
        assert sync(kept).one.status == "ok"
        for n in (1, 2):
            ran = sync(kept, NOW + n * HOUR)
            assert (ran.one.status, ran.counts.seen, ran.counts.new) == ("no_change", 2, 0)
        assert server.asked[2].headers["if-none-match"] == '"1"'
    assert kept.feeds()[0].etag == '"2"'
    assert {entry.last_seen_at for entry in entries(kept)} == {NOW + 2 * HOUR}


def test_validators_are_sent_to_the_end_of_a_redirect_and_not_to_its_beginning(memory: Store):
    table = {"/feed": redirect("/there"), "/there": reply(numbered(1), etag='"1"')}
    with Server(routes(table)) as server:
        added(memory, server.url("/feed"))
        sync(memory)
        server.script = routes(table | {"/there": reply(status=304)})
        assert sync(memory, NOW + HOUR).one.status == "no_change"
        assert server.paths == ["/feed", "/there"] * 2
        assert "if-none-match" not in server.asked[2].headers
        assert server.asked[3].headers["if-none-match"] == '"1"'
        server.script = routes({"/feed": reply(status=304)})
        assert sync(memory, NOW + 2 * HOUR).one.status == "failed"


def test_validators_are_kept_only_with_the_entries_they_stand_for(memory: Store):
    """A document that cannot be read leaves the validators of the last one that could."""
    answers = [
        reply(numbered(1), etag='"good"'),
        reply(b"<html/>", etag='"bad"'),
        reply(numbered(1, 2), etag='"better"'),
    ]
    with Server(in_turn(answers)) as server:
        added(memory, server.url("/feed"))
        for n in range(3):
            sync(memory, NOW + n * HOUR)
        assert [one.headers.get("if-none-match") for one in server.asked] == [
            None,
            '"good"',
            '"good"',
        ]
    assert titles(memory) == ["Entry 1", "Entry 2"]


def test_a_document_that_was_cut_off_is_asked_for_in_full(memory: Store):
    whole = numbered(1, 2, 3)
    cut = whole[: whole.index(b"Entry 3")]
    with Server(in_turn([reply(cut, etag='"1"'), reply(whole, etag='"1"')])) as server:
        added(memory, server.url("/feed"))
        assert sync(memory).counts.new == 2
        assert sync(memory, NOW + HOUR).counts.new == 1
        assert "if-none-match" not in server.asked[1].headers


def test_a_document_cut_off_for_forty_days_costs_no_entry(kept: Store):
    whole = numbered(1, 2, 3)
    cut = whole[: whole.index(b"Entry 3")]
    with Server(in_turn([reply(whole), reply(cut), reply(cut), reply(whole)])) as server:
        added(kept, server.url("/feed"))
        for days in (0, 1, 40):
            sync(kept, NOW + days * DAY)
            assert prune(kept, NOW + (days - 30) * DAY) == 0
        assert sync(kept, NOW + 41 * DAY).counts == Counts(duplicates=3, seen=3)


def test_where_a_feed_led_is_told(memory: Store):
    with Server(redirect("http://10.1.2.3/feed")) as server:
        added(memory, server.url("/feed"))
        error = sync(memory).one.feed.error or ""
    assert error.startswith("leads to http://10.1.2.3/feed: 10.1.2.3 is a private address, and")


def test_compressed_and_mislabelled_documents_are_read(memory: Store):
    body = rss(item("é", title="Café"))
    latin = body.decode().encode("latin-1")
    table = {
        "/gzip": reply(gzip.compress(body), content_encoding="gzip"),
        "/deflate": reply(zlib.compress(body), content_encoding="deflate"),
        "/label": reply(body, content_type="text/xml; charset=iso-8859-1"),
        "/utf-16": reply(body.decode().encode("utf-16"), content_type="text/xml; charset=utf-8"),
        "/latin": reply(latin, content_type="application/xml; charset=utf-8"),
    }
    with Server(routes(table)) as server:
        added(memory, *map(server.url, table))
        assert {one.status for one in sync(memory).by_url.values()} == {"ok"}
    assert titles(memory) == ["Café"] * len(table)
    assert {entry.guid for entry in entries(memory)} == {"é"}


def test_podcast_episodes_that_link_to_one_page_are_entries_of_their_own(kept: Store):
    page = "https://example.org/podcast"
    first = [item(str(n), page, f"Episode {n}") for n in (3, 2, 1)]
    with Server(
        in_turn([reply(rss(*first)), reply(rss(item("4", page, "Episode 4"), *first))])
    ) as server:
        added(kept, server.url("/feed"))
        assert sync(kept).counts.new == 3
        second = sync(kept, NOW + HOUR).counts
        assert (second.new, second.duplicates, second.conflicts) == (1, 3, 0)
    assert titles(kept) == [f"Episode {n}" for n in (1, 2, 3, 4)]


def test_two_feeds_with_the_same_guids_keep_their_own_entries(kept: Store):
    table = {f"/{name}": reply(rss(item("1", title=name), item("2", title=name))) for name in "ab"}
    with Server(routes(table)) as server:
        added(kept, *map(server.url, table))
        for n in range(2):
            sync(kept, NOW + n * HOUR)
    assert titles(kept) == ["a", "a", "b", "b"]


@pytest.mark.parametrize("silence", ["304", "same body", "fails"])
def test_nothing_of_a_feed_that_is_silent_for_40_days_comes_back_as_new(kept: Store, silence: str):
    body = numbered(1, 2)
    quiet = {"304": reply(status=304), "same body": reply(body), "fails": reply(status=500)}
    with Server(in_turn([reply(body, etag='"1"'), quiet[silence]])) as server:
        added(kept, server.url("/feed"))
        sync(kept)
        for day in range(1, 41):
            now = NOW + day * DAY
            sync(kept, now)
            assert kept.prune(now - timedelta(days=30)) == 0
        server.script = reply(numbered(1, 2, 3))
        last = sync(kept, NOW + 41 * DAY).counts
    assert (last.new, last.duplicates) == (1, 2)


def test_an_entry_that_left_its_feed_is_forgotten_after_its_time(kept: Store):
    with Server(in_turn([reply(numbered(1, 2)), reply(numbered(2, 3))])) as server:
        added(kept, server.url("/feed"))
        sync(kept)
        sync(kept, NOW + 29 * DAY)
        assert kept.prune(NOW - DAY) == 0
        assert kept.prune(NOW + DAY) == 1
    assert titles(kept) == ["Entry 2", "Entry 3"]


def test_many_feeds_of_one_host_do_not_hold_up_the_others(memory: Store):
    """The one feed of another host is asked before the many of the first are through."""
    order: list[str] = []

    def answer(asked):  # type: ignore[no-untyped-def]
        order.append(asked.headers["host"])
        return (Pause(0.01), *GOOD)

    with Server(answer) as many, Server(answer) as other:
        count = 3 * AT_ONCE
        added(memory, *(many.url(f"/{n}") for n in range(count)), other.url("/feed"))
        ran = sync(memory)
    assert len(ran.by_url) == count + 1
    assert order.index(f"127.0.0.1:{other.port}") < AT_ONCE


def test_a_date_of_a_feed_does_not_move_when_entries_were_first_seen(kept: Store):
    old = "Thu, 01 Jan 2015 00:00:00 GMT"
    with Server(reply(rss(item("1"), item("2", published=old)))) as server:
        added(kept, server.url("/feed"))
        sync(kept)
        sync(kept, NOW + DAY)
    assert {entry.first_seen_at for entry in entries(kept)} == {NOW}
    assert sorted(entry.published for entry in entries(kept)) == ["", "2015-01-01T00:00:00Z"]


def test_changed_words_are_an_update_and_a_repeated_guid_is_told_apart(kept: Store):
    one = item("1", "https://example.org/1", "One")
    answers = [rss(one), rss(item("1", "https://example.org/1", "One, corrected"))]
    answers.append(
        rss(item("1", "https://example.org/a", "A"), item("1", "https://example.org/b", "B"))
    )
    with Server(in_turn([reply(body) for body in answers])) as server:
        added(kept, server.url("/feed"))
        assert sync(kept).counts.new == 1
        assert sync(kept, NOW + HOUR).counts.updated == 1
        assert titles(kept) == ["One, corrected"]
        assert sync(kept, NOW + 2 * HOUR).counts.repeated_guids == 1
    assert set(titles(kept)) >= {"A", "B"}
