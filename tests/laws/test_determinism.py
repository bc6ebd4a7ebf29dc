"""Law 1: a result depends on nothing but the input and the policy.

Another hash seed, locale, time zone, folder or order of work changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sameas import InvalidURL
from tests.laws import strategies
from tests.laws.strategies import POLICIES, Raw

# The other interpreter gets no code but this: it imports the package and nothing of the tests.
ASK = """
import ast, hashlib, json, sys
from sameas import InvalidURL, Policy

def told(policy, raw):
    try:
        found = policy.canonicalize(raw)
    except InvalidURL as error:
        return [error.code, error.message]
    return [found.url, found.form, found.key, found.fingerprint, found.flags, found.notes]

rows = ast.literal_eval(sys.stdin.read())
policies = [Policy.load(name) for name in sys.argv[1:]]
told = [told(policy, raw) for policy in policies for raw in rows]
print(hashlib.sha256(json.dumps(told).encode()).hexdigest())
"""

SURROUNDINGS = {
    "seed 0": {"PYTHONHASHSEED": "0"},
    "seed 1, UTF-8 off": {"PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "UTC"},
    "Turkish, far east": {
        "PYTHONHASHSEED": "7",
        "LC_ALL": "tr_TR.UTF-8",
        "LANG": "tr_TR",
        "TZ": "Pacific/Auckland",
        "HOME": "/",
    },
    "optimized": {"PYTHONHASHSEED": "random", "PYTHONOPTIMIZE": "2"},
}


def told(raws: Sequence[Raw]) -> str:
    """What ASK prints, worked out here."""
    rows: list[object] = []
    for policy in POLICIES.values():
        for raw in raws:
            try:
                found = policy.canonicalize(raw)
            except InvalidURL as error:
                rows.append([error.code, error.message])
            else:
                row = [found.url, found.form, found.key, found.fingerprint]
                rows.append([*row, found.flags, found.notes])
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


@pytest.fixture(scope="module")
def made() -> list[Raw]:
    return strategies.sample(strategies.raws, 500)


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_another_interpreter_gives_the_same_results(
    surroundings: str, made: list[Raw], tmp_path: Path
) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    asked = subprocess.run(
        [sys.executable, "-c", ASK, *POLICIES],
        input=ascii(made),
        env=kept | SURROUNDINGS[surroundings],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=True,
    )
    assert asked.stdout.strip() == told(made)


def test_what_was_asked_before_changes_nothing(made: list[Raw]) -> None:
    first = told(made)
    told([*reversed(made)])
    assert told(made) == first
