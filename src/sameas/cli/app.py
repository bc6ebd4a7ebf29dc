"""The program: its commands, and how each kind of ending looks from outside.

What a command does is its own file's business.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import sameas
from sameas.cli import (
    canon,
    dedupe,
    doctor,
    explain,
    feeds,
    policy,
    registry,
    resolve,
    review,
    same,
    serve,
    store,
)
from sameas.cli.options import examples
from sameas.cli.terminal import say
from sameas.errors import SameasError

BROKEN_PIPE, INTERRUPTED = 141, 130
"""What a shell gives for a program that ended so: 128 and the signal's number."""

HELP = """Are these two URLs the same thing? The same answer every time.

sameas turns URLs into canonical ones and into keys to compare, under named,
versioned policies. Results go to standard output, everything else to standard
error. Exit status: 0 all good; 1 done, but some inputs were refused, each named;
2 wrong usage or configuration."""

EXAMPLES = examples(
    "sameas canon 'https://Example.com/a?utm_source=x#top'",
    "sameas same http://www.example.com/a/ https://example.com/a",
    "sameas explain 'https://example.com/a;jsessionid=1?b=2'",
    "sameas canon --policy news --json --input links.txt",
    "sameas policy list",
)


class Commands(TyperGroup):
    """Every command ends as `_endings` says, and so do the help page and the version."""

    def make_context(self, *args: Any, **named: Any) -> Any:
        with _endings():
            return super().make_context(*args, **named)

    def invoke(self, ctx: Any) -> Any:
        with _endings():
            return super().invoke(ctx)


@contextmanager
def _endings() -> Iterator[None]:
    """Our errors in one line, a reader that left and an interrupt without a word."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except SameasError as error:
        say(f"sameas: {error}")
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _forget_output()
        raise typer.Exit(BROKEN_PIPE) from None
    except OSError as error:
        _forget_output()
        say(f"sameas: stopped: {error.strerror or error}")
        raise typer.Exit(1) from None


def _forget_output() -> None:
    """What cannot be written is not to be tried again when the program ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sameas {sameas.__version__}")
        raise typer.Exit()


app = typer.Typer(
    cls=Commands,
    help=HELP,
    epilog=EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.callback()
def program(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Options of the program itself; the help text is `HELP`."""


app.command("canon", help=canon.HELP, epilog=canon.EXAMPLES)(canon.canon)
app.command("same", help=same.HELP, epilog=same.EXAMPLES)(same.same)
app.command("explain", help=explain.HELP, epilog=explain.EXAMPLES)(explain.explain)
app.command("dedupe", help=dedupe.HELP, epilog=dedupe.EXAMPLES)(dedupe.dedupe)
app.add_typer(feeds.commands, name="feeds")
app.add_typer(policy.commands, name="policy")
app.command("resolve", help=resolve.HELP, epilog=resolve.EXAMPLES)(resolve.resolve)
app.add_typer(registry.commands, name="registry")
app.add_typer(review.commands, name="review")
app.command("serve", help=serve.HELP, epilog=serve.EXAMPLES)(serve.serve)
app.add_typer(store.commands, name="store")
app.command("doctor", help=doctor.HELP, epilog=doctor.EXAMPLES)(doctor.doctor)
