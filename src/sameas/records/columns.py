"""Columns: which one is meant, and what to say to somebody who named another.

How the names are found in a file is each format's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from sameas.errors import RecordsError

_MOST_NAMED = 12


def position(column: str, names: Sequence[str], place: str) -> int:
    """Where a column stands among the names a file gives."""
    found = [i for i, name in enumerate(names) if column and name == column]
    if len(found) == 1:
        return found[0]
    if found:
        raise RecordsError(place, f'has {len(found)} columns "{column}"', "rename all but one")
    if any("://" in name for name in names):
        hint = "put a line with the names of the columns first, or read the file as lines"
        raise RecordsError(place, "the first line holds links, not the names of columns", hint)
    if not column:
        raise RecordsError(place, "which column holds the links?", _listed(names))
    raise RecordsError(place, f'has no column "{column}"', named(column, names))


def named(wanted: str, names: Sequence[str]) -> str:
    """The nearest name there is, or all of them, for somebody who named another."""
    near = get_close_matches(wanted, names, 1) or [n for n in names if n.lower() == wanted.lower()]
    return f'the nearest is "{near[0]}"' if near else _listed(names)


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(f'"{name}"' for name in names[:_MOST_NAMED]) or "none"
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"there is {listed}" if len(names) == 1 else f"there are {listed}{more}"
