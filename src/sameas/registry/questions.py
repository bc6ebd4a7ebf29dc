"""What a person is asked about a link: the suggestion, and the reason for it, in words.

When a question is put is judge.py's business, what may be answered `review.kinds`'.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sameas.review.kinds import parameter_key

_REASONS = {
    "invalid": "what was meant is not in the file",
    "homepage": "a home page cannot be cited for a procedure; only if there is nothing deeper, "
    "accept it",
    "section": "a section page cannot be cited for a procedure; only if there is nothing deeper, "
    "accept it",
    "dead": "nothing is known that took its place",
    "soft_404": "nothing is known that took its place",
    "moved": "it is where the link leads today",
    "http_only": "it answered by http, and not by https",
    "duplicate": "if each of these records needs this page, that is meant; else make one of them",
    "not_allowed": "only official hosts may be cited: allow it with --allow, or cite another",
    "unknown": "a server that keeps programs out says nothing about the page: open it and look",
    "slash": "without it the site gives another page, or none",
    "translation": "the site shows no version in Spanish",
    "canonical": "what a page says of itself is evidence, and never followed blindly",
    "parameter": "a parameter on no list is kept: dropping one that counts would merge two pages",
}

_SUGGESTED = {"slash": "keep_slash", "unknown": "keep", "canonical": "keep", "parameter": "keep"}


@dataclass(frozen=True)
class Asked:
    """A question about one link, before it has a place and a date."""

    kind: str
    key: str
    url: str
    suggestion: str
    reason: str
    evidence: tuple[str, ...]


def _asked(kind: str, key: str, url: str, suggestion: str, evidence: Sequence[str]) -> Asked:
    said = tuple(dict.fromkeys(words for words in evidence if words))
    return Asked(kind, key, url, suggestion, _REASONS[kind], said)


PROBLEM_QUESTIONS: dict[str, Callable[[str, str, str, Sequence[str]], Asked]] = {
    kind: partial(_asked, kind)
    for kind in (
        "invalid",
        "homepage",
        "section",
        "dead",
        "soft_404",
        "moved",
        "http_only",
        "duplicate",
        "not_allowed",
    )
}


def uncertain(kind: str, key: str, url: str, evidence: Sequence[str]) -> Asked:
    return _asked(kind, key, url, _SUGGESTED.get(kind, ""), evidence)


def parameter(host: str, name: str, url: str) -> Asked:
    said = f"{name} stands in {url}"
    return _asked("parameter", parameter_key(host, name), url, _SUGGESTED["parameter"], [said])
