"""Lying bars as SVG, for counts under names too long to stand below columns.

It decides how a chart is drawn; what is counted is the caller's business.
"""

from __future__ import annotations

from collections.abc import Sequence

from sameas.report.html import Html, joined, tag

_ROW, _BAR, _FOOT = 26, 16, 4
_NAMES, _ROOM, _COUNTS = 190, 420, 70
_LONGEST_NAME = 28


def bars(title: str, rows: Sequence[tuple[str, int]]) -> Html:
    """A bar for each name, its count behind it."""
    width, height = _NAMES + _ROOM + _COUNTS, _ROW * len(rows) + _FOOT
    most = max((count for _, count in rows), default=0) or 1
    said = ", ".join(f"{name}: {count:,}" for name, count in rows if count)
    return tag(
        "svg",
        tag("title", title),
        tag("desc", said or "nothing to show"),
        *(_bar(i, name, count, most) for i, (name, count) in enumerate(rows)),
        role="img",
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
    )


def _bar(i: int, name: str, count: int, most: int) -> Html:
    middle = i * _ROW + _ROW / 2
    length = max(2.0, _ROOM * count / most) if count else 0.0
    bar = Html(
        f'<rect x="{_NAMES}" y="{middle - _BAR / 2:g}" width="{length:.1f}" height="{_BAR}" '
        'rx="2" fill="var(--accent)"/>'
    )
    brief = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    label = _text(_NAMES - 10, middle, brief, "end", "var(--ink)" if count else "var(--quiet)")
    counted = _text(_NAMES + length + 8, middle, f"{count:,}", "start", "var(--quiet)")
    return joined((label, bar, counted))


def _text(x: float, y: float, text: str, anchor: str, fill: str) -> Html:
    place = {"x": f"{x:.1f}", "y": f"{y:g}", "text-anchor": anchor, "font-size": "13"}
    return tag("text", text, fill=fill, **place, **{"dominant-baseline": "central"})
