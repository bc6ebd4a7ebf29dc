"""What the head of a request alone can tell: its host, where it comes from, what it brings.

Pure checks; who may come in, and how often, is the gate's business.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.types import Scope

from sameas.web.problem import Problem

_READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_JSON, _LINES = b"application/json", b"application/x-ndjson"
_FORM = b"application/x-www-form-urlencoded"
_STREAMED = "/v1/canonicalize"
"""The one route that reads a body line by line, however long it is."""


def header(scope: Scope, wanted: bytes) -> bytes | None:
    return next((value for name, value in scope["headers"] if name == wanted), None)


def media(scope: Scope) -> bytes:
    return (header(scope, b"content-type") or b"").partition(b";")[0].strip().lower()


def bearer(scope: Scope) -> str | None:
    scheme, _, given = (header(scope, b"authorization") or b"").partition(b" ")
    return given.strip().decode("latin-1") if scheme.lower() == b"bearer" else None


def check_host(scope: Scope, names: frozenset[str]) -> None:
    """Another name for our address is how a foreign page would read ours."""
    given = [value for name, value in scope["headers"] if name == b"host"]
    if len(given) != 1 or _name(given[0].decode("latin-1")) not in names:
        hint = "a service that is called by another name is told with --allow-host"
        raise Problem(421, "this is not a name of this service", "host", hint)


def _name(host: str) -> str:
    """Without its port; "" where it is spelled in no way a browser would."""
    name, colon, port = host.lower().rpartition(":")
    if not colon or host.endswith("]"):
        return host.lower()
    return name if port.isascii() and port.isdigit() and len(port) < 6 else ""


def check_origin(scope: Scope) -> None:
    """What changes something comes from a page of ours, or from no page at all. Browsers say which
    in a header that no page can set; older ones in another, which may be `null`."""
    if scope["method"] in _READING:
        return
    site, origin = header(scope, b"sec-fetch-site"), header(scope, b"origin")
    foreign = site is not None and site not in (b"same-origin", b"none")
    if origin is not None and site is None:
        host = (header(scope, b"host") or b"").decode("latin-1").lower()
        foreign = urlsplit(origin.decode("latin-1")).netloc.lower() != host
    if foreign:
        raise Problem(403, "this came from a page of another site", "foreign_origin")


def check_body(scope: Scope, limit: int) -> None:
    """What a page of another site could send unasked is no body of ours."""
    if scope["method"] in _READING or not _has_body(scope):
        return
    wanted = _JSON if scope["path"].startswith("/v1/") else _FORM
    if media(scope) != wanted and not streams(scope):
        raise Problem(415, f"a body here is {wanted.decode()}", "media_type")
    if header(scope, b"content-encoding") not in (None, b"identity"):
        raise Problem(415, "a compressed body is not read", "content_encoding")
    length = header(scope, b"content-length")
    if length is not None and int(length) > limit and not streams(scope):
        raise too_large(limit)


def streams(scope: Scope) -> bool:
    return scope["path"] == _STREAMED and media(scope) == _LINES


def _has_body(scope: Scope) -> bool:
    length = header(scope, b"content-length")
    return length not in (None, b"0") or header(scope, b"transfer-encoding") is not None


def too_large(limit: int) -> Problem:
    said = f"the body is larger than {limit:,} bytes"
    hint = "POST /v1/canonicalize takes application/x-ndjson of any length"
    return Problem(413, said, "too_large", hint)
