"""Long files: links that are the same in every run, and pages that follow from the figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench.curve import fitted
from bench.files_page import BY_SET, CANON, DEDUPE, FLOOR, Reading, Run, page
from bench.scale import core_hours

from bench import crawl, files, files_page, scale
from sameas import Policy

DOCS = Path(__file__).parents[2] / "docs"
SIZES = [1_000_000, 5_000_000, 20_000_000]
READINGS = [
    Reading(FLOOR, 5_000_000, 4.0, 5.0, 4.0, 20, False),
    *(Reading(CANON, n, n / 1e6, n / 1e6 + 1, 0.3 + n / 1e6, 50, False) for n in SIZES),
    *(Reading(DEDUPE, n, 2 * n / 1e6, 2 * n / 1e6, 1 + 2 * n / 1e6, 600, True) for n in SIZES),
]
RUN = Run("2026-11-19", "make bench", {"CPU": "a", "cores": "2"}, "native", READINGS,
          [(20_000_000, BY_SET, True)])  # fmt: skip


def _verdicts(run: Run) -> list[bool]:
    lines = [line for line in page(run).splitlines() if line.startswith("- ")]
    return ["**holds**" in line for line in lines]


def test_the_verdicts_follow_from_the_figures() -> None:
    assert _verdicts(RUN) == [True] * 6
    slow = [replace(r, wall=8.1) if r.who == CANON else r for r in READINGS]
    assert _verdicts(replace(RUN, readings=slow)) == [False, *[True] * 5]
    wide = [replace(r, megabytes=301) if r.who == CANON else r for r in READINGS]
    assert _verdicts(replace(RUN, readings=wide)) == [True, False, *[True] * 4]
    free = [replace(r, limited=False) for r in READINGS]
    assert _verdicts(replace(RUN, readings=free)) == [True, True, False, *[True] * 3]
    assert _verdicts(replace(RUN, same=[(9, BY_SET, False)])) == [True] * 3 + [False, True, True]
    bent = [replace(r, processor=r.processor + 9 * (r.size == SIZES[1])) for r in READINGS[:-1]]
    assert _verdicts(replace(RUN, readings=[*bent, READINGS[-1]])) == [*[True] * 4, False, False]


def test_core_hours_are_the_slope_and_nothing_else() -> None:
    assert core_hours(RUN, CANON, 3_600_000_000) == pytest.approx(1.0)
    assert core_hours(RUN, DEDUPE, 3_600_000_000) == pytest.approx(2.0)
    text = scale.page(RUN)
    assert "3 billion links" in text
    assert "100 billion links" in text
    assert f"| `{CANON}` | 1.00 | 0.83 | 27.8 |" in text


def test_the_nearest_line_is_the_one_of_least_squares() -> None:
    line = fitted([(0, 1), (1, 3), (2, 5)])
    assert (line.a, line.b) == pytest.approx((1, 2))
    assert line.off([(0, 1), (2, 6)]) == pytest.approx(1 / 5)
    assert fitted([(0, 0), (1, 1), (2, 0)]).b == pytest.approx(0)


def test_the_chart_is_a_picture_of_the_points() -> None:
    root = ElementTree.fromstring(files_page.chart(RUN))
    points = [one for one in root.iter() if one.tag.endswith("circle")]
    assert len(points) == 2 * len(SIZES)
    assert all(0 < float(point.attrib[name]) < 860 for point in points for name in ("cx", "cy"))


def _links(count: int) -> Iterator[str]:
    return islice(crawl.links(10_000, crawl.patterns()), count)


@pytest.mark.parametrize("count", [1000, 4000])
def test_half_of_the_links_are_duplicates_whatever_the_length(count: int) -> None:
    policy = Policy.load("news")
    made = [link.strip() for link in _links(count)]
    assert made == [link.strip() for link in _links(count)]
    assert len(set(map(policy.key, made))) == count // 2


def test_a_run_measures_under_a_limit_and_writes_its_pages(tmp_path: Path) -> None:
    given = ["--lines", "2000", "--most", "4000", "--rounds", "1", "--out", str(tmp_path)]
    assert files.main(given) == 0
    text = (tmp_path / "bench" / "files.md").read_text("utf-8")
    assert "`python -m bench.files --lines 2000 --most 4000 --rounds 1`" in text
    assert "survivors of 4,000 links are those of a set of keys: **holds**" in text
    assert "are those of dedupe in memory: **holds**" in text
    assert text.count("| 1 GB |") == 4
    assert str(tmp_path) not in text
    assert "core hours" in (tmp_path / "scale.md").read_text("utf-8")


def test_the_pages_are_those_of_the_figures_that_were_measured() -> None:
    kept = json.loads((DOCS / "bench" / "files.json").read_text("utf-8"))
    kept["readings"] = [Reading(**reading) for reading in kept["readings"]]
    kept["same"] = [tuple(one) for one in kept["same"]]
    run = Run(**kept)
    made = {
        "bench/files.md": page(run),
        "bench/files.svg": files_page.chart(run),
        "scale.md": scale.page(run),
    }
    for name, text in made.items():
        assert (DOCS / name).read_text("utf-8") == text
