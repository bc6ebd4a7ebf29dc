"""The links that are due, resolved: many at once, hosts in turn, each kept when it has answered.

What an answer means is the resolver's business; what is due, the check's.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from sameas.policy import Policy
from sameas.registry.ledger import Entry
from sameas.resolve.types import Resolution
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Link

_PATIENCE = 3
"""How often in a row a host may give no answer before its other links are left for another run."""

_PER_HOST = 2
_SAVED_AT_ONCE = 20


class Resolving(Protocol):
    async def resolve(self, url: str) -> Resolution: ...


@dataclass
class Asking:
    """One run's questions to the network."""

    policy: Policy
    store: LinkStore
    resolver: Resolving
    now: Callable[[], datetime]
    done: Callable[[int], object]
    asked: int = 0
    left: Counter[str] = field(default_factory=Counter)
    """Links that were left for another run, by host."""

    def __post_init__(self) -> None:
        self._silent: Counter[str] = Counter()
        self._turns: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(_PER_HOST)
        )
        self._waiting: list[Link] = []

    async def over(self, entries: Iterator[tuple[str, Entry]], at_once: int) -> None:
        """`entries` with the host of each. What was answered is kept however this ends."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(self._work(entries))
        except ExceptionGroup as several:
            raise several.exceptions[0] from None
        finally:
            self._save()

    async def _work(self, entries: Iterator[tuple[str, Entry]]) -> None:
        for host, entry in entries:
            async with self._turns[host]:
                if self._silent[host] < _PATIENCE:
                    await self._ask(host, entry)
                else:
                    self.left[host] += 1
            self.done(self.asked + self.left.total())

    async def _ask(self, host: str, entry: Entry) -> None:
        assert entry.found.value is not None
        found = await self.resolver.resolve(entry.found.value)
        self.asked += 1
        gave_none = found.status == "unknown" and (not found.chain or found.chain[-1][1] is None)
        self._silent[host] = self._silent[host] + 1 if gave_none else 0
        self._waiting.append(self._row(entry, found))
        if len(self._waiting) >= _SAVED_AT_ONCE:
            self._save()

    def _save(self) -> None:
        waiting, self._waiting = self._waiting, []
        self.store.save_links(waiting)

    def _row(self, entry: Entry, found: Resolution) -> Link:
        """Where a link led counts only if something is there."""
        assert entry.found.value is not None
        led = found.status == "ok"
        return Link(
            key=entry.key,
            url=self.policy.canonicalize(entry.found.value).url,
            status=found.status,
            checked_at=self.now(),
            final_url=found.url if led else "",
            final_key=found.key if led else "",
            flags=tuple(found.flags),
            notes=json.loads(json.dumps(dict(found.notes), default=list)),
            chain=tuple((url, status) for url, status in found.chain),
            evidence=tuple(one._asdict() for one in found.evidence),
        )
