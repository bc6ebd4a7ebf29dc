"""A check without the network, and what stands in the files it is run over."""

from __future__ import annotations

import json

from tests.cli.program import Ended, in_process

U = "https://sede.uno.gob.es"
BAD = "http://sede.uno.gob.es/a/b/c/?utm_source=x"
MENDED = f"{U}/a/b/c"


def check(*args: str) -> Ended:
    return in_process("registry", "check", "--offline", *args)


def objects(ended: Ended) -> list[dict[str, object]]:
    return [json.loads(line) for line in ended.lines]
