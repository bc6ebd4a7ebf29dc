"""`sameas canon`: canonical URLs, one line out for each row in, however many there are.

Nothing but the row at hand is kept in memory; a refused row is named and costs the others nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, BinaryIO

import typer

import sameas
from sameas.cli import canon_blocks
from sameas.cli.canon_blocks import Rendered
from sameas.cli.memory import kept_within
from sameas.cli.options import (
    Engine,
    EngineName,
    Json,
    Output,
    Overrides,
    PolicyName,
    examples,
    loaded,
    memory_size,
)
from sameas.cli.outputs import STDOUT, check_apart, opened
from sameas.cli.progress import watched
from sameas.cli.terminal import on_terminal, say
from sameas.errors import RecordsError, SameasError
from sameas.policy import Policy
from sameas.records.blocks import row_blocks
from sameas.records.part import Run, State, growing
from sameas.records.read import STDIN, reading
from sameas.records.source import Block, Source


class Format(StrEnum):
    lines = "lines"
    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"


HELP = """Print the canonical URL of each URL, one a line.

URLs are arguments, or the lines of --input, or one --column of a CSV, JSON Lines
or Parquet file; results come in the same order. A refused URL leaves an empty
line, is named on standard error, and makes the exit status 1; the rest is done.

With --output a file takes its name when it is whole. A run over a file that was
stopped is gone on with by the same command: what it did stands in FILE.part."""

EXAMPLES = examples(
    "sameas canon 'https://Example.com/a?utm_source=x&b=1#top'",
    "sameas canon --input links.txt > canonical.txt",
    "zcat links.gz | sameas canon --policy news --input -",
    "sameas canon --input articles.csv --column url --output canonical.txt",
    "sameas canon --input - --format jsonl --column link < rows",
    "sameas canon --json --input links.txt | jq -r '[.key, .url] | @tsv'",
    "sameas canon --policy curious-now --overrides overrides.json URL",
)


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
    output: Output = None,
    memory: Annotated[
        int | None,
        typer.Option(
            "--memory-limit",
            metavar="SIZE",
            parser=memory_size,
            help="The most memory to take, as in 1GB or 800MB. It does not grow with the file; "
            "a row or page that needs more is told.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    if urls and input is not None:
        ctx.fail("give URLs or --input, not both")
    if not urls and input is None:
        unasked = "standard input is not read unasked: " if not _typed() else ""
        ctx.fail(f"{unasked}give URLs or --input FILE (--input - for standard input)")
    if input is None and (column or format):
        ctx.fail("--column and --format go with --input")
    check_apart({"--input": None if input == STDIN else input, "--output": output})
    chosen = loaded(policy, overrides, engine)
    rendered = canon_blocks.objects if as_json else canon_blocks.urls
    kind = format.value if format else ""
    task = Task(chosen, rendered, input, kind, column, output or STDOUT)
    with kept_within(memory):
        if task.can_go_on:
            tally = _into_part(task, as_json)
        else:
            with _rows(urls, input, kind, column) as source, opened(task.output) as out:
                tally = _write_all(task, source, out, Tally())
    if tally.refused and tally.rows > 1:
        say(f"sameas: {tally.refused:,} of {tally.rows:,} refused")
    raise typer.Exit(1 if tally.refused else 0)


@dataclass(frozen=True)
class Task:
    """What is to be done: to which rows, and where it goes."""

    policy: Policy
    rendered: Rendered
    input: str | None
    format: str
    column: str
    output: str

    @property
    def can_go_on(self) -> bool:
        """A file made of a file: that can be stopped and gone on with."""
        made = self.output != STDOUT and (
            os.path.isfile(self.output) or not os.path.exists(self.output)
        )
        return made and self.input is not None and os.path.isfile(self.input)

    def run(self, as_json: bool) -> Run:
        """All that the output depends on."""
        assert self.input is not None
        status = os.stat(self.input)
        return {
            "version of sameas": sameas.__version__,
            "input": [os.path.realpath(self.input), status.st_size, status.st_mtime_ns],
            "policy": [self.policy.name, self.policy.fingerprint],
            "format": [self.format, self.column, as_json],
        }


@dataclass
class Tally:
    rows: int = 0
    refused: int = 0


def _into_part(task: Task, as_json: bool) -> Tally:
    """Where an earlier run stopped, from there on."""
    part = None
    try:
        with growing(task.output, task.run(as_json)) as part:
            after, tally = part.state.get("after", 0), Tally(part.state.get("rows", 0))
            tally.refused = part.state.get("refused", 0)
            if part.other:
                say(f"sameas: {part.path} is of another {part.other}: starting anew")
            elif after:
                say(f"sameas: going on behind {tally.rows:,} rows that {part.path} has")
            with _rows(None, task.input, task.format, task.column, after) as source:
                return _write_all(task, source, part.stream, tally, part.reached)
    except (KeyboardInterrupt, SameasError):
        if part is not None and part.kept:
            rows = part.state["rows"]
            say(f"sameas: stopped behind {rows:,} rows; the same command goes on from there")
        raise


@contextmanager
def _rows(
    urls: list[str] | None, input: str | None, format: str, column: str, after: int = 0
) -> Iterator[Source[Block]]:
    if input is None:
        # The bytes that were typed: how they were decoded depends on the locale.
        typed = row_blocks(enumerate(map(os.fsencode, urls or ()), 1))
        yield Source("", "argument", ((block.numbers[0], block) for block in typed))
        return
    with reading(input, format, column, after) as source:
        if input == STDIN and sys.stdin.isatty():
            say("sameas: reading what you type; end with Ctrl-D on a line of its own")
        yield source


def _unkept(_: State) -> None:
    pass


def _write_all(
    task: Task,
    source: Source[Block],
    out: BinaryIO,
    tally: Tally,
    reached: Callable[[State], None] = _unkept,
) -> Tally:
    """Every row through the policy. `reached` is told where a run could go on."""
    at_once = task.output == STDOUT and on_terminal()
    settled = True
    try:
        with watched(source, at_once) as (blocks, tell):
            for number, block in blocks:
                if settled:
                    reached({"after": number - 1, "rows": tally.rows, "refused": tally.refused})
                text, refusals = task.rendered(task.policy, block)
                out.write(text)
                if at_once:
                    out.flush()
                tally.rows += len(block.numbers)
                tally.refused += len(refusals)
                for at, error in refusals:
                    tell(f"{source.place(at)}: {error.code}: {error.message}")
                settled = source.settled()
    except RecordsError as error:
        if not tally.rows or task.output != STDOUT:
            raise
        say(f"sameas: {error}")
        say(f"sameas: stopped there, after {tally.rows:,} rows; nothing below was read")
        raise typer.Exit(1) from None
    return tally


def _typed() -> bool:
    return sys.stdin is None or sys.stdin.isatty()
