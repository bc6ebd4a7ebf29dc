"""The door to the engines: which one applies a plan, and why.

The Python engine is always there. The compiled one is a separate wheel; asked for by name, it is
refused where it is missing or does not fit.
"""

from __future__ import annotations

import os

from sameas.engine import native
from sameas.engine.python import PythonEngine
from sameas.errors import EngineUnavailable
from sameas.plan.plan import Plan

ENGINES = ("auto", "python", "native")
VARIABLE = "SAMEAS_ENGINE"

Engine = PythonEngine | native.NativeEngine


def engine_for(truth: PythonEngine, plan: Plan, engine: str = "auto") -> Engine:
    """The engine asked for; `SAMEAS_ENGINE` in the environment says what `auto` is. `truth` is the
    Python engine of the plan, which any other has behind it."""
    wanted = os.environ.get(VARIABLE) or engine if engine == "auto" else engine
    if wanted not in ENGINES:
        raise EngineUnavailable(f"there is no engine {wanted!r}: it is one of {', '.join(ENGINES)}")
    if wanted == "python":
        return truth
    missing = native.why_not()
    if not missing:
        try:
            return native.NativeEngine(plan, truth)
        except ValueError as error:
            missing = f"it does not know this plan: {error}"
    if wanted == "native":
        raise EngineUnavailable(f"the native engine cannot be used: {missing}")
    return truth
