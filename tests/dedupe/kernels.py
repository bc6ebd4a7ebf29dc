"""Every kernel that finds pairs of titles, each tried in the same way; the compiled one where it is
built."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

from sameas.dedupe import plain, similar
from tests.native.wheel import MISSING, needed

compiled = None if MISSING else import_module("sameas.dedupe.compiled")
each_kernel = pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(compiled, id="native", marks=needed),
        pytest.param(similar, id="numpy"),
        pytest.param(plain, id="plain"),
    ],
)
FASTEST: ModuleType = compiled or similar
