"""One exchange, guarded; and redirects followed one exchange at a time.

Who may be reached is `addresses`' business, when is `politeness`'; what a status means is the
asker's.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from sameas import __version__
from sameas.engine.parse import masked
from sameas.errors import Hop, MissingExtra, NetError, SettingError
from sameas.net.inflate import OFFERED, Broken, TooLarge, inflate
from sameas.net.politeness import Pace
from sameas.net.reply import REDIRECTS, Headers, Method, Reply
from sameas.net.settings import Settings

try:
    import aiohttp
except ImportError:
    raise MissingExtra("fetching", "net") from None

from sameas.net.addresses import Addresses
from sameas.net.connections import CleanRequest, Connector, torn_when_closed
from sameas.net.failure import AT_FAULT, FAILURES, told, too_large, too_many_headers
from sameas.net.target import Target, redirected, target

_KEPT_OPEN = 2.0
"""Seconds: longer than a host's spacing, too short for a thousand hosts to hold their sockets."""


_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Client:
    """To be opened with `async with`, once for a whole run: pace and connections are shared."""

    def __init__(self, settings: Settings, pace: Pace | None = None) -> None:
        self._settings = settings
        self._pace = pace or Pace(settings)
        contact = f" (+{settings.contact})" if settings.contact else ""
        self._always = {
            "User-Agent": f"sameas/{__version__}{contact}",
            "Accept-Encoding": OFFERED,
        }
        self._trusted = _trusted(settings.cafile)

    async def __aenter__(self) -> Self:
        self._addresses = Addresses(self._settings)
        connector = Connector(
            resolver=self._addresses,
            socket_factory=self._addresses.socket,
            use_dns_cache=False,
            limit=0,
            keepalive_timeout=_KEPT_OPEN,
            ssl=self._trusted,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=self._always,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._settings.seconds, sock_connect=None),
            request_class=CleanRequest,
            auto_decompress=False,
            trust_env=False,
            max_field_size=self._settings.header_bytes,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._session.close()
        await self._addresses.close()

    async def ask(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        method: Method = "GET",
        body: bool = True,
        first: int = 0,
    ) -> Reply:
        """One exchange; a redirect is an answer like any other.

        A header whose value HTTP, or aiohttp, cannot carry as it is, is left out: validators that a
        server gave come back byte for byte or not at all. Without `body` none is read. Where the
        `first` bytes of one are enough, it may be as long as it likes."""
        to = target(url, self._settings)
        return await self._exchange(to, headers, method, lambda _: body, first)

    async def follow(
        self,
        url: str,
        headers_for: Callable[[str], Mapping[str, str]] | None = None,
        method: Method = "GET",
    ) -> Reply:
        """The answer at the end of the redirects. Each hop gets the headers made for its URL, and
        nothing of what the one before it was sent or gave."""
        to = target(url, self._settings)
        hops: tuple[Hop, ...] = ()
        while True:
            headers = headers_for(to.url) if headers_for else None
            try:
                reply = await self._exchange(to, headers, method, _is_no_redirect)
                if reply.status not in REDIRECTS:
                    return replace(reply, hops=hops) if hops else reply
                hops = (*hops, Hop(to.url, reply.status, redirected(to, reply)))
                self._check(hops, to)
                to = target(hops[-1].location, self._settings)
            except NetError as error:
                raise NetError(error.code, error.url, error.message, hops) from error.__cause__

    def _check(self, hops: tuple[Hop, ...], to: Target) -> None:
        seen = {hop.url.partition("#")[0] for hop in hops}
        if hops[-1].location.partition("#")[0] in seen:
            said = f"redirects in a circle, back to {masked(hops[-1].location)} {AT_FAULT}"
            raise NetError("redirect_loop", to.shown, said)
        if len(hops) > self._settings.redirects:
            said = f"redirects once more after {self._settings.redirects} redirects {AT_FAULT}"
            raise NetError("redirect_limit", to.shown, said)

    async def _exchange(
        self,
        to: Target,
        headers: Mapping[str, str] | None,
        method: Method,
        wanted: Callable[[int], bool],
        first: int = 0,
    ) -> Reply:
        """`wanted` says by the status whether the body is read."""
        url, sent = to.sent(), _sendable(headers) if headers else None
        async with self._pace.turn(to.host, to.port):
            self._addresses.begin(to)
            try:
                async with (
                    self._session.request(
                        method, url, headers=sent, allow_redirects=False
                    ) as answer,
                ):
                    received = self._headers(answer, to)
                    body = await self._body(answer, to, first) if wanted(answer.status) else b""
            except FAILURES as error:
                raise told(error, to, self._settings) from error
        encoding = received.get("content-encoding", "")
        return Reply(to.url, answer.status, received, self._inflated(body, encoding, to, first))

    def _headers(self, answer: aiohttp.ClientResponse, to: Target) -> Headers:
        raw = answer.raw_headers
        if sum(len(name) + len(value) for name, value in raw) > self._settings.header_bytes:
            raise too_many_headers(to, self._settings)
        return Headers(raw)

    async def _body(self, answer: aiohttp.ClientResponse, to: Target, first: int) -> bytes:
        limit = first or self._settings.body_bytes
        if not first and (answer.content_length or 0) > limit and answer.method != "HEAD":
            raise too_large(to, self._settings)
        if answer.content.at_eof():
            return b""
        pieces, size = [], 0
        with torn_when_closed(answer):
            while not answer.content.at_eof():
                pieces.append(await answer.content.readany())
                size += len(pieces[-1])
                if size > limit:
                    if first:
                        break
                    raise too_large(to, self._settings)
        return b"".join(pieces)

    def _inflated(self, body: bytes, encoding: str, to: Target, first: int) -> bytes:
        try:
            inflated = inflate(body, encoding, first or self._settings.body_bytes, not first)
            return inflated[:first] if first else inflated
        except TooLarge:
            raise too_large(to, self._settings) from None
        except Broken as error:
            said = f"its body cannot be decoded: {error} (the server is at fault; try again later)"
            raise NetError("encoding", to.shown, said) from None


def _is_no_redirect(status: int) -> bool:
    return status not in REDIRECTS


def _sendable(headers: Mapping[str, str]) -> dict[str, str]:
    """aiohttp writes headers as UTF-8, so latin-1 text is read as the UTF-8 its bytes were."""
    sent = {}
    for name, value in headers.items():
        try:
            text = value if value.isascii() else value.encode("latin-1").decode("utf-8")
        except UnicodeError:
            continue
        if text.isprintable() or not _CONTROL.search(text):
            sent[name] = text
    return sent


def _trusted(cafile: str | None) -> ssl.SSLContext | bool:
    """As curl's --cacert: these authorities and no others. Without it, the system's."""
    if cafile is None:
        return True
    try:
        context = ssl.create_default_context(cafile=cafile)
    except OSError as error:
        reason = "holds no certificates" if isinstance(error, ssl.SSLError) else error.strerror
        hint = "name a file of certificates in PEM form"
        raise SettingError(f"--cacert {cafile}", f"cannot be used: {reason}", hint) from None
    context.set_alpn_protocols(["http/1.1"])
    return context
