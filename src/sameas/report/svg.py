"""Charts as SVG that stands inside a page and takes its colours from there.

It decides how a chart is drawn; what is counted is the caller's business.
"""

from __future__ import annotations

from collections.abc import Sequence

from sameas.report.html import Html, joined, tag

_HEIGHT, _TOP, _FOOT = 200, 24, 44
_STEP, _GAP, _SIDE = 44, 6, 8


def columns(title: str, bars: Sequence[tuple[str, int]], axis: str) -> Html:
    """A column for each name, its count above it; `axis` says what the names are."""
    width = _STEP * len(bars) + 2 * _SIDE
    most = max((count for _, count in bars), default=0) or 1
    drawn = [_column(i, name, count, most) for i, (name, count) in enumerate(bars)]
    said = ", ".join(f"{name}: {count:,}" for name, count in bars if count)
    return tag(
        "svg",
        tag("title", title),
        tag("desc", said or "nothing to show"),
        *drawn,
        _text(width / 2, _HEIGHT - 4, axis, "var(--quiet)"),
        role="img",
        viewBox=f"0 0 {width} {_HEIGHT}",
        width=str(width),
        height=str(_HEIGHT),
    )


def _column(i: int, name: str, count: int, most: int) -> Html:
    room = _HEIGHT - _TOP - _FOOT
    height = max(2.0, room * count / most) if count else 0.0
    x = _SIDE + i * _STEP
    middle, top = x + _STEP / 2, _TOP + room - height
    bar = Html(
        f'<rect x="{x + _GAP / 2:g}" y="{top:.1f}" width="{_STEP - _GAP}" height="{height:.1f}" '
        'rx="2" fill="var(--accent)"/>'
    )
    label = _text(middle, top - 6, f"{count:,}" if count else "", "var(--ink)")
    return joined((bar, label, _text(middle, _TOP + room + 18, name, "var(--quiet)")))


def _text(x: float, y: float, text: str, fill: str) -> Html:
    place = {"x": f"{x:g}", "y": f"{y:.1f}", "text-anchor": "middle", "font-size": "12"}
    return tag("text", text, fill=fill, **place) if text else Html("")
