"""The page that `sameas dedupe --report` writes: each group's articles side by side, and why.

What is shown was found by the command; nothing is compared anew but the words of two titles.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Any

from sameas.report.html import Html, figures, joined, link, page, tag
from sameas.report.svg import columns

_MOST_GROUPS = 1000
_MOST_MEMBERS = 50
_LONGEST = 300
_BINS = range(85, 101)


def report_page(file: str, data: dict[str, Any]) -> str:
    groups = data["groups"]
    shown = sorted(groups, key=lambda group: -len(group["members"]))[:_MOST_GROUPS]
    return page(
        f"Duplicates in {PurePath(file).name if file != '-' else 'standard input'}",
        tag("p", _summary(data), class_="quiet"),
        figures(_figures(data)),
        tag("h2", "How alike the titles are"),
        columns("Pairs of titles by their ratio", _bins(groups), "ratio"),
        tag("p", evidence_said(groups), class_="quiet small"),
        tag("h2", "Groups"),
        *([tag("p", f"The {_MOST_GROUPS:,} largest of {len(groups):,} groups.")]
          if len(groups) > len(shown) else []),
        *(card(group, data["unit"]) for group in shown),
        *([tag("p", "No two articles are one.")] if not groups else []),
    )  # fmt: skip


def _summary(data: dict[str, Any]) -> str:
    return (
        "Articles in one group are one: by their canonical URL, or by their titles in one "
        f"language, alike at 0.85 or more. The marked one stays. Numbers are those of the "
        f"{data['unit']}s of the file."
    )


def _figures(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "articles", f"{data['total']:,}"
    yield "stay", f"{data['survivors']:,}"
    yield "duplicates", f"{data['duplicates']:,}"
    yield "groups", f"{len(data['groups']):,}"
    for name, key in (
        ("without a URL", "without_url"),
        ("URL refused", "refused_urls"),
        ("without a title", "without_title"),
        ("not readable", "unreadable"),
    ):
        if data[key]:
            yield name, f"{len(data[key]):,}"


def _bins(groups: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """Down to the hundredth: a ratio of 0.999 is not one of 1.00."""
    found = Counter(
        int(e["ratio"] * 100 + 1e-6) for g in groups for e in g["evidence"] if e["rule"] == "title"
    )
    return [(f"{i / 100:.2f}", found[i]) for i in _BINS]


def evidence_said(groups: list[dict[str, Any]]) -> str:
    rules = Counter(e["rule"] for group in groups for e in group["evidence"])
    return (
        f"{rules['title']:,} pairs by title are drawn; {rules['url']:,} pairs by URL share one "
        "canonical URL and have no ratio. A pair that follows from others is not counted."
    )


def card(group: dict[str, Any], unit: str) -> Html:
    kept = next(m for m in group["members"] if m["row"] == group["survivor"])
    members = [kept, *(m for m in group["members"] if m is not kept)]
    reasons = _reasons(group)
    rows = [_row(m, kept, reasons) for m in members[:_MOST_MEMBERS]]
    more = len(members) - len(rows)
    head = (tag("th", name) for name in (unit, "title", "URL", "from", "why"))
    return tag(
        "section",
        tag("h3", f"{len(members):,} articles"),
        tag("div", tag("table", tag("tr", *head), *rows), class_="wide"),
        *([tag("p", f"and {more:,} more", class_="quiet small")] if more else []),
        class_="card",
    )


def _row(member: dict[str, Any], kept: dict[str, Any], reasons: dict[int, str]) -> Html:
    title = member["title"] or ""
    stays = member is kept
    about = (member.get("source"), member["language"], member.get("published"))
    return tag(
        "tr",
        tag("td", f"{member['row']:,}", class_="number"),
        tag("td", title[:_LONGEST] if stays else _marked(kept["title"] or "", title), dir="auto"),
        tag("td", link(member["url"], member["url"][:_LONGEST]) if member["url"] else ""),
        tag("td", " · ".join(str(text)[:_LONGEST] for text in about if text)),
        tag("td", tag("span", "stays", class_="badge"))
        if stays
        else tag("td", reasons[member["row"]], class_="small"),
        class_="kept" if stays else "",
    )


def _reasons(group: dict[str, Any]) -> dict[int, str]:
    """For each article the pair that leads to the one that stays, be it by way of others."""
    near: dict[int, list[tuple[int, str]]] = {}
    for pair in group["evidence"]:
        for one, other in ((pair["a"], pair["b"]), (pair["b"], pair["a"])):
            if pair["rule"] == "url":
                said = f"same URL as {other:,}: {pair['shared'][:_LONGEST]}"
            else:
                said = f"title alike to that of {other:,}: {pair['ratio']:.3f}"
            near.setdefault(other, []).append((one, said))
    reasons = {group["survivor"]: ""}
    waiting = deque(reasons)
    while waiting:
        for one, said in near[waiting.popleft()]:
            if one not in reasons:
                reasons[one] = said
                waiting.append(one)
    return reasons


def _marked(kept: str, title: str) -> Html:
    """The words that the other title does not have."""
    a, b = kept[:_LONGEST].split(" "), title[:_LONGEST].split(" ")
    parts: list[str] = []
    for kind, _, _, start, end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        words = " ".join(b[start:end])
        if words:
            parts += [words if kind == "equal" else tag("mark", words), " "]
    return joined(parts)
