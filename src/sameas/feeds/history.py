"""What a run over feeds did, counted a feed and day: what charts show of the past.

It decides nothing; where it is kept is the store's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sameas.feeds.sync import Outcome
from sameas.store.history import FeedDay


def days_of(outcomes: Iterable[Outcome], day: date) -> list[FeedDay]:
    """A feed that was left alone because its server said so was not asked."""
    return [
        FeedDay(
            one.feed.feed_id,
            day,
            asked=1,
            failed=int(one.status == "failed"),
            new=one.counts.new,
            updated=one.counts.updated,
        )
        for one in outcomes
        if one.status != "waiting"
    ]
