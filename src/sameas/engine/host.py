"""The host: with or without `www.`, or in the form a map gives it (C18, C19).

Which hosts are public suffixes is the table's business.
"""

from __future__ import annotations

from collections.abc import Mapping

from sameas.engine.parts import Operation, Parts
from sameas.plan.suffixes import is_public_suffix


def drop_www() -> Operation:
    def run(u: Parts) -> None:
        if u.host.startswith("www."):
            bare = without_www(u.host)
            if u.why is not None:
                u.why.append(
                    f"www. goes and {bare} is left"
                    if bare != u.host
                    else f"www. stays: without it {u.host} would be a public suffix or nothing"
                )
            u.host = bare

    return run


def without_www(host: str) -> str:
    """Every leading `www.` gone, but for those without which a public suffix would be left."""
    start = 0
    while host.startswith("www.", start):
        start += 4
    while start and (start == len(host) or is_public_suffix(host[start:])):
        start -= 4
    return host[start:]


def mapped(domains: Mapping[str, str]) -> Operation:
    def run(u: Parts) -> None:
        if u.port:
            return
        bare = u.host[4:] if u.host.startswith("www.") else u.host
        form = domains.get(bare)
        if form is not None and form != u.host:
            if u.why is not None:
                u.why.append(f"the domain map gives {bare} the form {form}")
            u.host = form

    return run
