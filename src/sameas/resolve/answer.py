"""One answer as the chain reads it: made of a reply, or of the reason why there was none.

It names what was received and weighs nothing.
"""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from typing import NamedTuple

from sameas.engine.parse import PERCENT
from sameas.errors import NetError
from sameas.net.reply import REDIRECTS, Method, Reply
from sameas.resolve import address, page
from sameas.resolve.link_header import Link, links
from sameas.resolve.page import Page

_HTML = frozenset({"text/html", "application/xhtml+xml"})

FAILURES = {
    "dns": "nameless",
    "tls": "insecure",
    "timeout": "silent",
    "connection": "unreached",
    "protocol": "hung_up",
    "headers_too_large": "hung_up",
    "encoding": "hung_up",
    "private_address": "forbidden",
    "port": "forbidden",
    "scheme": "forbidden",
    "url": "forbidden",
}
"""What no answer comes down to, by the code of the error."""


class Ask(NamedTuple):
    """One question. A `shared` one has the same answer for every link of a run."""

    method: Method
    url: str
    shared: bool = False


@dataclass(frozen=True)
class Answer:
    method: Method
    url: str
    """That was asked."""
    status: int | None
    failure: str = ""
    """One of the values of `FAILURES`, or `nameless_now`, where there is no status."""
    reason: str = ""
    location: str = ""
    """Where a redirect leads, absolute; empty where it does not say."""
    cookie: bool = False
    media: str = ""
    links: tuple[Link, ...] = ()
    page: Page | None = None
    at: float = 0.0

    @property
    def is_redirect(self) -> bool:
        return self.status in REDIRECTS

    @property
    def is_good(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_html(self) -> bool:
        return self.media in _HTML


def answered(ask: Ask, reply: Reply, at: float) -> Answer:
    headers, status = reply.headers, reply.status
    content_type = headers.get("content-type", "")
    media = content_type.partition(";")[0].strip().lower()
    location = read = None
    if status in REDIRECTS:
        location = address.joined(ask.url, _text(headers.get("location", "")))
    elif ask.method == "GET" and 200 <= status < 300 and (media in _HTML or not media):
        read = page.read(reply.body, content_type, ask.url)
    return Answer(
        ask.method,
        ask.url,
        status,
        location=location or "",
        cookie="set-cookie" in headers,
        media=media,
        links=links(map(_text, reply.all("link"))) if "link" in headers else (),
        page=read,
        at=at,
    )


def _text(value: str) -> str:
    """Of a header's bytes: addresses are UTF-8, and a byte that is none goes back as it came."""
    return value.encode("latin-1").decode("utf-8", PERCENT)


def unanswered(ask: Ask, error: NetError, at: float) -> Answer:
    failure = FAILURES[error.code]
    cause = error.__cause__
    if failure == "nameless" and isinstance(cause, socket.gaierror):
        if cause.errno not in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None)):
            failure = "nameless_now"
    elif failure == "unreached" and not _was_never_there(cause):
        failure = "hung_up"
    return Answer(ask.method, ask.url, None, failure, error.message, at=at)


_NEVER_THERE = {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT}


def _was_never_there(cause: BaseException | None) -> bool:
    """Nobody took the connection; else it was taken, and ended without an answer."""
    return isinstance(cause, OSError) and cause.errno in _NEVER_THERE
