"""The compiled engine: the plan it is given, and who answers for what it hands back.

It only makes faster what python.py decides; where its wheel is missing or does not fit, the door
in __init__.py says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sameas.engine.parse import parse, read
from sameas.engine.python import PythonEngine
from sameas.errors import InvalidURL
from sameas.plan import suffixes, unicode14
from sameas.plan.plan import SEMANTICS, Plan
from sameas.types import Canonical

VERSION = "0.1.0"
"""The one version of the wheel that this package works with, as its extra pins it."""

OfLines = tuple[bytes, list[tuple[int, int]]]
"""What lines give; the lines that gave nothing, and the places of their answers."""


class NativeEngine:
    """One plan on the compiled engine. What that cannot prove plain goes to the Python engine."""

    name = "native"

    def __init__(self, plan: Plan, truth: PythonEngine) -> None:
        import sameas_native

        self.plan = sameas_native.Engine(as_json(plan))
        door = sameas_native.Door(
            self.plan,
            truth.key,
            truth.canonicalize,
            written_host,
            Canonical,
            truth.policy,
            truth.fingerprint,
        )
        self.key: Callable[[str | bytes], str] = door.key
        self.canonicalize: Callable[[str | bytes], Canonical] = door.canonicalize
        self._door = door

    def many(self, urls: list[str | bytes], threads: int | None) -> list[Canonical | None]:
        """A result for each URL, None where the Python engine has to say what becomes of it."""
        import sameas_native

        found: list[Canonical | None] = sameas_native.many(self._door, urls, threads)
        return found

    def urls_of_lines(self, text: bytes) -> OfLines:
        import sameas_native

        found: OfLines = sameas_native.urls_of_lines(self.plan, text)
        return found

    def keys_of_lines(self, text: bytes) -> OfLines:
        import sameas_native

        found: OfLines = sameas_native.keys_of_lines(self.plan, text)
        return found

    def column(
        self, capsules: tuple[object, object], wanted: str, binary: bool, threads: int | None
    ) -> dict[str, Any]:
        """The buffers of an Arrow column, by name, and the rows that are handed back."""
        import sameas_native

        found: dict[str, Any] = sameas_native.column(self.plan, *capsules, wanted, binary, threads)
        return found


def written_host(spelled: bytes) -> str:
    """How browsers write a host that is not plain; empty where they refuse it, or where it is not
    a host alone."""
    try:
        parts = parse(f"http://{read(spelled)}/")
    except InvalidURL:
        return ""
    return parts.host if parts.url() == f"http://{parts.host}/" and not parts.flags else ""


def as_json(plan: Plan) -> str:
    """The plan as data, and with it what stands in the pinned tables it names."""
    contents: dict[str, Callable[[], Any]] = {
        "public_suffixes": suffixes.rules,
        "unicode": unicode14.rules,
    }
    pinned = {name: contents[name]() for name in plan.tables}
    return json.dumps({**plan.as_data(), "pinned": pinned}, default=list)


def why_not() -> str:
    """Why the compiled engine cannot be used here; empty where it can."""
    try:
        import sameas_native
    except ImportError:
        return "it is not installed: pip install 'sameas[native]'"
    if sameas_native.__version__ != VERSION:
        have = f"sameas-native {sameas_native.__version__} is installed, this version of sameas"
        return f"{have} works with {VERSION}: pip install 'sameas[native]'"
    if sameas_native.SEMANTICS != SEMANTICS:
        have = f"it implements version {sameas_native.SEMANTICS} of the semantics"
        return f"{have}, plans are of version {SEMANTICS}: pip install 'sameas[native]'"
    return ""
