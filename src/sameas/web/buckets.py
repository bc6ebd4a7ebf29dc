"""How often an address may come: a bucket of tokens for each, filled again as time goes by.

What is refused for want of a token is the gate's business.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic

_MOST = 10_000
"""Addresses remembered: the one not seen for longest is forgotten first."""


class Buckets:
    def __init__(self, rate: float, size: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._size, self._clock = rate, size, clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def _level(self, who: str) -> float:
        level, at = self._held.get(who, (self._size, 0.0))
        return min(self._size, level + (self._clock() - at) * self._rate)

    def wait(self, who: str) -> int:
        """Seconds until there is a token again; 0 where there is one."""
        level = self._level(who)
        return 0 if level >= 1 else max(1, ceil((1 - level) / self._rate))

    def take(self, who: str) -> None:
        self._held[who] = (max(0.0, self._level(who) - 1), self._clock())
        self._held.move_to_end(who)
        if len(self._held) > _MOST:
            self._held.popitem(last=False)
