"""`sameas canon`: canonical URLs, one line out for each row in, however many there are.

Nothing but the row at hand is kept in memory; a refused row is named and costs the others nothing.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated

import typer

from sameas.cli.options import Engine, EngineName, Json, Overrides, PolicyName, examples, loaded
from sameas.cli.progress import watched
from sameas.cli.terminal import json_line, line_writer, say
from sameas.errors import InvalidURL, RecordsError
from sameas.policy import Policy
from sameas.records.read import STDIN, reading
from sameas.records.source import Refused, Source, Value
from sameas.report.objects import canonical_object, refused_object
from sameas.types import Canonical


class Format(StrEnum):
    lines = "lines"
    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"


HELP = """Print the canonical URL of each URL, one a line.

URLs are arguments, or the lines of --input, or one --column of a CSV, JSON Lines
or Parquet file; results come in the same order. A refused URL leaves an empty
line, is named on standard error, and makes the exit status 1; the rest is done."""

EXAMPLES = examples(
    "sameas canon 'https://Example.com/a?utm_source=x&b=1#top'",
    "sameas canon --input links.txt > canonical.txt",
    "zcat links.gz | sameas canon --policy news --input -",
    "sameas canon --input articles.csv --column url",
    "sameas canon --input - --format jsonl --column link < rows",
    "sameas canon --json --input links.txt | jq -r '[.key, .url] | @tsv'",
    "sameas canon --policy curious-now --overrides overrides.json URL",
)

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def canon(  # noqa: PLR0913, PLR0917 (its options)
    ctx: typer.Context,
    urls: Annotated[list[str] | None, typer.Argument(metavar="URL", hidden=True)] = None,
    input: Annotated[
        str | None,
        typer.Option("--input", "-i", metavar="FILE", help="Read this file; - is standard input."),
    ] = None,
    column: Annotated[
        str,
        typer.Option("--column", "-c", metavar="NAME", help="The column (or key) with the URLs."),
    ] = "",
    format: Annotated[
        Format | None,
        typer.Option(
            help="How to read --input. Without it the ending of the name decides: .csv .tsv "
            ".jsonl .ndjson .parquet, lines for all others.",
        ),
    ] = None,
    policy: PolicyName = "default",
    overrides: Overrides = None,
    engine: EngineName = Engine.auto,
    as_json: Json = False,
) -> None:
    if urls and input is not None:
        ctx.fail("give URLs or --input, not both")
    if not urls and input is None:
        unasked = "standard input is not read unasked: " if not _typed() else ""
        ctx.fail(f"{unasked}give URLs or --input FILE (--input - for standard input)")
    if input is None and (column or format):
        ctx.fail("--column and --format go with --input")
    chosen = loaded(policy, overrides, engine)
    with _rows(urls, input, format, column) as source:
        refused = _write_all(chosen, source, _objects if as_json else _urls)
    raise typer.Exit(1 if refused else 0)


@contextmanager
def _rows(
    urls: list[str] | None, input: str | None, format: Format | None, column: str
) -> Iterator[Source[Value]]:
    if input is None:
        # The bytes that were typed: how they were decoded depends on the locale.
        yield Source("", "argument", enumerate(map(os.fsencode, urls or ()), 1))
        return
    with reading(input, format.value if format else "", column) as source:
        if input == STDIN and sys.stdin.isatty():
            say("sameas: reading what you type; end with Ctrl-D on a line of its own")
        yield source


Rendered = Callable[[Value, Canonical | InvalidURL | Refused], str]


def _write_all(policy: Policy, source: Source[Value], rendered: Rendered) -> int:
    """Every row through the policy. Gives how many were refused."""
    write = line_writer()
    rows = refused = 0
    try:
        with watched(source) as (numbered, tell):
            for number, value in numbered:
                rows += 1
                result = _result(policy, value)
                write(rendered(value, result))
                if not isinstance(result, Canonical):
                    refused += 1
                    tell(f"{source.place(number)}: {result.code}: {result.message}")
    except RecordsError as error:
        if not rows:
            raise
        say(f"sameas: {error}")
        say(f"sameas: stopped there, after {rows:,} rows; nothing below was read")
        raise typer.Exit(1) from None
    if refused and rows > 1:
        say(f"sameas: {refused:,} of {rows:,} refused")
    return refused


def _result(policy: Policy, value: Value) -> Canonical | InvalidURL | Refused:
    if isinstance(value, Refused):
        return value
    try:
        return policy.canonicalize(value)
    except InvalidURL as error:
        return error


def _urls(_: Value, result: Canonical | InvalidURL | Refused) -> str:
    """One line, whatever the URL holds: in `tk` a decoded path can hold a line break."""
    if not isinstance(result, Canonical):
        return ""
    if result.url.isascii() and result.url.isprintable():
        return result.url
    return _CONTROL.sub(lambda found: _triplets(found.group()), result.url)


def _triplets(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())


def _objects(value: Value, result: Canonical | InvalidURL | Refused) -> str:
    if isinstance(result, Canonical):
        return json_line(canonical_object(result))
    return json_line(refused_object(None if isinstance(value, Refused) else value, result))


def _typed() -> bool:
    return sys.stdin is None or sys.stdin.isatty()
