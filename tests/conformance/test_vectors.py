"""Every vector on every engine there is, each an assertion of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from spec.run import OVERRIDES, WITH_OVERRIDES, Vector, differences, suites

from sameas import InvalidURL, Policy
from sameas.plan import document
from tests.native.wheel import NATIVE

ENGINES = ("python", *NATIVE)
"""The engines that have to give every result."""

SUITES = suites()
FEWEST = 60

_CASES = [
    pytest.param(engine, name, vector, id=f"{engine}-{vector.place}")
    for engine in ENGINES
    for name, vectors in SUITES.items()
    for vector in vectors
]


@cache
def _loaded(engine: str, name: str) -> Policy:
    overrides = OVERRIDES if name.endswith(WITH_OVERRIDES) else None
    return Policy.load(name.removesuffix(WITH_OVERRIDES), overrides, engine)


def _result(canonicalize: Callable[[str], Any], url: str) -> dict[str, Any]:
    try:
        got = canonicalize(url)
    except InvalidURL as error:
        return {"error": {"code": error.code}}
    result = {name: getattr(got, name) for name in ("url", "form", "key")}
    return {**result, "flags": [*got.flags], "notes": dict(got.notes)}


@pytest.mark.parametrize(("engine", "name", "vector"), _CASES)
def test_the_engine_gives_what_the_vector_says(engine: str, name: str, vector: Vector) -> None:
    policy = _loaded(engine, name)
    wrong = differences(vector.expected, _result(policy.canonicalize, vector.row["input"]))
    why = vector.row.get("why", "no reason given")
    assert not wrong, f"{vector.place} {vector.row['input']!r} ({why})\n" + "\n".join(wrong)


@pytest.mark.parametrize(("engine", "name", "vector"), _CASES)
def test_the_key_alone_is_the_key_of_the_result(engine: str, name: str, vector: Vector) -> None:
    policy, expected = _loaded(engine, name), vector.expected
    try:
        got = {"key": policy.key(vector.row["input"])}
    except InvalidURL as error:
        got = {"error": error.code}
    assert got == {field: expected[field] for field in ("key", "error") if field in expected}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_engine_that_is_asked_for_is_the_one_at_work(engine: str) -> None:
    assert {_loaded(engine, name).engine for name in SUITES} == {engine}


@pytest.mark.parametrize("policy", document.builtin_names())
def test_every_policy_has_vectors_enough_refusals_too(policy: str) -> None:
    rows = [vector.row for vector in SUITES[policy]]
    assert len(rows) >= FEWEST
    assert sum("error" in row for row in rows) >= 10
    assert {row["error"] for row in rows if "error" in row} >= {"empty", "relative", "scheme"}


def test_every_vectors_file_belongs_to_a_policy() -> None:
    assert {name.removesuffix(WITH_OVERRIDES) for name in SUITES} == set(document.builtin_names())


@pytest.mark.parametrize("name", SUITES)
def test_no_vector_stands_twice_and_none_says_more_than_a_vector_can(name: str) -> None:
    inputs = [vector.row["input"] for vector in SUITES[name]]
    assert len(inputs) == len(set(inputs))
    for vector in SUITES[name]:
        allowed = {"error"} if "error" in vector.row else {"url", "form", "flags", "notes"}
        assert {*vector.row} <= {"input", "why"} | allowed, vector.place
        assert allowed & {*vector.row}, vector.place
