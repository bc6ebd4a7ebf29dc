"""Policies that differ in one thing, as tests of changes need them."""

from __future__ import annotations

from pathlib import Path

from sameas import Policy


def made(folder: Path, name: str, body: str = "", extends: str = "feed") -> Policy:
    file = folder / f"{name}.toml"
    file.write_text(f'name = "{name}"\nversion = 1\nextends = "{extends}"\n{body}')
    return Policy.load(file)
