"""`/v1/entries` and `/v1/reviews`: what the store holds, and the answers people give.

What an answer does is for `sameas.review`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from sameas.errors import InvalidURL
from sameas.feeds.shown import entry_object
from sameas.review.answer import Answer
from sameas.review.shown import review_object
from sameas.store.link_types import Review
from sameas.web import models
from sameas.web.answers import answer, documented, service_of
from sameas.web.bodies import body_of
from sameas.web.bodies import documented as documented_body
from sameas.web.problem import Problem
from sameas.web.service import Service

routes = APIRouter(prefix="/v1", tags=["what is kept"])

_MOST = 1000
_FARTHEST = 10_000
Limit = Annotated[int, Query(ge=1, le=_MOST)]
Offset = Annotated[
    int, Query(ge=0, le=_FARTHEST, description="Farther on, narrow what is asked for.")
]
ReviewId = Annotated[str, Path(max_length=64)]
By = Annotated[str, Query(min_length=1, max_length=200, description="Who takes it back.")]


@routes.get("/entries", responses=documented(models.Entries), summary="What feeds brought")
async def entries(
    request: Request,
    new_since: Annotated[datetime | None, Query(description="First seen then or later.")] = None,
    feed: Annotated[str | None, Query(max_length=4096, description="The address of one.")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """In the order in which they came. `first_seen_at` of the last one is where to ask on from."""
    service = service_of(request)
    since = new_since.replace(tzinfo=new_since.tzinfo or UTC) if new_since else None

    def read() -> dict[str, Any]:
        number = None if feed is None else _feed(service, feed)
        found = service.store.entries(since, number)
        return _page("entries", (entry_object(one) for one in found), limit, offset)

    return answer(await service.ask_store(read))


def _feed(service: Service, url: str) -> int:
    from sameas.feeds.address import feed_address

    try:
        found = service.store.feeds([feed_address(url)])
    except InvalidURL:
        found = []
    if not found:
        raise Problem(404, "there is no feed of this address")
    return found[0].feed_id


def _page(name: str, found: Iterable[Any], limit: int, offset: int) -> dict[str, Any]:
    rows = list(islice(found, offset, offset + limit + 1))
    more = offset + limit if len(rows) > limit else None
    return {name: rows[:limit], "next": more}


@routes.get("/reviews", responses=documented(models.Reviews), summary="The questions")
async def reviews(
    request: Request,
    decided: Annotated[bool | None, Query(description="Without it, open and decided.")] = None,
    kind: Annotated[models.Kind | None, Query()] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    service = service_of(request)

    def read() -> dict[str, Any]:
        found = (r for r in service.store.reviews(decided) if kind in (None, r.kind))
        return _page("reviews", map(review_object, found), limit, offset)

    return answer(await service.ask_store(read))


@routes.get("/reviews/{review_id}", responses=documented(models.Review), summary="One question")
async def review(request: Request, review_id: ReviewId) -> Response:
    service = service_of(request)
    return answer(review_object(await service.ask_store(known, service, review_id)))


@routes.put(
    "/reviews/{review_id}/decision",
    responses=documented(models.Review),
    openapi_extra=documented_body(models.Decision),
    summary="Answer it",
)
async def decide(
    request: Request,
    review_id: ReviewId,
    wanted: Annotated[models.Decision, Depends(body_of(models.Decision))],
) -> Response:
    """`answers` of the question names those there are; `suggested` is the one that is suggested."""
    service = service_of(request)

    def write() -> dict[str, Any]:
        give(service, review_id, wanted.decision, wanted.value, wanted.by)
        return review_object(known(service, review_id))

    return answer(await service.ask_store(write))


@routes.delete(
    "/reviews/{review_id}/decision", responses=documented(models.Review), summary="Take it back"
)
async def take_back(request: Request, review_id: ReviewId, by: By) -> Response:
    service = service_of(request)

    def write() -> dict[str, Any]:
        undo(service, review_id, by)
        return review_object(known(service, review_id))

    return answer(await service.ask_store(write))


def known(service: Service, review_id: str) -> Review:
    found = service.store.review(review_id)
    if found is None:
        raise Problem(404, "there is no such question")
    return found


def give(
    service: Service,
    review_id: str,
    decision: str,
    value: str,
    by: str,
    now: datetime | None = None,
) -> None:
    with service.answering:
        _answer(service, review_id, by, now).give(decision, value)


def undo(service: Service, review_id: str, by: str) -> None:
    with service.answering:
        _answer(service, review_id, by).take_back()


def _answer(service: Service, review_id: str, by: str, now: datetime | None = None) -> Answer:
    settings, review = service.settings, known(service, review_id)
    return Answer(service.store, review, by, settings.reviews, settings.overrides, now)
