"""What is forgotten, and what is not, in every store."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sameas.store.protocol import Store
from sameas.store.types import Changes
from tests.store.rows import DAY, FEED, NOW, OTHER_FEED, added, brought, copy, names, saved, written

LATER = NOW + 40 * DAY
MONTH_AGO = LATER - 30 * DAY


def test_what_has_gone_from_the_feed_is_forgotten_in_time(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "old", "kept")
    kept = list(store.entries())[1].entry_id
    written(store, feed, Changes(seen=(kept,)), LATER)
    saved(store, feed, last_success_at=LATER)
    assert store.prune(NOW) == 0
    assert store.prune(MONTH_AGO) == 1
    assert names(store) == ["kept"]
    assert store.info().rows["entry_identities"] == 2
    assert store.info().rows["entry_sources"] == 1


def test_the_moment_itself_is_not_before_it(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    saved(store, feed, status="gone")
    assert store.prune(NOW) == 0
    assert store.prune(NOW + timedelta(microseconds=1)) == 1


def test_nothing_of_a_feed_expires_while_it_fails(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "long gone", "in the last document")
    last = list(store.entries())[1].entry_id
    written(store, feed, Changes(seen=(last,)))
    feed = saved(store, feed, failures=1, last_success_at=NOW, last_checked_at=LATER)
    assert store.prune(MONTH_AGO) == 0
    saved(store, feed, failures=0, last_success_at=LATER)
    assert store.prune(MONTH_AGO) == 2


@pytest.mark.parametrize("answered", [None, NOW])
def test_the_last_document_of_a_feed_nobody_asked_since_is_kept(store: Store, answered: object):
    (feed,) = added(store, FEED)
    brought(store, feed, "long gone", "in the last document")
    last = list(store.entries())[1].entry_id
    written(store, feed, Changes(seen=(last,)))
    saved(store, feed, last_success_at=answered)
    assert store.prune(MONTH_AGO) == 1
    assert names(store) == ["in the last document"]


def test_what_a_torn_document_leaves_out_has_not_left_the_feed(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "read", "cut off")
    read = next(iter(store.entries())).entry_id
    written(store, feed, Changes(seen=(read,), whole=False), LATER)
    assert store.prune(MONTH_AGO) == 0
    written(store, feed, Changes(seen=(read,)), LATER)
    assert store.prune(MONTH_AGO) == 1
    assert names(store) == ["read"]


def test_an_entry_is_kept_for_every_feed_that_carries_it(store: Store):
    first, second = added(store, FEED, OTHER_FEED)
    brought(store, first, "1")
    one = next(iter(store.entries())).entry_id
    written(store, second, Changes(seen=(one,), copies=(copy(one, "x"),)))
    saved(store, first, last_success_at=LATER)
    second = saved(store, second, failures=2)
    assert store.prune(MONTH_AGO) == 0
    saved(store, second, failures=0, last_success_at=LATER)
    assert store.prune(MONTH_AGO) == 1


def test_a_feed_that_is_gone_keeps_nothing(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    saved(store, feed, status="gone", failures=1)
    assert store.prune(MONTH_AGO) == 1
