"""Where a command that writes several things writes each of them: `-` is standard output.

It decides that no two of them are one place; what is written is the command's business.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

import typer

from sameas.cli.terminal import results
from sameas.records.aside import written

STDOUT = "-"


def opened(path: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(results()) if path == STDOUT else written(path)


def check_apart(paths: Mapping[str, str | None]) -> None:
    """Each path by what it is called. Of two things in one file only one would be left."""
    taken: dict[object, str] = {}
    for name, path in paths.items():
        if path is not None and (other := taken.setdefault(_place(path), name)) != name:
            raise typer.BadParameter(f"{name} and {other} are one file: name another")


def _place(path: str) -> object:
    """A file by its number; what has no end, a terminal or a pipe, may be named twice."""
    try:
        status = os.fstat(1) if path == STDOUT else os.stat(path)
    except OSError:
        return os.path.realpath(path)
    if stat.S_ISREG(status.st_mode):
        return status.st_dev, status.st_ino
    return STDOUT if path == STDOUT else object()
