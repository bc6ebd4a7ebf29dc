"""The hook for pre-commit: what it names is there, and it works on the files it chooses."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.cli.program import environment
from tests.docs.test_blocks import ROOT
from tests.registry.runs import GOOD, tramites

HOOK = dict(
    re.findall(r"^[- ] (\w+): (.+)$", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), re.M)
)


def _run(folder: Path, *files: str) -> int:
    program, *words = HOOK["entry"].split()
    assert program == "sameas"
    done = subprocess.run(
        [Path(sys.executable).parent / program, *words, *files],
        cwd=folder,
        env=environment(),
        capture_output=True,
        check=False,
    )
    return done.returncode


def test_the_hook_passes_what_is_fine_and_stops_what_is_not(tmp_path: Path):
    tramites(tmp_path, a=GOOD, b=f"{GOOD}-2", c="http://boe.es/a/b/c")
    assert _run(tmp_path, "tramites/a.json", "tramites/b.json") == 0
    assert _run(tmp_path, "tramites/a.json", "tramites/c.json") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tramites"]


def test_the_hook_chooses_the_files_a_check_of_the_folder_would_read():
    chosen = re.compile(HOOK["files"])
    for name in ("tramites/a.json", "data/tramites/x/b.jsonl", "tramites/c.csv"):
        assert chosen.search(name)
    for name in ("a.json", "mytramites/a.json", "tramites/a.json.bak", "tramites/a.txt"):
        assert not chosen.search(name)
    assert HOOK["require_serial"] == "true"
