"""What holds for every sequence of documents, however torn: laws of identity, tried at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

import tests.laws  # noqa: F401 (its profile: the same examples in every run, no clock)
from sameas.feeds.types import Counts, Item
from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from tests.feeds.documents import FEED, HOUR, NOW, OTHER_FEED, item, recorded

TORN = st.builds(
    item,
    guid=st.sampled_from(["", "", "a", "b", "c", " "]),
    link=st.sampled_from(["", "/1", "/2", "/3", "/1?utm_source=x", "not a link"]),
    title=st.sampled_from(["", "one", "two", "two "]),
    updated=st.sampled_from(["", "2026-11-19T20:00:00Z", "2026-11-20T20:00:00Z"]),
)
"""Few guids, links and words: everything meets everything."""

DOCUMENT = st.tuples(st.sampled_from([FEED, OTHER_FEED]), st.lists(TORN, max_size=6))
DOCUMENTS = st.lists(DOCUMENT, max_size=6)

Run = Sequence[tuple[str, Sequence[Item]]]


def _run(store: MemoryStore, documents: Run) -> list[Counts]:
    return [
        recorded(store, *items, feed=feed, now=NOW + number * HOUR)
        for number, (feed, items) in enumerate(documents)
    ]


def _rows(store: MemoryStore) -> Counter[tuple[object, ...]]:
    """What there is, whatever its numbers are."""
    keys: dict[int, list[str]] = {}
    for key, entry_id in store.holders.items():
        keys.setdefault(entry_id, []).append("|".join(key))
    return Counter(
        (row.feed_id, row.content, row.first_seen_at, row.last_seen_at, *sorted(keys[entry_id]))
        for entry_id, row in store.rows.items()
    )


@given(DOCUMENTS)
def test_every_item_is_new_updated_or_a_duplicate(documents: Run):
    for counts, (_, items) in zip(_run(MemoryStore(), documents), documents, strict=True):
        assert counts.new + counts.updated + counts.duplicates == len(items)
        guids = Counter(one.guid for one in items if one.guid.strip())
        assert counts.repeated_guids == sum(guids.values()) - len(guids)


@given(DOCUMENTS)
def test_nothing_is_ever_lost(documents: Run):
    store = MemoryStore()
    for number, one in enumerate(documents):
        before = set(store.rows)
        (counts,) = _run(store, [one])
        assert before <= set(store.rows), number
        assert counts.new == len(store.rows) - len(before)
        assert set(store.holders.values()) == set(store.rows), "an entry without a key"


@given(DOCUMENTS)
def test_a_document_seen_again_changes_nothing(documents: Run):
    store = MemoryStore()
    for one in documents:
        _run(store, [one])
        before = _rows(store)
        (counts,) = _run(store, [one])
        assert (counts.new, counts.updated) == (0, 0)
        assert counts.duplicates == len(one[1])
        assert _rows(store) == before


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_the_entries_does_not_matter(documents: Run, chance: random.Random):
    store, other = MemoryStore(), MemoryStore()
    for feed, items in documents:
        shuffled = chance.sample(items, len(items))
        assert _run(store, [(feed, items)]) == _run(other, [(feed, shuffled)])
        assert _rows(store) == _rows(other)


@given(DOCUMENTS)
def test_different_guids_of_one_document_are_different_entries(documents: Run):
    store = MemoryStore()
    for feed, items in documents:
        _run(store, [(feed, items)])
        guids = Counter(one.guid for one in items if one.guid.strip())
        (feed_id,) = (row.feed_id for row in store.feeds([feed]))
        last = [store.rows[entry_id].copies[feed_id] for entry_id in store.last[feed_id]]
        assert {copy.guid for copy in last if copy.guid} == set(guids)


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=40),
    st.integers(1, 8),
    st.sampled_from(["guid and link", "guid", "link", "neither"]),
)
def test_each_entry_of_a_feed_is_new_exactly_once(seen: list[int], size: int, kind: str):
    """A feed shows some of its entries at a time, and old ones again."""
    store = MemoryStore()
    counts = [
        recorded(store, *(_proper(number, kind) for number in seen[start : start + size]))
        for start in range(0, len(seen), 3)
    ]
    shown = {number for start in range(0, len(seen), 3) for number in seen[start : start + size]}
    assert sum(one.new for one in counts) == len(shown) == len(store.rows)
    assert sum(one.updated + one.conflicts for one in counts) == 0


def _proper(number: int, kind: str) -> Item:
    return item(
        guid=f"guid {number}" if "guid" in kind else "",
        link=f"/{number}" if "link" in kind else "",
        title=f"Title {number}",
    )


@settings(max_examples=40)
@given(DOCUMENTS)
@example([(FEED, [item("a", "/1"), item("b", "/1")]), (FEED, [item("", "/1"), item("a", "/1")])])
def test_memory_and_a_database_decide_alike(tmp_path_factory: object, documents: Run):
    folder: Path = tmp_path_factory.mktemp("laws")  # type: ignore[attr-defined]
    memory, database = MemoryStore(), open_store(str(folder / "store.db"))
    try:
        assert _run(memory, documents) == _run(database, documents)
        assert [_plain(one) for one in memory.entries()] == [
            _plain(one) for one in database.entries()
        ]
    finally:
        database.close()


def _plain(entry: object) -> dict[str, object]:
    return {**entry.__dict__, "entry_id": 0}
