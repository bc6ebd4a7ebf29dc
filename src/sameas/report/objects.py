"""Results as JSON objects: the names scripts rely on, credentials masked."""

from __future__ import annotations

from typing import Any

from sameas.engine.parse import shown
from sameas.errors import InvalidURL
from sameas.records.source import Refused
from sameas.types import Canonical, Comparison, Explanation


def canonical_object(result: Canonical) -> dict[str, Any]:
    return {
        "input": shown(result.original, flags=result.flags),
        "url": result.url,
        "form": result.form,
        "key": result.key,
        "policy": result.policy,
        "fingerprint": result.fingerprint,
        "flags": result.flags,
        "notes": result.notes,
    }


def refused_object(value: str | bytes | None, error: InvalidURL | Refused) -> dict[str, Any]:
    """A row that has no value at all has no input either."""
    given = None if value is None else shown(value, error.code)
    return {"input": given, "error": {"code": error.code, "message": error.message}}


def explanation_object(explanation: Explanation, steps: bool = True) -> dict[str, Any]:
    data: dict[str, Any]
    if explanation.result is not None:
        data = canonical_object(explanation.result)
    else:
        code, message = explanation.error or ("", "")
        data = {"input": explanation.input, "error": {"code": code, "message": message}}
    if not steps:
        return data
    names = ("rule", "clause", "before", "after", "why")
    rows = [{name: getattr(step, name) for name in names} for step in explanation.steps]
    return {**data, "steps": rows}


def comparison_object(found: Comparison, steps: bool = True) -> dict[str, Any]:
    """`same` is null where one of the two is refused: neither yes nor no."""
    refused = found.a.error or found.b.error
    return {
        "same": None if refused else found.same,
        "rule": found.rule,
        "clause": found.clause,
        "sentence": found.sentence,
        "a": explanation_object(found.a, steps),
        "b": explanation_object(found.b, steps),
    }
