"""The report of a run as a page: figures, charts, and the links with something wrong.

What is wrong has been judged; how pages look is `report.html`'s business.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sameas.registry.check import Judged
from sameas.registry.tally import MOST_SHOWN, Tally
from sameas.report.bars import bars
from sameas.report.html import Html, figures, joined, link, page, tag

_MOST_HOSTS = 12

_MEANS = {
    "invalid": "No link",
    "not_canonical": "Not written as it is to be stored",
    "homepage": "Home pages",
    "section": "Section pages",
    "dead": "Gone",
    "moved": "Moved",
    "soft_404": "Nothing there, though the server says there is",
    "http_only": "Without HTTPS",
    "duplicate": "One page in several records",
    "not_allowed": "Not on the list of allowed hosts",
}


def registry_page(tally: Tally, files: int, questions: int, now: datetime) -> str:
    return page(
        "Links of the registry",
        tag("p", f"Checked {now:%Y-%m-%d %H:%M} UTC", class_="quiet"),
        figures(
            (
                ("files", f"{files:,}"),
                ("links", f"{tally.links:,}"),
                ("with something wrong", f"{tally.wrong:,}"),
                ("questions for a person", f"{questions:,}"),
            )
        ),
        *_charts(tally),
        *_unread(tally),
        *(_card(tally, name) for name, count in tally.by_problem() if count),
    )


def _charts(tally: Tally) -> Iterator[Html]:
    yield tag("h2", "What is wrong")
    yield tag("div", bars("Links by what is wrong", tally.by_problem()), class_="wide")
    yield tag("h2", "How the links answered")
    answered = sorted(tally.statuses.items(), key=lambda item: (-item[1], item[0]))
    yield tag("div", bars("Links by their last answer", answered), class_="wide")
    hosts = tally.hosts.most_common(_MOST_HOSTS)
    if hosts:
        yield tag("h2", "Where it is wrong")
        drawn = bars("Links with something wrong, by host", hosts)
        yield tag("div", drawn, class_="wide")


def _unread(tally: Tally) -> Iterator[Html]:
    if tally.unread:
        yield tag("h2", "What could not be read")
        rows = (tag("tr", tag("td", told)) for told in tally.unread[:MOST_SHOWN])
        yield tag("section", tag("table", *rows), class_="card")


def _card(tally: Tally, name: str) -> Html:
    shown, count = tally.shown[name], tally.problems[name]
    head = tag(
        "tr",
        tag("th", "where", style="min-width: 11rem"),
        tag("th", "link"),
        tag("th", "what to do"),
    )
    rows = [_row(judged, name) for judged in shown]
    more = count - len(shown)
    foot = tag("p", f"and {more:,} more", class_="quiet small") if more else Html("")
    table = tag("div", tag("table", head, *rows), foot, class_="wide")
    return joined(
        (
            tag("h2", f"{_MEANS[name]} ", tag("span", f"{name}, {count:,}", class_="quiet small")),
            tag("section", table, class_="card"),
        )
    )


def _row(judged: Judged, name: str) -> Html:
    verdict, entry = judged.verdict, judged.entry
    said = verdict.said[verdict.problems.index(name)]
    place = f"{entry.path}:{entry.found.line}"
    instead = Html("")
    if verdict.suggestion is not None:
        asked = "" if verdict.is_sure else " if that is meant"
        instead = tag("div", "write ", link(verdict.suggestion), asked)
    field = tag("div", entry.found.field, class_="quiet small")
    return tag(
        "tr",
        tag("td", place, field),
        tag("td", link(judged.url) if judged.url else tag("span", "null")),
        tag("td", tag("div", said), instead),
    )
