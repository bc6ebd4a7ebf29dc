"""The fuzz target runs, finds nothing in its first inputs, and would find what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TARGET = ROOT / "fuzz" / "canonicalize.py"

BROKEN = """
import runpy, sys
from sameas.engine.operations import OPERATIONS

def collapse():
    collapsed = right()
    def run(u):
        collapsed(u)
        u.path += "a" if "%" in u.path else ""
    return run

right = OPERATIONS["path.slashes"]
OPERATIONS["path.slashes"] = collapse
sys.argv[0] = {target!r}
runpy.run_path({target!r}, run_name="__main__")
"""


def fuzz(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    limits = ["-runs=2000", "-seed=1", "-max_len=48", "-len_control=0", "-timeout=60"]
    return subprocess.run(
        [sys.executable, *command, *limits],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        errors="replace",
    )


def test_two_thousand_inputs_give_a_result_that_is_its_own_or_a_known_error(tmp_path: Path) -> None:
    ended = fuzz(tmp_path, str(TARGET))
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert "Done 2000 runs" in ended.stderr
    assert not [*tmp_path.iterdir()]


def test_a_rule_that_is_not_idempotent_is_found(tmp_path: Path) -> None:
    ended = fuzz(tmp_path, "-c", BROKEN.format(target=str(TARGET)))
    assert ended.returncode != 0
    assert "AssertionError" in ended.stdout + ended.stderr
