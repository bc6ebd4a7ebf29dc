"""Writes spec/fingerprints.json: under which fingerprint each version of a policy gives results.

A version that is listed keeps its fingerprint, and its rules in a file of their own: whoever
changes an output gives the policy a new version, and this adds the row and the file.
`--unreleased` overwrites those of versions nobody has used yet.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

from sameas import Policy
from sameas.plan.document import builtin_names

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "spec" / "fingerprints.json"
POLICIES = ROOT / "src" / "sameas" / "policies"
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


def released(row: str) -> Path:
    """Where the rules of a version are kept for ever."""
    return POLICIES / "released" / f"{row}.toml"


def whole(name: str) -> str:
    """The text of a policy with what it includes behind it: it depends on no other file."""
    lines = (POLICIES / f"{name}.toml").read_text("utf-8").splitlines(keepends=True)
    given = [line for line in lines if line.startswith("include = ")]
    included = [file for line in given for file in tomllib.loads(line)["include"]]
    own = "".join(line for line in lines if line not in given)
    return "\n".join([own, *((POLICIES / file).read_text("utf-8") for file in included)])


def main() -> None:
    unreleased = "--unreleased" in sys.argv[1:]
    if not unreleased and (names := changed()):
        sys.exit("\n".join(map(advice, names)))
    table = listed() | current()
    TABLE.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n", "utf-8")
    for row in current():
        if unreleased or not released(row).exists():
            released(row).write_text(whole(row.partition("@")[0]), "utf-8")


if __name__ == "__main__":
    main()
