"""The real program, started the way a shell starts it: bytes in, bytes out, an exit status."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from typer.testing import CliRunner

from sameas.cli.app import app

PROGRAM = [sys.executable, "-m", "sameas"]


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if name[:7] != "SAMEAS_"}
    return {**clean, "COLUMNS": "80", **(more or {})}


def sameas(
    *args: str | bytes,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: object = None,
    patience: float = 60,
) -> Ended:
    done = subprocess.run(
        [*PROGRAM, *args],
        input=stdin,
        capture_output=True,
        env=environment(env),
        cwd=str(cwd) if cwd else None,
        check=False,
        timeout=patience,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err
    return Ended(done.returncode, out, err)


def in_process(*args: str, env: Mapping[str, str] | None = None) -> Ended:
    """The same commands without a new process: for many cases that have no streams of their own."""
    done = CliRunner(env={"COLUMNS": "80", **(env or {})}).invoke(app, args, prog_name="sameas")
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return Ended(done.exit_code, done.stdout, done.stderr)


def on_terminal(
    *args: str, streams: str = "out err", env: Mapping[str, str] | None = None
) -> tuple[Ended, str]:
    """The program with some of its streams on a terminal: what pipes got, what the terminal got."""
    terminal, inner = pty.openpty()
    ends = {name: inner if name in streams.split() else subprocess.PIPE for name in ("out", "err")}
    program = subprocess.Popen(
        [*PROGRAM, *args],
        stdin=subprocess.DEVNULL,
        stdout=ends["out"],
        stderr=ends["err"],
        env=environment({"TERM": "xterm-256color", **(env or {})}),
    )
    os.close(inner)
    seen: list[bytes] = []
    watcher = threading.Thread(target=_watch, args=(terminal, seen))
    watcher.start()
    out, err = program.communicate(timeout=60)
    watcher.join()
    os.close(terminal)
    ended = Ended(program.returncode, (out or b"").decode(), (err or b"").decode())
    return ended, b"".join(seen).decode()


def _watch(terminal: int, seen: list[bytes]) -> None:
    try:
        while piece := os.read(terminal, 65536):
            seen.append(piece)
    except OSError:
        pass  # the program has closed its end
