"""Every kernel that finds pairs of titles, each tried in the same way.

The compiled one is tried where it is built; where there is no toolchain, `make` says so.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import pytest

from sameas.dedupe import plain, similar

BUILT = find_spec("sameas_native") is not None
compiled = import_module("sameas.dedupe.compiled") if BUILT else None
where_built = pytest.mark.skipif(not BUILT, reason="NOT RUN: the native kernel is not built")
each_kernel = pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(compiled, id="native", marks=where_built),
        pytest.param(similar, id="numpy"),
        pytest.param(plain, id="plain"),
    ],
)
FASTEST: ModuleType = compiled or similar
