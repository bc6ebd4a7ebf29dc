"""Policies: their rules in words, and what differs between two."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from sameas.plan.plan import Op
from sameas.policy import Policy
from sameas.web.answers import service_of
from sameas.web.api.policies import identity
from sameas.web.pages.page import page, text_in

routes = APIRouter(include_in_schema=False)


@routes.get("/policies")
async def policies(request: Request) -> Response:
    service = service_of(request)
    names = service.policy_names()
    a, b = text_in(request, "a"), text_in(request, "b")
    two = [service.policy(name) for name in (a, b) if name]
    return page(
        request,
        "policies.html",
        "Policies",
        policies=[identity(service.policy(name)) for name in names],
        names=names,
        a=a,
        b=b,
        labels=[f"{one.name}@{one.version}" for one in two],
        rows=differences(*two) if len(two) == 2 else None,
    )


@routes.get("/policies/{name}")
async def policy(request: Request, name: str) -> Response:
    chosen = service_of(request).policy(name, 404)
    plan = chosen.plan
    groups = (
        ("The url", (*plan.rules, *((plan.unwrap,) if plan.unwrap else ()))),
        ("The form, from the url", plan.form),
        ("Notes", plan.notes),
    )
    return page(
        request,
        "policy.html",
        f"The policy {chosen.name}",
        **identity(chosen),
        parser=plan.parser,
        groups=[(title, [_told(op) for op in ops]) for title, ops in groups if ops],
        sites=[(", ".join(site["host"]), _arguments(site, {"host"})) for site in plan.sites],
    )


def _told(op: Op) -> dict[str, Any]:
    return {"rule": op.name, "clause": op.clause, "does": op.does, "args": _arguments(op.args)}


def _arguments(args: Mapping[str, Any], without: frozenset[str] | set[str] = frozenset()) -> Any:
    """What a rule works with: lists as lists of words, all else as one word."""
    told = []
    for name, value in args.items():
        if name not in without and value not in ("", None, False) and value != []:
            told.append((name, _words(value)))
    return told


def _words(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key} → {_word(text)}" for key, text in value.items()]
    return [_word(one) for one in value] if isinstance(value, list | tuple) else [_word(value)]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=list)


def differences(a: Policy, b: Policy) -> list[dict[str, Any]]:
    """Rule by rule: what each does, and of a list what only one of them has."""
    rows = []
    for part, one, other in _parts(a, b):
        for name in dict.fromkeys([*one, *other]):
            here, there = one.get(name), other.get(name)
            if here is not None and there is not None and here.args == there.args:
                continue
            does = next(op.does for op in (here, there) if op is not None)
            lists = _lists(here.args, there.args) if here and there else []
            told = [_alone(here), _alone(there)]
            rows.append({"part": part, "rule": name, "does": does, "told": told, "lists": lists})
    hosts = [{_word(site) for site in policy.plan.sites} for policy in (a, b)]
    if hosts[0] != hosts[1]:
        counts = [f"{len(mine - theirs):,} rules of its own" for mine, theirs in
                  (hosts, reversed(hosts))]  # fmt: skip
        does = "rules for single sites"
        rows.append({"part": "sites", "rule": "sites", "does": does, "told": counts, "lists": []})
    if a.plan.parser != b.plan.parser:
        told = [a.plan.parser, b.plan.parser]
        does = "how a URL is read"
        rows.insert(0, {"part": "url", "rule": "parse", "does": does, "told": told, "lists": []})
    return rows


def _parts(a: Policy, b: Policy) -> list[tuple[str, dict[str, Op], dict[str, Op]]]:
    def ops(policy: Policy, part: str) -> dict[str, Op]:
        plan = policy.plan
        unwrap = (plan.unwrap,) if plan.unwrap else ()
        found = {"url": (*plan.rules, *unwrap), "form": plan.form, "notes": plan.notes}[part]
        return {op.name: op for op in found}

    return [(part, ops(a, part), ops(b, part)) for part in ("url", "form", "notes")]


def _alone(op: Op | None) -> str:
    return "yes" if op else "no"


def _lists(here: Mapping[str, Any], there: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for name in dict.fromkeys([*here, *there]):
        one, two = _words(here.get(name, [])), _words(there.get(name, []))
        if one != two:
            only = [[w for w in one if w not in two], [w for w in two if w not in one]]
            rows.append({"name": name, "only": only})
    return rows
