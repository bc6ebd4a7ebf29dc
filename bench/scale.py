"""docs/scale.md: what a crawl of billions of links costs, from the slope that was measured.

It decides nothing about the figures: they are those of docs/bench/files.md.
"""

from __future__ import annotations

from bench.files_page import CANON, DEDUPE, MILLION, Run
from bench.markdown import figure, table

CRAWLS = (3_000_000_000, 100_000_000_000)
_HOUR = 3600


def page(run: Run) -> str:
    rows = [
        (
            f"`{who}`",
            f"{run.line(who).b * MILLION:.2f}",
            *(f"{figure(core_hours(run, who, links))}" for links in CRAWLS),
        )
        for who in (CANON, DEDUPE)
    ]
    head = ("", "µs of a core a link", *(f"{_named(n)} links, core hours" for n in CRAWLS))
    largest = max(reading.size for reading in run.readings)
    return "\n".join(
        [
            "# What a crawl costs\n",
            "This page is computed by the command that measures, and by nobody's hand, from the "
            f"slope of the [cost by size](bench/files.md) up to {largest:,} links: "
            f"{run.machine['CPU']}, engine {run.engine}, {run.date}, `{run.command}`.\n",
            table(head, rows, right=range(1, 4)),
            _MEANT,
        ]
    )


def core_hours(run: Run, who: str, links: int) -> float:
    """By the slope alone: starting the program once is nothing beside a crawl."""
    return run.line(who).b * links / _HOUR


def _named(links: int) -> str:
    return f"{links // 1_000_000_000:,} billion"


_MEANT = (
    "A core hour is an hour of one core like that one. The cost grows with the number of links and "
    "with nothing else, so a crawl can be cut in pieces: `canon` anywhere, `dedupe` by the first "
    "digits of the key, since equal keys begin alike. How to work on [long files](files.md) is a "
    "page of its own.\n"
)
