"""Feeds: how each does and did, and the entries it brought with what identified them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from sameas.engine.parse import masked
from sameas.report.history import history, sparkline
from sameas.store.history import FeedDay
from sameas.store.types import Feed
from sameas.web.answers import service_of
from sameas.web.pages.page import number_in, page, text_in
from sameas.web.problem import Problem
from sameas.web.service import Service

routes = APIRouter(include_in_schema=False)

DAYS = 30
_A_PAGE = 100
_ENTRIES = 50
_SERIES = ("updated", "new")
STATES = ("ok", "failing", "waiting", "gone", "never asked")


@routes.get("/feeds")
async def feeds(request: Request) -> Response:
    service = service_of(request)
    state = text_in(request, "state")
    offset = number_in(request, "offset", 0, 10**6)
    told = await service.ask_store(_all, service, state, offset)
    return page(request, "feeds.html", "Feeds", state=state, states=STATES, offset=offset, **told)


def _all(service: Service, state: str, offset: int) -> dict[str, Any]:
    today = datetime.now(UTC).date()
    days: defaultdict[int, list[FeedDay]] = defaultdict(list)
    for row in service.store.feed_days(today - timedelta(days=DAYS - 1)):
        days[row.feed_id].append(row)
    everything = service.store.feeds()
    found = [feed for feed in everything if state in ("", state_of(feed))]
    rows = found[offset : offset + _A_PAGE]
    return {
        "total": len(everything),
        "found": len(found),
        "feeds": [_row(feed, days[feed.feed_id], today) for feed in rows],
        "chart": _chart(
            "Entries of all feeds by day", [r for f in days.values() for r in f], today
        ),
        "failures": _failures([r for f in days.values() for r in f], today),
        "days": len({row.day for rows in days.values() for row in rows}),
        "next": offset + _A_PAGE if len(found) > offset + _A_PAGE else None,
        "before": max(0, offset - _A_PAGE) if offset else None,
    }


def state_of(feed: Feed) -> str:
    if feed.status == "gone":
        return "gone"
    if feed.waiting:
        return "waiting"
    if feed.last_checked_at is None:
        return "never asked"
    return "failing" if feed.failures else "ok"


def _row(feed: Feed, days: Sequence[FeedDay], today: date) -> dict[str, Any]:
    sums = {name: sum(getattr(day, name) for day in days) for name in ("new", "updated", "failed")}
    return {
        "feed": feed,
        "url": masked(feed.feed_url),
        "error": masked(feed.error or ""),
        "state": state_of(feed),
        **sums,
        "chart": sparkline("New and updated entries by day", _counts(days), _SERIES, today),
    }


def _counts(days: Sequence[FeedDay]) -> dict[date, list[int]]:
    found: dict[date, list[int]] = {}
    for row in days:
        held = found.setdefault(row.day, [0, 0])
        held[0] += row.updated
        held[1] += row.new
    return found


def _chart(title: str, days: Sequence[FeedDay], today: date) -> Any:
    return history(title, _counts(days), _SERIES, today)


def _failures(days: Sequence[FeedDay], today: date) -> Any:
    found: dict[date, list[int]] = {}
    for row in days:
        held = found.setdefault(row.day, [0, 0])
        held[0] += row.failed
        held[1] += row.asked - row.failed
    return history("Feeds asked by day", found, ("failed", "answered"), today)


@routes.get("/feeds/{feed_id}")
async def feed(request: Request, feed_id: str) -> Response:
    service = service_of(request)
    told = await service.ask_store(_one, service, feed_id)
    return page(request, "feed.html", told["feed"].title or told["url"], **told)


def _one(service: Service, feed_id: str) -> dict[str, Any]:
    today = datetime.now(UTC).date()
    found = next((one for one in service.store.feeds() if str(one.feed_id) == feed_id), None)
    if found is None:
        raise Problem(404, "there is no such feed")
    days = service.store.feed_days(today - timedelta(days=DAYS - 1), found.feed_id)
    entries = deque(service.store.entries(None, found.feed_id), _ENTRIES)
    keys = service.store.identities_of([entry.entry_id for entry in entries])
    return {
        **_row(found, days, today),
        "chart": _chart("New and updated entries by day", days, today),
        "failures": _failures(days, today),
        "days": len(days),
        "former": [masked(url) for url in found.former],
        "entries": [(one, keys.get(one.entry_id, ())) for one in reversed(entries)],
        "most": _ENTRIES,
    }
