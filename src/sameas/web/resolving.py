"""Links resolved for the API: one guarded client for all, in a loop and a thread of its own.

Facts come from the store, which may make it wait; the loop that answers requests must not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Thread
from typing import TYPE_CHECKING

from sameas.policy import Policy
from sameas.registry.facts import StoreFacts
from sameas.resolve.allowlist import Allowlist
from sameas.resolve.types import Resolution
from sameas.store.link_protocol import LinkStore
from sameas.web.settings import Settings

if TYPE_CHECKING:
    from sameas.net.client import Client


class Resolving:
    def __init__(self, settings: Settings, store: LinkStore) -> None:
        self._settings, self._facts = settings, StoreFacts(store)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="sameas-resolve", daemon=True)
        self._client: Client | None = None
        self._thread.start()

    async def over(self, urls: Sequence[str], policy: Policy) -> list[Resolution]:
        """In the order they were given."""
        working = asyncio.run_coroutine_threadsafe(self._over(urls, policy), self._loop)
        return await asyncio.wrap_future(working)

    async def _over(self, urls: Sequence[str], policy: Policy) -> list[Resolution]:
        from sameas.net.client import Client
        from sameas.resolve.probe import Resolver

        if self._client is None:
            client = Client(self._settings.net)
            self._client = await client.__aenter__()
        allow = self._settings.allow or (Allowlist(policy.allow) if policy.allow else None)
        resolver = Resolver(self._client, policy, self._facts, allow, lambda: datetime.now(UTC))
        tasks = [asyncio.ensure_future(resolver.resolve(url)) for url in urls]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        if self._client is not None:
            await self._client.__aexit__(None, None, None)
