"""The Python engine: the truth. It runs a plan's operations until nothing changes (C3 to C6).

Which operations there are is the plan's business, what each does its module's.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from sameas.engine import redirector, tk
from sameas.engine.operations import operation
from sameas.engine.parse import LIMIT, parse, read, shown
from sameas.engine.parts import Operation, Parts
from sameas.engine.sites import Sites
from sameas.errors import InvalidURL
from sameas.plan.plan import Op, Plan
from sameas.types import Canonical, Step

MOST_PASSES = 12
"""More than any plan needs: each pass can only undo what an earlier one laid bare (C5)."""

Bound = tuple[Op, Operation]
IN_FORM = "form: "
"""How the name of a step begins that makes the compared text alone."""

Settled = tuple[Parts, str]
"""A URL that no rule changes any more, and its text."""


class PythonEngine:
    """One plan, ready to run. `trace` on a method collects the steps for an explanation."""

    name = "python"

    def __init__(self, plan: Plan, policy: str, fingerprint: str) -> None:
        self._sites = Sites(plan.sites)

        def bound(ops: tuple[Op, ...]) -> list[Bound]:
            return [(op, operation(op, self._sites)) for op in ops]

        self.policy = policy
        self.fingerprint = fingerprint
        self._is_tk = plan.parser.startswith("tk")
        self._rules, self._form, self._notes = (
            bound(plan.rules),
            bound(plan.form),
            bound(plan.notes),
        )
        self._names = dict(plan.names)
        self._deepest: int | None = plan.unwrap.args["deepest"] if plan.unwrap else None
        self.order = (
            "parse",
            *(op.name for op in plan.rules),
            "unwrap",
            *(IN_FORM + op.name for op in plan.form),
        )
        """The names of steps, in the order in which a URL meets them."""
        self._run_rules = [run for _, run in self._rules]
        self._run_form = [run for _, run in self._form]

    def key(self, raw: str | bytes) -> str:
        parts, url = self._canonical(read(raw), None)
        return sha256(self._compared(parts, url, None).encode()).hexdigest()

    def canonicalize(self, raw: str | bytes, trace: list[Step] | None = None) -> Canonical:
        parts, url = self._canonical(read(raw), trace)
        form = self._compared(_copy(parts), url, trace)
        key = sha256(form.encode()).hexdigest()
        for op, run in self._notes:
            _run(op, run, parts, trace)
        result = {"url": url, "key": key}
        notes = {**parts.notes, **{name: result[source] for name, source in self._names.items()}}
        if trace is not None:
            trace.append(Step("key", "C6", form, key, "SHA-256 of the form's UTF-8 bytes"))
        flags = tuple(sorted(parts.flags))
        return Canonical(url, form, key, raw, self.policy, self.fingerprint, flags, notes)

    def _canonical(self, text: str, trace: list[Step] | None) -> Settled:
        if self._is_tk:
            return self._tk(text, trace)
        settled = self._settle(_parsed(text, trace), trace)
        return settled if self._deepest is None else self._unwrap(settled, trace)

    def _tk(self, text: str, trace: list[Step] | None) -> Settled:
        parts = tk.parse(text)
        if trace is not None:
            why = "read as tk-normalizer does: a missing scheme is added, all is in small letters"
            trace.append(Step("parse", "T1", shown(text, flags=parts.flags), parts.url(), why))
        for op, run in self._rules:
            _run(op, run, parts, trace)
        return parts, parts.url()

    def _settle(self, parts: Parts, trace: list[Step] | None) -> Settled:
        """All rules, again and again, until nothing changes (C5).

        What is behind the path cannot lay anything bare: its operations leave their own results
        as they are. So a pass is the last when scheme, host, port and path are as before it.
        """
        ended = None
        for _ in range(MOST_PASSES):
            before = (parts.path, parts.host, parts.port, parts.scheme)
            if trace is None:
                for run in self._run_rules:
                    run(parts)
            else:
                for op, run in self._rules:
                    _run(op, run, parts, trace)
            after = (parts.path, parts.host, parts.port, parts.scheme)
            if after in (before, ended):
                break
            ended = after
            again = parse(parts.url())
            again.flags, again.notes = parts.flags, parts.notes
            parts = again
        url = parts.url()
        if len(url) > LIMIT:
            raise InvalidURL("too_long", f"the canonical URL is longer than {LIMIT} bytes")
        return parts, url

    def _unwrap(self, outermost: Settled, trace: list[Step] | None) -> Settled:
        """Follow redirectors that carry their target in the open, five deep at most (C24)."""
        parts, url = outermost
        wrappers: list[str] = []
        while (inner := redirector.target(parts, self._sites)) is not None:
            if len(wrappers) == self._deepest:
                outermost[0].flags.add("nested_redirectors")
                return outermost
            wrappers.append(parts.host)
            inner.flags |= parts.flags
            if trace is not None:
                why = f"{parts.host} redirects to a target that stands in its URL"
                trace.append(Step("unwrap", "C24", url, inner.url(), why))
            parts, url = self._settle(inner, trace)
        if wrappers:
            parts.notes["unwrapped"] = wrappers
        return parts, url

    def _compared(self, parts: Parts, url: str, trace: list[Step] | None) -> str:
        if not self._run_form:
            return url
        if trace is None:
            for run in self._run_form:
                run(parts)
        else:
            for op, run in self._form:
                _run(op, run, parts, trace, IN_FORM)
        return parts.url()


def _copy(parts: Parts) -> Parts:
    copy = Parts(parts.scheme, parts.host, parts.port, parts.path, parts.query[:], parts.fragment)
    copy.flags = parts.flags
    return copy


def _parsed(text: str, trace: list[Step] | None) -> Parts:
    parts = parse(text)
    if trace is not None:
        why = "read as browsers do (WHATWG URL Standard)"
        if "credentials" in parts.flags:
            why += "; the credentials are dropped"
        trace.append(Step("parse", "C2", shown(text, flags=parts.flags), parts.url(), why))
    return parts


def _run(
    op: Op,
    run: Callable[[Parts], None],
    parts: Parts,
    trace: list[Step] | None,
    prefix: str = "",
) -> None:
    if trace is None:
        run(parts)
        return
    before = parts.url()
    parts.why = []
    run(parts)
    why, parts.why = "; ".join(parts.why), None
    after = parts.url()
    if why or before != after:
        trace.append(Step(prefix + op.name, op.clause, before, after, why or op.does))
