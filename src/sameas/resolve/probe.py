"""Asking what a chain wants to know, one exchange at a time, through the guarded client.

What is asked, and what an answer means, is the chain's business; here are the I/O and the clock.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sameas.engine.parse import read
from sameas.errors import InvalidURL, NetError, SettingError
from sameas.policy import Policy
from sameas.resolve import address, page
from sameas.resolve.allowlist import Allowlist
from sameas.resolve.answer import Answer, Ask, answered, unanswered
from sameas.resolve.chain import Around, Chain, Known
from sameas.resolve.facts import DomainFact, Facts
from sameas.resolve.outcome import refused, resolution
from sameas.resolve.types import Resolution
from sameas.types import Canonical

if TYPE_CHECKING:
    from sameas.net.client import Client

KEPT_FOR = timedelta(days=30)
"""How long what was found out about a domain is believed; what a person decided does not age."""
_SHARED = 4096


class Resolver:
    """Resolves links, many at once. Answers that many links need are asked for once."""

    def __init__(
        self,
        client: Client,
        policy: Policy,
        facts: Facts,
        allow: Allowlist | None,
        now: Callable[[], datetime],
    ) -> None:
        """`allow` None sets no limit; a policy's own list is `Allowlist(policy.allow)`."""
        if not address.is_web(policy.canonicalize("https://example.com/a").url):
            reason = "gives texts to compare, and no addresses that can be asked"
            raise SettingError(f"the policy {policy.name}", reason, "an example that does: clara")
        self._client, self._policy, self._facts, self._now = client, policy, facts, now
        self._shared: OrderedDict[Ask, asyncio.Task[Answer]] = OrderedDict()
        self._around = Around(policy, allow, self._known, secrets.token_hex(8))

    async def resolve(self, url: str | bytes) -> Resolution:
        try:
            return await self._resolved(url, self._policy.canonicalize(url))
        except InvalidURL as error:
            return refused(url, error)

    async def _resolved(self, url: str | bytes, given: Canonical) -> Resolution:
        keep_slash = self._facts.keeps_slash(given.key)
        chain = Chain(given, self._spellings(url, given, keep_slash), keep_slash, self._around)
        began = self._now()
        while chain.ask is not None:
            chain.answered(await self._answer(chain.ask, began))
        self._learn(chain)
        return resolution(url, given, chain)

    def _spellings(self, url: str | bytes, given: Canonical, keep_slash: bool) -> list[str]:
        """The policy's spelling, but with the slash as it was given: whether that may go is asked.
        Behind it come those to be tried where nothing is there."""
        canonical = address.normal(given.url)
        original = address.normal(read(url))
        host = address.host(canonical)
        known = self._known(address.bare(host))
        scheme = "http" if known.https is False else "https"
        plain = first = address.normal(address.with_scheme(canonical, scheme))
        ends_with_slash = address.ends_with_slash(original)
        if keep_slash or (ends_with_slash and address.same_path(original, canonical)):
            first = address.slashed(plain)
        hosts = [known.form or host, host]
        if address.bare(address.host(original)) == address.bare(host):
            hosts.append(address.host(original))
        found = [
            one if name == host else address.with_host(one, name)
            for name in dict.fromkeys(hosts)
            for one in (first, plain)
        ]
        return list(dict.fromkeys(found))

    def _known(self, bare: str) -> Known:
        fact = self._facts.domain(bare)
        if fact is None or not (fact.decided or self._now() - fact.checked_at < KEPT_FOR):
            return Known()
        return Known(fact.www_form, fact.https)

    def _learn(self, chain: Chain) -> None:
        """What the chain found out about hosts, dated."""
        learned = {bare: Known(form) for bare, form in chain.forms.items() if form}
        if "http_only" in chain.flags:
            for host in chain.no_https:
                bare = address.bare(host)
                learned[bare] = replace(learned.get(bare, self._known(bare)), https=False)
        for bare, found in learned.items():
            https = self._known(bare).https if found.https is None else found.https
            self._facts.save_domain(DomainFact(bare, found.form, https, self._now()))

    async def _answer(self, ask: Ask, began: datetime) -> Answer:
        if not ask.shared:
            return await self._exchange(ask, began)
        answer = await self._once(ask, began)
        return replace(answer, at=(self._now() - began).total_seconds())

    async def _once(self, ask: Ask, began: datetime) -> Answer:
        task = self._shared.get(ask)
        if task is None:
            task = self._shared[ask] = asyncio.ensure_future(self._kept(ask, began))
            if len(self._shared) > _SHARED:
                self._shared.popitem(last=False)
        return task.result() if task.done() else await asyncio.shield(task)

    async def _kept(self, ask: Ask, began: datetime) -> Answer:
        """What is compared with many pages is kept, its text is not."""
        answer = await self._exchange(ask, began)
        return replace(answer, page=answer.page.without_text()) if answer.page else answer

    async def _exchange(self, ask: Ask, began: datetime) -> Answer:
        try:
            reply = await self._client.ask(ask.url, method=ask.method, first=page.READ)
        except NetError as error:
            return unanswered(ask, error, (self._now() - began).total_seconds())
        return answered(ask, reply, (self._now() - began).total_seconds())
