"""The command line: `main` starts it, each command has its own file.

Commands read, ask the policy and show; they decide nothing about identity.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the program. What it needs is loaded here, so that an interrupt finds no traceback."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open to the end)
    if sys.stdout is None:
        print("sameas: standard output is closed: there is nowhere for results", file=sys.stderr)
        sys.exit(2)
    try:
        from sameas.cli.app import app

        app(prog_name="sameas")
    except KeyboardInterrupt:
        sys.exit(130)
