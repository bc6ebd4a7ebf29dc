"""The past as SVG: a column a day, its counts stacked; days without a row stay empty.

It decides how a chart is drawn; what is counted is the caller's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from sameas.report.html import Html, tag

_STEP, _GAP = 12, 3
_LABELS = 22
_LEAST = 1.5


def history(
    title: str,
    counts: Mapping[date, Sequence[int]],
    names: Sequence[str],
    last: date,
    days: int = 30,
    height: int = 120,
) -> Html:
    """`counts` by day, one for each name, the lowest first. A count is never too small to see."""
    shown = [last - timedelta(days=back) for back in reversed(range(days))]
    most = max((sum(counts.get(day, ())) for day in shown), default=0) or 1
    room = height - _LABELS
    width = _STEP * days
    drawn = [
        _column(i, counts.get(day, ()), room, most) for i, day in enumerate(shown) if day in counts
    ]
    ends = (_label(0, height, shown[0], "start"), _label(width, height, shown[-1], "end"))
    line = Html(
        f'<line x1="0" x2="{width}" y1="{room}" y2="{room}" stroke="var(--line)" stroke-width="1"/>'
    )
    return tag(
        "svg",
        tag("title", title),
        tag("desc", said(counts, names, shown)),
        line,
        *drawn,
        *ends,
        role="img",
        class_="history",
        viewBox=f"0 0 {width} {height}",
        width=str(width * 2),
        height=str(height * 2),
    )


def sparkline(title: str, counts: Mapping[date, Sequence[int]], names: Sequence[str], last: date,
              days: int = 30) -> Html:  # fmt: skip
    """The same, small enough for a row of a table."""
    shown = [last - timedelta(days=back) for back in reversed(range(days))]
    most = max((sum(counts.get(day, ())) for day in shown), default=0) or 1
    drawn = [_column(i, counts.get(d, ()), 28, most) for i, d in enumerate(shown) if d in counts]
    width = _STEP * days
    return tag(
        "svg",
        tag("title", title),
        tag("desc", said(counts, names, shown)),
        Html(f'<line x1="0" x2="{width}" y1="28" y2="28" stroke="var(--line)"/>'),
        *drawn,
        role="img",
        class_="sparkline",
        viewBox=f"0 0 {width} 29",
        width="180",
        height="29",
        preserveAspectRatio="none",
    )


def said(counts: Mapping[date, Sequence[int]], names: Sequence[str], shown: Sequence[date]) -> str:
    sums = [sum(counts[day][i] for day in shown if day in counts) for i in range(len(names))]
    told = ", ".join(f"{name} {total:,}" for name, total in zip(names, sums, strict=True))
    return f"{shown[0]} to {shown[-1]}: {told}"


def _column(i: int, values: Sequence[int], room: int, most: int) -> Html:
    x, top, parts = i * _STEP + _GAP / 2, float(room), []
    for number, value in enumerate(values):
        if not value:
            continue
        height = max(_LEAST, (room - 2) * value / most)
        top -= height
        parts.append(
            f'<rect x="{x:g}" y="{top:.1f}" width="{_STEP - _GAP}" height="{height:.1f}" '
            f'fill="var(--series-{number + 1})"/>'
        )
    return Html("".join(parts))


def _label(x: int, height: int, day: date, anchor: str) -> Html:
    place = {"x": f"{x}", "y": f"{height - 6}", "text-anchor": anchor, "font-size": "9"}
    return tag("text", day.isoformat(), fill="var(--quiet)", **place)
