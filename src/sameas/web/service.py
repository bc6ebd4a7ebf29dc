"""What every route shares: the policies that are served, the store, the threads beside the loop.

What is done with them is each route's business.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from sameas.errors import PolicyError
from sameas.plan import document
from sameas.policy import Policy
from sameas.web.metrics import Metrics
from sameas.web.problem import Problem
from sameas.web.session import Sessions
from sameas.web.settings import Settings

if TYPE_CHECKING:
    from sameas.store.sql import SqlStore

_NAME = re.compile(r"[a-z0-9][a-z0-9_\-]{0,60}(@[A-Za-z0-9._\-]{1,20})?")
_THREADS, _AT_WORK = 8, 2
Given = TypeVar("Given")


class Service:
    def __init__(self, settings: Settings, store: SqlStore) -> None:
        self.settings, self.store = settings, store
        self.metrics = Metrics()
        self.sessions = Sessions(settings.token)
        self.answering = Lock()
        """Held while a decision is written: an overrides file has one writer."""
        self._own = {policy.name: policy for policy in settings.policies}
        self._loaded: dict[str, Policy] = {}
        self._threads = ThreadPoolExecutor(_THREADS, "sameas-store")
        self._work = ThreadPoolExecutor(_AT_WORK, "sameas-work")

    def policy(self, name: str, status: int = 422) -> Policy:
        """One that is served. A name from outside is never taken for a file."""
        if name in self._own:
            return self._own[name]
        if name not in self._loaded:
            if not _NAME.fullmatch(name) or name.partition("@")[0] not in document.builtin_names():
                raise self._no_policy(status)
            try:
                self._loaded[name] = Policy.load(name)
            except PolicyError:
                raise self._no_policy(status) from None
        return self._loaded[name]

    def _no_policy(self, status: int) -> Problem:
        hint = f"served are {', '.join(self.policy_names())}"
        return Problem(status, "no policy of this name is served", "policy", hint)

    def policy_names(self) -> list[str]:
        return sorted({*document.builtin_names(), *self._own})

    async def ask_store(self, work: Callable[..., Given], *args: Any) -> Given:
        """What waits for the store, beside the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def do(self, work: Callable[..., Given], *args: Any) -> Given:
        """What takes the processor for long: two at a time, the others wait their turn."""
        return await asyncio.get_running_loop().run_in_executor(self._work, work, *args)

    def close(self) -> None:
        self._threads.shutdown()
        self._work.shutdown()
        self.store.close()
