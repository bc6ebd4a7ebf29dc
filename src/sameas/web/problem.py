"""Errors as answers: RFC 9457 problem details for programs, a page for people.

What went wrong is decided where it is raised; here it gets its status and its words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from sameas.errors import (
    InvalidURL,
    MissingExtra,
    PolicyError,
    SameasError,
    SettingError,
    StoreError,
)
from sameas.web.render import render

MEDIA = "application/problem+json"

_MOST_ERRORS = 5
_STATUS: tuple[tuple[type[SameasError], int], ...] = (
    (InvalidURL, 422),
    (PolicyError, 422),
    (SettingError, 422),
    (StoreError, 503),
    (MissingExtra, 501),
)


class Problem(Exception):
    """An answer that is an error: its status, a sentence, what to do, and a code for programs."""

    def __init__(
        self, status: int, detail: str, code: str = "", hint: str = "", **more: Any
    ) -> None:
        super().__init__(status, detail)
        self.status, self.detail, self.hint = status, detail, hint
        self.code = code or HTTPStatus(status).phrase.lower().replace(" ", "_")
        self.more = more
        self.headers: dict[str, str] = {}

    def with_headers(self, headers: Mapping[str, str]) -> Problem:
        self.headers.update(headers)
        return self

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        return data | ({"hint": self.hint} if self.hint else {}) | self.more


def answer(problem: Problem, scope: Scope) -> Response:
    """A page for whoever asked for one, an object for everybody else."""
    if wants_page(scope):
        text = render("problem.html", title=HTTPStatus(problem.status).phrase, problem=problem)
        return Response(text, problem.status, problem.headers, "text/html")
    body = json.dumps(problem.as_data(), separators=(",", ":"))
    return Response(body, problem.status, problem.headers, MEDIA)


def wants_page(scope: Scope) -> bool:
    if str(scope["path"]).startswith("/v1/"):
        return False
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def of_error(error: Exception) -> Problem:
    """What is ours has a status and words; anything else is a fault of ours, and says no more."""
    if isinstance(error, Problem):
        return error
    for kind, status in _STATUS:
        if isinstance(error, kind):
            hint, reason = getattr(error, "hint", ""), getattr(error, "reason", str(error))
            detail = error.message if isinstance(error, InvalidURL) else reason
            place = getattr(error, "place", "") if status == 422 else ""
            said = f"{place}: {detail}" if place else detail
            return Problem(status, said, _code(error), hint)
    return Problem(500, "something went wrong here; the log has it under this request's id")


def _code(error: SameasError) -> str:
    """A store's code says what to do about it; where it is, is nobody's business here."""
    if isinstance(error, StoreError):
        return f"store_{error.code}"
    if isinstance(error, InvalidURL):
        return error.code
    names: dict[type[SameasError], str] = {PolicyError: "policy", MissingExtra: "missing_extra"}
    return names.get(type(error), "refused")


def handle_problems(app: FastAPI) -> None:
    async def ours(request: Request, error: Exception) -> Response:
        return answer(of_error(error), request.scope)

    async def of_framework(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        said = _FRAMEWORK.get(error.status_code, str(error.detail))
        problem = Problem(error.status_code, said).with_headers(error.headers or {})
        return answer(problem, request.scope)

    async def of_input(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return answer(_wrong_input(error), request.scope)

    app.add_exception_handler(Problem, ours)
    app.add_exception_handler(SameasError, ours)
    app.add_exception_handler(Exception, ours)
    app.add_exception_handler(HTTPException, of_framework)
    app.add_exception_handler(RequestValidationError, of_input)


_FRAMEWORK = {
    400: "the body cannot be read as JSON",
    404: "there is nothing at this address",
    405: "this address does not take that method",
}


def _wrong_input(error: RequestValidationError) -> Problem:
    """Each place with its reason. The values themselves are not repeated."""
    found = [
        {"place": ".".join(map(str, one["loc"])), "reason": str(one["msg"])}
        for one in error.errors()[:_MOST_ERRORS]
    ]
    first = found[0] if found else {"place": "the request", "reason": "cannot be read"}
    detail = f"{first['place']}: {first['reason']}"
    return Problem(422, detail, "wrong_input", errors=found)
