"""`/healthz` and `/metrics`: for those who watch over the service."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from sameas.errors import StoreError
from sameas.web import models
from sameas.web.answers import answer, documented, service_of
from sameas.web.metrics import CONTENT_TYPE

routes = APIRouter(tags=["the service"])


_UNWELL = {503: {"model": models.Health, "description": "The store cannot be read."}}


@routes.get("/healthz", responses=documented(models.Health, _UNWELL), summary="Is all well?")
async def healthz(request: Request) -> Response:
    """503 where the store cannot be read. It needs no token, and tells nothing else."""
    service = service_of(request)
    try:
        await service.ask_store(service.store.review, "")
    except StoreError as error:
        return answer({"status": "unwell", "store": error.code}, 503)
    return answer({"status": "ok", "store": "ok"})


@routes.get(
    "/metrics",
    responses=documented(more={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}),
    response_class=Response,
    summary="Counters for Prometheus",
)
async def metrics(request: Request) -> Response:
    return Response(service_of(request).metrics.written(), media_type=CONTENT_TYPE)
