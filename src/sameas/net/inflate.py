"""The body a server encoded, taken apart with a limit: gzip and deflate, nested or in members.

What was offered to the server, and what to do about a refusal, is the client's business.
"""

from __future__ import annotations

import zlib

OFFERED = "gzip, deflate"

_NAMES = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate"}
_NESTED = 4
_MEMBERS = 10_000
_BLOCK = 64 * 1024
_GZIP, _ZLIB, _RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS


class TooLarge(Exception):
    """More comes out than was asked for."""


class Broken(Exception):
    """It cannot be taken apart; the text says why."""


def inflate(body: bytes, encoding: str, limit: int, whole: bool = True) -> bytes:
    """The body behind a `Content-Encoding`, of at most `limit` bytes at every layer. One that need
    not be `whole` may go on behind them, or break off."""
    names = [name.strip().lower() for name in encoding.split(",")]
    names = [name for name in names if name not in ("", "identity")]
    if len(names) > _NESTED:
        raise Broken(f"it is encoded {len(names)} times over")
    for name in reversed(names) if body else ():
        kind = _NAMES.get(name)
        if kind is None:
            raise Broken(f"its encoding {name[:40]!a} was not asked for")
        try:
            layer = _members if kind == "gzip" else _deflated
            body = layer(body, limit, whole)
        except zlib.error as error:
            raise Broken(f"it is no whole {kind}: {error}") from None
    return body


def _deflated(body: bytes, limit: int, whole: bool) -> bytes:
    """zlib, as the name means; or raw, as some servers read it."""
    is_zlib = body[0] & 0x0F == zlib.DEFLATED and int.from_bytes(body[:2], "big") % 31 == 0
    inflater = zlib.decompressobj(_ZLIB if is_zlib else _RAW)
    out = inflater.decompress(body, limit + 1)
    if whole and len(out) > limit:
        raise TooLarge
    if whole and not inflater.eof:
        raise Broken("it ends too early")
    return out[:limit]


def _members(body: bytes, limit: int, whole: bool) -> bytes:
    """Every member of a gzip; what stands behind the last and is none is let go, as browsers do."""
    out: list[bytes] = []
    room, at, members = limit, 0, 0
    while body.startswith(b"\x1f\x8b", at) or not members:
        members += 1
        if members > _MEMBERS:
            raise Broken(f"it has more than {_MEMBERS} members")
        inflater = zlib.decompressobj(_GZIP)
        while not inflater.eof:
            if at >= len(body):
                if whole:
                    raise Broken("it ends too early")
                return b"".join(out)
            out.append(inflater.decompress(body[at : at + _BLOCK], room + 1))
            room -= len(out[-1])
            if room < 0:
                if whole:
                    raise TooLarge
                return b"".join(out)[:limit]
            at = min(at + _BLOCK, len(body)) - len(inflater.unused_data)
    return b"".join(out)
