"""Output that is written aside and takes its name only when it is whole.

What is written is the caller's business; a run that fails or is stopped leaves the old file alone.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sameas.errors import RecordsError


@contextmanager
def written(path: str | Path) -> Iterator[BinaryIO]:
    """A stream beside the file; when the block ends well it becomes the file."""
    target = Path(path)
    if target.exists() and not target.is_file():  # a device or a pipe has no name to take
        with told(target), open(target, "wb") as stream:
            yield stream
        return
    with told(target):
        target = Path(os.path.realpath(path))
        number, aside = tempfile.mkstemp(prefix=".sameas-", dir=target.parent)
    try:
        with told(target):
            with open(number, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(number)
            os.chmod(aside, mode(target))
            os.replace(aside, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(aside)
        raise


def mode(target: Path) -> int:
    """The old file's permissions, or those any new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def told(target: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise RecordsError(str(target), f"cannot be written: {error.strerror}") from None
