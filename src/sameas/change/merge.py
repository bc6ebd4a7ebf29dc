"""Which entries become one when their links do: pure, for any number of entries with one link.

Nothing is merged that a feed itself tells apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sameas.store.rekey_rows import Sources


class Holder(NamedTuple):
    """An entry with the link, and the guid under which each feed carries it ("" for none)."""

    entry_id: int
    guids: Mapping[int, str]


def carried(sources: Sources) -> dict[int, str]:
    return {feed_id: source.guid for feed_id, source in sources.items()}


def merges(holders: Sequence[Holder]) -> list[tuple[int, int]]:
    """Each later entry with the earliest, which stands first. None at all where one feed carries
    two of them under different guids: then the link is not what makes an entry, as in a podcast."""
    guids: dict[int, str] = {}
    for holder in holders:
        for feed_id, guid in holder.guids.items():
            if guid and guids.setdefault(feed_id, guid) != guid:
                return []
    first, *later = holders
    return [(holder.entry_id, first.entry_id) for holder in later]
