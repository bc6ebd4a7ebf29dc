"""What is wrong with one link, what to write instead, and what only a person can say.

Pure: everything that is known is handed in. How the problems are found out, and how they are shown
and mended, is for check.py and mend.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from sameas.engine.names import Names, name_of
from sameas.engine.parse import parse, shown
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.registry.case import Case
from sameas.registry.known import Known
from sameas.registry.questions import PROBLEM_QUESTIONS, Asked, parameter
from sameas.resolve.allowlist import Allowlist
from sameas.types import Canonical


@dataclass(frozen=True)
class Verdict:
    problems: tuple[str, ...]
    suggestion: str | None
    is_sure: bool
    """Whether the suggestion may be written without asking anybody."""
    said: tuple[str, ...]
    """A sentence a problem, in their order."""
    asked: tuple[Asked, ...]


class Judge:
    def __init__(self, policy: Policy, allow: Allowlist | None) -> None:
        self._policy, self._allow = policy, allow
        known = [op.args["known"] for op in policy.plan.ops() if op.name == "query.unknown"]
        self._parameters = Names(known[0]) if known else None

    def invalid(self, value: str | None, literal: str, key: str, known: Known) -> Verdict:
        """A value that is no URL. Nobody is asked about one that holds no text: it is not told
        apart from the next such one."""
        if known.decision("invalid", key) == "keep":
            return Verdict((), None, False, (), ())
        instead, asked = known.replacement(key), tuple[Asked, ...]()
        if value is None:
            reason = f"{'an object' if literal == '{' else literal} is not text"
        else:
            reason, guess = self._refusal(value)
            if value.strip() and known.decision("invalid", key) is None:
                ask = PROBLEM_QUESTIONS["invalid"]
                asked = (ask(key, shown(value, "invalid"), guess and f"replace {guess}", [reason]),)
        return Verdict(("invalid",), instead, instead is not None, (reason,), asked)

    def _refusal(self, value: str) -> tuple[str, str]:
        """Why it is refused, and what may have been meant."""
        try:
            self._policy.canonicalize(value)
        except InvalidURL as error:
            return str(error), self._guessed(value, error.code)
        raise AssertionError("a value that is refused")

    def _guessed(self, value: str, code: str) -> str:
        """`www.boe.es/x` is no URL, and easily made one."""
        host = value.strip().partition("/")[0]
        if code != "relative" or "." not in host or " " in host or "@" in value:
            return ""
        try:
            return self._policy.canonicalize(f"https://{value.strip()}").url
        except InvalidURL:
            return ""

    def link(self, value: str, canonical: Canonical, known: Known) -> Verdict:
        case = Case(self._policy, self._allow, value, canonical, known)
        found = [(name, said) for name, said in case.problems() if not case.is_kept(name)]
        names = [name for name, _ in found]
        instead = known.replacement(canonical.key)
        if instead is not None:
            said = tuple(words for _, words in found)
            return Verdict(tuple(names), instead if names else None, bool(names), said, ())
        suggestion, doubt = case.suggestion(names)
        asked = [*case.questions(found, doubt), *self._unknown_parameters(case)]
        return Verdict(
            tuple(names),
            suggestion,
            suggestion is not None and not doubt,
            tuple(words for _, words in found),
            tuple(one for one in asked if known.decision(one.kind, one.key) is None),
        )

    def _unknown_parameters(self, case: Case) -> list[Asked]:
        if self._parameters is None or "unknown_parameter" not in case.canonical.flags:
            return []
        names = {name_of(piece): piece for piece in parse(case.canonical.url).query}
        return [
            parameter(case.host, name, case.canonical.url)
            for name in names
            if name and self._parameters.match(name) is None
        ]
