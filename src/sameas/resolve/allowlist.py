"""Whose links may be resolved, and where they may lead: hosts, and suffixes like `*.gob.es`.

Where the entries come from, a policy or an option, is the caller's business.
"""

from __future__ import annotations

from collections.abc import Iterable

from sameas.engine.parse import parse
from sameas.errors import InvalidURL, SettingError


class Allowlist:
    """`boe.es` allows it and `www.boe.es`; `*.gob.es` every host below `gob.es`, not itself."""

    def __init__(self, entries: Iterable[str]) -> None:
        self.entries = tuple(entries)
        plain = [_checked(entry) for entry in self.entries]
        self._hosts = frozenset(host for host in plain if host[:2] != "*.")
        self._suffixes = frozenset(host[2:] for host in plain if host[:2] == "*.")

    def allows(self, host: str) -> bool:
        host = host.removesuffix(".")
        if host in self._hosts or host.removeprefix("www.") in self._hosts:
            return True
        while host:
            _, _, host = host.partition(".")
            if host in self._suffixes:
                return True
        return False


def _checked(entry: str) -> str:
    """The host as URLs have it: small letters, punycode."""
    star = entry[:2] if entry[:2] == "*." else ""
    try:
        parts = parse(f"http://{entry.strip().removeprefix(star)}/")
        bare = parts.path == "/" and not (parts.port or parts.query or parts.fragment)
        if bare and not parts.flags and "*" not in parts.host:
            return f"{star}{parts.host.removesuffix('.')}"
    except InvalidURL:
        pass
    hint = "an example: boe.es, or *.gob.es for every host below it"
    raise SettingError(f"--allow {entry}", "is no host", hint)
