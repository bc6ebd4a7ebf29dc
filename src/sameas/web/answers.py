"""Answers as they are written: JSON in ASCII, whole or as a stream of lines."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sameas.web import models
from sameas.web.problem import MEDIA
from sameas.web.service import Service

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def service_of(request: Request) -> Service:
    found: Service = request.app.state.service
    return found


def written(data: Any) -> bytes:
    return _encode(data).encode()


def answer(data: Any, status: int = 200) -> Response:
    return Response(written(data), status, media_type="application/json")


class Lines(Response):
    """A stream that is written while the body is still being read: the framework's own listens
    for the other side to leave, and would swallow the body."""

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        super().__init__(media_type="application/x-ndjson")
        del self.headers["content-length"]
        self._pieces = pieces

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for piece in self._pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


_PROBLEMS = {
    400: "The request cannot be read.",
    401: "A token is needed, or this is not the one.",
    403: "It came from a page of another site.",
    404: "There is nothing of this name.",
    405: "Another method is meant.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    415: "The body is of another kind.",
    421: "This is not a name of the service.",
    422: "A value cannot be used.",
    429: "Too often.",
    500: "A fault of ours.",
    503: "The store is not available, or too much is under way.",
}


def documented(
    model: type[Any] | None = None, more: dict[int, Any] | None = None
) -> dict[int | str, dict[str, Any]]:
    """Every answer a route may give, in the words of OpenAPI."""
    schema = {"schema": {"$ref": f"#/components/schemas/{models.Problem.__name__}"}}
    told: dict[int | str, dict[str, Any]] = {
        status: {"description": said, "content": {MEDIA: schema}}
        for status, said in _PROBLEMS.items()
    }
    if model is not None:
        told[200] = {"model": model}
    return told | (more or {})
