"""Learned rules as files that a person can judge and own: an overrides file, and a policy.

The overrides hold what is about one exact host; what they cannot say stands in the policy file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sameas.change.hosts import ALIAS, FIRST, INDEX, PARAMETER, PIECE, SLASH, Learned
from sameas.change.learn import Lesson
from sameas.review.kinds import parameter_key
from sameas.store.link_types import Review

IN_OVERRIDES = frozenset((PARAMETER, FIRST, ALIAS))


def overrides(lesson: Lesson) -> str:
    by_host: dict[str, dict[str, Any]] = {}
    for kind in (PARAMETER, FIRST, ALIAS):  # a host is left after all else is done on it
        for rule in lesson.rules:
            if rule.kind == kind:
                for host in lesson.names[rule.host]:
                    entry = by_host.setdefault(host, _entry(host))
                    if kind == PARAMETER:
                        entry["drop_query_params"].append(rule.name)
                    else:
                        entry["rewrite_rules"] += _rewrites(lesson, rule, host)
    listed = [by_host[host] for host in sorted(by_host)]
    return json.dumps({"overrides": listed}, indent=2, ensure_ascii=False) + "\n"


def _entry(host: str) -> dict[str, Any]:
    return {"match": {"host": host}, "drop_query_params": [], "rewrite_rules": []}


def _rewrites(lesson: Lesson, rule: Learned, host: str) -> Iterator[dict[str, str]]:
    for scheme in ("https", "http"):
        start, to = f"{scheme}://{host}/", f"{scheme}://{host}/"
        if rule.kind == FIRST:
            start += f"{rule.name}/"
        else:
            to = f"{scheme}://{lesson.names[rule.name][0]}/"
        yield {"from_prefix": start, "to_prefix": to}


def policy_text(lesson: Lesson, name: str, extends: str) -> str:
    lines = [
        "# Made by `sameas policy learn`. It is yours to change; its overrides go with it.",
        f"name = {json.dumps(name)}",
        'version = "1"',
        f"extends = {json.dumps(extends)}",
    ]
    if _all_slashes_go(lesson):
        lines += ["", "[path]", 'trailing_slash = "drop"']
    pieces: dict[str, list[str]] = defaultdict(list)
    for rule in lesson.rules:
        if rule.kind in (PIECE, INDEX):
            for host in lesson.names[rule.host]:
                pieces[host].append(rule.name)
    for host in sorted(pieces):
        listed = json.dumps(sorted(pieces[host]), ensure_ascii=False)
        lines += ["", "[[site]]", f"host = {json.dumps(host)}", f"path_drop = {listed}"]
    return "\n".join(lines) + "\n"


def _all_slashes_go(lesson: Lesson) -> bool:
    """A policy has one answer for all hosts: given only where no host speaks against it."""
    against = any(rule.kind == SLASH for rule in lesson.rejected)
    return not against and any(rule.kind == SLASH for rule in lesson.rules)


def questions(lesson: Lesson, now: datetime) -> list[Review]:
    """Parameters that may go, for the queue of what a person decides."""
    return [
        Review(
            kind="parameter",
            key=parameter_key(host, rule.name),
            url=rule.evidence.examples[0][0] if rule.evidence.examples else f"https://{host}/",
            file="",
            line=0,
            suggestion="drop",
            reason=said(rule),
            evidence=tuple(f"{one} = {other}" for one, other in rule.evidence.examples),
            asked_at=now,
            seen_at=now,
        )
        for rule in lesson.rules
        if rule.kind == PARAMETER
        for host in lesson.names[rule.host]
    ]


def said(rule: Learned) -> str:
    held = rule.evidence
    return (
        f"{held.support:,} fetches gave the same page as another variant, {held.against:,} did not"
        f" (confidence {held.confidence:.2f})"
    )
