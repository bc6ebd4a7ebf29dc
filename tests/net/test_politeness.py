"""How often a host is asked, counted on a clock of the test's own; and what Retry-After says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.errors import NetError
from sameas.net.client import Client
from sameas.net.politeness import JITTER, LONGEST, Pace, retry_after
from sameas.net.settings import Settings
from tests.net.ask import loopback
from tests.net.servers import Server, redirect, reply, routes


class Clock:
    """Time passes when somebody sleeps, and only then."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        self.slept.append(seconds)
        await asyncio.sleep(0)
        self.now = max(self.now, until)


def paced(settings: Settings, clock: Clock, chance: Callable[[], float] = lambda: 0.0) -> Pace:
    return Pace(settings, clock, clock.sleep, chance)


def starts(settings: Settings, hosts: list[tuple[str, int]], chance: float = 0.0) -> list[float]:
    """When each of these requests starts, all wanted at once."""
    clock = Clock()
    pace = paced(settings, clock, lambda: chance)

    async def one(host: str, port: int) -> float:
        async with pace.turn(host, port):
            return clock.now

    async def run() -> list[float]:
        return await asyncio.gather(*(one(*host) for host in hosts))

    return [start - 100.0 for start in asyncio.run(run())]


def test_requests_to_one_host_keep_their_distance():
    assert starts(Settings(spacing=2.0), [("a", 80)] * 4) == [0, 2, 4, 6]


def test_jitter_only_ever_adds():
    assert starts(Settings(spacing=2.0), [("a", 80)] * 3, chance=1.0) == [0, 2 + 2 * JITTER, 6]
    assert JITTER == 0.5


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_no_gap_is_shorter_than_the_spacing_or_longer_than_its_jitter(chances: list[float]):
    left = list(chances)
    clock = Clock()
    pace = paced(Settings(spacing=1.0), clock, left.pop)

    async def run() -> list[float]:
        times = []
        for _ in range(5):
            async with pace.turn("a", 80):
                times.append(clock.now)
        return times

    gaps = [later - sooner for sooner, later in pairwise(asyncio.run(run()))]
    assert all(1 <= gap <= 1 + JITTER + 1e-9 for gap in gaps)


def test_other_hosts_and_other_ports_do_not_wait():
    assert starts(Settings(spacing=9.0), [("a", 80), ("b", 80), ("a", 443)]) == [0, 0, 0]


def test_a_host_that_was_left_alone_long_enough_is_asked_at_once():
    clock = Clock()
    pace = paced(Settings(spacing=2.0), clock)

    async def run() -> None:
        async with pace.turn("a", 80):
            pass
        clock.now += 5
        async with pace.turn("a", 80):
            pass

    asyncio.run(run())
    assert clock.slept == []


def most_at_once(settings: Settings, hosts: list[str]) -> int:
    pace = paced(settings, Clock())
    running = most = 0

    async def one(host: str) -> None:
        nonlocal running, most
        async with pace.turn(host, 80):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

    async def run() -> None:
        await asyncio.gather(*map(one, hosts))

    asyncio.run(run())
    return most


def test_as_many_run_at_once_as_one_host_may_bear():
    assert most_at_once(Settings(spacing=0, per_host=3), ["a"] * 20) == 3
    assert most_at_once(Settings(spacing=0, per_host=1), ["a"] * 20) == 1
    assert most_at_once(Settings(spacing=0, per_host=3), ["a", "b"] * 10) == 6


def test_as_many_run_at_once_as_there_are_connections():
    hosts = [f"h{n}" for n in range(30)]
    assert most_at_once(Settings(spacing=0, connections=7), hosts) == 7
    assert most_at_once(Settings(spacing=0, connections=100), hosts) == 30


def test_who_waits_for_its_host_holds_no_connection():
    """One connection for all: the second request to `a` waits, and `b` goes first."""
    order: list[str] = []
    clock = Clock()
    pace = paced(Settings(spacing=5.0, connections=1), clock)

    async def one(host: str) -> None:
        async with pace.turn(host, 80):
            order.append(host)

    async def run() -> None:
        await asyncio.gather(*map(one, ["a", "a", "b"]))

    asyncio.run(run())
    assert order == ["a", "b", "a"]


def test_who_gives_up_waiting_leaves_its_place_to_others():
    pace = paced(Settings(spacing=0, per_host=1, connections=1), Clock())

    async def hold() -> None:
        async with pace.turn("a", 80):
            await asyncio.sleep(3600)

    async def run() -> None:
        tasks = [asyncio.create_task(hold()) for _ in range(3)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with pace.turn("a", 80), asyncio.timeout(1):
            pass

    asyncio.run(run())


def test_who_gives_up_on_a_free_connection_leaves_its_host_to_others():
    pace = paced(Settings(spacing=5.0, per_host=1, connections=1), Clock())

    async def want(host: str) -> str:
        async with pace.turn(host, 80):
            return host

    async def run() -> str:
        async with pace.turn("a", 80):
            waiting = asyncio.create_task(want("b"))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(5):
            return await want("b")

    assert asyncio.run(run()) == "b"


def client_run(
    settings: Settings, clock: Clock, work: Callable[[Client], Coroutine[Any, Any, None]]
) -> None:
    async def run() -> None:
        async with Client(settings, paced(settings, clock)) as client:
            await work(client)

    asyncio.run(run())


def test_each_hop_of_a_redirect_takes_its_turn():
    clock = Clock()

    async def work(client: Client) -> None:
        await client.follow(server.url("/a"))

    with Server(routes({"/a": redirect("/b"), "/b": redirect("/c"), "/c": reply()})) as server:
        client_run(loopback(spacing=3.0), clock, work)
    assert clock.slept == [3.0, 3.0]


def test_waiting_for_a_turn_does_not_count_against_the_deadline():
    """The deadline is one exchange's own; a turn here is an hour away."""
    clock = Clock()

    async def work(client: Client) -> None:
        for _ in range(2):
            await client.ask(server.url())

    with Server(reply()) as server:
        client_run(loopback(spacing=3600.0, seconds=5.0), clock, work)
        assert len(server.asked) == 2
    assert clock.slept == [3600.0]


def test_a_failure_ends_the_turn():
    async def work(client: Client) -> None:
        for _ in range(5):
            with pytest.raises(NetError):
                await client.ask("http://10.0.0.1/")

    client_run(loopback(per_host=1, connections=1), Clock(), work)


NOW = datetime(2026, 11, 19, 20, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 120 ", 120),
        ("0000120", 120),
        ("Thu, 19 Nov 2026 20:02:00 GMT", 120),
        ("Thursday, 19-Nov-26 20:02:00 GMT", 120),
        ("Thu Nov 19 20:02:00 2026", 120),
        ("Thu, 19 Nov 2026 21:02:00 +0100", 120),
        ("Thu, 19 Nov 2026 19:00:00 GMT", 0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, seconds: int):
    assert retry_after(value, NOW) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "value", ["99999999", "9" * 10, "9" * 5000, "Fri, 31 Dec 9999 23:59:59 GMT"]
)
def test_a_wait_without_end_is_a_year(value: str):
    assert retry_after(value, NOW) == LONGEST


@pytest.mark.parametrize(
    "value", ["", "soon", "-5", "1.5", "1e3", "５", "0x10", "12 0", "Thu, 99 Nov 2026 20:02:00 GMT"]
)
def test_garbage_is_no_wait(value: str):
    assert retry_after(value, NOW) is None


@given(st.text() | st.text(alphabet="0123456789 :,+-GMTuhovFriSat/\x00", max_size=40))
def test_any_text_is_a_wait_or_none(value: str):
    wait = retry_after(value, NOW)
    assert wait is None or timedelta() <= wait <= LONGEST
