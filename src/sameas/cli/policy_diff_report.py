"""The page that `sameas policy diff --html` writes: figures, charts of the rules, samples.

What is shown was found by the command.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sameas.report.bars import bars
from sameas.report.changed import Marked, changed
from sameas.report.html import Html, figures, joined, page, tag

_CHARTS = (
    ("changed", "Rows whose key changes, by the rule that does it"),
    ("merged", "Groups that merge, by rule"),
    ("split", "Groups that split, by rule"),
)
_MOST_RULES = 15


def report_page(data: dict[str, Any]) -> str:
    old, new = data["old"], data["new"]
    return page(
        f"{old['policy']} to {new['policy']}",
        tag("p", f"From fingerprint {old['fingerprint']}", class_="quiet small"),
        tag("p", f"to fingerprint {new['fingerprint']}", class_="quiet small"),
        figures(_figures(data)),
        *_charts(data["rules"]),
        *_section("Keys that change", map(_row, data["samples"]["changed"])),
        *_section("Groups that become one", map(_group, data["samples"]["merged"])),
        *_section("Groups that are no longer one", map(_group, data["samples"]["split"])),
        *([] if data["changed"] else [tag("p", "Nothing changes on this data.")]),
    )


def _figures(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "rows", f"{data['rows']:,}"
    yield "keys that change", f"{data['changed']:,}"
    yield "groups that merge", f"{data['merged_keys']:,} to {data['merged']:,}"
    yield "groups that split", f"{data['split']:,} to {data['split_keys']:,}"
    for name in ("refused", "newly_refused", "no_longer_refused"):
        if data[name]:
            yield name.replace("_", " "), f"{data[name]:,}"


def _charts(rules: list[dict[str, Any]]) -> Iterator[Html]:
    for name, title in _CHARTS:
        counts = sorted(((one["rule"], one[name]) for one in rules), key=lambda one: -one[1])
        rows = [row for row in counts if row[1]][:_MOST_RULES]
        if rows:
            yield tag("h2", title)
            yield bars(title, rows)


def _section(title: str, cards: Iterator[Html]) -> list[Html]:
    made = list(cards)
    return [tag("h2", title), *made] if made else []


def _row(row: dict[str, Any]) -> Html:
    before, after = changed(row["before"], row["after"])
    lines = (
        ("url", tag("span", row["url"])),
        ("before", _marked(before) if row["before"] else tag("span", "refused")),
        ("after", _marked(after) if row["after"] else tag("span", "refused")),
    )
    return _card(f"row {row['row']:,}", row, (_line(*line) for line in lines))


def _group(group: dict[str, Any]) -> Html:
    members = [_line(f"{one['rows']:,} rows", tag("span", one["url"])) for one in group["members"]]
    if (more := group["keys"] - len(members)) > 0:
        members.append(_line("", tag("span", f"and {more:,} groups more", class_="quiet")))
    return _card(group["form"], group, iter(members))


def _card(title: str, about: dict[str, Any], lines: Iterator[Html]) -> Html:
    why = f"{about['rule']} ({about['clause']}), {about['why']}"
    table = tag("div", tag("table", *lines, _line("why", tag("span", why))), class_="wide")
    return tag("section", tag("h3", title), table, class_="card")


def _line(name: str, value: Html) -> Html:
    return tag("tr", tag("th", name), tag("td", value))


def _marked(pieces: Marked) -> Html:
    return joined(tag("mark", text) if is_new else text for text, is_new in pieces)
