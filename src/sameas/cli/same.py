"""`sameas same`: are two URLs the same thing? The exit status answers, a sentence says why."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from sameas.cli.options import Engine, EngineName, Json, Overrides, PolicyName, examples, loaded
from sameas.cli.terminal import say, show, show_json
from sameas.report.objects import comparison_object

HELP = """Say whether two URLs are the same thing, and why.

The exit status is 0 for the same, 1 for different, 2 where a URL is refused."""

EXAMPLES = examples(
    "sameas same http://www.example.com/a/ 'https://example.com/a?utm_source=x'",
    "sameas same --policy tk HTTPS://Example.com/A example.com/a",
    'if sameas same "$old" "$new" > /dev/null; then echo known; fi',
)


def same(
    a: Annotated[str, typer.Argument(metavar="A", hidden=True)],
    b: Annotated[str, typer.Argument(metavar="B", hidden=True)],
    policy: PolicyName = "default",
    overrides: Overrides = None,
    engine: EngineName = Engine.auto,
    as_json: Json = False,
) -> None:
    chosen = loaded(policy, overrides, engine)
    found = chosen.compare(os.fsencode(a), os.fsencode(b))
    if as_json:
        show_json(comparison_object(found, steps=False))
    errors = [(i, one.error) for i, one in enumerate((found.a, found.b), 1) if one.error]
    for i, (code, message) in errors:
        say(f"argument {i}: {code}: {message}")
    if errors:
        raise typer.Exit(2)
    if not as_json:
        show("same" if found.same else "different")
        show(found.sentence)
    raise typer.Exit(0 if found.same else 1)
