"""Many URLs at once, one a line: their canonical URLs or their keys.

Each line gives what the engine gives for it alone; what is written of it is the caller's business.
"""

from __future__ import annotations

import re
from hashlib import sha256

from sameas.engine.python import PythonEngine
from sameas.errors import InvalidURL

KEY_BYTES = sha256().digest_size

Refusals = list[tuple[int, InvalidURL]]
"""The lines that are refused, counted from 0, in their order."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def urls(engine: PythonEngine, text: bytes) -> tuple[bytes, Refusals]:
    """The canonical URL of each line on a line of its own, an empty one for what is refused."""
    lines: list[bytes] = []
    refusals: Refusals = []
    for i, line in enumerate(text.split(b"\n")[:-1]):
        try:
            lines.append(on_a_line(engine.canonicalize(line).url).encode())
        except InvalidURL as error:
            lines.append(b"")
            refusals.append((i, error.with_traceback(None)))
    lines.append(b"")
    return b"\n".join(lines), refusals


def keys(engine: PythonEngine, text: bytes) -> tuple[bytearray, Refusals]:
    """The key of each line in 32 bytes, zeros for what is refused."""
    found = bytearray()
    refusals: Refusals = []
    for i, line in enumerate(text.split(b"\n")[:-1]):
        try:
            found += bytes.fromhex(engine.key(line))
        except InvalidURL as error:
            found += bytes(KEY_BYTES)
            refusals.append((i, error.with_traceback(None)))
    return found, refusals


def on_a_line(url: str) -> str:
    """One line, whatever the URL holds: in `tk` a decoded path can hold a line break."""
    if url.isascii() and url.isprintable():
        return url
    return _CONTROL.sub(lambda found: _triplets(found.group()), url)


def _triplets(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())
