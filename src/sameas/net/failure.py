"""What went wrong in an exchange, in our words: a stable code, the reason, what to do.

It quotes nothing that a server wrote: that may be long, binary, or meant to mislead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong

from sameas.errors import NetError
from sameas.net.addresses import NotVetted
from sameas.net.settings import Settings
from sameas.net.target import Target

FAILURES = (aiohttp.ClientError, HttpProcessingError, OSError, ValueError)
"""All that aiohttp raises while it asks and reads."""

_TLS = "(is the name right, the certificate still valid? --cacert names authorities to trust)"
AT_FAULT = "(the server is at fault; does a browser get further?)"
_LATER = "(the server is at fault; try again later)"
_WORDS: tuple[tuple[type[BaseException], str, str], ...] = (
    (aiohttp.ServerDisconnectedError, "connection", f"hung up before it answered {_LATER}"),
    (aiohttp.ClientPayloadError, "protocol", f"its body is torn {_LATER}"),
    (aiohttp.ClientSSLError, "tls", f"no secure connection could be agreed on {_TLS}"),
    (aiohttp.ClientConnectorError, "connection", "no connection"),
    (OSError, "connection", "the connection broke"),
)


def told(error: BaseException, to: Target, settings: Settings) -> NetError:
    if isinstance(error, TimeoutError):
        said = f"no whole answer within {settings.seconds:g} seconds (try again later)"
        return NetError("timeout", to.shown, said)
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        reason = getattr(error.certificate_error, "verify_message", "") or "it is for another name"
        return NetError("tls", to.shown, f"its certificate is refused: {reason} {_TLS}")
    causes = list(_causes(error))
    if any(isinstance(cause, NotVetted) for cause in causes):
        said = "it was led to an address that was not checked"
        return NetError("private_address", to.shown, said)
    if any(isinstance(c, LineTooLong) or "Too many headers" in str(c) for c in causes):
        return too_many_headers(to, settings)
    for kind, code, words in _WORDS:
        if isinstance(error, kind):
            number = getattr(error, "errno", None) if code == "connection" else None
            reason = f": {os.strerror(number)} (is the server up?)" if number else ""
            return NetError(code, to.shown, f"{words}{reason}")
    return NetError("protocol", to.shown, f"its answer is no HTTP {_LATER}")


def too_many_headers(to: Target, settings: Settings) -> NetError:
    said = f"its headers are longer than {settings.header_bytes} bytes, or too many {_LATER}"
    return NetError("headers_too_large", to.shown, said)


def too_large(to: Target, settings: Settings) -> NetError:
    said = f"its body is larger than {settings.body_bytes} bytes (is the address right?)"
    return NetError("body_too_large", to.shown, said)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
