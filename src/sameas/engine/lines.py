"""Many URLs at once, one a line: their canonical URLs or their keys.

A line gives what the engine gives for it alone; what is written of it is the caller's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from sameas.engine import Engine
from sameas.engine.native import NativeEngine
from sameas.errors import InvalidURL

KEY_BYTES = sha256().digest_size

Refusals = list[tuple[int, InvalidURL]]
"""The lines that are refused, counted from 0, in their order."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def urls(engine: Engine, text: bytes) -> tuple[bytes, Refusals]:
    """The canonical URL of each line on a line of its own, an empty one for what is refused."""
    refusals: Refusals = []
    if isinstance(engine, NativeEngine):
        found, left = engine.urls_of_lines(text)
        pieces: list[bytes | memoryview] = []
        view, end = memoryview(found), 0
        for i, line, place in _lines_at(text, left):
            url = _url(engine, i, line, refusals)
            if url:
                pieces += (view[end:place], url)
                end = place
        return b"".join((*pieces, view[end:])), refusals
    lines = text.split(b"\n")[:-1]
    return b"".join(_url(engine, *line, refusals) + b"\n" for line in enumerate(lines)), refusals


def keys(engine: Engine, text: bytes) -> tuple[bytearray, Refusals]:
    """The key of each line in 32 bytes, zeros for what is refused."""
    refusals: Refusals = []
    if isinstance(engine, NativeEngine):
        found, left = engine.keys_of_lines(text)
        keys = bytearray(found)
        for i, line, place in _lines_at(text, left):
            keys[place : place + KEY_BYTES] = _key(engine, i, line, refusals)
        return keys, refusals
    lines = text.split(b"\n")[:-1]
    return bytearray().join(_key(engine, *line, refusals) for line in enumerate(lines)), refusals


def _lines_at(text: bytes, left: list[tuple[int, int]]) -> Iterator[tuple[int, bytes, int]]:
    """What was handed back: the number of a line, the line, and the place of its answer."""
    if left:
        lines = text.split(b"\n")
        for i, place in left:
            yield i, lines[i], place


def _url(engine: Engine, i: int, line: bytes, refusals: Refusals) -> bytes:
    try:
        return on_a_line(engine.canonicalize(line).url).encode()
    except InvalidURL as error:
        refusals.append((i, error.with_traceback(None)))  # which would keep alive what was at work
        return b""


def _key(engine: Engine, i: int, line: bytes, refusals: Refusals) -> bytes:
    try:
        return bytes.fromhex(engine.key(line))
    except InvalidURL as error:
        refusals.append((i, error.with_traceback(None)))
        return bytes(KEY_BYTES)


def on_a_line(url: str) -> str:
    """One line, whatever the URL holds: in `tk` a decoded path can hold a line break."""
    if url.isascii() and url.isprintable():
        return url
    return _CONTROL.sub(lambda found: _triplets(found.group()), url)


def _triplets(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())
