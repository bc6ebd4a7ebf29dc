"""Redirectors that carry their target in the open: what the target is (C24).

Whether it is followed, and how deep, is the engine's loop; nothing is fetched.
"""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from sameas.engine.parse import parse, read
from sameas.engine.parts import Parts
from sameas.engine.sites import Site, Sites
from sameas.errors import InvalidURL


def target(u: Parts, sites: Sites) -> Parts | None:
    """The parsed target, or None where there is none, or one that is no http(s) URL."""
    for site in sites.of(u.host, u.path):
        spelled = _spelled(u, site)
        if spelled is None:
            continue
        try:
            return parse(read(spelled))
        except InvalidURL:
            continue
    return None


def _spelled(u: Parts, site: Site) -> bytes | str | None:
    if site.target_path:
        if not u.path.startswith(site.target_path):
            return None
        query = f"?{'&'.join(u.query)}" if u.query else ""
        return f"{site.target_scheme}://{u.path[len(site.target_path) :]}{query}"
    for name in site.target:
        for piece in u.query:
            spelled, _, value = piece.partition("=")
            if spelled == name:
                return unquote_to_bytes(value)
    return None
