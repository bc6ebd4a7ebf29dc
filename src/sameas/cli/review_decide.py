"""`sameas review decide`: an answer given or taken back, from the options to the store.

Which answers there are, and what follows, is for `sameas.review`.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from sameas.cli.options import (
    Json,
    Overrides,
    PolicyName,
    StoreTarget,
    examples,
    store_target,
)
from sameas.cli.terminal import show, show_json
from sameas.errors import SettingError

if TYPE_CHECKING:
    from sameas.store.link_protocol import LinkStore
    from sameas.store.link_types import Review

HELP = """Answer a question, or take the answer back.

DECISION is one that `show` names, or `suggested`. The next run knows it and does not
ask again. `drop` is written into the overrides file, which is yours: only it may
change what is the same."""

EXAMPLES = examples(
    "sameas review decide ID suggested",
    "sameas review decide ID replace https://www.boe.es/buscar/act.php?id=1",
    "sameas review decide ID domain http://www.example.es",
    "sameas review decide ID drop --overrides overrides.json",
    "sameas review decide ID --undo",
)

Id = Annotated[str, typer.Argument(metavar="ID", hidden=True)]


@contextmanager
def opened(target: str) -> Iterator[LinkStore]:
    """The store with the queue: it is not made where there is none."""
    from sameas.store.opening import open_store

    with closing(open_store(store_target(target), create=False)) as store:
        yield store


def found(store: LinkStore, review_id: str) -> Review:
    review = store.review(review_id)
    if review is None:
        hint = "sameas review list tells those there are"
        raise SettingError(f"review {review_id}", "there is no such question", hint)
    return review


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
    store: StoreTarget = "",
    as_json: Json = False,
) -> None:
    if undo == bool(decision):
        ctx.fail("give a DECISION, or --undo")
    from sameas.review.answer import Answer
    from sameas.review.shown import review_object

    with opened(store) as kept:
        review = found(kept, review_id)
        answer = Answer(kept, review, by or _who(), policy, overrides)
        if undo:
            answer.take_back()
        else:
            answer.give(decision, value)
        review = found(kept, review_id)
    if as_json:
        show_json(review_object(review))
        return
    if undo:
        show(f"taken back: {review_id} is open again")
    else:
        show(f"decided: {review_id} {review.decision} {review.value}".rstrip())
    if answer.rewrote:
        show(f"{overrides} is written: from now on run with --overrides {overrides}")


def _who() -> str:
    try:
        return os.environ.get("USER") or getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
