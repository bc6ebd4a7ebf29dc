"""The scheme: rewritten to https, or left out of the compared text (C8)."""

from __future__ import annotations

from sameas.engine.parts import Operation, Parts


def https() -> Operation:
    def run(u: Parts) -> None:
        if u.scheme == "http":
            u.scheme = "https"
        if u.port == "443":
            u.port = ""

    return run


def without() -> Operation:
    def run(u: Parts) -> None:
        u.scheme = ""

    return run
