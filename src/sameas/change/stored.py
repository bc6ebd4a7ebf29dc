"""Pairs of URL and content out of a store: links with where they led, entries with what they say.

What is learned of them is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count
from typing import Any

import sqlalchemy as sa

from sameas.store.schema import entries, links
from sameas.store.sql import SqlStore

_BATCH = 1000


def pairs(store: SqlStore) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """A link says what the page says that it led to; an entry, its title and summary. One that has
    no words says nothing."""
    numbers = count(1)
    of_links = sa.select(links.c.url, links.c.final_key).where(
        links.c.status == "ok", links.c.final_key != ""
    )
    of_entries = (
        sa.select(entries.c.link, entries.c.title, entries.c.summary)
        .where(entries.c.link != "", entries.c.title != "", entries.c.summary != "")
        .order_by(entries.c.first_seen_at, entries.c.entry_id)
    )
    with store.reading() as connection:
        batched = connection.execution_options(yield_per=_BATCH)
        for url, key in batched.execute(of_links.order_by(links.c.checked_at, links.c.key)):
            yield next(numbers), {"url": url, "content": key}
        for link, title, summary in batched.execute(of_entries):
            said = sha256(f"{title}\0{summary}".encode()).hexdigest()
            yield next(numbers), {"url": link, "content": said}
