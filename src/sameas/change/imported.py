"""What a list from outside comes to: names to drop and keep, by host; and what had no words here.

How each kind of list is read is its own module's business.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sameas.engine.parse import parse
from sameas.errors import InvalidURL


class Where(NamedTuple):
    """The hosts and paths that a rule holds for; no host is all of them."""

    host: str = ""
    path: str = ""


class Left(NamedTuple):
    """A rule that is not expressed, by its place in the list, and why."""

    place: str
    rule: str
    why: str


@dataclass
class Site:
    drop: set[str] = field(default_factory=set)
    keep: set[str] = field(default_factory=set)
    path_drop: set[str] = field(default_factory=set)
    target: list[str] = field(default_factory=list)


@dataclass
class Imported:
    """A list, read. `broken` are lines that are no rules at all."""

    rules: int = 0
    sites: dict[Where, Site] = field(default_factory=lambda: defaultdict(Site))
    left: list[Left] = field(default_factory=list)
    broken: list[Left] = field(default_factory=list)


def is_host(text: str) -> bool:
    """A host as policies name it: in normal spelling, or one name and `.*`."""
    plain = text.removesuffix(".*")
    if "*" in plain or (plain != text and "." in plain):
        return False
    try:
        return parse(f"http://{plain}/").host == plain != ""
    except InvalidURL:
        return False


def is_path(text: str) -> bool:
    try:
        return text[:1] == "/" and parse(f"http://h{text}x").path == f"{text}x"
    except InvalidURL:
        return False


def policy_text(found: Imported, name: str, extends: str, source: str) -> str:
    """A policy file, with what was left out behind it as comments."""
    return "\n".join((*_head(name, extends, source), *_query(found), *_sites(found), *_left(found)))


def _head(name: str, extends: str, source: str) -> Iterator[str]:
    yield f"# Made from {_plain(source)} by `sameas policy import`. It is yours to change."
    yield f"name = {_quoted(name)}"
    yield 'version = "1"'
    yield f"extends = {_quoted(extends)}"
    yield ""


def _query(found: Imported) -> Iterator[str]:
    everywhere = found.sites.get(Where())
    if everywhere is None or not (everywhere.drop or everywhere.keep):
        return
    yield "[query]"
    for key, names in (("drop", everywhere.drop), ("keep", everywhere.keep)):
        if names:
            yield f"{key} = {{ add = [{_listed(names)}] }}"
    yield ""


def _sites(found: Imported) -> Iterator[str]:
    for where, site in sorted(found.sites.items()):
        if where == Where():
            continue
        yield "[[site]]"
        yield f"host = {_quoted(where.host)}"
        if where.path:
            yield f"path = {_quoted(where.path)}"
        for key in ("drop", "keep", "path_drop"):
            if names := getattr(site, key):
                yield f"{key} = [{_listed(names)}]"
        if site.target:
            yield f"target = [{', '.join(map(_quoted, site.target))}]"
        yield ""


def _left(found: Imported) -> Iterator[str]:
    for title, rows in (("Not expressed", found.left), ("Not read", found.broken)):
        if rows:
            yield f"# {title}:"
        for row in rows:
            yield f"# {_plain(row.place)}: {_plain(row.rule)}: {_plain(row.why)}"
    yield ""


def _listed(names: set[str]) -> str:
    return ", ".join(map(_quoted, sorted(names)))


def _quoted(text: str) -> str:
    """A basic string of TOML is written as one of JSON, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
