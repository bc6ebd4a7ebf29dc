"""Is the compiled engine here? Where it is not, tests of it are not run, and say so by name; with
`CI=true` that is a failure (test_door.py)."""

from __future__ import annotations

import pytest

from sameas.engine import native

MISSING = native.why_not()
NATIVE = () if MISSING else ("native",)
needed = pytest.mark.skipif(bool(MISSING), reason=f"NOT RUN: the native engine: {MISSING}")
