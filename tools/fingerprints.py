"""Writes spec/fingerprints.json: under which fingerprint each version of a policy gives results.

A version that is listed keeps its fingerprint: whoever changes an output gives the policy a new
version, and this adds its row. `--unreleased` overwrites rows of versions nobody has used yet.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from sameas import Policy
from sameas.plan.document import builtin_names

TABLE = Path(__file__).parent.parent / "spec" / "fingerprints.json"
COMMAND = ".venv/bin/python tools/fingerprints.py"


def listed() -> dict[str, str]:
    table: dict[str, str] = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    return table


def current() -> dict[str, str]:
    policies = map(Policy.load, builtin_names())
    return {f"{policy.name}@{policy.version}": policy.fingerprint for policy in policies}


def changed() -> list[str]:
    """The versions whose results changed without a new number."""
    table = listed()
    return [name for name, found in current().items() if table.get(name, found) != found]


def advice(name: str) -> str:
    return (
        f"what changes an output of {name} changed: raise `version` in "
        f"src/sameas/policies/{name.partition('@')[0]}.toml, then run {COMMAND} "
        f"(or, if {name} has never been released, {COMMAND} --unreleased)"
    )


def main() -> None:
    if "--unreleased" not in sys.argv[1:] and (names := changed()):
        sys.exit("\n".join(map(advice, names)))
    table = listed() | current()
    TABLE.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
