"""Writes src/sameas/policies/unicode14.txt: Unicode as Python 3.11 has it.

Run by hand, on Python 3.11 alone: the table is what `tk` is pinned to, and never changes.
"""

from __future__ import annotations

import re
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

HEADER = """\
# Unicode 14 as Python 3.11 applies it, for the policy tk. Written by tools/unicode_table.py.
# One class a line, hexadecimal: `a`, `a-b`, `a-b/2` (every second one). `space`: what strip() and
# \\s take; `digit`: \\d; `nfkc`: what NFKC turns into one of /?#@: ; `cased` and `ignorable`: what
# decides about a final sigma; `lower+n`, `lower-n`: a small letter is so far from its capital.
# U+0130 (two characters) and U+03A3 (final sigma) are left to the code.
"""
CHARACTERS = [chr(i) for i in range(0x110000) if not 0xD800 <= i <= 0xDFFF]
SPECIAL = {"\u0130": "i\u0307", "\u03a3": "\u03c3"}


def ranges(points: Iterable[int]) -> list[str]:
    """The points as ranges; capitals and small letters often alternate, hence steps of two."""
    out = []
    left = sorted(points)
    while left:
        best = (1, 1)
        for step in (1, 2):
            length = 1
            while length < len(left) and left[length] == left[0] + step * length:
                length += 1
            best = max(best, (length, -step))
        length, step = best[0], abs(best[1])
        first, last = left[0], left[length - 1]
        del left[:length]
        suffix = "/2" if step == 2 and length > 1 else ""
        out.append(f"{first:x}-{last:x}{suffix}" if length > 1 else f"{first:x}")
    return out


def where(test: Callable[[str], object]) -> list[int]:
    return [ord(char) for char in CHARACTERS if test(char)]


def distances() -> dict[int, list[int]]:
    out: dict[int, list[int]] = {}
    for char in CHARACTERS:
        small = char.lower()
        if char in SPECIAL:
            assert small == SPECIAL[char]
        elif small != char:
            out.setdefault(ord(small) - ord(char), []).append(ord(char))
    return out


def is_final(before: str) -> bool:
    """Does Python write a sigma behind this text as a final one?"""
    return f"{before}\u03a3".lower().endswith("\u03c2")


def classes() -> dict[str, list[int]]:
    found = {
        "space": where(re.compile(r"\s").match),
        "digit": where(re.compile(r"\d").match),
        "nfkc": where(
            lambda c: c > "\x7f" and set("/?#@:") & set(unicodedata.normalize("NFKC", c))
        ),
        "cased": where(lambda c: is_final("1" + c)),
        "ignorable": where(lambda c: is_final("A" + c) and not is_final("1" + c)),
    }
    assert found["space"] == where(str.isspace)
    for distance, points in sorted(distances().items()):
        found[f"lower{distance:+d}"] = points
    return found


def main() -> None:
    if sys.version_info[:2] != (3, 11) or unicodedata.unidata_version != "14.0.0":
        sys.exit("this table is Python 3.11's: run it there")
    lines = [HEADER.rstrip()]
    for name, points in classes().items():
        lines += textwrap.wrap(
            " ".join(ranges(points)), 99, initial_indent=f"{name} ", subsequent_indent=f"{name} "
        )
    target = Path(__file__).parents[1] / "src/sameas/policies/unicode14.txt"
    target.write_text("\n".join(lines) + "\n", "ascii")
    print(f"{len(lines)} lines written to {target.name}")


if __name__ == "__main__":
    main()
