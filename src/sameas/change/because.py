"""Which rule made the difference between two policies for one URL: both explanations side by side.

It reads what the engines say of themselves; nothing is decided a second time.
"""

from __future__ import annotations

from typing import NamedTuple

from sameas.types import Explanation, Step


class Reason(NamedTuple):
    """A rule, the clause that defines it, and what it does in one policy and not in the other."""

    rule: str
    clause: str
    why: str


def because(before: Explanation, after: Explanation) -> Reason:
    """The first rule that does in one policy what it does not do in the other."""
    for one, word in ((after, "now"), (before, "no longer")):
        if one.error is not None:
            return Reason("refused", "C1", f"{word} refused: {one.error[0]}")
    old, new = _doings(before), _doings(after)
    for rule in dict.fromkeys((*new, *old)):
        lost, gained = _apart(old.get(rule, []), new.get(rule, []))
        if gained:
            return Reason(rule, _clause(rule, after), f"now: {'; '.join(gained)}")
        if lost:
            return Reason(rule, _clause(rule, before), f"no longer: {'; '.join(lost)}")
    step = _first_apart(before, after)
    return Reason(step.rule, step.clause, step.why)


def _doings(told: Explanation) -> dict[str, list[str]]:
    """By rule, in the order of the run, what each rule says of the changes it made."""
    found: dict[str, list[str]] = {}
    for step in told.steps[:-1]:
        if step.before != step.after and step.rule != "parse":
            found.setdefault(step.rule, []).extend(step.why.split("; "))
    return found


def _apart(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    return [why for why in old if why not in new], [why for why in new if why not in old]


def _clause(rule: str, told: Explanation) -> str:
    return next(step.clause for step in told.steps if step.rule == rule)


def _first_apart(before: Explanation, after: Explanation) -> Step:
    """Where the rules say the same and do not do it: the first step that ends differently."""
    for one, other in zip(before.steps, after.steps, strict=False):
        if (one.rule, one.after) != (other.rule, other.after):
            return other
    return after.steps[-1]
