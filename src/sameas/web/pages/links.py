"""Links: how a registry does by host and kind over time, and each link with its chain."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from sameas.engine.parse import masked
from sameas.registry.case import PROBLEMS
from sameas.report.bars import bars
from sameas.report.history import history
from sameas.store.history import FINE, WRONG, CheckDay
from sameas.store.link_types import Link
from sameas.web.answers import service_of
from sameas.web.pages.page import number_in, page, text_in
from sameas.web.service import Service

routes = APIRouter(include_in_schema=False)

DAYS = 30
_A_PAGE = 25
_MOST_HOSTS = 12
_FARTHEST = 10_000
STATUSES = ("ok", "dead", "soft_404", "unknown", "rejected")


@routes.get("/links")
async def links(request: Request) -> Response:
    service = service_of(request)
    wanted = {name: text_in(request, name) for name in ("host", "kind", "status", "place")}
    offset = number_in(request, "offset", 0, _FARTHEST)
    told = await service.ask_store(_read, service, wanted, offset)
    return page(request, "links.html", "Links", wanted=wanted, statuses=STATUSES,
                query=urlencode(wanted), offset=offset, **told)  # fmt: skip


def _read(service: Service, wanted: dict[str, str], offset: int) -> dict[str, Any]:
    store, today = service.store, datetime.now(UTC).date()
    places = store.check_places()
    place = wanted["place"] if any(wanted["place"] == name for name, _ in places) else ""
    place = place or (places[0][0] if places else "")
    days = store.check_days(place, today - timedelta(days=DAYS - 1)) if place else []
    status = wanted["status"] if wanted["status"] in STATUSES else ""
    found = list(islice(store.each_link(status, wanted["host"]), offset, offset + _A_PAGE + 1))
    return {
        "places": [(name, name.replace(os.pathsep, ", ")) for name, _ in places],
        "place": place,
        "called": place.replace(os.pathsep, ", "),
        "last": max((row.day for row in days), default=None),
        **_health(days, wanted, today),
        "links": [_link(link) for link in found[:_A_PAGE]],
        "next": offset + _A_PAGE if len(found) > _A_PAGE else None,
        "before": max(0, offset - _A_PAGE) if offset else None,
    }


def _health(days: Sequence[CheckDay], wanted: dict[str, str], today: date) -> dict[str, Any]:
    """Figures of the last check, its kinds and hosts, and one chart over time."""
    host, kind = wanted["host"], wanted["kind"]
    last = max((row.day for row in days), default=today)
    here = [row for row in days if host in ("", row.host)]
    latest = [row for row in here if row.day == last]
    kinds = Counter({row.kind: 0 for row in latest})
    for row in latest:
        kinds[row.kind] += row.links
    hosts: Counter[str] = Counter()
    for row in (row for row in days if row.day == last):
        hosts[row.host] += row.links if row.kind == (kind or WRONG) else 0
    names = (kind,) if kind else (WRONG, FINE)
    counts: defaultdict[date, list[int]] = defaultdict(lambda: [0] * len(names))
    for row in here:
        if row.kind in names:
            counts[row.day][names.index(row.kind)] += row.links
    about = " ".join(filter(None, (f"of {host}" if host else "", f"that are {kind}" * bool(kind))))
    return {
        "counts": (("links", kinds[FINE] + kinds[WRONG]), (FINE, kinds[FINE]),
                    ("with something wrong", kinds[WRONG])),
        "chart": history(f"Links {about} by day".replace("  ", " "), counts, names, today),
        "series": names,
        "by_kind": bars("Links by what is wrong", [(name, kinds[name]) for name in PROBLEMS]),
        "by_host": bars(f"Links by host: {kind or WRONG}", hosts.most_common(_MOST_HOSTS)),
        "hosts": sorted(host for host, count in hosts.items() if count)[:200],
        "kinds": PROBLEMS,
        "days": len({row.day for row in here}),
    }  # fmt: skip


def _link(link: Link) -> dict[str, Any]:
    return {
        "url": masked(link.url),
        "status": link.status,
        "checked_at": link.checked_at,
        "final_url": masked(link.final_url) if link.final_key not in ("", link.key) else "",
        "flags": link.flags,
        "chain": [(masked(url), status) for url, status in link.chain],
        "evidence": [(str(e.get("signal", "")), str(e.get("said", ""))) for e in link.evidence],
    }
