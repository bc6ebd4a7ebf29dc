"""Which engines there are to try: every adapter has to work with each."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from sameas import Policy

ENGINES = ("python", *["native"] * (find_spec("sameas_native") is not None))
each_engine = pytest.mark.parametrize("engine", ENGINES)


@cache
def policy(engine: str, name: str = "default", overrides: Path | None = None) -> Policy:
    return Policy.load(name, overrides, engine)
