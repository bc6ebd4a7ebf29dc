"""Duplicates by URL: articles whose URLs have one key under a policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sameas.dedupe.articles import field_of
from sameas.dedupe.groups import Evidence
from sameas.errors import InvalidURL
from sameas.policy import Policy


@dataclass
class UrlMatches:
    evidence: list[Evidence] = field(default_factory=list)
    without: list[int] = field(default_factory=list)
    refused: dict[int, InvalidURL] = field(default_factory=dict)


def find(rows: Sequence[Any], policy: Policy) -> UrlMatches:
    """Every article but the first of its key, paired with that first one."""
    found = UrlMatches()
    first: dict[str, int] = {}
    for i, row in enumerate(rows):
        url = field_of(row, "url")
        if not isinstance(url, str | bytes) or not url.strip():
            found.without.append(i)
            continue
        try:
            key = policy.key(url)
            earlier = first.setdefault(key, i)
            if earlier != i:
                form = policy.canonicalize(url).form
                found.evidence.append(Evidence("url", earlier, i, 1.0, form))
        except InvalidURL as error:
            found.refused[i] = error
    return found
