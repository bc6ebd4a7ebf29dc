"""Values replaced in place: a file stays as it is, byte for byte, but for them.

What is written is decided elsewhere; here, how a text is spelled in a format, and that no file is
ever half written, or written over what somebody else has changed meanwhile.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count as numbers
from typing import BinaryIO

from sameas.errors import RecordsError
from sameas.records.aside import written
from sameas.registry.csv_links import DELIMITERS
from sameas.registry.files import format_of
from sameas.registry.types import Span

_CHUNK = 1024 * 1024
_CSV_MARKS = {*DELIMITERS, '"', "\r", "\n"}


@dataclass(frozen=True)
class Edit:
    """A value as it is spelled in the file, and as it shall be."""

    span: Span
    before: bytes
    after: bytes


def edit(path: str, span: Span, literal: str, value: str) -> Edit:
    spell = _in_csv if format_of(path) == "csv" else _in_json
    before = literal.encode("utf-8", "surrogateescape")
    return Edit(span, before, spell(value, literal).encode("utf-8", "surrogateescape"))


def _in_json(value: str, literal: str) -> str:
    """Slashes are escaped where the old value had them so, as PHP writes them."""
    spelled = json.dumps(value)
    return spelled.replace("/", "\\/") if "\\/" in literal else spelled


def _in_csv(value: str, literal: str) -> str:
    if literal.startswith('"') or _CSV_MARKS & set(value):
        return '"' + value.replace('"', '""') + '"'
    return value


def rewrite(path: str, edits: Iterable[Edit]) -> int:
    """The edits come in the order in which they stand in the file; tells how many they were. A
    symbolic link stays one."""
    count = 0
    try:
        with open(path, "rb") as old, written(path) as new:
            for edit in edits:
                _copy(old, new, edit.span.start - old.tell())
                if old.read(len(edit.before)) != edit.before:
                    hint = "nothing is written there; run the check again"
                    raise RecordsError(path, "has changed since it was read", hint)
                new.write(edit.after)
                count += 1
            shutil.copyfileobj(old, new, _CHUNK)
    except OSError as error:
        raise RecordsError(path, f"cannot be rewritten: {error.strerror}") from None
    return count


def _copy(old: BinaryIO, new: BinaryIO, size: int) -> None:
    while size > 0 and (data := old.read(min(size, _CHUNK))):
        new.write(data)
        size -= len(data)


def want_writable(path: str) -> None:
    """A file takes another's place, whatever its own permissions say: so they are asked before."""
    try:
        marked = not os.stat(path).st_mode & 0o222
    except OSError:
        return  # whoever opens it is told why it cannot be
    if marked:
        raise RecordsError(path, "is marked as read-only", "nothing is written there")


def back_up(path: str) -> str:
    """A copy beside the file, under a name that nothing has yet."""
    for name in _backup_names(path):
        try:
            with open(path, "rb") as old, open(name, "xb") as copy:
                shutil.copyfileobj(old, copy, _CHUNK)
                copy.flush()
                os.fsync(copy.fileno())
            shutil.copystat(path, name)
            return name
        except FileExistsError:
            continue
        except OSError as error:
            reason = f"no copy of it can be made: {error.strerror}"
            raise RecordsError(path, reason, "it is left as it is") from None
    raise AssertionError("there is always a further name")


def _backup_names(path: str) -> Iterator[str]:
    yield f"{path}.bak"
    for number in numbers(2):
        yield f"{path}.{number}.bak"
