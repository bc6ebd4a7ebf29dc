"""The application: routes, pages, static files and errors put together behind the gate.

Each part decides for itself; here is only their order.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from sameas import __version__
from sameas.web.api import articles, canonical, kept, links, policies, state
from sameas.web.gate import Gate
from sameas.web.openapi import described
from sameas.web.pages import duplicates, entry, explain, feeds, reviews
from sameas.web.pages import links as links_page
from sameas.web.pages import policies as policies_page
from sameas.web.problem import handle_problems
from sameas.web.resolving import Resolving
from sameas.web.service import Service

_PAGES = (entry, explain, reviews, links_page, feeds, duplicates, policies_page)
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
    for part in (*_API, state, *_PAGES):
        app.include_router(part.routes)
    handle_problems(app)
    app.openapi = lambda: described(app)  # type: ignore[method-assign]
    return app


def behind_gate(service: Service) -> Gate:
    app = application(service)
    app.state.gate = gate = Gate(app, service.settings, service.sessions, service.metrics)
    return gate
