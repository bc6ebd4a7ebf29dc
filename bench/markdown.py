"""Markdown as the bench's pages need it: code that shows what cannot be seen, and tables.

It decides nothing about what is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LONGEST = 80


def code(text: str, longest: int = LONGEST) -> str:
    """Text as it is, on one line: controls and surrogates as escapes, a long one cut."""
    seen = "".join(c if c.isprintable() else _escape(c) for c in text)
    if len(seen) > longest:
        seen = seen[: longest - 1] + "…"
    seen = seen.replace("|", "\\|")
    if "`" in seen:
        return f"`` {seen} ``"
    return f"`{seen}`" if seen else "nothing"


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """`right`: the columns that hold numbers."""
    numbers = set(right)
    rule = ["---:" if i in numbers else "---" for i in range(len(head))]
    lines = [head, rule, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def figure(value: float) -> str:
    """Three digits that mean something, never more than two behind the point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
