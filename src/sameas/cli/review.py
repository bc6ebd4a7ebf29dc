"""`sameas review`: the queue of what a person has to decide: looked at, answered, exported.

Which answers there are, and what follows, is for `sameas.review`.
"""

from __future__ import annotations

import csv
import getpass
import io
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sameas.cli.options import STORE, Json, Output, Overrides, PolicyName, StoreName, examples
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
from sameas.errors import SettingError
from sameas.policy import Policy
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


@contextmanager
def _opened(target: str) -> Iterator[LinkStore]:
    from sameas.store.opening import open_store

    with closing(open_store(target, create=False)) as store:
        yield store


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
    store: StoreName = STORE,
    as_json: Json = False,
) -> None:
    """List the open questions.

    What each is about, what it asks, and what is suggested. `show` tells all of one.
    """
    from sameas.review.shown import review_object

    with _opened(store) as kept:
        rows = []
        for review in _wanted(kept, decided, kind):
            if as_json:
                show_json(review_object(review))
            else:
                rows.append(_row(review, decided))
    if rows:
        show_table(("id", "kind", "about", "decision" if decided else "suggestion", "file"), rows)
    elif not as_json:
        say("sameas: nothing is decided" if decided else "sameas: nothing is open")


def _row(review: Review, decided: bool) -> tuple[str, ...]:
    about = review.key if KINDS[review.kind].about in ("host", "parameter") else review.url
    answer = f"{review.decision} {review.value}".strip() if decided else review.suggestion
    place = os.path.relpath(review.file) if review.file else "-"
    return review.review_id, review.kind, about, answer or "-", f"{place}:{review.line}"


Id = Annotated[str, typer.Argument(metavar="ID", hidden=True)]


def _found(store: LinkStore, review_id: str) -> Review:
    review = store.review(review_id)
    if review is None:
        hint = "sameas review list tells those there are"
        raise SettingError(f"review {review_id}", "there is no such question", hint)
    return review


@commands.command(
    "show", epilog=examples("sameas review show ID", "sameas review show ID --json | jq .evidence")
)
def show_(review_id: Id, store: StoreName = STORE, as_json: Json = False) -> None:
    """Show one question.

    Everything that speaks for one answer or another, and how to give it.
    """
    from sameas.review.shown import review_object

    with _opened(store) as kept:
        review = _found(kept, review_id)
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
    "decide",
    epilog=examples(
        "sameas review decide ID suggested",
        "sameas review decide ID replace https://www.boe.es/buscar/act.php?id=1",
        "sameas review decide ID domain http://www.example.es",
        "sameas review decide ID drop --overrides overrides.json",
        "sameas review decide ID --undo",
    ),
)
def decide(  # noqa: PLR0913, PLR0917 (its options)
    ctx: typer.Context,
    review_id: Id,
    decision: Annotated[str, typer.Argument(metavar="[DECISION]", hidden=True)] = "",
    value: Annotated[str, typer.Argument(metavar="[URL]", hidden=True)] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take the decision back.")] = False,
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides; else the name you are logged in with.")
    ] = "",
    policy: PolicyName = "clara",
    overrides: Overrides = None,
    store: StoreName = STORE,
    as_json: Json = False,
) -> None:
    """Answer a question, or take the answer back.

    DECISION is one that `show` names, or `suggested`. The next run knows it and does not ask
    again. `drop` is written into the overrides file, which is yours: only it may change what is
    the same.
    """
    if undo == bool(decision):
        ctx.fail("give a DECISION, or --undo")
    from sameas.review.shown import review_object

    with _opened(store) as kept:
        review = _found(kept, review_id)
        answer = _Answer(kept, review, by or _who(), policy, overrides)
        if undo:
            answer.take_back()
        else:
            answer.give(decision, value)
        review = _found(kept, review_id)
    if as_json:
        show_json(review_object(review))
        return
    if undo:
        show(f"taken back: {review_id} is open again")
    else:
        show(f"decided: {review_id} {review.decision} {review.value}".rstrip())
    if answer.rewrote:
        show(f"{overrides} is written: from now on run with --overrides {overrides}")


class _Answer:
    """One answer on its way into the store."""

    def __init__(
        self, store: LinkStore, review: Review, by: str, policy: str, overrides: str | None
    ) -> None:
        self._store, self._review, self._by = store, review, by
        self._policy, self._overrides = policy, overrides
        self._now = datetime.now(UTC)
        self.rewrote = False

    def give(self, decision: str, value: str) -> None:
        from sameas.review.decide import decide, wanted

        file = self._overrides if self._overrides and os.path.exists(self._overrides) else None
        policy = Policy.load(self._policy, file)
        decision, value = wanted(self._review, decision, value, policy)
        if decision == "drop":
            self._rewrite(drops=True)
        decide(self._store, self._review, decision, value, self._by, self._now)

    def take_back(self) -> None:
        from sameas.review.decide import take_back

        if self._review.decision == "drop":
            self._rewrite(drops=False)
        take_back(self._store, self._review, self._by, self._now)

    def _rewrite(self, drops: bool) -> None:
        """What is stored moves along: the file has made the policy another one."""
        from sameas.review.overrides import add_drop, take_drop_back
        from sameas.review.rekey import rekey

        if self._overrides is None:
            hint = "give --overrides FILE; it is made where there is none"
            raise SettingError(
                f"review {self._review.review_id}", "only a policy may drop it", hint
            )
        host, _, name = self._review.key.partition("?")
        change = add_drop if drops else take_drop_back
        self.rewrote = True
        policy = change(self._overrides, self._policy, host, name)
        rekey(self._store, policy, self._now)


def _who() -> str:
    try:
        return os.environ.get("USER") or getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


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
    store: StoreName = STORE,
    output: Output = None,
) -> None:
    """Write all questions, open and decided.

    For a spreadsheet or another program: who decided what, and when.
    """
    from sameas.records.aside import written

    with _opened(store) as kept:
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
    if isinstance(value, list):
        return "\n".join(value)
    return "" if value is None else str(value)


def _csv(cells: Any) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="").writerow(cells)
    return stream.getvalue()
