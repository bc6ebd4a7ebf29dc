"""`sameas feeds sync`: the run, from the options to the exit status.

What is asked and what an answer means is for `sameas.feeds`; what is shown, for feeds_report.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from sameas.change.applicable import check_applicable
from sameas.cli.feeds_report import Report
from sameas.cli.options import (
    SEEN_TTL_DAYS,
    AllowNetworks,
    CaCert,
    ConnectTos,
    Contact,
    Json,
    SeenTtlDays,
    StoreTarget,
    complete_policy,
    examples,
    net_settings,
    store_target,
)
from sameas.errors import FeedError, InvalidURL, SettingError, StoreError
from sameas.policy import Policy

if TYPE_CHECKING:
    from sameas.feeds.passwords import Passwords
    from sameas.feeds.sync import Chosen, Run
    from sameas.net.settings import Settings
    from sameas.store.protocol import Store
    from sameas.store.types import Feed

HELP = """Ask feeds for what is new.

Without URL, every feed is asked but those whose servers said to wait. A feed that
fails costs the others nothing: it is named with what to do, and makes the exit
status 1. Entries not seen for a while are forgotten at the end.

Passwords come from a file in the form of netrc (machine HOST login NAME password
WORD), or from the variable SAMEAS_PASSWORD_LINES that holds such lines. Each is
sent to its own host alone."""

EXAMPLES = examples(
    "sameas feeds sync",
    "sameas feeds sync --due --contact me@example.org",
    "sameas feeds sync --json | jq -r 'select(.new > 0) | .feed_url'",
    "sameas feeds sync --passwords feeds.netrc --seen-ttl-days 90",
)

_PASSWORDS = "SAMEAS_PASSWORD_LINES"


def sync(  # noqa: PLR0913, PLR0917 (its options)
    ctx: typer.Context,
    urls: Annotated[list[str] | None, typer.Argument(metavar="URL", hidden=True)] = None,
    due: Annotated[bool, typer.Option("--due", help="Only feeds whose time has come.")] = False,
    days: SeenTtlDays = SEEN_TTL_DAYS,
    passwords: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            envvar="SAMEAS_PASSWORDS",
            help="The passwords of feeds, in the form of netrc.",
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAME_OR_FILE",
            help="The policy of the store's keys: another one after `sameas store rekey`.",
            autocompletion=complete_policy,
        ),
    ] = "feed",
    overrides: Annotated[
        str | None, typer.Option(metavar="FILE", help="An overrides file that goes with it.")
    ] = None,
    store: StoreTarget = "",
    contact: Contact = "",
    connect_to: ConnectTos = None,
    cacert: CaCert = None,
    allow_network: AllowNetworks = None,
    as_json: Json = False,
) -> None:
    if urls and due:
        ctx.fail("give URLs or --due, not both")
    settings = net_settings(contact, connect_to, cacert, allow_network)
    secrets, chosen = _secrets(passwords), Policy.load(policy, overrides)
    check_applicable(chosen, "feeds sync")
    report = Report(as_json)
    wanted = _addresses(urls or (), report)
    with _opened(store, wanted, report) as kept:
        feeds = kept.feeds(wanted) if urls else kept.feeds()
        _name_unknown(wanted, feeds, report)
        _run(kept, _choice(feeds, due, bool(urls)), chosen, settings, secrets, report)
        _prune(kept, days, report)
    report.summarize()
    raise typer.Exit(1 if report.problems else 0)


def _choice(feeds: Sequence[Feed], due: bool, named: bool) -> Chosen:
    from sameas.feeds.sync import choose

    return choose(feeds, _now(), due, named)


def _run(
    store: Store,
    chosen: Chosen,
    policy: Policy,
    settings: Settings,
    secrets: Passwords,
    report: Report,
) -> None:
    import asyncio  # slow to load, and no other command needs it

    from sameas.feeds.history import days_of
    from sameas.feeds.sync import Outcome, Run, left_alone

    for feed in chosen.waiting:
        report.done(left_alone(feed))
    outcomes: list[Outcome] = []

    def done(outcome: Outcome) -> None:
        outcomes.append(outcome)
        report.done(outcome)

    run = Run(store, policy, _now, done, report.warn)
    with report.progress(len(chosen.ask)):
        try:
            asyncio.run(_over(run, chosen.ask, settings, secrets))
        except KeyboardInterrupt:
            report.warn("stopped: what is done is kept, the other feeds are as they were")
            raise
    report.lost(run.lost)
    if report.store_is_whole:
        _unless_lost(lambda: store.note_feeds(days_of(outcomes, _now().date())), report)


async def _over(run: Run, feeds: Sequence[Feed], settings: Settings, secrets: Passwords) -> None:
    from sameas.net.client import Client

    async with Client(settings) as client:
        await run.over(feeds, client, secrets)


def _prune(store: Store, days: int, report: Report) -> None:
    if not report.store_is_whole:
        return
    _unless_lost(lambda: store.prune(_now() - timedelta(days=days)), report)


def _unless_lost(work: Callable[[], object], report: Report) -> None:
    """What comes after a run, and is not worth losing its results for."""
    try:
        work()
    except StoreError as error:
        if not error.unavailable:
            raise
        report.warn(f"{error}; nothing was forgotten")
        report.lost(True)


def _now() -> datetime:
    return datetime.now(UTC)


def _secrets(path: str | None) -> Passwords:
    from sameas.feeds.passwords import read_passwords

    if path is None:
        return read_passwords(os.environ.get(_PASSWORDS, ""), _PASSWORDS)
    if os.environ.get(_PASSWORDS):
        hint = "leave one of them out"
        raise SettingError("--passwords", f"is given, and {_PASSWORDS} is set too", hint)
    try:
        with open(path, encoding="utf-8") as file:
            return read_passwords(file.read(), path)
    except OSError as error:
        raise SettingError(path, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingError(path, "is not UTF-8 text") from None


def _addresses(urls: Sequence[str], report: Report) -> list[str]:
    from sameas.feeds.address import feed_address

    found = []
    for number, url in enumerate(map(os.fsencode, urls), 1):
        try:
            found.append(feed_address(url))
        except (InvalidURL, FeedError) as error:
            report.problem(f"argument {number}: {error}")
    return found


def _name_unknown(wanted: Sequence[str], feeds: Sequence[Feed], report: Report) -> None:
    known = {url for feed in feeds for url in (feed.feed_url, *feed.former)}
    for url in wanted:
        if url not in known:
            report.problem(f"{url}: is no feed of this store (`sameas feeds add` makes it one)")


@contextmanager
def _opened(target: str, wanted: Sequence[str], report: Report) -> Iterator[Store]:
    """The store; where it is unavailable, memory for the feeds that are named."""
    from sameas.store.memory import MemoryStore
    from sameas.store.opening import open_store

    store: Store
    try:
        store = open_store(store_target(target), create=False)
    except StoreError as error:
        if not wanted or not error.unavailable:
            raise
        report.warn(f"{error}; entries are told apart in memory, for this run alone")
        report.lost(True)
        store = MemoryStore()
        store.add_feeds([(url, "") for url in wanted], _now())
    with closing(store):
        yield store
