"""Explain: one URL step by step, or two and where they meet or part, under one policy or two."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from sameas.report.changed import Marked, changed
from sameas.report.html import Html, joined, tag
from sameas.types import Explanation, Step
from sameas.web.answers import service_of
from sameas.web.bodies import url_in
from sameas.web.pages.page import page, text_in
from sameas.web.service import Service

routes = APIRouter(include_in_schema=False)

EXAMPLES = (
    ("https://shop.example/p;jsessionid=8A?gclid=x&id=7", ""),
    ("http://www.example.com/story/", "https://example.com/story?utm_source=mail#comments"),
    ("https://www.youtube.com/watch?v=dQw4w9WgXcQ&si=h2Jk3lQ9", "https://youtu.be/dQw4w9WgXcQ"),
)


@routes.get("/")
async def explain(request: Request) -> Response:
    service = service_of(request)
    a, b = url_in(request, "a").strip(), url_in(request, "b").strip()
    policy = text_in(request, "policy") or "default"
    beside = text_in(request, "beside")
    told = [_told(service, name, a, b) for name in (policy, beside) if name] if a else []
    return page(
        request,
        "explain.html",
        "Explain a URL",
        policies=service.policy_names(),
        policy=policy,
        beside=beside,
        a=told[0]["one"].input if told else "",
        b=told[0]["two"].input if told and b else "",
        told=told,
        examples=EXAMPLES,
    )


def _told(service: Service, name: str, a: bytes, b: bytes) -> dict[str, Any]:
    policy = service.policy(name)
    found = policy.compare(a, b) if b else None
    one, two = (found.a, found.b) if found else (policy.explain(a), None)
    return {
        "name": f"{policy.name}@{policy.version}",
        "fingerprint": policy.fingerprint,
        "found": found,
        "refused": bool(one.error or (two and two.error)),
        "one": one,
        "two": two,
        "urls": [_rows(each) for each in (one, two) if each],
    }


def _rows(told: Explanation) -> dict[str, Any]:
    return {"told": told, "steps": [(step, *_marked(step)) for step in told.steps]}


def _marked(step: Step) -> tuple[Html, Html]:
    """Before and after, with what the rule took away and what it put there."""
    if step.before == step.after or step.rule == "key":
        return joined((step.before,)), joined((step.after,))
    before, after = changed(step.before, step.after)
    return _as_html(before, "del"), _as_html(after, "ins")


def _as_html(pieces: Marked, name: str) -> Html:
    return joined(tag(name, text) if mark else text for text, mark in pieces if text)
