"""A user's overrides: parameters and prefix rewrites for exact hosts (C14).

That rewriting ends, and that every prefix is spelled as URLs here are, was checked when the file
was loaded. A URL is rewritten as a short head and the rest of the old text, so that each rewrite
costs the length of its rule, however long the URL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sameas.engine.names import Names, name_of
from sameas.engine.parts import Operation, Parts
from sameas.engine.path import DOT_SEGMENTS

_LONGEST_DOTS = max(map(len, DOT_SEGMENTS))


class _Override:
    def __init__(self, table: Mapping[str, Any]) -> None:
        self.drop = Names(table["drop_query_params"])
        self.rules = [(rule["from_prefix"], rule["to_prefix"]) for rule in table["rewrite_rules"]]


def override(overrides: Sequence[Mapping[str, Any]]) -> Operation:
    by_host: dict[str, _Override] = {}
    for table in overrides:
        by_host.setdefault(table["match"]["host"], _Override(table))

    def run(u: Parts) -> None:
        while (found := by_host.get(u.host)) is not None:
            host = u.host
            _drop(u, found)
            if not _rewrite(u, found.rules) or u.host == host:
                return

    return run


def _drop(u: Parts, found: _Override) -> None:
    if not (found.drop and u.query):
        return
    query = []
    for piece in u.query:
        entry = found.drop.match(name_of(piece))
        if entry is None:
            query.append(piece)
        elif u.why is not None:
            u.why.append(f"{piece.partition('=')[0]} is dropped for {u.host} by the overrides")
    u.query = query


def _rewrite(u: Parts, rules: Sequence[tuple[str, str]]) -> bool:
    """Apply the rules in order, then again until none matches or another host is reached."""
    port = f":{u.port}" if u.port else ""
    text = f"{u.scheme}://{u.host}{port}{u.path}"
    head, at = "", 0
    changed, again = False, True
    while again:
        again = False
        for start, to in rules:
            if not _begins(head, text, at, start):
                continue
            if u.why is not None:
                u.why.append(f"the overrides rewrite {start} to {to}")
            at += len(start) - len(head) if len(start) > len(head) else 0
            head = to + head[len(start) :]
            head, at = _joined(head, text, at)
            changed = again = True
    if changed:
        _put(u, head + text[at:])
    return changed


def _begins(head: str, text: str, at: int, start: str) -> bool:
    if len(start) <= len(head):
        return head.startswith(start)
    return start.startswith(head) and text.startswith(start[len(head) :], at)


def _joined(head: str, text: str, at: int) -> tuple[str, int]:
    """Where head and rest meet, a slash may have doubled or a dot segment come about: resolved
    here, since nothing is parsed anew between rewrites."""
    first = head.find("/", head.find("://") + 3)
    while True:
        slash = head.rfind("/")
        end = text.find("/", at, at + _LONGEST_DOTS + 1)
        last = end < 0
        rest = text[at : at + _LONGEST_DOTS + 1] if last else text[at:end]
        segment = (head[slash + 1 :] + rest).lower()
        if slash == len(head) - 1 and text.startswith("/", at):
            at += 1
        elif segment in DOT_SEGMENTS:
            if segment.replace("%2e", ".") == "..":
                slash = max(head.rfind("/", 0, slash), first)
            head = head[: slash + 1]
            at += len(rest) + (0 if last else 1)
        else:
            break
    return head, at


def _put(u: Parts, text: str) -> None:
    u.scheme, _, rest = text.partition("://")
    authority, slash, path = rest.partition("/")
    u.path = slash + path or "/"
    if authority.endswith("]") or ":" not in authority:
        u.host, u.port = authority, ""
    else:
        u.host, _, u.port = authority.rpartition(":")
