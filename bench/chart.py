"""A bar chart in SVG, readable on light and on dark pages. It decides nothing about the numbers.

A bar is the best round; the thin line behind its end reaches to the slowest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from xml.sax.saxutils import escape

from bench.markdown import figure

_WIDTH = 860
_LEFT, _RIGHT = 258, 76
_TOP, _ROW, _BAR = 112, 27, 15
_BOTTOM = 40
STYLE = """
  .card { fill: #ffffff; stroke: #d8dee4 }
  text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif;
         font-size: 13px; fill: #1f2328 }
  .title { font-size: 19px; font-weight: 600 }
  .quiet { fill: #59636e; font-size: 12px }
  .value { font-variant-numeric: tabular-nums }
  .strong { font-weight: 600 }
  .grid { stroke: #e4e8ec }
  .reach { stroke: #59636e; stroke-width: 1.5 }
  .mark { stroke: #0b6e99; stroke-dasharray: 3 4 }
  .ours { fill: #0b6e99 }
  .peer { fill: #aab4be }
  .floor { fill: #d9a441 }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #30363d }
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .grid { stroke: #21262d }
    .reach { stroke: #9198a1 }
    .mark { stroke: #4db6e2 }
    .ours { fill: #4db6e2 }
    .peer { fill: #59636e }
    .floor { fill: #d9a441 }
  }
"""


@dataclass(frozen=True)
class Bar:
    name: str
    value: float
    most: float
    kind: str


@dataclass(frozen=True)
class Chart:
    """`kinds`: each class of bar and what the legend calls it. `mark`: the value that the
    longer bars are compared with."""

    title: str
    subtitle: str
    unit: str
    bars: Sequence[Bar]
    kinds: Sequence[tuple[str, str]]
    mark: float


def draw(chart: Chart) -> str:
    bars = chart.bars
    height = _TOP + _ROW * len(bars) + _BOTTOM
    most = max(bar.most for bar in bars)
    below = next((i for i, bar in enumerate(bars) if bar.value >= chart.mark), 0) * _ROW
    body = [
        words(28, 40, chart.title, "title"),
        words(28, 62, chart.subtitle, "quiet"),
        *_legend(chart.kinds),
        *_grid(most, height, chart.unit),
        *(line for i, bar in enumerate(bars) for line in _bar(bar, _TOP + i * _ROW, most)),
        _line("mark", _x(chart.mark, most), _TOP + below, height - _BOTTOM + 2),
    ]
    said = "; ".join(f"{bar.name} {figure(bar.value)}" for bar in bars)
    what = f"{chart.subtitle} In {chart.unit}: {said}."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" aria-labelledby="title what">\n'
        f'<title id="title">{escape(chart.title)}</title>\n'
        f'<desc id="what">{escape(what)}</desc>\n'
        f"<style>{STYLE}</style>\n"
        f'<rect class="card" x="0.5" y="0.5" width="{_WIDTH - 1}" height="{height - 1}" rx="8"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def step(most: float) -> float:
    """A round distance between grid lines, about six of them."""
    rough = most / 6
    power = 10.0 ** floor(log10(rough))
    return next(power * n for n in (1, 2, 2.5, 5, 10) if power * n >= rough)


def _x(value: float, most: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * value / most, 1)


def _line(style: str, x: float, top: float, foot: float) -> str:
    return f'<line class="{style}" x1="{x}" y1="{top}" x2="{x}" y2="{foot}"/>'


def words(x: float, y: float, text: str, style: str, anchor: str = "start") -> str:
    return f'<text class="{style}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _legend(kinds: Sequence[tuple[str, str]]) -> list[str]:
    lines = []
    x = 28.0
    for kind, name in kinds:
        lines.append(f'<rect class="{kind}" x="{x}" y="79" width="11" height="11" rx="2"/>')
        lines.append(words(x + 17, 89, name, "quiet"))
        x += 17 + 5.7 * len(name) + 28
    return lines


def _grid(most: float, height: int, unit: str) -> list[str]:
    lines = []
    foot = height - _BOTTOM + 2
    apart = step(most)
    last = int(most // apart)
    for i in range(last + 1):
        x = _x(i * apart, most)
        label = f"{i * apart:g} {unit}" if i == last else f"{i * apart:g}"
        lines.append(_line("grid", x, _TOP - 8, foot))
        lines.append(words(x, foot + 18, label, "quiet value", "middle"))
    return lines


def _bar(bar: Bar, y: int, most: float) -> list[str]:
    end, reach = _x(bar.value, most), _x(bar.most, most)
    middle = y + _BAR / 2
    strong = " strong" if bar.kind == "ours" else ""
    return [
        words(_LEFT - 12, middle + 4.5, bar.name, f"name{strong}", "end"),
        f'<line class="reach" x1="{_LEFT}" y1="{middle}" x2="{reach}" y2="{middle}"/>',
        f'<rect class="{bar.kind}" x="{_LEFT}" y="{y}" width="{max(1.5, end - _LEFT):.1f}" '
        f'height="{_BAR}" rx="2"/>',
        words(max(end, reach) + 8, middle + 4.5, figure(bar.value), f"value{strong}"),
    ]
