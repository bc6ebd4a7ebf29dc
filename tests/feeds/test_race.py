"""Two processes on one store, held at a barrier until both are about to write the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from sameas.store.opening import open_store
from tests.feeds.documents import FEED, NOW, OTHER_FEED, POLICY
from tests.feeds.racer import ENTRIES

ROUNDS = 8


class Racer:
    def __init__(self, target: str, feed: str, where: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.feeds.racer", target, feed, where, str(ROUNDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env=os.environ | {"PYTHONPATH": os.getcwd()},
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said, "it has ended too early"
        return said

    def ended(self) -> int:
        self.process.communicate()
        return self.process.returncode

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")


def _raced(target: str, feeds: tuple[str, str], where: str) -> list[list[dict[str, int]]]:
    """What each of the two counted, round by round."""
    store = open_store(target)
    with store.writing() as writing:
        # Else the first of two who wait would keep the second from coming so far.
        writing.stamp("feed@1", POLICY.fingerprint, NOW)
    store.close()
    racers = [Racer(target, feed, where) for feed in feeds]
    rounds = []
    try:
        for _ in range(ROUNDS):
            assert [racer.line() for racer in racers] == ["ready\n"] * 2
            for racer in racers:
                racer.go()
            rounds.append([json.loads(racer.line()) for racer in racers])
    finally:
        # A racer that still waits reads the end of its input, and goes on to its own end.
        assert [racer.ended() for racer in racers] == [0, 0]
    return rounds


def _check(target: str, rounds: list[list[dict[str, int]]], sources: int) -> None:
    for counts in rounds:
        assert sum(one["new"] for one in counts) == ENTRIES
        assert sum(one["duplicates"] for one in counts) == ENTRIES
        assert sum(one["updated"] + one["conflicts"] for one in counts) == 0
    store = open_store(target)
    assert store.info().rows["entries"] == ROUNDS * ENTRIES
    assert store.info().rows["entry_sources"] == ROUNDS * ENTRIES * sources
    links = [entry.canonical_url for entry in store.entries()]
    assert len(set(links)) == len(links)
    store.close()


def test_two_processes_that_read_one_feed_bring_each_entry_once(target: str):
    _check(target, _raced(target, (FEED, FEED), "begin"), sources=1)


def test_two_processes_that_read_two_feeds_bring_a_shared_entry_once(target: str):
    _check(target, _raced(target, (FEED, OTHER_FEED), "begin"), sources=2)


def test_in_a_server_both_have_read_that_it_is_new_and_one_loses(postgres: Callable[[], str]):
    """A file lets nobody read who is going to write while another one does; a server does."""
    target = postgres()
    rounds = _raced(target, (FEED, OTHER_FEED), "known")
    _check(target, rounds, sources=2)
    assert all({one["new"] for one in counts} == {0, ENTRIES} for counts in rounds)


@pytest.mark.parametrize("feeds", [(FEED, FEED), (FEED, OTHER_FEED)])
def test_feeds_that_two_processes_add_at_once_are_added_once(target: str, feeds: tuple[str, str]):
    _raced(target, feeds, "begin")
    store = open_store(target)
    assert sorted(feed.feed_url for feed in store.feeds()) == sorted(set(feeds))
    store.close()
