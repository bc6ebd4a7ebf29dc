"""The fuzzer of both engines: for a while in every run of the tests, and it sees what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.native.wheel import needed

pytestmark = needed

ROOT = Path(__file__).parent.parent.parent
COUNT = 400_000

BROKEN = """
import sys
from sameas.engine.operations import OPERATIONS

def collapse():
    collapsed = right()
    def run(u):
        collapsed(u)
        u.path += "a" if "%7" in u.path else ""
    return run

right = OPERATIONS["path.slashes"]
OPERATIONS["path.slashes"] = collapse
from fuzz.differential import main
sys.exit(main(sys.argv[1:]))
"""


def _fuzz(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_hundreds_of_thousands_of_inputs_are_the_same_on_both_engines() -> None:
    ended = _fuzz("-m", "fuzz.differential", "--count", str(COUNT), "--seed", "6")
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert f"{COUNT} inputs, all the same" in ended.stderr
    kinds = ended.stdout.strip().splitlines()[-1].split(" | ")[2:]
    shares = [float(kind.partition("(")[2].partition("%")[0]) for kind in kinds]
    assert len(shares) == 5
    assert max(shares) <= 60
    assert sum(shares[:2]) > 50, "it is about what the compiled engine keeps"


def test_an_operation_that_is_not_the_same_is_found_and_told() -> None:
    ended = _fuzz("-c", BROKEN, "--count", "20000", "--seed", "1", "--processes", "1")
    assert ended.returncode == 1
    assert "not the same: " in ended.stderr
    assert "Python: Canonical(" in ended.stderr
