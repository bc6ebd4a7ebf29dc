"""`sameas feeds` in one line, with servers on loopback within reach."""

from __future__ import annotations

from tests.cli.program import Ended, in_process

STORE = {"SAMEAS_STORE": "sameas.db"}
LOOPBACK = STORE | {"SAMEAS_ALLOW_NETWORK": "127.0.0.1 ::1"}


def feeds(*args: str, env: dict[str, str] | None = None) -> Ended:
    return in_process("feeds", *args, env=LOOPBACK | (env or {}))
