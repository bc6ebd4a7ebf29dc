"""A chart of cost by size in SVG, readable on light and on dark pages: points, and the straight
lines nearest to them. It decides nothing about the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from bench.chart import STYLE, step, words
from bench.markdown import figure

_WIDTH, _HEIGHT = 860, 430
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 150, 112, 52


@dataclass(frozen=True)
class Line:
    """`a + b * x`, the nearest to some points in the sense of least squares."""

    a: float
    b: float

    def at(self, x: float) -> float:
        return self.a + self.b * x

    def off(self, points: Sequence[tuple[float, float]]) -> float:
        """How far the worst point is from the line, as a share of the line's height at the end."""
        end = self.at(max(x for x, _ in points))
        return max(abs(y - self.at(x)) for x, y in points) / end


def fitted(points: Sequence[tuple[float, float]]) -> Line:
    count = len(points)
    mean_x, mean_y = (sum(values) / count for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return Line(mean_y - slope * mean_x, slope)


@dataclass(frozen=True)
class Series:
    name: str
    kind: str
    points: Sequence[tuple[float, float]]


def draw(title: str, subtitle: str, units: tuple[str, str], series: Sequence[Series]) -> str:
    most_x = max(x for one in series for x, _ in one.points)
    most_y = max(y for one in series for _, y in one.points)
    body = [words(28, 40, title, "title"), words(28, 62, subtitle, "quiet")]
    body += _grid(most_x, most_y, units)
    for one in series:
        body += _series(one, most_x, most_y)
    said = "; ".join(
        f"{one.name}: " + ", ".join(f"{figure(y)} at {figure(x)}" for x, y in one.points)
        for one in series
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-labelledby="title what">\n'
        f'<title id="title">{escape(title)}</title>\n'
        f'<desc id="what">{escape(f"{subtitle} {said}.")}</desc>\n'
        f"<style>{STYLE}</style>\n"
        f'<rect class="card" x="0.5" y="0.5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="8"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _x(value: float, most: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * value / most, 1)


def _y(value: float, most: float) -> float:
    return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * value / most, 1)


def _grid(most_x: float, most_y: float, units: tuple[str, str]) -> list[str]:
    lines = []
    for i in range(int(most_y // step(most_y)) + 1):
        value = i * step(most_y)
        y = _y(value, most_y)
        lines.append(_rule("grid", (_LEFT, y), (_WIDTH - _RIGHT, y)))
        lines.append(words(_LEFT - 8, y + 4, f"{value:g}", "quiet value", "end"))
    for i in range(int(most_x // step(most_x)) + 1):
        value = i * step(most_x)
        lines.append(
            words(_x(value, most_x), _HEIGHT - _BOTTOM + 20, f"{value:g}", "quiet value", "middle")
        )
    lines.append(words(_LEFT - 8, _TOP - 14, units[1], "quiet", "end"))
    lines.append(words(_WIDTH - _RIGHT, _HEIGHT - 12, units[0], "quiet", "end"))
    return lines


def _series(one: Series, most_x: float, most_y: float) -> list[str]:
    line = fitted(one.points)
    first, last = (pick(x for x, _ in one.points) for pick in (min, max))
    ends = [(_x(x, most_x), _y(line.at(x), most_y)) for x in (first, last)]
    dots = [
        f'<circle class="{one.kind}" cx="{_x(x, most_x)}" cy="{_y(y, most_y)}" r="4"/>'
        for x, y in one.points
    ]
    name = words(ends[1][0] + 12, ends[1][1] + 4, one.name, "name strong")
    return [_rule("reach", *ends), *dots, name]


def _rule(style: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return f'<line class="{style}" x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}"/>'
