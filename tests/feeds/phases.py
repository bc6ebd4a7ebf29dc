"""The phases of a sync, made visible from outside: the product knows nothing of them.

A driver is a process that runs a sync and stands still in one phase, until it is killed. It wraps
the functions that the phases consist of; `PHASES` says which. What a driver syncs is its own.
"""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

PHASES = {
    "identities": [
        "sameas.store.writing:SqlWriting.known",
        "sameas.store.writing:SqlWriting._identify",
    ],
    "entries": [
        "sameas.store.writing:SqlWriting._see",
        "sameas.store.writing:SqlWriting._rewrite",
        "sameas.store.writing:SqlWriting._insert",
    ],
    "validators": ["sameas.store.writing:SqlWriting.save_feed"],
    "commit": ["sqlalchemy.engine:RootTransaction._do_commit"],
}
"""What each phase consists of: module:object.function. A stand before the function and one behind
it are both in the phase."""

ASKING = {
    "fetch": ["sameas.feeds.fetch:headers_for", "sameas.feeds.fetch:judged"],
    "parse": ["sameas.feeds.sync:parse"],
}
"""The phases before recording, of a whole sync."""

_FOREVER = 600


@dataclass(frozen=True)
class Stand:
    """Where a driver stands still: in a phase, the n-th time it comes by."""

    phase: str
    time: int


def stand_still(stand: Stand, phases: Mapping[str, list[str]] = ASKING | PHASES) -> None:
    """For a driver: wraps the functions of the phase. When it stands, it says so."""
    left = [stand.time]

    def came_by() -> None:
        left[0] -= 1
        if left[0] == 0:
            print(stand.phase, flush=True)
            time.sleep(_FOREVER)

    for place in phases[stand.phase]:
        owner, name = _found(place)
        setattr(owner, name, _wrapped(getattr(owner, name), came_by))


def _wrapped(function: Callable[..., Any], came_by: Callable[[], None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        came_by()
        result = function(*args, **kwargs)
        came_by()
        return result

    return wrapped


def _found(place: str) -> tuple[Any, str]:
    module, _, path = place.partition(":")
    *owners, name = path.split(".")
    owner: Any = import_module(module)
    for step in owners:
        owner = getattr(owner, step)
    return owner, name


def killed(driver: str, args: Sequence[str], stand: Stand) -> str:
    """Starts a driver (`python -m driver PHASE TIME ARGS…`), kills it (-9) where it stands, and
    tells the phase that was hit; "" where the sync ended before."""
    process = subprocess.Popen(
        [sys.executable, "-m", driver, stand.phase, str(stand.time), *args],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    assert process.stdout is not None
    with process, process.stdout:
        said = process.stdout.readline().strip()
        if said:
            os.kill(process.pid, signal.SIGKILL)
        status = process.wait()
        assert status == (-signal.SIGKILL if said else 0), status
    return said
