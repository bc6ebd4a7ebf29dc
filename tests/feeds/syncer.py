"""A driver (see phases.py) that runs a whole sync of feeds on a server, and the days they have."""

from __future__ import annotations

import sys

from sameas.store.opening import open_store
from sameas.store.protocol import Store
from tests.feeds.runs import DAY, NOW, added, item, rss, sync
from tests.net.servers import Answer, Server, redirect, reply

NAMES = ("moves-on", "another", "says-304", "same-body", "redirects")


def answers(day: int) -> dict[str, Answer]:
    """What the feeds answer on a day: new and changed entries, three ways of nothing new."""
    etag = f'W/"{day}"'
    same = _document("same-body", 0)
    return {
        "/moves-on": reply(_document("moves-on", day), etag=etag),
        "/another": reply(_document("another", day), last_modified=f"day {day}"),
        "/says-304": reply(status=304) if day else reply(_document("says-304", 0), etag=etag),
        "/same-body": reply(same, etag=etag),
        "/redirects": redirect("/there", 308),
        "/there": reply(_document("there", day), etag=etag),
    }


def _document(name: str, day: int) -> bytes:
    """A window of entries that moves on; the words of every third change."""
    numbers = range(day * 5, day * 5 + 20)
    entries = (
        item(f"{name} {n}", f"/{name}/{n}", f"Title {n} {'anew' * day * (n % 3 == 0)}")
        for n in numbers
    )
    return rss(*entries, item(link=f"/{name}/without-guid/{day}"), item(title=f"neither, {name}"))


def first(store: Store, server: Server) -> None:
    table = answers(0)
    server.script = lambda asked: table[asked.path]
    added(store, *(server.url(f"/{name}") for name in NAMES))
    sync(store)
    later = answers(1)
    server.script = lambda asked: later[asked.path]


def second(store: Store) -> None:
    """The same again is no change, so it may come after one that was killed."""
    ran = sync(store, NOW + DAY)
    assert {one.status for one in ran.by_url.values()} <= {"ok", "no_change"}


if __name__ == "__main__":
    from tests.feeds.phases import Stand, stand_still

    phase, number, target = sys.argv[1:]
    opened = open_store(target)
    stand_still(Stand(phase, int(number)))
    second(opened)
