"""A driver (see phases.py) that records what was parsed already: two syncs of three feeds."""

from __future__ import annotations

import sys
from dataclasses import replace

from sameas.feeds.record import record_document, record_failure, record_unchanged
from sameas.feeds.types import Document
from sameas.store.opening import open_store
from sameas.store.protocol import Store
from tests.feeds.documents import DAY, NOW, POLICY, document, item
from tests.feeds.phases import Stand, stand_still

FEEDS = [f"https://{name}.example/feed" for name in ("a", "b", "c", "d")]


def first(store: Store) -> None:
    """What every run begins with."""
    store.add_feeds([(url, "") for url in FEEDS], NOW)
    for number, row in enumerate(store.feeds()):
        after = replace(row, etag="1", validators_url=row.feed_url, last_success_at=NOW)
        record_document(store, row, _document(number, 0), after, POLICY, NOW)


def second(store: Store) -> None:
    """New and changed entries, an unchanged answer, a failure."""
    now = NOW + DAY
    for number, row in enumerate(store.feeds()):
        after = replace(row, etag="2", last_checked_at=now, last_success_at=now, title="seen")
        if row.feed_url == FEEDS[2]:
            record_unchanged(store, row, replace(after, etag=row.etag), now)
        elif row.feed_url == FEEDS[3]:
            record_failure(store, row, replace(row, failures=1, last_checked_at=now))
        else:
            record_document(store, row, _document(number, 1), after, POLICY, now)


def _document(feed: int, day: int) -> Document:
    """A window of entries that moves on. The feeds share some links, and words change."""
    return document(
        *(
            item(f"{feed}/{n}", f"/{feed * 10 + n}", f"Title {n} {'anew' * day * (n % 3 == 0)}")
            for n in range(day * 5, day * 5 + 20)
        ),
        item("", f"/without/{feed}/{day}", "no guid"),
        item("", "", f"neither {feed}"),
    )


if __name__ == "__main__":
    phase, number, target = sys.argv[1:]
    opened = open_store(target)
    stand_still(Stand(phase, int(number)))
    second(opened)
