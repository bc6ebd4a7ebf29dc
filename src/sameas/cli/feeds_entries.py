"""`sameas feeds entries`: what feeds brought, one record an entry, streamed out of the store."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from sameas.cli.options import Output, StoreTarget, examples, store_target
from sameas.cli.terminal import on_terminal, plain, results
from sameas.records.aside import written
from sameas.records.write import writing

if TYPE_CHECKING:
    from sameas.store.protocol import Store


class Format(StrEnum):
    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"


HELP = """Print entries, one record each, in the order of the runs that brought them.

--new-since takes a date (2026-11-19), a time in UTC (2026-11-19T20:00) or how long
ago (90m, 24h, 7d). Texts are as the feed has them; canonical_url is the link under
the policy `feed`, and dedupe_key what an entry is known by."""

EXAMPLES = examples(
    "sameas feeds entries --new-since 24h",
    "sameas feeds entries --new-since 2026-11-19 | jq -r .canonical_url",
    "sameas feeds entries --feed URL --format csv > entries.csv",
    "sameas feeds entries --format parquet --output entries.parquet",
)

_AGO = re.compile(r"([0-9]{1,5})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def entries(
    ctx: typer.Context,
    new_since: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help="Only entries first seen then or later."),
    ] = None,
    feed: Annotated[
        str | None, typer.Option(metavar="URL", help="Only entries of this feed.")
    ] = None,
    format: Annotated[Format, typer.Option(help="How to write them.")] = Format.jsonl,
    output: Output = None,
    store: StoreTarget = "",
) -> None:
    from sameas.feeds.shown import NAMES, entry_object
    from sameas.store.opening import open_store

    since = None if new_since is None else _when(new_since)
    if new_since is not None and since is None:
        ctx.fail(f"--new-since {new_since}: is no time; write 2026-11-19, 2026-11-19T20:00 or 24h")
    if format is Format.parquet and output is None and on_terminal():
        ctx.fail("Parquet is not for a terminal: name a file with --output")
    with closing(open_store(store_target(store), create=False)) as kept:
        number = None if feed is None else _number(kept, feed, ctx)
        with _target(output) as stream, writing(stream, format, NAMES) as write:
            harmless = plain if output is None and on_terminal() else str
            for entry in kept.entries(since, number):
                write({name: harmless(value) for name, value in entry_object(entry).items()})


def _number(store: Store, url: str, ctx: typer.Context) -> int:
    from sameas.feeds.address import feed_address

    address = feed_address(url)
    found = store.feeds([address])
    if not found:
        ctx.fail(f"{address} is no feed of this store; `sameas feeds list` shows them")
    return found[0].feed_id


def _when(text: str) -> datetime | None:
    if ago := _AGO.fullmatch(text):
        return datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@contextmanager
def _target(output: str | None) -> Iterator[BinaryIO]:
    if output is not None:
        with written(output) as stream:
            yield stream
        return
    sys.stdout.flush()
    yield results()
