"""What the compiled engine hands back to Python: the share of each list, under every policy.

It counts and measures nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sameas import Policy
from sameas.engine import native
from sameas.engine.python import PythonEngine
from sameas.plan.document import builtin_names


@dataclass(frozen=True)
class Kept:
    """One list of URLs: how many there are, and by policy how many go back."""

    name: str
    size: int
    back: Mapping[str, int]


def counted(name: str, urls: Sequence[str]) -> Kept:
    back = {}
    for policy in builtin_names():
        plan = Policy.load(policy, engine="python").plan
        engine = native.NativeEngine(plan, PythonEngine(plan, policy, ""))
        back[policy] = sum(engine.plan.outcome(url) == "handed back" for url in urls)
    return Kept(name, len(urls), back)
