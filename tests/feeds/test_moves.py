"""Feeds that move, go, say wait or want a password, over days and on real servers."""

from __future__ import annotations

from base64 import b64encode

import pytest

from sameas.feeds.passwords import read_passwords
from sameas.store.protocol import Store
from tests.feeds.runs import (
    DAY,
    HOUR,
    NOW,
    added,
    numbered,
    sync,
)
from tests.net.servers import (
    Server,
    redirect,
    reply,
    routes,
)

GOOD = reply(numbered(1))


def test_a_feed_that_moved_keeps_its_entries(kept: Store):
    body = numbered(1, 2)
    table = {"/old": redirect("/new", 301), "/new": reply(body)}
    with Server(routes({"/old": reply(body)})) as server:
        old, new = server.url("/old"), server.url("/new")
        added(kept, old)
        sync(kept)
        server.script = routes(table)
        sync(kept, NOW + DAY)
        assert kept.feeds()[0].feed_url == old
        ran = sync(kept, NOW + 8 * DAY)
        assert ran.warnings == [f"{old} has moved for good; from now on it is {new}"]
        assert (kept.feeds()[0].feed_url, kept.feeds()[0].former) == (new, (old,))
        server.script = routes({"/new": reply(numbered(1, 2, 3))})
        counts = sync(kept, NOW + 9 * DAY).counts
        assert (counts.new, counts.duplicates) == (1, 2)
        assert server.paths[-1] == "/new"


def test_a_feed_whose_old_address_is_gone_is_found_at_the_new_one_at_once(kept: Store):
    with Server(routes({"/old": redirect("/new", 308), "/new": reply(numbered(1))})) as server:
        added(kept, server.url("/old"))
        sync(kept)
        server.script = routes({"/new": reply(numbered(1, 2))})
        ran = sync(kept, NOW + HOUR)
        assert (ran.one.status, ran.counts.new, ran.counts.duplicates) == ("ok", 1, 1)
        assert kept.feeds()[0].feed_url == server.url("/new")
        server.script = routes({})
        assert sync(kept, NOW + 2 * HOUR).one.status == "failed"


def test_two_feeds_that_move_to_one_address_stay_two(kept: Store):
    table = {"/old": redirect("/new", 301), "/new": reply(numbered(1))}
    with Server(routes(table)) as server:
        added(kept, server.url("/old"), server.url("/new"))
        for day in (0, 8):
            ran = sync(kept, NOW + day * DAY)
        assert [feed.feed_url for feed in kept.feeds()] == [server.url("/old"), server.url("/new")]
        assert "which is a feed here already" in ran.warnings[0]


def test_a_feed_that_is_gone_is_not_asked_again_unless_it_is_named(memory: Store):
    with Server(reply(status=410)) as server:
        added(memory, server.url("/feed"))
        assert sync(memory).one.status == "failed"
        assert sync(memory, NOW + DAY).by_url == {}
        assert len(server.asked) == 1
        server.script = GOOD
        assert sync(memory, NOW + DAY, urls=[server.url("/feed")]).one.status == "ok"
        assert memory.feeds()[0].status == "active"


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_says_wait_is_left_alone_until_then(kept: Store, status: int):
    with Server(reply(status=status, retry_after="7200")) as server:
        added(kept, server.url("/feed"))
        ran = sync(kept)
        assert (ran.one.status, ran.one.feed.http_status) == ("waiting", status)
        for urls in ([], [server.url("/feed")]):
            ran = sync(kept, NOW + HOUR, urls=urls)
            assert ran.one.status == "waiting"
        assert len(server.asked) == 1
        server.script = GOOD
        assert sync(kept, NOW + 2 * HOUR).one.status == "ok"


def test_due_asks_only_feeds_whose_time_has_come(kept: Store):
    table = {"/hour": reply(numbered(1)), "/day": reply(numbered(2), cache_control="max-age=86400")}
    with Server(routes(table)) as server:
        added(kept, *map(server.url, table))
        assert len(sync(kept, due=True).by_url) == 2
        assert sync(kept, NOW + HOUR / 2, due=True).by_url == {}
        assert list(sync(kept, NOW + HOUR, due=True).by_url) == [server.url("/hour")]
        assert len(sync(kept, NOW + HOUR).by_url) == 2


def test_a_password_goes_to_its_host_and_to_no_other_on_a_redirect(memory: Store):
    wanted = "Basic " + b64encode(b"ann:s3cret").decode()
    with Server(GOOD) as other:
        answers = {"/feed": redirect("/moved"), "/moved": redirect(other.url("/elsewhere"))}
        with Server(routes(answers)) as server:
            lines = f"machine 127.0.0.1:{server.port} login ann password s3cret"
            added(memory, server.url("/feed"))
            ran = sync(memory, passwords=read_passwords(lines, "lines"))
            assert ran.one.status == "ok"
            assert [one.headers.get("authorization") for one in server.asked] == [wanted] * 2
        assert [one.headers.get("authorization") for one in other.asked] == [None]
    (feed,) = memory.feeds()
    assert "s3cret" not in repr((ran, feed))


def test_credentials_in_a_redirect_are_neither_sent_nor_kept(memory: Store):
    with Server(routes({"/there": GOOD})) as server:
        there = server.url("/there").replace("http://", "http://ann:s3cret@")
        server.script = routes({"/feed": redirect(there, 301), "/there": GOOD})
        added(memory, server.url("/feed"))
        for day in (0, 8):
            sync(memory, NOW + day * DAY)
        assert all("authorization" not in one.headers for one in server.asked)
        assert memory.feeds()[0].feed_url == server.url("/there")
