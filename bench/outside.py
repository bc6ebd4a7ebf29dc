"""`python -m bench.outside LIMIT COMMAND…`: a program run, measured, and limited, from outside.

It is a small process of its own: a child's peak of memory begins at its parent's size.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter


def main(given: Sequence[str]) -> int:
    """LIMIT is in bytes, for all the addresses a process may have; 0 is none."""
    limit, command = int(given[0]), given[1:]
    if limit:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    start = perf_counter()
    ended = subprocess.run(command, stdout=sys.stderr, check=False)
    wall = perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps([wall, used.ru_utime + used.ru_stime, peak / 1e6]))
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
