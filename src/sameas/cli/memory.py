"""A limit on memory that the system keeps for a command: what needs more is refused, and told.

How much a command needs is its own business.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sameas.errors import SettingError


@contextmanager
def kept_within(limit: int | None) -> Iterator[None]:
    """All the data of the process, libraries included. The limit goes with the block."""
    if limit is None:
        yield
        return
    try:
        import resource
    except ImportError:
        hint = "leave it out"
        raise SettingError("--memory-limit", "this system keeps no such limit", hint) from None
    before = resource.getrlimit(resource.RLIMIT_DATA)
    least = limit if before[0] == resource.RLIM_INFINITY else min(limit, before[0])
    resource.setrlimit(resource.RLIMIT_DATA, (least, before[1]))
    try:
        yield
    except MemoryError:
        reason = "what is read next needs more"
        raise SettingError("--memory-limit", reason, "give more, or leave it out") from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
