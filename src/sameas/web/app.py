"""The application: routes, pages, static files and errors put together behind the gate.

Each part decides for itself; here is only their order.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from sameas import __version__
from sameas.web import models
from sameas.web.api import articles, canonical, kept, links, policies, state
from sameas.web.gate import Gate
from sameas.web.problem import handle_problems
from sameas.web.resolving import Resolving
from sameas.web.service import Service

_API = (canonical, articles, policies, links, kept)
_ABOUT = "Are these two the same thing? The same answer every time, under rules you can read."


def application(service: Service) -> FastAPI:
    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.resolving = Resolving(service.settings, service.store)
        yield
        app.state.resolving.close()

    app = FastAPI(
        title="sameas",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        redirect_slashes=False,
    )
    app.state.service = service
    for room in _API:
        app.include_router(room.routes)
    app.include_router(state.routes)
    handle_problems(app)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def behind_gate(service: Service) -> Gate:
    app = application(service)
    app.state.gate = gate = Gate(app, service.settings, service.sessions, service.metrics)
    return gate


def _openapi(app: FastAPI) -> dict[str, Any]:
    """With the problem that every route may answer, and without the framework's own."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
        )
        known = schema["components"]["schemas"]
        for name in ("HTTPValidationError", "ValidationError"):
            known.pop(name, None)
        problem = models.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        known.update(problem.pop("$defs"))
        known["Problem"] = problem
        app.openapi_schema = schema
    return app.openapi_schema
