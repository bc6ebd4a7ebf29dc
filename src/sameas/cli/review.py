"""`sameas review`: the queue of what a person has to decide, looked at and exported.

Answers are given in review_decide.py; which there are is for `sameas.review`.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sameas.cli import review_decide
from sameas.cli.options import Json, Output, StoreTarget, examples
from sameas.cli.outputs import check_apart
from sameas.cli.review_decide import Id, found, opened
from sameas.cli.terminal import (
    json_line,
    line_writer,
    on_terminal,
    say,
    show,
    show_json,
    show_table,
    show_words,
)
from sameas.review.kinds import DECISIONS, KINDS

if TYPE_CHECKING:
    from sameas.store.link_protocol import LinkStore
    from sameas.store.link_types import Review

commands = typer.Typer(
    help="Decide what only a person can: the queue of open questions.",
    epilog=examples(
        "sameas review list",
        "sameas review show ID",
        "sameas review decide ID accept_home",
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
)


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


commands.command("decide", help=review_decide.HELP, epilog=review_decide.EXAMPLES)(
    review_decide.decide
)


class Kind(StrEnum):
    """The kinds of questions, for the option of that name."""

    invalid = "invalid"
    homepage = "homepage"
    section = "section"
    dead = "dead"
    soft_404 = "soft_404"
    moved = "moved"
    http_only = "http_only"
    duplicate = "duplicate"
    not_allowed = "not_allowed"
    unknown = "unknown"
    slash = "slash"
    translation = "translation"
    canonical = "canonical"
    parameter = "parameter"


class Format(StrEnum):
    csv = "csv"
    jsonl = "jsonl"


KindName = Annotated[
    Kind | None, typer.Option("--kind", metavar="KIND", help="Only questions of this kind.")
]


def _wanted(store: LinkStore, decided: bool | None, kind: Kind | None) -> Iterator[Review]:
    return (r for r in store.reviews(decided) if kind is None or r.kind == kind.value)


@commands.command(
    "list",
    epilog=examples(
        "sameas review list",
        "sameas review list --kind homepage --json | jq -r .id",
        "sameas review list --decided",
    ),
)
def list_(
    decided: Annotated[
        bool, typer.Option("--decided", help="What was decided, instead of what is open.")
    ] = False,
    kind: KindName = None,
    store: StoreTarget = "",
    as_json: Json = False,
) -> None:
    """List the open questions.

    What each is about, what it asks, and what is suggested. `show` tells all of one.
    """
    from sameas.review.shown import review_object

    with opened(store) as kept:
        rows = []
        for review in _wanted(kept, decided, kind):
            if as_json:
                show_json(review_object(review))
            else:
                rows.append(_row(review, decided))
    if rows:
        _show_list(rows, "decided" if decided else "suggested")
    elif not as_json:
        say("sameas: nothing is decided" if decided else "sameas: nothing is open")


def _show_list(rows: list[tuple[str, ...]], answered: str) -> None:
    """Columns for programs; for people lines that no terminal has to break."""
    if not on_terminal():
        show_table(("id", "kind", "about", answered, "file"), rows)
        return
    for number, kind, about, answer, place in rows:
        show(f"{number}  {kind:11}  {about}")
        words = f", {answered}: {answer}" if answer != "-" else ""
        show(f"{'':12}  in {place}{words}")


def _row(review: Review, decided: bool) -> tuple[str, ...]:
    from sameas.review.shown import about

    answer = f"{review.decision} {review.value}".strip() if decided else review.suggestion
    place = os.path.relpath(review.file) if review.file else "-"
    return review.review_id, review.kind, about(review), answer or "-", f"{place}:{review.line}"


@commands.command(
    "show", epilog=examples("sameas review show ID", "sameas review show ID --json | jq .evidence")
)
def show_(review_id: Id, store: StoreTarget = "", as_json: Json = False) -> None:
    """Show one question.

    Everything that speaks for one answer or another, and how to give it.
    """
    from sameas.review.shown import review_object

    with opened(store) as kept:
        review = found(kept, review_id)
    data = review_object(review)
    if as_json:
        show_json(data)
        return
    show_words(f"{data['question']}")
    show(f"    {data['about']}")
    if review.file:
        show(f"    in {os.path.relpath(review.file)}:{review.line}")
    show()
    show("What is known:")
    for said in review.evidence:
        show_words(f"  - {said}")
    show()
    show_words(f"Suggested: {review.suggestion or 'nothing'}; {review.reason}.")
    if review.decision is not None:
        at, by = data["decided_at"], review.decided_by
        show_words(f"Decided: {review.decision} {review.value}".rstrip() + f", by {by} at {at}.")
        show(f"To take it back: sameas review decide {review_id} --undo")
        return
    show()
    show("To answer:")
    for decision in KINDS[review.kind].decisions:
        show_words(f"  sameas review decide {review_id} {decision}: {DECISIONS[decision]}")


@commands.command(
    "export",
    epilog=examples(
        "sameas review export -o reviews.csv",
        "sameas review export --format jsonl --kind dead | jq -r .url",
    ),
)
def export(
    format: Annotated[Format, typer.Option(help="How it is written.")] = Format.csv,
    kind: KindName = None,
    store: StoreTarget = "",
    output: Output = None,
) -> None:
    """Write all questions, open and decided.

    For a spreadsheet or another program: who decided what, and when.
    """
    from sameas.records.aside import written

    check_apart({"--output": output, "--store": store or None})
    with opened(store) as kept:
        lines = _lines(_wanted(kept, None, kind), format)
        if output is None:
            write = line_writer()
            for line in lines:
                write(line)
            return
        with written(output) as stream:
            stream.writelines(line.encode() + b"\n" for line in lines)
    if on_terminal():
        say(f"sameas: written to {output}")


def _lines(reviews: Iterator[Review], format: Format) -> Iterator[str]:
    from sameas.review.shown import NAMES, review_object

    if format is Format.csv:
        yield _csv(NAMES)
    for review in reviews:
        data = review_object(review)
        yield _csv(map(_cell, data.values())) if format is Format.csv else json_line(data)


def _cell(value: Any) -> str:
    """A spreadsheet takes a text that begins like a formula for one, unless it is quoted."""
    text = "\n".join(value) if isinstance(value, list) else "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv(cells: Any) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerow(cells)
    return stream.getvalue().removesuffix("\r\n")
