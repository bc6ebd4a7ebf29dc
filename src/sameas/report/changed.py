"""What changed between two texts: the pieces of each that the other does not have.

Only for the eye. Both texts are cut at the characters that part a URL.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_PIECES = re.compile(r"[/?&#=;.:@]|[^/?&#=;.:@]+")
_MOST_COMPARED = 200

Marked = list[tuple[str, bool]]
"""A text in pieces, each with whether it is marked."""


def changed(before: str, after: str) -> tuple[Marked, Marked]:
    a, b = _PIECES.findall(before), _PIECES.findall(after)
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    one, two = _compared(a[start : len(a) - end], b[start : len(b) - end])
    head, tail = ("".join(a[:start]), False), ("".join(a[len(a) - end :]), False)
    return [head, *one, tail], [head, *two, tail]


def _compared(a: list[str], b: list[str]) -> tuple[Marked, Marked]:
    """Comparing takes the square of the pieces: of a long stretch all is marked."""
    if max(len(a), len(b)) > _MOST_COMPARED:
        return [("".join(a), True)], [("".join(b), True)]
    one: Marked = []
    two: Marked = []
    for tag, i, k, m, n in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        one.append(("".join(a[i:k]), tag != "equal"))
        two.append(("".join(b[m:n]), tag != "equal"))
    return one, two
