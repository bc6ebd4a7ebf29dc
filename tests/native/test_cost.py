"""Law 3 on the compiled engine: what it keeps costs time that grows linearly with its length."""

from __future__ import annotations

import time

import pytest

from sameas import Policy
from sameas.engine.native import NativeEngine
from sameas.engine.python import PythonEngine
from sameas.plan.document import builtin_names
from tests.laws.test_cost import ALL_SHAPES, OVERRIDES, UNDER_OVERRIDES, Shape
from tests.native.wheel import needed

pytestmark = needed

LONG, TIMES = 56_000, 16
SCALE = TIMES**1.5
"""A linear cost grows sixteenfold, a quadratic one 256-fold."""


def _cpu(engine: NativeEngine, url: str, times: int) -> int:
    best = 10**12
    for _ in range(times):
        start = time.process_time_ns()
        engine.plan.outcome(url)
        best = min(best, time.process_time_ns() - start)
    return best


def _slowdown(engine: NativeEngine, make: Shape, patience: int) -> float:
    """Where the longer one goes back at once, it costs less and not more."""
    slow = _cpu(engine, make(LONG), patience)
    return slow / _cpu(engine, make(LONG // TIMES), 8 * patience)


@pytest.mark.parametrize("name", builtin_names())
def test_sixteen_times_the_length_takes_nowhere_near_the_square_of_the_time(name: str) -> None:
    policy = Policy.load(name, engine="python")
    engine = NativeEngine(policy.plan, PythonEngine(policy.plan, name, ""))
    _check(engine, ALL_SHAPES)


def test_rewriting_again_and_again_is_linear_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    import json

    file = tmp_path_factory.mktemp("cost") / "overrides.json"
    file.write_text(json.dumps(OVERRIDES))
    policy = Policy.load("curious-now", file, "python")
    engine = NativeEngine(policy.plan, PythonEngine(policy.plan, "overridden", ""))
    _check(engine, UNDER_OVERRIDES)


def _check(engine: NativeEngine, shapes: dict[str, Shape]) -> None:
    kept = {
        name: make
        for name, make in shapes.items()
        if engine.plan.outcome(make(LONG // TIMES)) == "done"
    }
    assert len(kept) > len(shapes) / 3
    slow = [name for name, make in kept.items() if _slowdown(engine, make, 3) > SCALE]
    still = {name: _slowdown(engine, kept[name], 15) for name in slow}
    assert {name: ratio for name, ratio in still.items() if ratio > SCALE} == {}
