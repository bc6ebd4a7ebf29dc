"""The gate every request passes: who asks, for whom, how much, how long and how often.

It knows no route. What it lets in is numbered, measured and logged; each answer gets its headers.
"""

from __future__ import annotations

import asyncio
import secrets
from time import perf_counter
from typing import Any
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sameas.web import entrance
from sameas.web.buckets import Buckets
from sameas.web.logs import logger
from sameas.web.metrics import Metrics
from sameas.web.problem import Problem, answer, of_error, wants_page
from sameas.web.session import Sessions, cookies_of
from sameas.web.settings import Settings

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_OPEN = frozenset({"/healthz", "/login"})
_STORED = b"cache-control"
_BURST = 10
_GUESSES, _GUESSES_A_SECOND = 10, 1 / 6


class Gate:
    def __init__(
        self, app: ASGIApp, settings: Settings, sessions: Sessions, metrics: Metrics
    ) -> None:
        self._app, self._settings, self._limits = app, settings, settings.limits
        self._sessions, self._metrics = sessions, metrics
        self._log = logger()
        self._rate = Buckets(self._limits.rate, self._limits.rate * _BURST)
        self._guesses = Buckets(_GUESSES_A_SECOND, _GUESSES)
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        passage = _Passage(scope, receive, send, self._settings, secrets.token_hex(8))
        began = perf_counter()
        self._under_way += 1
        self._metrics.under_way.set(self._under_way)
        try:
            await self._passed(scope, passage)
        finally:
            self._under_way -= 1
            self._metrics.under_way.set(self._under_way)
            self._note(scope, passage, perf_counter() - began)

    async def _passed(self, scope: Scope, passage: _Passage) -> None:
        refused: Response | None = None
        try:
            refused = self._refused(scope)
            if refused is None:
                async with asyncio.timeout(None if passage.streams else self._limits.seconds):
                    await self._app(scope, passage.receive, passage.send)
        except TimeoutError:
            said = f"it took longer than {self._limits.seconds:g} seconds"
            refused = answer(Problem(503, said, "too_slow"), scope)
        except Problem as problem:
            refused = answer(problem, scope)
        except Exception as error:
            self._log.error("fault", id=passage.number, exc_info=error)
            refused = answer(of_error(error), scope)
        if refused is None or passage.is_answered:
            return
        if passage.status:
            raise _Broken  # half an answer cannot be taken back: the connection ends
        await passage.close_after(refused)

    def _refused(self, scope: Scope) -> Response | None:
        who = scope["client"][0] if scope["client"] else ""
        entrance.check_host(scope, self._settings.names)
        if self._under_way > self._limits.at_once:
            raise Problem(503, "too much is under way; try again", "busy").with_headers(
                {"Retry-After": "1"}
            )
        if wait := self._rate.wait(who):
            raise _slow_down("more requests than this service takes from one address", wait)
        self._rate.take(who)
        entrance.check_origin(scope)
        entrance.check_body(scope, self._limits.body_bytes)
        return self._stranger(scope, who)

    def _stranger(self, scope: Scope, who: str) -> Response | None:
        """The answer to whoever has not shown the token where one is wanted."""
        path = scope["path"]
        if not self._sessions.wanted or path in _OPEN or path.startswith("/static/"):
            return None
        given = entrance.bearer(scope)
        if given is None and self._sessions.is_signed_in(cookies_of(scope)):
            return None
        if given is not None:
            self.check_guess(who)
            if self._sessions.is_token(given):
                return None
            self._guesses.take(who)
        if given is None and scope["method"] == "GET" and wants_page(scope):
            query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
            return RedirectResponse(f"/login?next={quote(path + query, safe='')}", 303)
        said = "that is not the token" if given is not None else "a token is needed"
        raise Problem(401, said, "token").with_headers({"WWW-Authenticate": "Bearer"})

    def check_guess(self, who: str) -> None:
        """Whoever guessed wrong too often is not even listened to."""
        if wait := self._guesses.wait(who):
            raise _slow_down("too many wrong tokens from this address", wait)

    def guessed_wrong(self, who: str) -> None:
        self._guesses.take(who)

    def _note(self, scope: Scope, passage: _Passage, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        status = passage.status or 499
        self._metrics.request(route, scope["method"], status, seconds)
        self._log.info(
            "request",
            id=passage.number,
            method=scope["method"],
            path=scope["path"],
            status=status,
            seconds=round(seconds, 6),
            client=scope["client"][0] if scope["client"] else "",
        )


class _Broken(Exception):
    """An answer that cannot be finished."""


class _Passage:
    """One request on its way: its body counted and timed, its answer with our headers."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, settings: Settings, number: str
    ) -> None:
        self._receive, self._send, self._limits = receive, send, settings.limits
        self.number, self.status, self._size = number, 0, 0
        self._closes = False
        """Where a body is not read to its end, no further request can be told from it."""
        self.is_answered = False
        self._private = not scope["path"].startswith("/static/")
        self.streams = entrance.streams(scope)
        self._whole = False
        self._until = 0.0

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()  # only that the other side has left can still come
        loop = asyncio.get_running_loop()
        self._until = self._until or loop.time() + self._limits.body_seconds
        end = loop.time() + self._limits.pause_seconds
        try:
            async with asyncio.timeout_at(end if self.streams else min(end, self._until)):
                message = await self._receive()
        except TimeoutError:
            self._closes = True
            raise Problem(408, "the body came too slowly", "too_slow") from None
        self._whole = not message.get("more_body", False)
        self._size += len(message.get("body", b""))
        if self._size > self._limits.body_bytes and not self.streams:
            self._closes = True
            raise entrance.too_large(self._limits.body_bytes)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message = {**message, "headers": [*message["headers"], *self._more(message)]}
        async with asyncio.timeout(self._limits.pause_seconds):
            await self._send(message)
        if message["type"] == "http.response.body":
            self.is_answered = not message.get("more_body", False)

    def _more(self, message: Message) -> list[tuple[bytes, bytes]]:
        more = [*_HEADERS, (b"x-request-id", self.number.encode())]
        if self._private and all(name != _STORED for name, _ in message["headers"]):
            more.append((_STORED, b"no-store"))
        return [*more, (b"connection", b"close")] if self._closes else more

    async def close_after(self, response: Response) -> None:
        self._closes = not self._whole
        scope: dict[str, Any] = {"type": "http", "method": "GET", "headers": []}
        await response(scope, self._receive, self.send)


def _slow_down(said: str, wait: int) -> Problem:
    return Problem(429, said, "too_often").with_headers({"Retry-After": str(wait)})
