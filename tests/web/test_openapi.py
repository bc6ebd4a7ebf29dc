"""The running service against its own OpenAPI: no fault, and no answer that is not described."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.web.filled import Filled
from tests.web.running import FAST, serving

EXAMPLES = int(os.environ.get("SAMEAS_TEST_EXAMPLES", "8"))
"""For each operation and way of making them up."""

_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "missing_required_header",
)


def test_no_request_finds_a_fault_or_an_answer_that_is_not_described(
    filled: Filled, tmp_path: Path
):
    shutil.copy(filled.store, tmp_path / "own.db")
    with serving(*FAST, "--store", str(tmp_path / "own.db")) as running:
        program = [
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            f"{running.url}/openapi.json",
            f"--max-examples={EXAMPLES}",
            f"--checks={','.join(_CHECKS)}",
            "--phases=examples,coverage,fuzzing",
            "--mode=all",
            "--request-timeout=60",
            # A connection kept open may be closed while the next request is on its way.
            "--header=Connection: close",
            "--generation-deterministic",
            "--suppress-health-check=all",
            "--no-color",
        ]
        done = subprocess.run(
            program, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout[:9000] + done.stderr[-2000:]
        assert running.logged("fault") == []
        assert "Tested: 15" in done.stdout
        assert "unresolvable" not in done.stdout
