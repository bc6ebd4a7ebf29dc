"""The kinds of questions, and what may be answered to each: two tables.

When a question is put is the registry's business.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    asks: str
    decisions: tuple[str, ...]
    about: str = "link"
    """What its key names: a `link`, a `page`, a `host`, a `parameter` of a host, or a `text` that
    is no URL."""


KINDS = {
    "invalid": Kind("This is no link. What should stand here?", ("replace", "keep"), "text"),
    "homepage": Kind(
        "Is there a page about the matter itself, or is this home page the last resort?",
        ("accept_home", "replace", "keep"),
    ),
    "section": Kind(
        "Is there a page about the matter itself, or is this section page the last resort?",
        ("accept_home", "replace", "keep"),
    ),
    "dead": Kind("The page is gone. What should stand here?", ("replace", "keep")),
    "soft_404": Kind("The page seems to be gone. What should stand here?", ("replace", "keep")),
    "moved": Kind("The link leads elsewhere. Is that what is meant?", ("replace", "keep")),
    "http_only": Kind(
        "No answer by https. Which form of this domain is right?", ("domain", "keep"), "host"
    ),
    "duplicate": Kind("Several records name this page. Is that meant?", ("not_duplicate",), "page"),
    "not_allowed": Kind(
        "This is not on the list of allowed hosts. What should stand here?", ("replace", "keep")
    ),
    "unknown": Kind("It could not be checked. Is it right?", ("keep", "replace")),
    "slash": Kind(
        "With and without the slash at its end this is not one page. Does the slash belong to it?",
        ("keep_slash", "keep", "replace"),
    ),
    "translation": Kind(
        "There seems to be no Spanish version. May this one stand?", ("keep", "replace")
    ),
    "canonical": Kind(
        "The page names another address as its own. Which one is right?", ("keep", "replace")
    ),
    "parameter": Kind(
        "Does this parameter change what the page shows, or may it go on this host?",
        ("drop", "keep"),
        "parameter",
    ),
}

DECISIONS = {
    "keep": "leave it as it is, and do not ask again",
    "replace": "write another URL instead: replace URL",
    "accept_home": "this home or section page is the last resort",
    "domain": "how this domain is written: domain http://www.example.es",
    "keep_slash": "the slash at its end belongs to it",
    "not_duplicate": "several records name this page on purpose",
    "drop": "the parameter goes, on this host: into the overrides file",
}

WITH_VALUE = frozenset({"replace", "domain"})
"""Decisions that need a URL."""


def parameter_key(host: str, name: str) -> str:
    return f"{host}?{name}"
