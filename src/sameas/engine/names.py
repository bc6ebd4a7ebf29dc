"""Lists of parameter names: does a name match, and which entry says so (C7).

What happens to a parameter that matches is the operation's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sameas.engine.encoding import decoded

LETTERS = "{letters}"
_ASCII_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")


def name_of(piece: str) -> str:
    """The name of a query piece, as lists see it."""
    name = piece.partition("=")[0]
    return name.lower() if "%" not in name else decoded(name)


def names_of(pieces: Iterable[str]) -> list[str]:
    return [name_of(p) if "%" in p else p.partition("=")[0].lower() for p in pieces]


class Names:
    """A compiled list. An entry is a name, `begin*`, `*end`, `*inside*`,
    `{letters}inside{letters}` or `*` for any name."""

    def __init__(self, entries: Iterable[str]) -> None:
        self._exact: dict[str, str] = {}
        self._begins: dict[str, str] = {}
        self._inside: list[tuple[str, str, str]] = []
        for entry in entries:
            text = entry.encode().lower().decode("latin-1")
            if text.startswith(LETTERS):
                self._inside.append(("letters", text[len(LETTERS) : -len(LETTERS)], entry))
            elif text[0] == "*":
                self._inside.append(("any" if text[-1] == "*" else "end", text.strip("*"), entry))
            elif text[-1] == "*":
                self._begins[text[:-1]] = entry
            else:
                self._exact[text] = entry
        self._beginnings = tuple(self._begins)

    def __bool__(self) -> bool:
        return bool(self._exact or self._begins or self._inside)

    def match(self, name: str) -> str | None:
        """The entry that a decoded name falls under."""
        entry = self._exact.get(name)
        if entry is None and name.startswith(self._beginnings):
            entry = next(self._begins[b] for b in self._beginnings if name.startswith(b))
        if entry is None and self._inside:
            entry = self._containing(name)
        return entry

    def touch(self, names: Sequence[str]) -> bool:
        """Does any name match? The quick question: to most queries the answer is no."""
        if not self._exact.keys().isdisjoint(names):
            return True
        for name in names:
            if name.startswith(self._beginnings):
                return True
        return bool(self._inside) and any(map(self._containing, names))

    def _containing(self, name: str) -> str | None:
        for kind, text, entry in self._inside:
            if kind == "end":
                if name.endswith(text):
                    return entry
            elif text in name and (kind == "any" or _ASCII_LETTERS.issuperset(name)):
                return entry
        return None
