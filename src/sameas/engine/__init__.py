"""The door to the engines: which one applies a plan.

The Python engine is always there. The native one is a separate wheel; the door refuses it by name
where it is missing.
"""

from __future__ import annotations

import os

from sameas.engine.python import PythonEngine
from sameas.errors import EngineUnavailable
from sameas.plan.plan import Plan

ENGINES = ("auto", "python", "native")


def engine_for(plan: Plan, policy: str, fingerprint: str, engine: str = "auto") -> PythonEngine:
    """The engine asked for; `SAMEAS_ENGINE` in the environment says what `auto` is."""
    wanted = os.environ.get("SAMEAS_ENGINE") or engine if engine == "auto" else engine
    if wanted not in ENGINES:
        raise EngineUnavailable(f"there is no engine {wanted!r}: it is one of {', '.join(ENGINES)}")
    if wanted == "native":
        raise EngineUnavailable("this version has no native engine: use auto or python")
    return PythonEngine(plan, policy, fingerprint)
