"""`sameas review decide`: an answer given or taken back, from the options to the store.

Which answers there are, and what follows, is for `sameas.review`.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
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
from sameas.policy import Policy

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
    from sameas.review.shown import review_object

    with opened(store) as kept:
        review = found(kept, review_id)
        answer = _Answer(kept, review, by or _who(), policy, overrides)
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
