"""`sameas feeds`: the list of feeds kept, looked at, exchanged with other readers.

The run over them is in feeds_sync.py, what they brought in feeds_entries.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from sameas.cli import feeds_entries, feeds_sync
from sameas.cli.options import (
    SEEN_TTL_DAYS,
    Json,
    Output,
    SeenTtlDays,
    StoreTarget,
    examples,
    store_target,
)
from sameas.cli.terminal import line_writer, on_terminal, say, show, show_json, show_table
from sameas.engine.parse import shown
from sameas.errors import FeedError, InvalidURL, MissingExtra
from sameas.records.aside import written
from sameas.records.read import STDIN, opening

if TYPE_CHECKING:
    from sameas.store.protocol import Store
    from sameas.store.types import Feed

_PARTS = ("store", "net")
"""Extras that `feeds` brings as well: who is sent for one would come back for the next."""


class Commands(TyperGroup):
    """Every command of feeds asks for the one extra that brings all they need."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except MissingExtra as missing:
            if missing.extra not in _PARTS:
                raise
            raise MissingExtra("following feeds", "feeds") from missing


commands = typer.Typer(
    cls=Commands,
    help="Follow feeds: what is new, what changed, what was seen.",
    epilog=examples(
        "sameas feeds import feeds.opml",
        "sameas feeds sync",
        "sameas feeds entries --new-since 24h",
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
)

commands.command("sync", help=feeds_sync.HELP, epilog=feeds_sync.EXAMPLES)(feeds_sync.sync)
commands.command("entries", help=feeds_entries.HELP, epilog=feeds_entries.EXAMPLES)(
    feeds_entries.entries
)


@contextmanager
def _opened(target: str, create: bool = False) -> Iterator[Store]:
    from sameas.store.opening import open_store

    with closing(open_store(store_target(target), create)) as store:
        yield store


@commands.command(
    "add",
    epilog=examples(
        "sameas feeds add https://example.org/feed.xml",
        "sameas feeds add --store news.db https://example.org/rss",
    ),
)
def add(
    urls: Annotated[list[str], typer.Argument(metavar="URL", hidden=True)],
    store: StoreTarget = "",
) -> None:
    """Add feeds by their addresses.

    An address is kept as browsers spell it; nothing is fetched yet. One that holds a password is
    refused: passwords are named with `sync --passwords`.
    """
    from sameas.feeds.address import feed_address

    wanted, refused = dict[str, str](), 0
    for number, url in enumerate(map(os.fsencode, urls), 1):
        try:
            wanted.setdefault(feed_address(url), "")
        except (InvalidURL, FeedError) as error:
            refused += 1
            say(f"argument {number}: {error}")
    _add(wanted, store, refused)


@commands.command(
    "remove",
    epilog=examples("sameas feeds remove https://example.org/feed.xml"),
)
def remove(
    urls: Annotated[list[str], typer.Argument(metavar="URL", hidden=True)],
    store: StoreTarget = "",
) -> None:
    """Follow feeds no longer, and forget what only they have brought.

    Entries that another feed carries too stay with that one.
    """
    from sameas.feeds.address import feed_address

    removed = problems = 0
    with _opened(store) as kept:
        for number, url in enumerate(map(os.fsencode, urls), 1):
            try:
                address = feed_address(url)
            except (InvalidURL, FeedError) as error:
                problems += 1
                say(f"argument {number}: {error}")
                continue
            found = kept.feeds([address])
            if not found:
                problems += 1
                say(f"{address}: is no feed of this store (`sameas feeds list` shows them)")
            for feed in found:
                kept.remove_feed(feed.feed_id)
                removed += 1
    show(f"removed {removed}")
    raise typer.Exit(1 if problems else 0)


def _add(wanted: dict[str, str], target: str, refused: int) -> None:
    """Titles by address. The store is not even made where there is nothing to add."""
    added: list[Feed] = []
    if wanted:
        with _opened(target, create=True) as store:
            added = store.add_feeds(list(wanted.items()), datetime.now(UTC))
    parts = [f"added {len(added)}"]
    known = len(wanted) - len(added)
    parts += [f"known {known}"] if known else []
    parts += [f"refused {refused}"] if refused else []
    show(" · ".join(parts))
    raise typer.Exit(1 if refused else 0)


@commands.command(
    "list",
    epilog=examples("sameas feeds list", "sameas feeds list --json | jq -r .feed_url"),
)
def list_(store: StoreTarget = "", as_json: Json = False) -> None:
    """List the feeds.

    Address, title, when each was last asked and will be due, and what is wrong with it.
    """
    with _opened(store) as kept:
        feeds = kept.feeds()
    if as_json:
        for feed in feeds:
            show_json(_feed_object(feed))
    elif feeds:
        names = ("feed", "title", "last checked", "next check", "trouble")
        show_table(names, [_row(feed) for feed in feeds])


def _row(feed: Feed) -> tuple[str, ...]:
    times = (feed.last_checked_at, feed.next_check_at)
    checked, due = (f"{time:%Y-%m-%d %H:%M}" if time else "-" for time in times)
    return feed.feed_url, feed.title or "-", checked, due, feed.error or ""


def _feed_object(feed: Feed) -> dict[str, Any]:
    names = ("feed_url", "title", "status", "etag", "last_modified", "http_status", "error")
    times = ("added_at", "last_checked_at", "last_success_at", "next_check_at")
    data = {name: getattr(feed, name) for name in names}
    for name in times:
        time = getattr(feed, name)
        data[name] = f"{time:%Y-%m-%dT%H:%M:%SZ}" if time else None
    return {**data, "failures": feed.failures, "waiting": feed.waiting, "former": feed.former}


@commands.command(
    "prune",
    epilog=examples("sameas feeds prune", "sameas feeds prune --seen-ttl-days 90"),
)
def prune_(days: SeenTtlDays = SEEN_TTL_DAYS, store: StoreTarget = "") -> None:
    """Forget entries that have not been seen for a while.

    Those of a feed that fails are kept, and those of its last document while it says nothing new:
    they would come back as new. `sync` prunes as well.
    """
    with _opened(store) as kept:
        count = kept.prune(datetime.now(UTC) - timedelta(days=days))
    show(f"forgot {count:,}")


@commands.command(
    "import",
    epilog=examples("sameas feeds import feeds.opml", "sameas feeds import - < feeds.opml"),
)
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", hidden=True)],
    store: StoreTarget = "",
) -> None:
    """Add the feeds of an OPML file; - is standard input.

    An address that is refused is named with its line, and costs the others nothing.
    """
    from sameas.feeds.address import feed_address
    from sameas.feeds.opml import read_opml

    place = "the input" if file == STDIN else file
    with opening(file) as stream:
        outlines = read_opml(stream, place)
    wanted, refused = dict[str, str](), 0
    for outline in outlines:
        try:
            wanted.setdefault(feed_address(outline.url), outline.title)
        except InvalidURL as error:
            refused += 1
            say(f"{place}:{outline.line}: {error} ({shown(outline.url, error.code)})")
        except FeedError as error:
            refused += 1
            say(f"{place}:{outline.line}: {error}")
    _add(wanted, store, refused)


@commands.command(
    "export",
    epilog=examples("sameas feeds export > feeds.opml", "sameas feeds export -o feeds.opml"),
)
def export(store: StoreTarget = "", output: Output = None) -> None:
    """Write the feeds as OPML, for other readers."""
    from sameas.feeds.opml import opml

    with _opened(store) as kept:
        lines = opml((feed.feed_url, feed.title) for feed in kept.feeds())
        if output is None:
            write = show if on_terminal() else line_writer()
            for line in lines:
                write(line)
            return
        with written(output) as stream:
            stream.writelines(line.encode() + b"\n" for line in lines)
