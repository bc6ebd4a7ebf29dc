"""The vectors notice everything a plan does: without any one operation, argument or entry of a
list some vector fails. So an engine that passes has all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from spec.run import OVERRIDES, WITH_OVERRIDES, differences, suites

from sameas import InvalidURL, Policy
from sameas.plan.plan import Op, Plan

SUITES = suites()
PARTS = ("rules", "form", "notes")

_PRESERVED = "category codigo expediente id idioma lang locale p page pagina seccion tipo"
NO_CHANGE = {
    "clara": {
        # `{letters}session{letters}` takes it as well
        "path.session: names without jsessionid",
        "query.drop: session without jsessionid",
        # no strip pattern takes a preserved name, so there is nothing to beat
        *(f"query.drop: keep without {name}" for name in _PRESERVED.split()),
    },
}
"""Entries of the seed's tables without which every URL has the same result."""


@cache
def _plan(name: str) -> Plan:
    overrides = OVERRIDES if name.endswith(WITH_OVERRIDES) else None
    return Policy.load(name.removesuffix(WITH_OVERRIDES), overrides).plan


def _notices(name: str, plan: Plan) -> bool:
    """Does some vector fail under this plan?"""
    policy = Policy(plan, name, "mutated", "python")
    return any(_wrong(policy, vector.row["input"], vector.expected) for vector in SUITES[name])


def _wrong(policy: Policy, url: str, expected: dict[str, Any]) -> list[str]:
    try:
        got = policy.canonicalize(url)
    except InvalidURL as error:
        return differences(expected, {"error": {"code": error.code}})
    result = {field: getattr(got, field) for field in ("url", "form", "key")}
    return differences(expected, {**result, "flags": [*got.flags], "notes": dict(got.notes)})


def _replaced(plan: Plan, part: str, place: int, *ops: Op) -> Plan:
    before = getattr(plan, part)
    return replace(plan, **{part: (*before[:place], *ops, *before[place + 1 :])})


def _without_operations(plan: Plan) -> Iterator[tuple[str, Plan]]:
    for part in PARTS:
        for place, op in enumerate(getattr(plan, part)):
            yield f"{part}: {op.name}", _replaced(plan, part, place)
    if plan.unwrap is not None:
        yield "unwrap", replace(plan, unwrap=None)
    if plan.names:
        yield "names", replace(plan, names={})


def _without_arguments(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """One argument after the other emptied, and each long list without each of its entries."""
    for part in PARTS:
        for place, op in enumerate(getattr(plan, part)):
            for key, value in op.args.items():
                for what, less in _less(value):
                    mutated = replace(op, args={**op.args, key: less})
                    yield f"{op.name}: {key}{what}", _replaced(plan, part, place, mutated)


def _less(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, bool):
        yield f" is {not value}", not value
    elif isinstance(value, dict):
        for key in value:
            yield f" without {key}", {k: v for k, v in value.items() if k != key}
    elif isinstance(value, list | tuple):
        for i, entry in enumerate(value):
            yield f" without {entry}", [*value[:i], *value[i + 1 :]]


def _cases(mutations: Any) -> list[Any]:
    return [
        pytest.param(name, plan, id=f"{name}-{what}")
        for name in SUITES
        for what, plan in mutations(_plan(name))
    ]


@pytest.mark.parametrize(("name", "plan"), _cases(_without_operations))
def test_without_an_operation_some_vector_fails(name: str, plan: Plan) -> None:
    assert _notices(name, plan)


@pytest.mark.parametrize("name", [name for name in SUITES if not name.endswith(WITH_OVERRIDES)])
def test_without_an_entry_of_a_list_some_vector_fails(name: str) -> None:
    unnoticed = {what for what, less in _without_arguments(_plan(name)) if not _notices(name, less)}
    assert unnoticed == NO_CHANGE.get(name, set())


@pytest.mark.parametrize("name", [name for name in SUITES if name.endswith(WITH_OVERRIDES)])
def test_without_a_part_of_an_override_some_vector_fails(name: str) -> None:
    plan = _plan(name)
    place = [op.name for op in plan.rules].index("override")
    op = plan.rules[place]
    for less in _without_a_part(op.args["overrides"]):
        mutated = replace(op, args={"overrides": less})
        assert _notices(name, _replaced(plan, "rules", place, mutated)), less


def _without_a_part(overrides: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Without one dropped parameter or one rewrite. A second override for a host does nothing."""
    hosts = [override["match"]["host"] for override in overrides]
    for i, override in enumerate(overrides):
        for key in ("drop_query_params", "rewrite_rules"):
            for k in range(len(override[key]) if hosts.index(hosts[i]) == i else 0):
                less = {**override, key: [*override[key][:k], *override[key][k + 1 :]]}
                yield [*overrides[:i], less, *overrides[i + 1 :]]


@pytest.mark.parametrize("name", SUITES)
def test_the_plan_itself_fails_no_vector(name: str) -> None:
    assert not _notices(name, _plan(name))
