"""The path: session ids, slashes, the pieces a site tracks with (C11 to C13, C17)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sameas.engine.names import Names, name_of
from sameas.engine.parts import Operation, Parts
from sameas.engine.sites import Sites

_SLASHES = re.compile("//+")
DOT_SEGMENTS = frozenset((".", "%2e", "..", ".%2e", "%2e.", "%2e%2e"))


def drop_session(names: Sequence[str]) -> Operation:
    listed = Names(names)

    def run(u: Parts) -> None:
        if ";" not in u.path:
            return
        segments = u.path.split("/")
        for i, segment in enumerate(segments):
            if ";" in segment:
                segments[i] = _without_session(segment, listed, u.why)
        u.path = "/".join(without_dots(segments))

    return run


def _without_session(segment: str, listed: Names, why: list[str] | None) -> str:
    head, *pieces = segment.split(";")
    kept = [head]
    for piece in pieces:
        entry = listed.match(name_of(piece))
        if entry is None:
            kept.append(piece)
        elif why is not None:
            why.append(f";{piece.partition('=')[0]} is on the session list ({entry})")
    return ";".join(kept)


def without_dots(segments: list[str]) -> list[str]:
    """Dot segments resolved as the parser does, where an operation has laid them bare."""
    if not any(segment.lower() in DOT_SEGMENTS for segment in segments[1:]):
        return segments
    out: list[str] = []
    last = len(segments) - 1
    for i, segment in enumerate(segments[1:], 1):
        plain = segment.lower().replace("%2e", ".") if segment.lower() in DOT_SEGMENTS else ""
        if plain == ".." and out:
            out.pop()
        if not plain:
            out.append(segment)
        elif i == last:
            out.append("")
    return ["", *out]


def collapse() -> Operation:
    def run(u: Parts) -> None:
        if "//" in u.path:
            u.path = _SLASHES.sub("/", u.path)

    return run


def trailing_slash(root: bool) -> Operation:
    """`root`: the root's own slash goes too."""

    def run(u: Parts) -> None:
        if u.path.endswith("/"):
            u.path = u.path.rstrip("/") or ("" if root else "/")

    return run


def drop_pieces(sites: Sites) -> Operation:
    def run(u: Parts) -> None:
        for site in sites.of(u.host, u.path):
            if not site.path_drop:
                continue
            kept = [s for s in u.path.split("/") if not s.lower().startswith(site.path_drop)]
            path = "/".join(kept) or "/"
            if u.why is not None and path != u.path:
                u.why.append(f"{site.name} tracks with a path piece {' or '.join(site.path_drop)}")
            u.path = path if path[0] == "/" else "/" + path

    return run
