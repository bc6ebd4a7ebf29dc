"""The door: one file's links, in its format, and the reason where there are none.

A file that cannot be opened is told like a line that cannot be read: it costs the others nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from typing import BinaryIO

from sameas.registry.csv_links import csv_links
from sameas.registry.files import format_of
from sameas.registry.json_links import json_lines_links, json_links
from sameas.registry.types import Piece, Unread

_READERS: dict[str, Callable[[BinaryIO, Collection[str]], Iterator[Piece]]] = {
    "json": json_links,
    "jsonl": json_lines_links,
    "csv": csv_links,
}


def links_in(path: str, fields: Collection[str]) -> Iterator[Piece]:
    if os.path.exists(path) and not os.path.isfile(path):
        yield Unread(0, "cannot be read: it is a pipe or a device")
        return
    try:
        with open(path, "rb") as stream:
            yield from _READERS[format_of(path)](stream, fields)
    except OSError as error:
        yield Unread(0, f"cannot be read: {error.strerror}")
