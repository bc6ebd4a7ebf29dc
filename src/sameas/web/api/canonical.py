"""`/v1/canonicalize`, `/v1/explain`, `/v1/same`: URLs under a policy, one, many or a stream.

What a URL becomes is the policy's business.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from sameas.engine.parse import LIMIT, shown
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.report.objects import (
    canonical_object,
    comparison_object,
    explanation_object,
    refused_object,
)
from sameas.web import models
from sameas.web.answers import Lines, answer, documented, service_of, written
from sameas.web.bodies import body_of, url_in
from sameas.web.bodies import documented as documented_body
from sameas.web.problem import Problem
from sameas.web.service import Service


def _given(name: str) -> Any:
    """The URL of this name in the query, byte for byte."""
    told: str = Query(alias=name, description="A URL, percent-encoded.")

    async def read(request: Request, _: str = told) -> bytes:
        return url_in(request, name)

    return Depends(read)


routes = APIRouter(prefix="/v1", tags=["identity"])

PolicyName = Annotated[str, Query(max_length=100, description="A name that /v1/policies gives.")]
_LONGEST_LINE = 6 * LIMIT + 64
"""Every byte of the longest URL as an escape of JSON."""
_LINES = "application/x-ndjson"


@routes.get("/canonicalize", responses=documented(models.Canonical), summary="One URL")
async def one(
    request: Request, url: Annotated[bytes, _given("url")], policy: PolicyName = "default"
) -> Response:
    """A URL that is refused is a problem with its code (422)."""
    service = service_of(request)
    chosen = service.policy(policy)
    try:
        result = chosen.canonicalize(url)
    except InvalidURL as error:
        service.metrics.url(policy, error.code)
        raise Problem(422, error.message, error.code, input=shown(url, error.code)) from None
    service.metrics.url(policy, "ok")
    return answer(canonical_object(result))


_STREAM_TOLD = {"schema": {"type": "string", "description": "A JSON text each line."}}
_MANY_BODY: dict[str, Any] = documented_body(models.Urls)
_MANY_BODY["requestBody"]["content"][_LINES] = _STREAM_TOLD
_MANY = documented(models.Batch)
_MANY[200]["content"] = {_LINES: {"schema": {"type": "string"}}}


@routes.post(
    "/canonicalize", responses=_MANY, openapi_extra=_MANY_BODY, summary="Many URLs, or a stream"
)
async def many(request: Request, policy: PolicyName = "default") -> Response:
    """Up to 10,000 URLs as one object. More as JSON Lines: a URL as a JSON text each line, and a
    result each line, in order, while the rest is still being sent; the policy is in the query
    then. A URL that is refused costs the others nothing."""
    service = service_of(request)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() == _LINES:
        return Lines(_streamed(request, service, service.policy(policy)))
    wanted = await body_of(models.Urls)(request)
    chosen = service.policy(wanted.policy)
    results, outcomes = await service.do(_results, chosen, wanted.urls)
    service.metrics.urls(wanted.policy, outcomes)
    head = {"policy": f"{chosen.name}@{chosen.version}", "fingerprint": chosen.fingerprint}
    return answer({**head, "results": results})


def _results(policy: Policy, urls: Sequence[str]) -> tuple[list[dict[str, Any]], Counter[str]]:
    outcomes: Counter[str] = Counter()
    found = []
    for url, result in zip(urls, policy.canonicalize_many(urls), strict=True):
        if isinstance(result, InvalidURL):
            outcomes[result.code] += 1
            found.append(refused_object(url, result))
        else:
            found.append(canonical_object(result))
    outcomes["ok"] = len(urls) - outcomes.total()
    return found, outcomes


async def _streamed(request: Request, service: Service, policy: Policy) -> AsyncIterator[bytes]:
    rest = b""
    async for piece in request.stream():
        *lines, rest = (rest + piece).split(b"\n")
        if lines:
            yield await service.do(_answered, service, policy, lines)
        if len(rest) > _LONGEST_LINE:
            yield written(_unread("too_long", "a line is longer than any URL may be")) + b"\n"
            return
    if rest:
        yield await service.do(_answered, service, policy, [rest])


def _answered(service: Service, policy: Policy, lines: Sequence[bytes]) -> bytes:
    return b"".join(written(each) + b"\n" for each in _each(service, policy, lines))


def _each(service: Service, policy: Policy, lines: Sequence[bytes]) -> Iterator[dict[str, Any]]:
    outcomes: Counter[str] = Counter()
    for line in lines:
        try:
            url = json.loads(line)
        except (ValueError, RecursionError):
            url = None
        if not isinstance(url, str):
            outcomes["no_text"] += 1
            yield _unread("no_text", "a line must be one JSON text")
            continue
        try:
            yield canonical_object(policy.canonicalize(url))
            outcomes["ok"] += 1
        except InvalidURL as error:
            outcomes[error.code] += 1
            yield refused_object(url, error)
    service.metrics.urls(policy.name, outcomes)


def _unread(code: str, message: str) -> dict[str, Any]:
    return {"input": None, "error": {"code": code, "message": message}}


@routes.get("/explain", responses=documented(models.Explained), summary="The steps a URL takes")
async def explain(
    request: Request, url: Annotated[bytes, _given("url")], policy: PolicyName = "default"
) -> Response:
    """Of a URL that is refused: the steps up to there, and `error`."""
    chosen = service_of(request).policy(policy)
    return answer(explanation_object(chosen.explain(url)))


@routes.get("/same", responses=documented(models.Compared), summary="Are two URLs the same?")
async def same(
    request: Request,
    a: Annotated[bytes, _given("a")],
    b: Annotated[bytes, _given("b")],
    policy: PolicyName = "default",
) -> Response:
    """Whether, the rule that decides it, and why in a sentence."""
    chosen = service_of(request).policy(policy)
    found = chosen.compare(a, b)
    return answer(comparison_object(found, steps=False))
