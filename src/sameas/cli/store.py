"""`sameas store`: what a store holds, how one from before comes to be one of ours, how one moves.

It shows what the store tells; what is kept, and how, is decided in the room `store`.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from sameas.cli import store_rekey
from sameas.cli.options import Json, StoreTarget, complete_policy, examples, store_target
from sameas.cli.terminal import show, show_json, show_table
from sameas.policy import Policy
from sameas.store.types import Info

commands = typer.Typer(
    help="Show what a store holds, bring an old one up to date, move one.",
    epilog=examples("sameas store info", "sameas store migrate --store old.db"),
    no_args_is_help=True,
    rich_markup_mode=None,
)

StampPolicy = Annotated[
    str,
    typer.Option(
        "--policy",
        "-p",
        metavar="NAME_OR_FILE",
        help="The policy under which keys without a stamp were made.",
        autocompletion=complete_policy,
    ),
]

_SIZES = ((1024**3, "GB"), (1024**2, "MB"), (1024, "kB"))
_SHORT = 12


commands.command("rekey", help=store_rekey.REKEY_HELP, epilog=store_rekey.REKEY_EXAMPLES)(
    store_rekey.rekey
)
commands.command("find", help=store_rekey.FIND_HELP, epilog=store_rekey.FIND_EXAMPLES)(
    store_rekey.find
)


@commands.command(
    "info",
    epilog=examples("sameas store info", "sameas store info --store news.db --json | jq .rows"),
)
def info(store: StoreTarget = "", as_json: Json = False) -> None:
    """Show what a store holds.

    Where it is, its version and size, how many rows each table has, and under which policy the
    keys of a table were made. A password in the store's URL is not shown.
    """
    from sameas.store.opening import open_store

    opened = open_store(store_target(store), create=False)
    try:
        found = opened.info()
    finally:
        opened.close()
    if as_json:
        show_json(_object(found))
    else:
        _show(found)


@commands.command(
    "migrate",
    epilog=examples(
        "sameas store migrate --store old.db",
        "sameas store migrate --store old.db --policy feed@1 --json",
    ),
)
def migrate(store: StoreTarget = "", policy: StampPolicy = "feed", as_json: Json = False) -> None:
    """Bring a store up to date, and stamp its keys.

    An empty database gets its tables. Rows from before there were stamps are copied and stamped;
    their old tables stay, with names that end in _before. What has a stamp keeps it.
    """
    from sameas.store.opening import connected

    chosen = Policy.load(policy)
    label = f"{chosen.name}@{chosen.version}"
    opened = connected(store_target(store))
    try:
        from sameas.store import migrate as migration  # an extra: `connected` says if it is missing

        taken = migration.migrate(opened, label, chosen.fingerprint, datetime.now(UTC))
        found = opened.info()
    finally:
        opened.close()
    if as_json:
        show_json({**_object(found), "taken": taken})
        return
    for table, count in taken.items():
        show(f"taken over: {count:,} {table}")
    _show(found)


def _object(found: Info) -> dict[str, Any]:
    stamps = [
        {**asdict(stamp), "stamped_at": stamp.stamped_at.isoformat()} for stamp in found.stamps
    ]
    return {
        "store": found.place,
        "kind": found.kind,
        "version": found.version,
        "bytes": found.bytes,
        "rows": found.rows,
        "stamps": stamps,
    }


def _show(found: Info) -> None:
    stamps = {stamp.table_name: stamp for stamp in found.stamps}
    show(f"{found.place}: {found.kind}, version {found.version}, {_size(found.bytes or 0)}")
    rows = []
    for table, count in found.rows.items():
        stamp = stamps.get(table)
        made = f"{stamp.policy} ({stamp.fingerprint[:_SHORT]})" if stamp else ""
        rows.append((table, f"{count:,}", made))
    show_table(("table", "rows", "keys made under"), rows)


def _size(count: int) -> str:
    for unit, name in _SIZES:
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} bytes"
