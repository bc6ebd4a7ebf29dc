"""What text both databases can hold, and how long a key may be to stand in an index.

It decides nothing about what a key is made of.
"""

from __future__ import annotations

from hashlib import sha256

LONGEST_KEY = 1000
"""Bytes. PostgreSQL refuses an indexed value of more than 2,704."""


def storable(text: str) -> str:
    """Text as it is, but for a NUL and lone surrogates, which stand as their escapes."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")


def short_key(value: str) -> str:
    """A key that is too long for an index stands as its hash."""
    if len(value) * 4 <= LONGEST_KEY:
        return value
    data = value.encode()
    return value if len(data) <= LONGEST_KEY else f"sha256:{sha256(data).hexdigest()}"
