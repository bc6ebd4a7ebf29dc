"""Duplicates: articles that are one, side by side with why: of the feeds, or of what is pasted."""

from __future__ import annotations

import csv
import io
import json
from collections import deque
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from sameas.dedupe.page import card, evidence_said
from sameas.web.answers import service_of
from sameas.web.api.articles import found
from sameas.web.models import LONGEST_TITLE
from sameas.web.pages.page import page, sent_form, text_in
from sameas.web.service import Service
from sameas.web.settings import BATCH

routes = APIRouter(include_in_schema=False)

_MOST = 5000
_MOST_GROUPS = 50
_SINCE = {"1": "a day", "7": "a week", "30": "a month"}
_BY = {"both": "URL, then title", "url": "URL", "title": "title"}
_FIELDS = ("url", "title", "language", "full_text", "district", "source", "published")


@routes.get("/duplicates")
async def of_feeds(request: Request) -> Response:
    service = service_of(request)
    since, by = text_in(request, "since"), text_in(request, "by")
    since, by = since if since in _SINCE else "7", by if by in _BY else "both"
    rows = await service.ask_store(_entries, service, int(since))
    return await _shown(request, rows, by, since=since, pasted=False, troubles=[])


def _entries(service: Service, days: int) -> list[dict[str, Any]]:
    """The latest, with what an article is compared by."""
    after = datetime.now(UTC) - timedelta(days=days)
    titles = {feed.feed_url: feed.title for feed in service.store.feeds()}
    kept = deque(service.store.entries(after), _MOST)
    return [
        {
            **dict.fromkeys(_FIELDS),
            "url": entry.canonical_url or entry.link or None,
            "title": entry.title[:LONGEST_TITLE],
            "full_text": entry.summary,
            "source": titles.get(entry.feed_url) or entry.feed_url,
            "published": entry.published,
        }
        for entry in kept
    ]


@routes.post("/duplicates")
async def of_pasted(request: Request) -> Response:
    fields = await sent_form(request)
    by = fields.get("by", "both") if fields.get("by") in _BY else "both"
    rows, troubles = _read(fields.get("articles", ""))
    return await _shown(request, rows, by, since="7", pasted=True, troubles=troubles)


def _read(text: str) -> tuple[list[dict[str, Any]], list[str]]:
    """CSV with a head, or JSON Lines. A row that is torn costs the others nothing."""
    rows: list[dict[str, Any]] = []
    troubles: list[str] = []
    given: Any = (
        enumerate(text.splitlines(), 1)
        if text.lstrip().startswith("{")
        else enumerate(csv.DictReader(io.StringIO(text, newline="")), 2)
    )
    try:
        for number, one in given:
            row = _row(one)
            if row is None:
                troubles.append(f"row {number} cannot be read")
            elif row:
                rows.append(row)
            if len(rows) == BATCH:
                troubles.append(f"only the first {BATCH:,} rows are compared")
                break
    except csv.Error as error:
        troubles.append(f"after {len(rows)} rows: {error}")
    return rows, troubles


def _row(given: Any) -> dict[str, Any] | None:
    if isinstance(given, str):
        if not given.strip():
            return {}
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return None
    if not isinstance(given, dict) or not any(name in given for name in _FIELDS):
        return None
    texts = {name: given.get(name) for name in _FIELDS}
    row = {name: text if isinstance(text, str) else None for name, text in texts.items()}
    return {**row, "title": (row["title"] or "")[:LONGEST_TITLE]}


async def _shown(request: Request, rows: list[dict[str, Any]], by: str, **values: Any) -> Response:
    service = service_of(request)
    data = await service.do(found, rows, service.policy("news"), by)
    groups = sorted(data["groups"], key=lambda group: -len(group["members"]))
    return page(
        request,
        "duplicates.html",
        "Duplicates",
        by=by,
        ways=_BY,
        times=_SINCE,
        data=data,
        cards=[card(group, "row") for group in groups[:_MOST_GROUPS]],
        hidden=max(0, len(groups) - _MOST_GROUPS),
        evidence=evidence_said(groups) if groups else "",
        most=_MOST,
        **values,
    )
