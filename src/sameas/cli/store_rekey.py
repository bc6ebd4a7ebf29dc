"""`sameas store rekey` and `find`: a store moved to another policy, and entries by their old keys.

What merges, what parts and what is kept is decided in `sameas.change`.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sameas.cli.options import Json, StoreTarget, complete_policy, examples, store_target
from sameas.cli.terminal import show, show_json
from sameas.policy import Policy

if TYPE_CHECKING:
    from sameas.change.rekey import Moved
    from sameas.change.undo import Undone
    from sameas.store.sql import SqlStore

REKEY_HELP = """Move a store to another policy.

Without --apply it only tells what would happen. With it, all of it happens in
one transaction: entries whose links become one merge into the earliest, old keys
stay known, and --undo --apply takes the last move back. Feeds are synced with
--policy from then on. --links moves links and questions instead: what a link
answered is asked again, a question keeps its answer."""

REKEY_EXAMPLES = examples(
    "sameas store rekey --to mine.toml",
    "sameas store rekey --to mine.toml --apply",
    "sameas store rekey --undo --apply",
    "sameas store rekey --to feed --overrides overrides.json --json | jq .merged",
    "sameas store rekey --links --to clara --apply",
)

FIND_HELP = """Find an entry by anything it is or was known by.

A KEY is a canonical URL, a guid with its feed, a snapshot (dedupe_key) or the
number of an entry, as it is now or as it was before the store was moved to
another policy. The exit status is 1 where one leads to no entry."""

FIND_EXAMPLES = examples(
    "sameas store find http://example.com/a",
    "sameas store find --json http://example.com/a | jq -r .link",
)


def rekey(  # noqa: PLR0913, PLR0917 (its options)
    ctx: typer.Context,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="NAME_OR_FILE",
            help="The policy to move to; with --undo, the one from before.",
            autocompletion=complete_policy,
        ),
    ] = "",
    overrides: Annotated[
        str | None, typer.Option(metavar="FILE", help="An overrides file that goes with --to.")
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Do it. Without this it is only tried.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last move back.")] = False,
    links: Annotated[
        bool, typer.Option("--links", help="Links and questions, instead of entries.")
    ] = False,
    store: StoreTarget = "",
    as_json: Json = False,
) -> None:
    if not to and not undo:
        ctx.fail("give --to POLICY, or --undo")
    if (undo or links) and not apply:
        ctx.fail("--undo and --links cannot be tried: give --apply")
    if undo and links:
        ctx.fail("--links is moved back with --to and the policy from before")
    from sameas.store.opening import open_store

    policy = Policy.load(to, overrides) if to else None
    with closing(open_store(store_target(store), create=False)) as opened:
        if undo:
            _undo(opened, policy, as_json)
        elif policy is not None and links:
            _links(opened, policy, as_json)
        elif policy is not None:
            _rekey(opened, policy, apply, as_json)


def _rekey(store: SqlStore, policy: Policy, apply: bool, as_json: bool) -> None:
    from sameas.change.rekey import rekey

    moved = rekey(store, policy, datetime.now(UTC), dry=not apply)
    if as_json:
        show_json({"applied": apply, **_samples_named(asdict(moved))})
    else:
        _show_moved(moved, apply)


def _samples_named(data: dict[str, Any]) -> dict[str, Any]:
    merged = [{"link": one, "into": other} for one, other in data.pop("merge_samples")]
    split = [{"form": one, "was_also": other} for one, other in data.pop("split_samples")]
    return {**data, "samples": {"merged": merged, "split": split}}


def _show_moved(moved: Moved, applied: bool) -> None:
    show(f"{moved.policy} to {moved.to}, {'done' if applied else 'tried, nothing is changed'}")
    show(f"entries {moved.entries:,} · rewritten {moved.rewritten:,} · merged {moved.merged:,}"
         f" · split {moved.split:,} · kept apart {moved.apart:,}")  # fmt: skip
    for one, other in moved.merge_samples:
        show(f"merges  {one}")
        show(f"  into  {other}")
    for one, other in moved.split_samples:
        show(f"splits  {one}")
        show(f"  from  {other}")
    if not applied:
        show("To do it: the same command with --apply")


def _undo(store: SqlStore, policy: Policy | None, as_json: bool) -> None:
    from sameas.change.undo import undo

    undone: Undone = undo(store, policy, datetime.now(UTC))
    if as_json:
        show_json(asdict(undone))
        return
    show(f"{undone.undone} back to {undone.policy}")
    show(f"entries {undone.entries:,} · rewritten {undone.rewritten:,} · parted {undone.parted:,}")


def _links(store: SqlStore, policy: Policy, as_json: bool) -> None:
    from sameas.review.rekey import rekey

    rows = rekey(store, policy, datetime.now(UTC))
    to = f"{policy.name}@{policy.version}"
    if as_json:
        show_json({"to": to, "rows": rows})
    else:
        show(f"links and questions to {to}: {rows:,} rows changed")


def find(
    keys: Annotated[list[str], typer.Argument(metavar="KEY", hidden=True)],
    store: StoreTarget = "",
    as_json: Json = False,
) -> None:
    from sameas.change.find import find as found
    from sameas.cli.terminal import say
    from sameas.store.opening import open_store

    missing = 0
    with closing(open_store(store_target(store), create=False)) as opened:
        for key in keys:
            entry = found(opened, key)
            if entry is None:
                missing += 1
                say(f"{key}: leads to no entry of {opened.place}")
            elif as_json:
                show_json({"key": key, **entry._asdict()})
            else:
                known = f", under {entry.policy}" if entry.policy else ""
                show(f"entry {entry.entry_id} ({entry.key_type}{known}): {entry.link}")
    raise typer.Exit(1 if missing else 0)
