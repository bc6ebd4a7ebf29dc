"""Which engines there are to try: every adapter has to work with each."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from sameas import Policy

THERE = find_spec("sameas_native") is not None
ENGINES = ("python", "native") if THERE else ("python",)
each_engine = pytest.mark.parametrize("engine", ENGINES)
NATIVE = pytest.mark.skipif(not THERE, reason="NOT RUN: the native engine is not installed")


@cache
def policy(engine: str, name: str = "default", overrides: Path | None = None) -> Policy:
    return Policy.load(name, overrides, engine)
