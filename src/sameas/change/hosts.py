"""What may go on one host: parameters, pieces of a path, index pages, trailing slashes. Pure.

A rule is proposed where fetches speak for it and no strong counter-example speaks against it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sameas.change.evidence import Evidence, Seen, judged
from sameas.change.telling import Fetch, telling

PARAMETER, FIRST, PIECE = "parameter", "first_piece", "path_piece"
INDEX, SLASH, ALIAS = "index_page", "trailing_slash", "host_alias"

_INDEX = re.compile(r"(?:index|default|home)\.[a-z]{3,5}", re.I)
_MOST_PIECES = 20
_LEAST_PATHS = 4
_NO_NAME = frozenset("{}&=#*")


@dataclass(frozen=True)
class Learned:
    """A rule for a host, and what speaks for it. `name` is the parameter, the piece, the page's
    name or the other host; "" for a slash."""

    kind: str
    host: str
    name: str
    evidence: Evidence


@dataclass(frozen=True)
class Host:
    """All that was found out about one host."""

    rules: list[Learned]
    rejected: list[Learned]
    """What a strong counter-example spoke against, or more fetches than for it."""

    def dropped(self) -> frozenset[str]:
        return frozenset(rule.name for rule in self.rules if rule.kind == PARAMETER)


Variant = Callable[[str], tuple[str, Hashable]]
"""A path as a rule leaves it, and which variant of that it was."""


def learned(host: str, fetches: Sequence[Fetch]) -> Host:
    kept: list[Learned] = []
    rejected: list[Learned] = []
    for rule in _parameters(host, fetches):
        (kept if rule.evidence.convinces else rejected).append(rule)
    dropped = frozenset(rule.name for rule in kept)
    taken: list[Variant] = []
    for kind, name, variant in _transforms(fetches):
        rule = Learned(kind, host, name, _of_paths(fetches, dropped, [*taken, variant]))
        if rule.evidence.convinces:
            kept.append(rule)
            taken.append(variant)
        else:
            rejected.append(rule)
    return Host(kept, [rule for rule in rejected if rule.evidence.speaks_against])


def key(fetch: Fetch, dropped: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in fetch.query.items() if pair[0] not in dropped)


def _parameters(host: str, fetches: Sequence[Fetch]) -> Iterator[Learned]:
    kept = telling(fetches)
    classes: dict[Hashable, list[Fetch]] = defaultdict(list)
    for fetch in fetches:
        classes[fetch.path, tuple(map(fetch.query.get, kept))].append(fetch)
    several = [group for group in classes.values() if len(group) > 1]
    for name in sorted({name for fetch in fetches for name in fetch.query}):
        if name in kept or _NO_NAME.intersection(name) or not name:
            continue
        yield Learned(PARAMETER, host, name, judged(_by_value(several, name)))


def _by_value(classes: Sequence[Sequence[Fetch]], name: str) -> Iterator[list[Seen]]:
    for group in classes:
        yield [Seen(one.query.get(name), one.content, one.row, one.url) for one in group]


def _of_paths(
    fetches: Sequence[Fetch], dropped: frozenset[str], variants: Sequence[Variant]
) -> Evidence:
    """What the last of these transforms does, after the others."""
    classes: dict[Hashable, list[Seen]] = defaultdict(list)
    for fetch in fetches:
        path: str = fetch.path
        which: Hashable = None
        for variant in variants:
            path, which = variant(path)
        seen = Seen(which, fetch.content, fetch.row, fetch.url)
        classes[path, key(fetch, dropped)].append(seen)
    return judged(classes.values())


def _transforms(fetches: Sequence[Fetch]) -> Iterator[tuple[str, str, Variant]]:
    """What could be done to the paths of a host, the plainest first."""
    paths = {fetch.path for fetch in fetches}
    counts: Mapping[str, Counter[str]] = {kind: Counter() for kind in (FIRST, PIECE, INDEX)}
    slashes = 0
    for path in paths:
        segments = path.split("/")[1:]
        slashes += path.endswith("/") and path[:-1] in paths
        if len(segments) > 1 and "/" + "/".join(segments[1:]) in paths:
            counts[FIRST][segments[0]] += 1
        if _INDEX.fullmatch(segments[-1]):
            counts[INDEX][segments[-1].lower()] += 1
        for segment in segments:
            name, equals, _ = segment.partition("=")
            if equals and name:
                counts[PIECE][f"{name.lower()}="] += 1
    if slashes:
        yield SLASH, "", _without_slash
    makers = {FIRST: _without_first, PIECE: _without_piece, INDEX: _without_index}
    for kind in (INDEX, PIECE, FIRST):
        for name, count in sorted(counts[kind].most_common(_MOST_PIECES)):
            if name and count >= (1 if kind == INDEX else _LEAST_PATHS):
                yield kind, name, makers[kind](name)


def _without_slash(path: str) -> tuple[str, Hashable]:
    short = path.rstrip("/")
    return short or "/", len(path) - len(short)


def _without_index(name: str) -> Variant:
    def variant(path: str) -> tuple[str, Hashable]:
        folder, _, last = path.rpartition("/")
        if last.lower().startswith(name):
            return folder or "/", last
        return path.rstrip("/") or "/", ""

    return variant


def _without_piece(name: str) -> Variant:
    """As `path_drop` does it."""

    def variant(path: str) -> tuple[str, Hashable]:
        segments = path.split("/")
        kept = [one for one in segments if not one.lower().startswith(name)]
        if len(kept) == len(segments):
            return path, ""
        gone = "/".join(one for one in segments if one.lower().startswith(name))
        return "/".join(kept) or "/", gone

    return variant


def _without_first(name: str) -> Variant:
    """As a rewrite of a prefix does it."""
    start = f"/{name}/"

    def variant(path: str) -> tuple[str, Hashable]:
        if path.startswith(start):
            return path[len(start) - 1 :], name
        return path, ""

    return variant
