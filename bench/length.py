"""What a hostile URL costs as it grows: each library in a process that can be killed.

It decides what counts as growing faster than the URL itself; the shapes are in hostile.py.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time

from bench.peers import Call, Calls, Peer

SHORT, LONG = 15_000, 60_000
"""The longer one is just under what a policy of ours accepts at all."""
SHORT_HOST, LONG_HOST = 16, 64
SECONDS = 2.0
"""How long one URL may take before its process is killed."""
_PATIENCE = 60.0
_ENOUGH = 0.1
"""Calls that took this long together need no further repeats."""
_TRIES, _STEP, _WORTH_REPEATING = 9, 20, 1_000

FASTER_THAN_LINEAR = 8.0
"""Four times the length costs four times the time where cost is linear, sixteen where it is
quadratic."""
NOTICEABLE = 0.005


@dataclass(frozen=True)
class Growth:
    """Seconds at a length and at four times that length; None where the time was up."""

    shape: str
    short: float | None
    long: float | None
    raised: str = ""

    @property
    def ratio(self) -> float:
        return self.long / self.short if self.long and self.short else float("inf")

    @property
    def hostile(self) -> bool:
        if self.short is None or self.long is None:
            return True
        return self.ratio > FASTER_THAN_LINEAR and self.long > NOTICEABLE


class _Child:
    """One library in a process of its own, which is killed when it takes too long."""

    def __init__(self, peer: Peer) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_answer, args=(peer, theirs), daemon=True)
        self._process.start()
        theirs.close()
        if not self._pipe.poll(_PATIENCE) or self._pipe.recv() != "ready":
            raise RuntimeError(f"{peer.name} did not start")

    def cost(self, urls: list[str], seconds: float) -> tuple[float, str] | None:
        self._pipe.send(urls)
        return self._pipe.recv() if self._pipe.poll(seconds) else None

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _answer(peer: Peer, pipe: Connection) -> None:
    calls = peer.connect()
    gc.disable()
    pipe.send("ready")
    while True:
        pipe.send(_cost(calls.form, pipe.recv(), calls))


def _cost(call: Call, urls: list[str], calls: Calls) -> tuple[float, str]:
    """The best of a few tries. A refusal is an answer; any other exception is named."""
    best, spent, raised = float("inf"), 0.0, ""
    gc.collect()
    for url in urls:
        begin = process_time()
        try:
            call(url)
        except Exception as error:
            if not isinstance(error, calls.refusals):
                raised = type(error).__name__
        took = process_time() - begin
        best, spent = min(best, took), spent + took
        if spent > _ENOUGH:
            break
    return best, raised


def _tries(shape: Callable[[int], str], length: int) -> list[str]:
    """A long URL is tried at lengths that hardly differ, so that no cache knows it already."""
    if length < _WORTH_REPEATING:
        return [shape(length)]
    return [shape(length - _STEP * i) for i in range(_TRIES)]


def growth(
    peer: Peer,
    shapes: Mapping[str, Callable[[int], str]],
    lengths: tuple[int, int] = (SHORT, LONG),
    seconds: float = SECONDS,
) -> list[Growth]:
    child = _Child(peer)
    found = []
    for name, shape in shapes.items():
        answers = []
        for length in lengths:
            answer = child.cost(_tries(shape, length), seconds)
            if answer is None:
                child.kill()
                child = _Child(peer)
                break
            answers.append(answer)
        times = [took for took, _ in answers] + [None, None]
        raised = next((error for _, error in answers if error), "")
        found.append(Growth(name, times[0], times[1], raised))
    child.kill()
    return found
