"""Duplicates by title the way the rule is written: every pair asked, with the standard library.

It shares no line with the package: titles, languages, groups and survivors are made here again.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations

RATIO = 0.85

Row = dict[str, str]
Groups = list[list[int]]


def told(title: str) -> str:
    place = title.rfind(" - ")
    if place >= 0 and len(title) - place - 3 <= 40 and title[:place].strip():
        title = title[:place]
    return " ".join(title.casefold().split())


def ratios(rows: Sequence[Row]) -> dict[tuple[int, int], float]:
    """Of every pair that the rule compares, the earlier title first."""
    titles = [told(row["title"]) for row in rows]
    spoken = [row["language"].lower().partition("-")[0] for row in rows]
    return {
        (i, k): SequenceMatcher(None, titles[i], titles[k]).ratio()
        for i, k in combinations(range(len(rows)), 2)
        if titles[i] and titles[k] and spoken[i] == spoken[k]
    }


def groups(size: int, found: dict[tuple[int, int], float]) -> Groups:
    """The connected components of two and more, walked one by one."""
    near: dict[int, list[int]] = {i: [] for i in range(size)}
    for (i, k), ratio in found.items():
        if ratio >= RATIO:
            near[i].append(k)
            near[k].append(i)
    met: set[int] = set()
    components = []
    for start in range(size):
        if start in met:
            continue
        component, waiting = [], [start]
        met.add(start)
        while waiting:
            i = waiting.pop()
            component.append(i)
            new = [k for k in near[i] if k not in met]
            met.update(new)
            waiting += new
        if len(component) > 1:
            components.append(sorted(component))
    return components


def survivors(rows: Sequence[Row], components: Groups) -> list[int]:
    """Of each group the longest full text, the earliest where there are several."""
    gone = set()
    for component in components:
        best = max(component, key=lambda i: (len(rows[i]["full_text"]), -i))
        gone.update(i for i in component if i != best)
    return [i for i in range(len(rows)) if i not in gone]
