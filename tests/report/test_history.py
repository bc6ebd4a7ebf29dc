"""The past as a chart: every day has its place, and no count is too small to be seen."""

from __future__ import annotations

import re
from datetime import date, timedelta

from sameas.report.history import history, sparkline

LAST = date(2026, 11, 19)
NAMES = ("wrong", "fine")
_COLUMN = re.compile(r'<rect x="([\d.]+)" y="([\d.]+)" width="9" height="([\d.]+)"')


def _columns(svg: str) -> list[tuple[float, float, float]]:
    return [(float(x), float(y), float(height)) for x, y, height in _COLUMN.findall(svg)]


def test_a_day_stands_in_its_place_and_one_without_a_row_stays_empty():
    svg = history("T", {LAST: (1, 1), LAST - timedelta(days=29): (2, 0)}, NAMES, LAST)
    assert sorted({x for x, _, _ in _columns(svg)}) == [1.5, 29 * 12 + 1.5]
    assert "2026-10-21" in svg
    assert "2026-11-19" in svg


def test_counts_are_stacked_and_the_most_fills_the_room():
    (lower, upper) = _columns(history("T", {LAST: (1, 3)}, NAMES, LAST))
    assert upper[1] + upper[2] == lower[1]
    assert round(upper[2] / lower[2]) == 3


def test_one_among_thousands_is_still_seen():
    counts = {LAST: (100_000, 0), LAST - timedelta(days=1): (1, 0)}
    assert min(height for _, _, height in _columns(history("T", counts, NAMES, LAST))) >= 1.5


def test_what_is_drawn_is_said_and_nothing_is_markup():
    svg = history("<b>T", {LAST: (1, 2_000), LAST - timedelta(days=99): (9, 9)}, NAMES, LAST)
    assert "<title>&lt;b&gt;T</title>" in svg
    assert "<desc>2026-10-21 to 2026-11-19: wrong 1, fine 2,000</desc>" in svg
    assert "<desc>" in sparkline("T", {}, NAMES, LAST)
    assert _columns(sparkline("T", {}, NAMES, LAST)) == []
