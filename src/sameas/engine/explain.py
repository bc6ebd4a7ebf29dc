"""Explanations: the steps one URL took, and where two URLs meet or part.

The engine records the steps while it works; nothing is decided a second time here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sameas.engine.parse import masked_inside, shown, split
from sameas.engine.python import IN_FORM, PythonEngine
from sameas.errors import InvalidURL
from sameas.types import Comparison, Explanation, Step


def explain_with(engine: PythonEngine, url: str | bytes, policy: str) -> Explanation:
    steps: list[Step] = []
    try:
        result = engine.canonicalize(url, steps)
    except InvalidURL as error:
        text = shown(url, error.code)
        return Explanation(text, policy, tuple(steps), None, (error.code, error.message))
    if "credentials" in result.flags:
        steps = [_without_credentials(step) for step in steps]
    return Explanation(shown(url, flags=result.flags), policy, tuple(steps), result)


def _without_credentials(step: Step) -> Step:
    """A redirector has the credentials of its target in its URL."""
    before, after = masked_inside(step.before), masked_inside(step.after)
    return replace(step, before=before, after=after, why=masked_inside(step.why))


def compare_with(engine: PythonEngine, a: Explanation, b: Explanation) -> Comparison:
    """The first rule after which the two texts are one, or the part in which they never are."""
    for one in (a, b):
        if one.error is not None:
            refused = one.input or "an empty text"
            sentence = f"They cannot be compared: {refused} is refused ({one.error[0]})."
            return Comparison(False, "parse", "C2", sentence, a, b)
    if a.result is None or b.result is None:
        raise AssertionError("an explanation without error has a result")
    if a.result.key == b.result.key:
        step, place = _meeting(a, b, engine.order)
        sentence = (
            f"They meet at {step.rule} ({step.clause}): from there on both are {place}."
            if step.before != step.after or step.rule != "parse"
            else f"They are one text from the start: {place}."
        )
        return Comparison(True, step.rule, step.clause, sentence, a, b)
    rule, clause, sentence = _parting(a, b, engine.order)
    return Comparison(False, rule, clause, sentence, a, b)


def _meeting(a: Explanation, b: Explanation, order: Sequence[str]) -> tuple[Step, str]:
    """The earliest text both come to, and the later of the two rules that lead there."""
    reached = {step.after: step for step in reversed(a.steps[:-1])}
    for step in b.steps[:-1]:
        other = reached.get(step.after)
        if other is not None:
            return max(step, other, key=lambda one: order.index(one.rule)), step.after
    last = a.steps[-1]
    return last, last.before


def _parting(a: Explanation, b: Explanation, order: Sequence[str]) -> tuple[str, str, str]:
    one, two = a.steps[-1].before, b.steps[-1].before
    part, here, there = _difference(one, two)
    rules = [s for told in (a, b) for s in told.steps if s.rule in order and s.rule != "parse"]
    about = [step for step in rules if _is_about(step, part)]
    last = max(about, key=lambda step: order.index(step.rule), default=None)
    rule, clause = (last.rule, last.clause) if last else ("parse", "C2")
    since = f"after it the {part} is" if last else f"from the start the {part} is"
    sentence = (
        f"They part at {rule} ({clause}): {since} {here} in one and {there} in the other, "
        f"and no rule of {a.policy} makes them one."
    )
    return rule, clause, sentence


def _is_about(step: Step, part: str) -> bool:
    """Did a rule change this part of a URL, or look at it and leave it?"""
    name = "query" if part == "parameter" else part
    if step.rule.removeprefix(IN_FORM).startswith(f"{name}."):
        return True
    before, after = split(_url(step.before)), split(_url(step.after))
    return bool(getattr(before, name) != getattr(after, name))


def _difference(one: str, two: str) -> tuple[str, str, str]:
    """The first part in which two compared texts differ, and what stands there."""
    a, b = split(_url(one)), split(_url(two))
    for part in ("scheme", "host", "port", "path"):
        here, there = getattr(a, part), getattr(b, part)
        if here != there:
            return part, here or "none", there or "none"
    for here, there in zip([*a.query, ""], [*b.query, ""], strict=False):
        if here != there:
            missing = [piece for piece in a.query if piece not in b.query]
            extra = [piece for piece in b.query if piece not in a.query]
            return "parameter", _named(missing or [here]), _named(extra or [there])
    return "fragment", a.fragment or "none", b.fragment or "none"


def _named(pieces: list[str]) -> str:
    return "&".join(pieces) or "none"


def _url(text: str) -> str:
    """A compared text with a scheme, where its policy leaves the scheme out."""
    return text if text.startswith(("http://", "https://")) else f"http://{text}"
