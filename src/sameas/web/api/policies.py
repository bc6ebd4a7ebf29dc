"""`/v1/policies`: which are served, and the rules of one."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from sameas.plan import document
from sameas.policy import Policy
from sameas.web import models
from sameas.web.answers import answer, documented, service_of

routes = APIRouter(prefix="/v1", tags=["policies"])


@routes.get("/policies", responses=documented(models.Policies), summary="The policies served")
async def policies(request: Request) -> Response:
    service = service_of(request)
    return answer({"policies": [identity(service.policy(n)) for n in service.policy_names()]})


@routes.get(
    "/policies/{name}", responses=documented(models.PolicyInWords), summary="One with its rules"
)
async def policy(request: Request, name: Annotated[str, Path(max_length=100)]) -> Response:
    """`NAME@VERSION` gives the version that keys may have been stored under."""
    chosen = service_of(request).policy(name, 404)
    rules = [
        {"rule": op.name, "clause": op.clause, "does": op.does, **op.args}
        for op in chosen.plan.ops()
    ]
    return answer({**identity(chosen), "rules": rules, "sites": list(chosen.plan.sites)})


def identity(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "version": policy.version,
        "fingerprint": policy.fingerprint,
        "summary": summary(policy),
    }


def summary(policy: Policy) -> str:
    """What a built-in policy is for; the files of others are read once, when they are loaded."""
    if policy.name not in document.builtin_names():
        return ""
    return str(document.load(policy.name).words.get("summary", ""))
