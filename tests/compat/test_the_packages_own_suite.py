"""The test-suite of tk-normalizer, out of its source archive, with nothing changed but the import.

`make test` fetches the archive; its text is not ours, so it is no part of this repository.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
ARCHIVE = ROOT / ".cache/sdists/tk_normalizer-1.3.0.tar.gz"
SUITE = "tk_normalizer-1.3.0/tests/test_normalizer.py"
IMPORT = "from tk_normalizer import"
TESTS = 44


def _suite() -> str:
    assert ARCHIVE.exists(), f"{ARCHIVE} is missing: `rm .venv/dev; make .venv/dev` fetches it"
    pins = (ROOT / "requirements/sdists.txt").read_text()
    assert f"--hash=sha256:{sha256(ARCHIVE.read_bytes()).hexdigest()}" in pins
    with tarfile.open(ARCHIVE) as archive:
        file = archive.extractfile(SUITE)
        assert file is not None
        return file.read().decode()


def _passed(suite: str, folder: Path) -> tuple[int, int, str]:
    """How many tests passed, how many failed, and what was said."""
    (folder / "test_normalizer.py").write_text(suite)
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--color=no"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    passed, failed = (
        int(found[1]) if (found := re.search(rf"(\d+) {word}", done.stdout)) else 0
        for word in ("passed", "failed")
    )
    return passed, failed, done.stdout + done.stderr


def test_the_packages_own_suite_passes_with_nothing_changed_but_the_import(tmp_path: Path) -> None:
    suite = _suite()
    assert suite.count(IMPORT) == 1
    passed, failed, said = _passed(suite.replace(IMPORT, "from sameas.compat import"), tmp_path)
    assert (passed, failed) == (TESTS, 0), said


def test_the_suite_fails_where_the_normalizer_is_another(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(
        "from sameas.compat import InvalidUrlException, TkNormalizer as Ours\n"
        "class TkNormalizer(Ours):\n"
        "    query_params_to_remove = ['utm_*']\n"
    )
    passed, failed, said = _passed(_suite().replace(IMPORT, "from other import"), tmp_path)
    assert failed > 0, said
    assert passed + failed == TESTS
