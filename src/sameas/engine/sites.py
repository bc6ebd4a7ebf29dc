"""Which site rules hold for a host and a path (C13, C15, C24). What they do is the operations'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sameas.engine.names import Names
from sameas.plan.suffixes import is_public_suffix

_NAME_AND_SUFFIX = 6
"""Labels from the right that `name.*` may need: the name and the longest suffix there is."""
_LONGEST_REMEMBERED = 255


@dataclass(frozen=True)
class Site:
    """One `[[site]]` table, compiled for one of its hosts."""

    name: str
    path: str
    drop: Names
    keep: Names
    path_drop: tuple[str, ...]
    target: tuple[str, ...]
    target_path: str
    target_scheme: str


class Sites:
    """All site tables of a policy, found by host: the host itself, then its parents."""

    def __init__(self, tables: Sequence[Mapping[str, Any]]) -> None:
        self._by_host: dict[str, list[Site]] = {}
        self._by_name: dict[str, list[Site]] = {}
        for table in tables:
            for host in table["host"]:
                site = Site(
                    name=host,
                    path=table.get("path", ""),
                    drop=Names(table.get("drop", ())),
                    keep=Names(table.get("keep", ())),
                    path_drop=tuple(table.get("path_drop", ())),
                    target=tuple(table.get("target", ())),
                    target_path=table.get("target_path", ""),
                    target_scheme=table.get("target_scheme", ""),
                )
                if host.endswith(".*"):
                    self._by_name.setdefault(host[:-2], []).append(site)
                else:
                    self._by_host.setdefault(host, []).append(site)
        self._telling = {max(host.split("."), key=len) for host in self._by_host}
        self._telling.update(self._by_name)
        named = max((host.count(".") + 1 for host in self._by_host), default=0)
        self._deepest = max(named, _NAME_AND_SUFFIX)
        self._remembered = lru_cache(maxsize=4096)(self._find)

    def of(self, host: str, path: str) -> Sequence[Site]:
        """The sites a URL falls under, the most specific host first."""
        find = self._remembered if len(host) <= _LONGEST_REMEMBERED else self._find
        found = find(host)
        return [site for site in found if path.startswith(site.path)] if found else found

    def _find(self, host: str) -> list[Site]:
        labels = host.split(".")
        if self._telling.isdisjoint(labels):
            return []
        found: list[Site] = []
        if len(labels) > self._deepest:
            labels = labels[-self._deepest :]
            host = ".".join(labels)
        start = 0
        for label in labels:
            parent = host[start:]
            start += len(label) + 1
            if parent in self._by_host:
                found += self._by_host[parent]
            suffix = host[start:]
            if suffix and label in self._by_name and is_public_suffix(suffix):
                found += self._by_name[label]
        return found
