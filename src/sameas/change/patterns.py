"""A regular expression for names of parameters as entries of a list (C7), where it has any.

Only what comes to the same is translated; the nearest wider entry is told, and left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sameas.plan.schema import pattern as wrong_name

MOST = 64
"""Entries one expression may come to."""

ANY = "*"
_ESCAPED = frozenset(".-_/[](){}+*?^$|\\:=&%!@~ ,;'\"#")
_CLASS = re.compile(r"\[([a-zA-Z0-9_\-.]+)\]")
_LOOSE = re.compile(r"(?:\[\^?[^\]]+\]|\\[wdWDsS]|\.)(?:[*+]\??|\{\d+(?:,\d*)?\})")


class Untranslatable(Exception):
    """The expression means names that no entries can name; `nearest` would name them, and more."""

    def __init__(self, why: str, nearest: str = "") -> None:
        super().__init__(why)
        self.why, self.nearest = why, nearest


@dataclass
class _Reader:
    text: str
    at: int = 0

    def alternatives(self) -> list[str]:
        found = self.sequence()
        while self.next_is("|"):
            self.at += 1
            found += self.sequence()
        if len(found) > MOST:
            raise Untranslatable(f"it stands for more than {MOST} names")
        return list(dict.fromkeys(found))

    def sequence(self) -> list[str]:
        found = [""]
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            pieces = list(self.optional(self.atom()))
            found = [begin + end for begin in found for end in pieces]
            if len(found) > MOST:
                raise Untranslatable(f"it stands for more than {MOST} names")
        return found

    def optional(self, pieces: Sequence[str]) -> Iterator[str]:
        yield from pieces
        if self.next_is("?"):
            self.at += 1
            yield ""
        elif self.at < len(self.text) and self.text[self.at] in "*+{":
            raise Untranslatable("it repeats a part", self._nearest(self.at - 1))

    def atom(self) -> list[str]:
        rest = self.text[self.at :]
        if rest.startswith(".*"):
            self.at += 2 + rest[2:].startswith("?")
            return [ANY]
        if _LOOSE.match(rest):
            raise Untranslatable("it means some characters, and not others", self._nearest(self.at))
        if rest[0] == "(":
            return self._group(rest)
        if found := _CLASS.match(rest):
            self.at += found.end()
            return _characters(found[1])
        if rest[0] == "\\" and len(rest) > 1 and rest[1] in _ESCAPED:
            self.at += 2
            return [rest[1]]
        if rest[0] in "\\[.^$*+?{}":
            raise Untranslatable(f'"{rest[:2]}" has no counterpart', self._nearest(self.at))
        self.at += 1
        return [rest[0]]

    def _group(self, rest: str) -> list[str]:
        start = 3 if rest.startswith("(?:") else 1
        if start == 1 and rest.startswith("(?"):
            raise Untranslatable("it looks around", self._nearest(self.at))
        self.at += start
        found = self.alternatives()
        if not self.next_is(")"):
            raise Untranslatable("a parenthesis is not closed")
        self.at += 1
        return found

    def next_is(self, char: str) -> bool:
        return self.text.startswith(char, self.at)

    def _nearest(self, at: int) -> str:
        """What begins as the expression does, where that is plain."""
        begin = self.text[:at].replace("\\", "").rstrip("(?:")
        return f"{begin}*" if begin and not set(begin) & set("()[]{}|?*+.^$") else ""


def _characters(listed: str) -> list[str]:
    if "-" in listed[1:-1]:
        raise Untranslatable("it means a range of characters")
    return list(listed)


def entries(expression: str) -> list[str]:
    """The entries that match the same names, any case, as the whole expression does."""
    text = expression.removeprefix("^").removesuffix("$")
    reader = _Reader(text)
    found = reader.alternatives()
    if reader.at < len(text):
        raise Untranslatable("a parenthesis is not opened")
    return list(dict.fromkeys(map(_entry, found)))


def _entry(name: str) -> str:
    inner = name.strip(ANY) if name != ANY else ANY
    if name in (ANY, ANY * 2):
        return ANY
    if not inner or ANY in inner:
        raise Untranslatable("it begins and ends with names, and leaves the middle open")
    entry = re.sub(r"\*+", ANY, name)
    if reason := wrong_name(entry):
        raise Untranslatable(reason)
    return entry
