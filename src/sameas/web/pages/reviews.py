"""Reviews: the queue with its evidence, decided one by one or by host, and taken back.

What an answer does is for `sameas.review`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from sameas.engine.parse import parse
from sameas.errors import InvalidURL, SameasError
from sameas.review.kinds import DECISIONS, KINDS, WITH_VALUE
from sameas.review.shown import review_object
from sameas.store.link_types import Review
from sameas.web.answers import service_of
from sameas.web.api.kept import give, known, undo
from sameas.web.pages.page import back_to, number_in, page, sent_form, text_in
from sameas.web.problem import Problem, of_error
from sameas.web.service import Service

routes = APIRouter(include_in_schema=False)

_A_PAGE = 20
_LOOKED_THROUGH = 5000
"""Questions that are counted by kind and host; more than a team decides in a year."""
_MOST_AT_ONCE = 500
_MOST_HOSTS = 200


@routes.get("/reviews")
async def reviews(request: Request) -> Response:
    service = service_of(request)
    wanted = {name: text_in(request, name) for name in ("kind", "host")}
    decided = text_in(request, "state") == "decided"
    offset = number_in(request, "offset", 0, _LOOKED_THROUGH)
    found = await service.ask_store(_read, service, decided)
    chosen = [one for one in found if _is_wanted(one, wanted)]
    done = await service.ask_store(_done_at, service, text_in(request, "at"))
    return page(
        request,
        "reviews.html",
        "Reviews",
        decided=decided,
        wanted=wanted,
        kinds=sorted(Counter(one.kind for one in found).items()),
        hosts=sorted(Counter(host_of(one) for one in found).most_common(_MOST_HOSTS)),
        total=len(chosen),
        questions=[_question(service, one) for one in chosen[offset : offset + _A_PAGE]],
        bulk=_bulk(chosen, wanted, decided, service),
        done=done,
        at=text_in(request, "at"),
        said=text_in(request, "said"),
        offset=offset,
        next=offset + _A_PAGE if len(chosen) > offset + _A_PAGE else None,
        before=max(0, offset - _A_PAGE) if offset else None,
        more=len(found) == _LOOKED_THROUGH,
        query=urlencode({**wanted, "state": "decided" if decided else ""}),
    )


def _read(service: Service, decided: bool) -> list[Review]:
    found: Iterable[Review] = service.store.reviews(decided)
    return list(islice(found, _LOOKED_THROUGH))


def _is_wanted(review: Review, wanted: dict[str, str]) -> bool:
    return wanted["kind"] in ("", review.kind) and wanted["host"] in ("", host_of(review))


def host_of(review: Review) -> str:
    about = KINDS[review.kind].about
    if about in ("host", "parameter"):
        return review.key.partition("?")[0]
    try:
        return parse(review.url).host
    except InvalidURL:
        return "(no link)"


def _question(service: Service, review: Review) -> dict[str, Any]:
    data = review_object(review)
    answers = [
        (name, DECISIONS[name].partition(":")[0], name in WITH_VALUE)
        for name in KINDS[review.kind].decisions
        if name != "drop" or service.settings.overrides
    ]
    suggested, _, value = review.suggestion.partition(" ")
    return {
        **data,
        "answers": answers,
        "with_value": any(takes for _, _, takes in answers),
        "suggested": suggested,
        "suggested_value": value,
        "asked_at": review.asked_at,
        "decided_at": review.decided_at,
        "needs_overrides": "drop" in KINDS[review.kind].decisions
        and not service.settings.overrides,
    }


def _bulk(
    chosen: list[Review], wanted: dict[str, str], decided: bool, service: Service
) -> list[tuple[str, str]]:
    """What may be said of all questions of one kind on one host at once."""
    if decided or not all(wanted.values()) or len(chosen) < 2:
        return []
    names = [name for name in KINDS[wanted["kind"]].decisions if name not in WITH_VALUE]
    if all(review.suggestion for review in chosen):
        names.append("suggested")
    without = set() if service.settings.overrides else {"drop"}
    return [(name, DECISIONS.get(name, "as it is suggested")) for name in names
            if name not in without]  # fmt: skip


def _done_at(service: Service, at: str) -> list[Review]:
    """What was decided in one go, told by its moment."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return []
    if moment.tzinfo is None:
        return []
    found = service.store.reviews(True)
    return list(islice((one for one in found if one.decided_at == moment), _MOST_AT_ONCE))


@routes.post("/reviews")
async def decide(request: Request) -> Response:
    """One question by its number, or all of a kind on a host."""
    service, fields = service_of(request), await sent_form(request)
    by = fields.get("by", "").strip()
    wanted = {name: fields.get(name, "") for name in ("kind", "host")}
    if not by:
        return _again(fields, "say who decides", "")
    if not (fields.get("id") or all(wanted.values())):
        return _again(fields, "choose one question, or a kind and a host", by)
    decision, value = fields.get("decision", ""), fields.get("value", "").strip()
    if fields.get("id"):
        ids = [fields["id"]]
    else:
        found = await service.ask_store(_read, service, False)
        ids = [one.review_id for one in found if _is_wanted(one, wanted)][:_MOST_AT_ONCE]
    value = value if decision in WITH_VALUE else ""
    try:
        at = await service.ask_store(_decide, service, ids, decision, value, by)
    except (SameasError, Problem) as error:
        return _again(fields, of_error(error).detail, by)
    return back_to(f"/reviews?{urlencode({**wanted, 'at': at})}", by)


def _decide(service: Service, ids: list[str], decision: str, value: str, by: str) -> str:
    now = datetime.now(UTC)
    for review_id in ids:
        give(service, review_id, decision, value, by, now)
    return now.isoformat()


def _again(fields: dict[str, str], said: str, by: str) -> Response:
    kept = {name: fields.get(name, "") for name in ("kind", "host")}
    return back_to(f"/reviews?{urlencode({**kept, 'said': said})}", by)


@routes.post("/reviews/name")
async def name(request: Request) -> Response:
    """Who sits here. Kept as a cookie; it is a name, and proves nothing."""
    fields = await sent_form(request)
    return back_to("/reviews", fields.get("by", "").strip())


@routes.post("/reviews/undo")
async def take_back(request: Request) -> Response:
    """One decision by its number, or all of one moment."""
    service, fields = service_of(request), await sent_form(request)
    by = fields.get("by", "").strip()
    if not by:
        return back_to("/reviews?state=decided&said=say+who+takes+it+back")

    def write() -> int:
        if fields.get("id"):
            done = [known(service, fields["id"])]
        else:
            done = _done_at(service, fields.get("at", ""))
        for review in done:
            undo(service, review.review_id, by)
        return len(done)

    try:
        count = await service.ask_store(write)
    except (SameasError, Problem) as error:
        return back_to(f"/reviews?{urlencode({'said': of_error(error).detail})}", by)
    said = f"taken back: {count}" if count else "there was nothing to take back"
    return back_to(f"/reviews?{urlencode({'said': said})}", by)
