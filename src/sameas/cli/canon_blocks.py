"""What `sameas canon` writes of a block of rows: canonical URLs, one a line, or objects.

Where it goes is the command's business. A row gives the same whatever block it comes in.
"""

from __future__ import annotations

from collections.abc import Callable

from sameas.cli.terminal import json_line
from sameas.engine.lines import on_a_line
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.records.source import Block, Refused, Value
from sameas.report.objects import canonical_object, refused_object
from sameas.types import Canonical

Result = Canonical | InvalidURL | Refused
Refusals = list[tuple[int, InvalidURL | Refused]]
Rendered = Callable[[Policy, Block], tuple[bytes, Refusals]]
"""The lines for a block, and which of its rows were refused, by their numbers."""


def urls(policy: Policy, block: Block) -> tuple[bytes, Refusals]:
    text, refused = policy.urls_of_lines(block.text)
    refusals: Refusals = [(i, error) for i, error in refused if i not in block.apart]
    if block.apart:
        lines = text.split(b"\n")
        for i, value in block.apart.items():
            result = _result(policy, value)
            if isinstance(result, Canonical):
                lines[i] = on_a_line(result.url).encode()
            else:
                refusals.append((i, result))
        text = b"\n".join(lines)
        refusals.sort(key=lambda refusal: refusal[0])
    return text, [(block.numbers[i], error) for i, error in refusals]


def objects(policy: Policy, block: Block) -> tuple[bytes, Refusals]:
    rows = [*block.rows()]
    urls = [b"" if isinstance(value, Refused) else value for _, value in rows]
    lines: list[str] = []
    refusals: Refusals = []
    for (number, value), result in zip(rows, policy.canonicalize_many(urls), strict=True):
        if isinstance(value, Refused):
            lines.append(json_line(refused_object(None, value)))
            refusals.append((number, value))
        elif isinstance(result, Canonical):
            lines.append(json_line(canonical_object(result)))
        else:
            lines.append(json_line(refused_object(value, result)))
            refusals.append((number, result))
    lines.append("")
    return "\n".join(lines).encode(), refusals


def _result(policy: Policy, value: Value) -> Result:
    if isinstance(value, Refused):
        return value
    try:
        return policy.canonicalize(value)
    except InvalidURL as error:
        return error
