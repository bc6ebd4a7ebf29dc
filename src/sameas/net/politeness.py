"""How often one host is asked: when the next request to it may start, and how many run at once.

It reads a clock and sleeps through what it is given. When a feed is due is for feeds to decide.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from sameas.net.settings import Settings

JITTER = 0.5
"""A gap is the spacing and up to this part of it more, so that many hosts don't beat in time."""
LONGEST = timedelta(days=365)

_SECONDS = re.compile(r"[0-9]+")


class Pace:
    """The turns of all hosts. `clock` and `sleep` tell and pass seconds, `chance` is 0 to 1."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._spacing = settings.spacing
        self._per_host = settings.per_host
        self.all = asyncio.Semaphore(settings.connections)
        self._hosts: dict[tuple[str, int], _Host] = {}
        self._clock, self._sleep, self._chance = clock, sleep, chance

    def turn(self, host: str, port: int) -> _Turn:
        """To be held, with `async with`, while one request runs."""
        at = self._hosts.get((host, port))
        if at is None:
            at = self._hosts[host, port] = _Host(self._per_host)
        return _Turn(self, at)

    async def start(self, at: _Host) -> None:
        """One after another: whoever waits for this host's next start holds nobody else's slot."""
        await at.slots.acquire()
        try:
            if not self._spacing:
                await self.all.acquire()
                return
            async with at.starting:
                wait = at.next - self._clock()
                if wait > 0:
                    await self._sleep(wait)
                await self.all.acquire()
                at.next = self._clock() + self._spacing * (1 + JITTER * self._chance())
        except BaseException:
            at.slots.release()
            raise


class _Host:
    __slots__ = ("next", "slots", "starting")

    def __init__(self, at_once: int) -> None:
        self.slots = asyncio.Semaphore(at_once)
        self.starting = asyncio.Lock()
        self.next = 0.0


class _Turn:
    __slots__ = ("_at", "_pace")

    def __init__(self, pace: Pace, at: _Host) -> None:
        self._pace, self._at = pace, at

    async def __aenter__(self) -> None:
        await self._pace.start(self._at)

    async def __aexit__(self, *_: object) -> None:
        self._pace.all.release()
        self._at.slots.release()


def retry_after(value: str, now: datetime) -> timedelta | None:
    """How long a server asks to be left alone: seconds or a date (RFC 9110, 10.2.3).

    None if it is neither; nothing for a date that is past; a year at most."""
    value = value.strip()
    if _SECONDS.fullmatch(value):
        long = len(value.lstrip("0")) > 9
        return LONGEST if long else min(timedelta(seconds=int(value)), LONGEST)
    try:
        date = parsedate_to_datetime(value)
        moment = date.replace(tzinfo=UTC) if date.tzinfo is None else date
        return min(max(moment - now, timedelta()), LONGEST)
    except (ValueError, OverflowError):
        return None
