"""A batch is read where it lies, worked on beside Python, and the same on any number of threads."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa
import pytest

from sameas.adapters import arrow
from tests.adapters.columns import ROWS, one_by_one
from tests.adapters.engines import each_engine, policy
from tests.native.wheel import needed

KNOWN = [*ROWS, *(f"http://h/{i}?utm_id={i}" for i in range(100))]
CHOSEN = random.Random(6).choices(range(len(KNOWN)), k=20_000)
MANY = [KNOWN[row] for row in CHOSEN]
"""More rows than a thread takes at a time, of all sorts."""


@each_engine
def test_any_number_of_threads_gives_the_same(engine: str) -> None:
    rows = pa.array(MANY)
    expected = one_by_one(policy("python"), KNOWN)
    first = arrow.canonicalize(rows, policy(engine), threads=1)
    assert first.to_pylist() == [expected[row] for row in CHOSEN]
    for threads in (2, 3, 8, None):
        assert arrow.canonicalize(rows, policy(engine), threads=threads).equals(first)
        assert arrow.key(rows, policy(engine), threads=threads).equals(first.flatten()[2])


@contextmanager
def counting() -> Iterator[Callable[[], int]]:
    """A thread of Python that counts while it may. Nobody takes the interpreter from anybody here:
    it moves on only when it is given away."""
    count, stop, before = 0, threading.Event(), sys.getswitchinterval()

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)

    thread = threading.Thread(target=work)
    sys.setswitchinterval(1000)
    thread.start()
    try:
        yield lambda: count
    finally:
        stop.set()
        sys.setswitchinterval(before)
        thread.join()


def moved_on(work: Callable[[], object]) -> bool:
    """Whether Python did something else while this was at work; it has some tries."""
    with counting() as count:
        for _ in range(20):
            before = count()
            work()
            if count() > before:
                return True
    return False


@needed
def test_python_goes_on_while_a_batch_is_at_work() -> None:
    rows, chosen = pa.array(MANY * 5), policy("native")
    assert chosen.compiled is not None
    capsules, urls = rows.__arrow_c_array__(), [url or "" for url in MANY]
    assert moved_on(lambda: chosen.compiled.column(capsules, "key", True, 1))
    assert moved_on(lambda: chosen.compiled.many(urls, 1))
    assert not moved_on(lambda: sum(range(100_000)))


@needed
def test_what_comes_out_lies_where_it_was_written() -> None:
    rows = pa.array([f"http://h/{i}" for i in range(10_000)])
    for answer in (arrow.key, arrow.url, arrow.canonicalize):
        before = pa.total_allocated_bytes()
        found = answer(rows, policy("native"))
        assert (len(found), pa.total_allocated_bytes()) == (10_000, before)


PEAK = """
import resource, sys
import pyarrow as pa
from sameas import Policy
from sameas.adapters import arrow

chosen = Policy.load(engine="native")
row = b"http://h/a?utm_source=" + b"x" * 60_000
rows = 3000
offsets = pa.array(range(0, (rows + 1) * len(row), len(row)), pa.int64()).buffers()[1]
kind = {"text": pa.large_string(), "bytes": pa.large_binary()}[sys.argv[1].split()[0]]
column = pa.Array.from_buffers(kind, rows, [None, offsets, pa.py_buffer(row * rows)])
if sys.argv[1] == "text as views":
    column = column.cast(pa.string_view())
arrow.url(column[:10], chosen)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert set(arrow.url(column[1:-1], chosen).to_pylist()) == {"http://h/a"}
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@needed
@pytest.mark.parametrize("kind", ["text", "bytes", "text as views"])
def test_a_column_of_180_megabytes_is_nowhere_copied(kind: str) -> None:
    command = [sys.executable, "-c", PEAK, kind]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 60
