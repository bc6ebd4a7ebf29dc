"""The program under a limit that the system sets, and stopped in its middle."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.program import PROGRAM, Ended, environment

MEGABYTE = 1_000_000

_LIMITED = """
import os, resource, signal, sys
which, size = getattr(resource, sys.argv[1]), int(sys.argv[2])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(which, (size, size))
os.execv(sys.argv[3], sys.argv[3:])
"""

_INTERRUPTIBLE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Whoever runs the tests in the background has interrupts ignored, and that is inherited."""


def limited(which: str, size: int, *args: str) -> Ended:
    """`which` is the name of a limit in `resource`: all the memory a process may have, or the
    length of a file it writes, as on a disk that is full."""
    assert hasattr(resource, which)
    command = [sys.executable, "-c", _LIMITED, which, str(size), *PROGRAM, *args]
    done = subprocess.run(command, capture_output=True, env=environment(), check=False, timeout=120)
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def interrupted_when(file: Path, *args: str) -> Ended:
    """The program, interrupted as soon as a file is there."""
    command = [sys.executable, "-c", _INTERRUPTIBLE, *PROGRAM, *args]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()) as program:
        deadline = time.monotonic() + 60
        while not file.exists() and program.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    return Ended(program.returncode, out.decode(), err.decode())
