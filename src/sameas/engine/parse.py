"""What an input is read as, how a URL is parsed, and why one is refused (C1, C2, C4).

It decides nothing about identity: the parser is Ada, the rules are the operations'.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection

import ada_url
from ada_url._ada_wrapper import ffi, lib

from sameas.engine.parts import Parts
from sameas.errors import InvalidURL

LIMIT = 64 * 1024
PARSER = f"whatwg ada {ada_url.get_version()}"

_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_TABS_AND_NEWLINES = {ord(c): None for c in "\t\n\r"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_SLASHES = re.compile(r":[\t\n\r]*[/\\][/\\\t\n\r]*[/\\]")
_INSIDE = re.compile(
    r"(https?(?::|%(?:25)*+3a)(?:[/\\]|%(?:25)*+(?:2f|5c)){2,}+)"
    r"(?:(?!%(?:25)*+(?:2f|5c|3f|23|26))[^/\\?#&\s])+(?=@|%(?:25)*+40)",
    re.IGNORECASE,
)
"""Credentials of a URL that stands in a URL, escaped or not."""
_SHOWN = 200


def _percent(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    torn = error.object[error.start : error.end]
    return "".join(f"%{byte:02X}" for byte in torn), error.end


PERCENT = "sameas.percent"
"""How bytes are read that are no UTF-8: as their triplets."""
codecs.register_error(PERCENT, _percent)


def read(raw: str | bytes) -> str:
    """The input as text without surrogates (C1)."""
    if not isinstance(raw, str | bytes):
        raise TypeError(f"a URL is text or bytes, not {type(raw).__name__}")
    if len(raw) > LIMIT:
        raise _too_long("the input")
    if isinstance(raw, bytes):
        return raw.decode("utf-8", PERCENT)
    if raw.isascii():
        return raw
    try:
        data = raw.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        place = f"a lone surrogate at character {error.start + 1}"
        raise InvalidURL("encoding", f"{place}: text of a URL must be Unicode") from None
    if len(data) > LIMIT:
        raise _too_long("the input")
    return data.decode("utf-8", PERCENT)


def shown(raw: str | bytes, code: str = "", flags: Collection[str] = ()) -> str:
    """The input as it may be written anywhere: as text, its credentials as `***`.

    Of a URL that is refused (`code`) nobody can tell where a password ends, and to `tk` a backslash
    does not end the host: then all up to the last `@` is hidden."""
    text = _as_text(raw)
    return masked(text, everywhere=bool(code) or ("credentials" in flags and "\\" in text))


def _as_text(raw: str | bytes) -> str:
    if isinstance(raw, bytes):
        return raw.decode("utf-8", PERCENT)
    if raw.isascii():
        return raw
    try:
        data = raw.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = raw.encode("utf-8", "surrogatepass")
    return data.decode("utf-8", PERCENT)


def masked(text: str, everywhere: bool = False) -> str:
    """Credentials as `***`, those of URLs inside the URL too: before the end of the host, or
    `everywhere` up to the last `@`."""
    if "@" in text:
        start = _authority_start(text)
        end = len(text) if everywhere else _first_of("/\\?#", text, start)
        at = text.rfind("@", start, end)
        text = text if at < 0 else f"{text[:start]}***{text[at:]}"
    return masked_inside(text)


def masked_inside(text: str) -> str:
    return _INSIDE.sub(r"\1***", text)


def without_credentials(href: str) -> str:
    """Of a URL as the parser writes it."""
    if "@" not in href:
        return href
    scheme, _, rest = href.partition("://")
    place, slash, path = rest.partition("/")
    return f"{scheme}://{place.rpartition('@')[2]}{slash}{path}"


def _first_of(marks: str, text: str, start: int) -> int:
    end = len(text)
    for mark in marks:
        found = text.find(mark, start, end)
        end = found if found >= 0 else end
    return end


def _authority_start(text: str) -> int:
    """Behind the scheme and its slashes. Where no browser would see a scheme, it is behind the
    first `://`, if no `@` stands before that."""
    colon = text.find(":")
    start = colon + 1 if colon >= 0 else 0
    scheme = text[:colon].translate(_TABS_AND_NEWLINES).strip(_C0_AND_SPACE) if start else ""
    after = start
    while after < len(text) and text[after] in "/\\\t\n\r":
        after += 1
    slashes = "/" in text[start:after] or "\\" in text[start:after]
    if start and (scheme.lower() in ("http", "https") or (slashes and _SCHEME.match(scheme + ":"))):
        return after
    found = _SLASHES.search(text)
    if found is not None and "@" not in text[: found.start()]:
        return found.end()
    start = 0
    while start < len(text) and (text[start] in "/\\" or text[start] in _C0_AND_SPACE):
        start += 1
    return start


def _href(text: str) -> str:
    """What the parser serializes, empty where it refuses. The parser's own Python objects would
    cost as much again as the parsing; its version is pinned exactly, so this door stays open."""
    data = text.encode()
    url = lib.ada_parse(data, len(data))
    try:
        href = lib.ada_get_href(url)
        length = href.length
        return str(ffi.unpack(href.data, length), "ascii") if length else ""
    finally:
        lib.ada_free(url)


def parse(text: str) -> Parts:
    """The parts of an absolute http or https URL, as browsers read it (C2)."""
    return split(serialized(text), text)


def serialized(text: str) -> str:
    """An absolute URL of any scheme as browsers write it, whole: what a request is made of."""
    href = _href(text)
    if not href:
        raise _refusal(text)
    if len(href) > LIMIT:
        raise _too_long("the percent-encoded URL")
    return href


def split(href: str, text: str = "") -> Parts:
    """The parts of what the parser serialized."""
    scheme, _, rest = href.partition(":")
    if scheme not in ("https", "http"):
        raise _wrong_scheme(scheme, text or href)
    query = fragment = port = credentials = ""
    if "#" in rest:
        rest, _, fragment = rest.partition("#")
    if "?" in rest:
        rest, _, query = rest.partition("?")
    host, _, path = rest[2:].partition("/")
    if "@" in host:
        credentials, _, host = host.rpartition("@")
    if ":" in host and host[-1] != "]":
        host, _, port = host.rpartition(":")
    pieces = [piece for piece in query.split("&") if piece] if query else []
    parts = Parts(scheme, host, port, "/" + path, pieces, fragment)
    if credentials:
        parts.flags.add("credentials")
    return parts


def _refusal(text: str) -> InvalidURL:
    """Why the parser said no: it gives no reason itself, so this is asked only then."""
    bare = text.translate(_TABS_AND_NEWLINES).strip(_C0_AND_SPACE)
    if not bare:
        return InvalidURL("empty", "nothing is left of the input without its blanks")
    scheme = _SCHEME.match(bare)
    if scheme is None:
        hint = "give an absolute URL that begins with http:// or https://"
        return InvalidURL("relative", f"{_brief(bare)} has no scheme; {hint}")
    name = scheme.group()[:-1].lower()
    if name not in ("http", "https"):
        return _wrong_scheme(name, bare)
    without = _without_port(bare, scheme.end())
    if without is not None and ada_url.check_url(without):
        return InvalidURL("port", f"the port of {_brief(bare)} is not a number from 0 to 65535")
    return InvalidURL("host", f"the host of {_brief(bare)} is not one a browser would accept")


def _without_port(bare: str, start: int) -> str | None:
    after = start
    while after < len(bare) and bare[after] in "/\\":
        after += 1
    end = _first_of("/\\?#", bare, after)
    colon = bare.rfind(":", bare.rfind("@", after, end) + 1 or after, end)
    if colon < 0 or bare.find("]", colon, end) >= 0:
        return None
    return bare[:colon] + bare[end:]


def _wrong_scheme(scheme: str, text: str) -> InvalidURL:
    """`name:password@host` has a scheme too, to a parser: what is hidden is not named."""
    brief = _brief(text)
    kind = f"a {scheme[:20]}: URL" if scheme in brief.lower() else "a URL of another scheme"
    return InvalidURL("scheme", f"{brief} is {kind}; only http and https are accepted")


def _too_long(what: str) -> InvalidURL:
    return InvalidURL("too_long", f"{what} is longer than {LIMIT} bytes")


def _brief(text: str) -> str:
    text = masked(text, everywhere=True)
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
