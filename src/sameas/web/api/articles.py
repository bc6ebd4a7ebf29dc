"""`/v1/dedupe`: articles that are one, with the evidence."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from sameas.dedupe import find_duplicates
from sameas.dedupe.shown import Articles, article, duplicates_object
from sameas.policy import Policy
from sameas.web import models
from sameas.web.answers import answer, documented, service_of
from sameas.web.bodies import body_of
from sameas.web.bodies import documented as documented_body

routes = APIRouter(prefix="/v1", tags=["articles"])


@routes.post(
    "/dedupe",
    responses=documented(models.Duplicates),
    openapi_extra=documented_body(models.Articles),
    summary="The same article once",
)
async def dedupe(
    request: Request, wanted: Annotated[models.Articles, Depends(body_of(models.Articles))]
) -> Response:
    """Up to 10,000 articles, told by their places in the list, from 0."""
    service = service_of(request)
    policy = service.policy(wanted.policy)
    rows = [one.model_dump() for one in wanted.articles]
    return answer(await service.do(found, rows, policy, wanted.by, wanted.language))


def found(
    rows: list[dict[str, Any]], policy: Policy, by: Any = "both", language: str | None = None
) -> dict[str, Any]:
    articles = Articles("article", str, [])
    for number, row in enumerate(rows):
        articles.add(number, article(row))
    found = find_duplicates(
        articles.all, by, quality=lambda one: one.rank, policy=policy, language=language
    )
    return {**duplicates_object(found, articles, policy), "stay": found.survivors}
