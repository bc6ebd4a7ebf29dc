"""The counts of a run as a page: what was thrown, at which policy, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

SAME_KINDS = (
    "kept, as it was",
    "kept, rewritten",
    "refused",
    "handed back, accepted",
    "handed back, refused",
)

_HEAD = """\
# What was thrown at both engines

`python -m fuzz.differential {how}`:
{count:,} inputs in {took:.0f} seconds. Every one of them had the same url, form, key,
flags and notes on both engines, or the same refusal in the same words.

- **kept**: the compiled engine gave the result itself. *As it was*: the url is the input.
- **refused**: it was sure, before Python was asked.
- **handed back**: it was not sure, and Python gave the answer.

"""


def table(counts: Mapping[tuple[str, str, str], int], how: str, took: float) -> str:
    total = sum(counts.values())
    page = _HEAD.format(how=how, count=total, took=took)
    page += _rows("generator", 0, counts) + "\n" + _rows("policy", 1, counts)
    return page


def _rows(title: str, place: int, counts: Mapping[tuple[str, str, str], int]) -> str:
    by: dict[str, Counter[str]] = {}
    for row, count in counts.items():
        by.setdefault(row[place], Counter())[row[2]] += count
    lines = [f"| {title} | inputs | {' | '.join(SAME_KINDS)} |", "| --- " * 7 + "|"]
    for name, kinds in by.items():
        lines.append(_line(name, kinds))
    lines.append(_line("**all**", sum(by.values(), Counter())))
    return "\n".join(lines) + "\n"


def _line(name: str, kinds: Counter[str]) -> str:
    total = kinds.total()
    shares = " | ".join(f"{kinds[kind]:,} ({kinds[kind] / total:.1%})" for kind in SAME_KINDS)
    return f"| {name} | {total:,} | {shares} |"
