"""A page whose figures are those of the run, and a run that measures every subject."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bench.spark import Reading, Run, page

from tests import spark as small


def test_the_page_tells_what_is_over_identity() -> None:
    passed = Reading("identity, `mapInArrow`", (2.5, 2.0))
    key = Reading("`spark.key`", (3.0, 3.3))
    told = Run("2026-11-19", "python -m bench.spark", "made", "native", 1_000_000, 2, [passed, key])
    first, second = page(told).splitlines()[-2:]
    assert first.endswith("| 2.00 | +25 % |  | 1.00 |")
    assert second.endswith("| 3.00 | +10 % | 1.00 | 1.50 |")


def test_a_run_measures_every_subject_and_writes_its_page(tmp_path: Path) -> None:
    links = tmp_path / "links.txt"
    links.write_text("http://a.example/\nno link\n")
    out = tmp_path / "spark.md"
    given = ["--rows", "100", "--rounds", "1", "--input", str(links), "--out", str(out)]
    env = small.environment(tmp_path)
    command = [sys.executable, "-m", "bench.spark", *given]
    subprocess.run(command, env={**os.environ, **env}, check=True, capture_output=True)
    text = out.read_text()
    assert "`python -m bench.spark --input links.txt --rows 100 --rounds 1`" in text
    assert text.count("| +0 % |") == 5
    assert str(tmp_path) not in text
