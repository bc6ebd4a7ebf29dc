"""Which of these links are the same? One link a line in, groups out.

Run it with a file: python examples/what_was_the_same.py examples/links.txt
"""

import sys
from pathlib import Path

from sameas import InvalidURL, Policy

policy = Policy.load("default")
groups: dict[str, list[str]] = {}
for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
    try:
        result = policy.canonicalize(line)
    except InvalidURL:
        continue  # `sameas canon` names each of them
    groups.setdefault(result.key, []).append(result.url)

for key, urls in groups.items():
    print(f"{key[:16]}  {len(urls)} ×  {urls[0]}")
