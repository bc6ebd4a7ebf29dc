"""What a run ran on. It names the kind of machine, never the machine."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def facts() -> dict[str, str]:
    return {
        "CPU": _cpu(),
        "cores": str(os.cpu_count()),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()
