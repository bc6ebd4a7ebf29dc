"""`/v1/resolve`: where links lead, asked through the guarded client and its settings alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from sameas.resolve.shown import resolution_object
from sameas.web import models
from sameas.web.answers import answer, documented, service_of
from sameas.web.bodies import body_of
from sameas.web.bodies import documented as documented_body

routes = APIRouter(prefix="/v1", tags=["links"])


@routes.post(
    "/resolve",
    responses=documented(models.Resolutions),
    openapi_extra=documented_body(models.Links),
    summary="Where links really lead",
)
async def resolve(
    request: Request, wanted: Annotated[models.Links, Depends(body_of(models.Links))]
) -> Response:
    """Up to 20 links. Who may be reached, and how politely, is set where the service is started."""
    service = service_of(request)
    policy = service.policy(wanted.policy)
    found = await request.app.state.resolving.over(wanted.urls, policy)
    return answer({"results": [resolution_object(one) for one in found]})
