"""The pinned Unicode table: blanks, digits and small letters as Python 3.11 has them (T1, T2).

Where the table comes from: tools/unicode_table.py. What is made of it is the engine's business.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

_TABLE = (files("sameas.policies") / "unicode14.txt").read_text("ascii")
_RULES = [line for line in _TABLE.splitlines() if line and line[0] != "#"]


def _points(span: str) -> range:
    """`a`, `a-b` or `a-b/2`, hexadecimal."""
    first, _, rest = span.partition("-")
    last, _, step = rest.partition("/")
    return range(int(first, 16), int(last or first, 16) + 1, int(step or 1))


def _classes() -> dict[str, str]:
    found: dict[str, str] = {}
    for rule in _RULES:
        name, *spans = rule.split()
        found[name] = found.get(name, "") + "".join(chr(i) for s in spans for i in _points(s))
    return found


CLASSES = _classes()
"""The characters of each class, in one string."""

SMALL = {
    ord(char): chr(ord(char) + int(name.removeprefix("lower")))
    for name, chars in CLASSES.items()
    if name.startswith("lower")
    for char in chars
} | {0x130: "i\u0307"}
"""For str.translate: every capital that has one small form. A sigma's depends on its place."""


def rules() -> list[str]:
    return _RULES


@cache
def fingerprint() -> str:
    """The rules alone: a comment in the table changes no result."""
    return hashlib.sha256("\n".join(_RULES).encode()).hexdigest()
