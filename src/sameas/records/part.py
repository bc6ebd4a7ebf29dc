"""Output of a run that may be stopped: it grows beside its name, and the same run goes on with it.

Which runs are the same the caller says, in words; when the output is whole it takes its name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from sameas.errors import RecordsError
from sameas.records.aside import mode, told, written

_MARK_EVERY = 16 * 1024 * 1024
"""Bytes of output that a power cut may cost."""

Run = Mapping[str, Any]
"""What a run depends on, each thing by its name; JSON."""
State = dict[str, int]
"""How far a run is, in the caller's words. Empty: it begins."""


class Part:
    """Output that is not whole yet. `state` is that of the earlier run, `other` what has changed
    since, where that one cannot be gone on with."""

    def __init__(self, target: Path, run: Run) -> None:
        self.path = target.with_name(target.name + ".part")
        self._target, self._run = target, json.loads(json.dumps(run))
        self._journal = target.with_name(target.name + ".part.json")
        self.state: State = {}
        self.other = ""
        self.stream = self._opened()
        try:
            self._end = self._marked = self._found()
            self.stream.truncate(self._end)
            self.stream.seek(self._end)
            if not self._end:
                self._write_journal()
        except BaseException:
            self.stream.close()
            raise

    @property
    def kept(self) -> bool:
        """Whether there is something to go on with."""
        return self._marked > 0

    def reached(self, state: State) -> None:
        """All that is written so far belongs to this state."""
        self.state, self._end = state, self.stream.tell()
        if self._end - self._marked >= _MARK_EVERY:
            self._mark()

    def finish(self) -> None:
        with self.stream:
            self.stream.flush()
            os.fsync(self.stream.fileno())
        os.chmod(self.path, mode(self._target))
        os.replace(self.path, self._target)
        self._journal.unlink()

    def stop(self) -> None:
        """What was reached is kept, if the disk still takes it; a part without a state is not."""
        with suppress(OSError, RecordsError):
            if not self.stream.closed:
                self._mark()
        with suppress(OSError):
            self.stream.close()
        if not self._marked:
            self.path.unlink(missing_ok=True)
            self._journal.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if not self._journal.exists() and self.path.exists() and self.path.stat().st_size:
            hint = "move it away, or name another output"
            raise RecordsError(str(self.path), "is in the way: no run has left it", hint)
        number = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o666)
        stream = open(number, "wb")  # noqa: SIM115 (it is closed when the run ends)
        try:
            _lock(number, self.path)
        except BaseException:
            stream.close()
            raise
        return stream

    def _found(self) -> int:
        """How much of an earlier run's output counts."""
        try:
            kept = json.loads(self._journal.read_bytes())
            run, end, state = kept["run"], kept["bytes"], kept["state"]
        except FileNotFoundError:
            return 0
        except (ValueError, KeyError, TypeError):
            self.other = "journal"
            return 0
        self.other = next((name for name in self._run if run.get(name) != self._run[name]), "")
        if self.other or os.fstat(self.stream.fileno()).st_size < end:
            return 0
        self.state = state
        return int(end)

    def _mark(self) -> None:
        """The output first, then the word that it is there."""
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self._write_journal()
        self._marked = self._end

    def _write_journal(self) -> None:
        with written(self._journal) as stream:
            text = json.dumps({"run": self._run, "bytes": self._end, "state": self.state})
            stream.write(text.encode())


@contextmanager
def growing(path: str | Path, run: Run) -> Iterator[Part]:
    """When the block ends well, the part becomes the file."""
    target = Path(os.path.realpath(path))
    with told(Path(path)):
        part = Part(target, run)
    try:
        with told(Path(path)):
            yield part
            part.finish()
    except BaseException:
        part.stop()
        raise


def _lock(number: int, path: Path) -> None:
    """Two runs at one output would tear it. Systems without this lock have to do without."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RecordsError(str(path), "is being written by another run", "wait for it") from None
