"""A parameter that goes on one host, written into the overrides file that the user owns.

The file keeps everything else it says; it is written aside, checked by loading it, and only then
takes its name. What an override means is the policy's business.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sameas.errors import PolicyError
from sameas.policy import Policy
from sameas.records.aside import written

Overrides = list[dict[str, Any]]


def add_drop(path: str, policy: str, host: str, name: str) -> Policy:
    """Gives the policy as it is with the new file."""

    def add(overrides: Overrides) -> None:
        for entry in overrides:
            if _is_for(entry, host):
                names = entry.setdefault("drop_query_params", [])
                if name not in names:
                    names.append(name)
                return
        overrides.append(
            {"match": {"host": host}, "drop_query_params": [name], "rewrite_rules": []}
        )

    return _rewritten(path, policy, add)


def take_drop_back(path: str, policy: str, host: str, name: str) -> Policy:
    def remove(overrides: Overrides) -> None:
        for entry in [entry for entry in overrides if _is_for(entry, host)]:
            names = entry.get("drop_query_params", [])
            if name in names:
                names.remove(name)
            if not names and not entry.get("rewrite_rules"):
                overrides.remove(entry)

    return _rewritten(path, policy, remove)


def _is_for(entry: dict[str, Any], host: str) -> bool:
    return bool(entry["match"]["host"].lower() == host)


def _rewritten(path: str, policy: str, change: Callable[[Overrides], None]) -> Policy:
    """A file that is not there begins empty; one that is wrong is refused as it is."""
    file = Path(path).resolve()
    data: dict[str, Any] = {"overrides": []}
    if file.exists():
        Policy.load(policy, path)
        data = json.loads(file.read_text("utf-8"))
    before = json.dumps(data)
    change(data["overrides"])
    if json.dumps(data) == before and file.exists():
        return Policy.load(policy, path)
    aside = file.with_name(f".{file.name}.new")
    try:
        with written(aside) as stream:
            stream.write(json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n")
        try:
            loaded = Policy.load(policy, str(aside))
        except PolicyError as error:
            place = error.place.replace(str(aside), path)
            raise PolicyError(place, error.reason, error.hint) from None
        if file.exists():
            os.chmod(aside, file.stat().st_mode & 0o777)
        os.replace(aside, file)
    finally:
        aside.unlink(missing_ok=True)
    return loaded
