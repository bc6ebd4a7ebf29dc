"""The engines there are to try: every adapter has to work with each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sameas import Policy
from tests.native.wheel import NATIVE

each_engine = pytest.mark.parametrize("engine", ["python", *NATIVE])


@cache
def policy(engine: str, name: str = "default", overrides: Path | None = None) -> Policy:
    return Policy.load(name, overrides, engine)
