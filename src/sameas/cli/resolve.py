"""`sameas resolve`: where links lead, what is there, what to store; from options to exit status.

What is asked and what an answer means is for `sameas.resolve`; this file sets the results out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from sameas.cli.options import (
    Allow,
    AllowNetworks,
    CaCert,
    ConnectTos,
    Contact,
    Json,
    Overrides,
    PolicyName,
    all_extras,
    allowlist,
    examples,
    loaded,
    net_settings,
)
from sameas.cli.terminal import as_text, console, json_line, line_writer, on_terminal, say, show
from sameas.engine.parse import masked

if TYPE_CHECKING:
    from sameas.net.settings import Settings
    from sameas.policy import Policy
    from sameas.resolve.facts import Facts
    from sameas.resolve.types import Evidence, Resolution

HELP = """Follow links to where they really lead, and tell what is there.

Redirects are followed (5 at most), TLS comes first, pages are read for what they say
of themselves. The status is ok, dead, soft_404, unknown, rejected, or error for what
is no URL. Every answer is shown with the signal that decided. With --store, what is
found out about domains is kept, and what people decided counts. The exit status is
1 where a link is not ok, each named."""

EXAMPLES = examples(
    "sameas resolve https://www.boe.es/buscar/act.php?id=BOE-A-2000-544",
    "sameas resolve --policy clara http://sepe.es/HomeSepe/Personas/",
    "sameas resolve --allow boe.es --allow '*.gob.es' https://www.boe.es/a/b",
    "sameas resolve --json --contact me@example.org URL | jq -r .url",
)

_COLOURS = {"ok": "green", "unknown": "yellow"}


def resolve(  # noqa: PLR0913, PLR0917 (its options)
    urls: Annotated[list[str], typer.Argument(metavar="URL", hidden=True)],
    allow: Allow = None,
    policy: PolicyName = "default",
    overrides: Overrides = None,
    store: Annotated[
        str,
        typer.Option(
            metavar="FILE_OR_URL",
            envvar="SAMEAS_STORE",
            help="A store to know domains and decisions from; without it this run knows its own.",
        ),
    ] = "",
    contact: Contact = "",
    connect_to: ConnectTos = None,
    cacert: CaCert = None,
    allow_network: AllowNetworks = None,
    as_json: Json = False,
) -> None:
    import asyncio  # slow to load, and most commands don't need it

    chosen = loaded(policy, overrides)
    settings = net_settings(contact, connect_to, cacert, allow_network)
    wanted = list(map(os.fsencode, urls))
    problems = 0

    def done(found: Resolution) -> None:
        nonlocal problems
        (_write_object if as_json else _draw)(found)
        if found.status != "ok":
            problems += 1
            say(f"{found.input}: {found.status}: {found.evidence[-1].said}")

    needed = ("net", "store") if store else ("net",)
    with all_extras("resolving links", *needed), _facts(store) as facts:
        asyncio.run(_over(wanted, chosen, facts, allow, settings, done))
    raise typer.Exit(1 if problems else 0)


async def _over(
    urls: Sequence[bytes],
    policy: Policy,
    facts: Facts,
    allow: list[str] | None,
    settings: Settings,
    done: Callable[[Resolution], None],
) -> None:
    """Many at once, told in the order they were given."""
    import asyncio

    from sameas.net.client import Client
    from sameas.resolve.probe import Resolver

    async with Client(settings) as client:
        resolver = Resolver(client, policy, facts, allowlist(allow, policy), _now)
        tasks = [asyncio.create_task(resolver.resolve(url)) for url in urls]
        try:
            for task in tasks:
                done(await task)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def _facts(store: str) -> Iterator[Facts]:
    """Those of the store, or of this run alone."""
    if not store:
        from sameas.resolve.facts import MemoryFacts

        yield MemoryFacts()
        return
    from sameas.registry.facts import StoreFacts
    from sameas.store.opening import open_store

    with closing(open_store(store)) as kept:
        yield StoreFacts(kept)


def _now() -> datetime:
    return datetime.now(UTC)


def _write_object(found: Resolution) -> None:
    from sameas.resolve.shown import resolution_object

    line_writer()(json_line(resolution_object(found)))


def _draw(found: Resolution) -> None:
    """The chain, what came of it, and what was seen on the way."""
    show(found.input)
    for i, hop in enumerate(found.chain):
        branch = "└─" if i == len(found.chain) - 1 else "├─"
        show(f"{branch} {hop.status or '---'}  {masked(hop.url)}")
    flags = f"  ({', '.join(found.flags)})" if found.flags else ""
    _coloured(f"{found.status:8}  {masked(found.url)}{flags}", _COLOURS.get(found.status, "red"))
    for one in found.evidence:
        _coloured(_seen(one), "dim")
    show()


def _seen(one: Evidence) -> str:
    return f"  {one.at:5.2f} s  {one.status or '':3}  {one.signal:20}  {one.said}"


def _coloured(line: str, style: str) -> None:
    if on_terminal():
        console().print(as_text(line, style), soft_wrap=True)
    else:
        show(line.rstrip())
