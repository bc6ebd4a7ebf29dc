"""Random bytes against one invariant: a result whose url gives that url and key again, or
InvalidURL with a known code, and never anything else. (The url of `tk` is no URL: not again.)
It is the Python engine that is tried; differential.py compares the compiled one with it.

    make fuzz        or: .venv/bin/python fuzz/canonicalize.py -max_total_time=60
"""

from __future__ import annotations

import sys
import tempfile

import atheris

with atheris.instrument_imports(include=["sameas.engine"]):
    from sameas import InvalidURL, Policy
    from sameas.errors import CODES
    from sameas.plan.document import builtin_names

OVERRIDES = """{"overrides": [
  {"match": {"host": "h"}, "drop_query_params": ["src"], "rewrite_rules": [
    {"from_prefix": "http://h/amp/", "to_prefix": "http://h/"},
    {"from_prefix": "http://h/x/y", "to_prefix": "http://h/z"},
    {"from_prefix": "http://h/z", "to_prefix": "http://h/x"}]}]}"""


def policies() -> list[Policy]:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(OVERRIDES)
        file.flush()
        overridden = Policy.load("curious-now", file.name, "python")
    return [*(Policy.load(name, engine="python") for name in builtin_names()), overridden]


POLICIES = policies()
MOST = 4096


def one(data: bytes) -> None:
    source = atheris.FuzzedDataProvider(data)
    kind = source.PickValueInList(["bytes", "escapes", "surrogates"])
    start = source.PickValueInList(["", "http://", "http://h/", "https://h/?", "http://h/amp/x/y"])
    raw: str | bytes
    if kind == "surrogates":
        raw = start + source.ConsumeUnicode(MOST)
    else:
        raw = start.encode() + source.ConsumeBytes(MOST)
        raw = raw if kind == "bytes" else raw.decode("utf-8", "surrogateescape")
    for policy in POLICIES:
        check(policy, raw)


def check(policy: Policy, raw: str | bytes) -> None:
    try:
        found = policy.canonicalize(raw)
    except InvalidURL as error:
        if error.code not in CODES:
            raise AssertionError(f"an unknown code: {error}") from error
        return
    if not policy.plan.parser.startswith("tk"):
        again = policy.canonicalize(found.url)
        assert (again.url, again.key) == (found.url, found.key), (policy, raw, found.url, again.url)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
