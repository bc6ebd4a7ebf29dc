"""Options that several commands share: spelled, explained and completed in one place."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sameas.errors import MissingExtra, StoreError
from sameas.policy import Policy

if TYPE_CHECKING:
    from sameas.net.settings import Settings
    from sameas.resolve.allowlist import Allowlist


LEAST_MEMORY = 400_000_000
"""Bytes under which there is no room for the program and its work."""


class Engine(StrEnum):
    auto = "auto"
    python = "python"
    native = "native"


def complete_policy(incomplete: str) -> list[str]:
    """The built-in names, and policy files that begin like this."""
    from sameas.plan.document import builtin_names

    names = [name for name in builtin_names() if name.startswith(incomplete)]
    folder, begin = os.path.split(incomplete)
    files = sorted(Path(folder or ".").glob("*.toml"))
    return names + [os.path.join(folder, f.name) for f in files if f.name.startswith(begin)]


_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([KMGT])(i?)B?", re.IGNORECASE)
_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}


def memory_size(text: str) -> int:
    """Bytes, as 800MB, 1.5GB or 2GiB name them."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise typer.BadParameter(f"{text!r} is no size: write one as 800MB, 1.5GB or 2GiB")
    number, unit, binary = found.groups()
    size = int(float(number) * (1024 if binary else 1000) ** _POWERS[unit.lower()])
    if size < LEAST_MEMORY:
        raise typer.BadParameter(f"{text} is too little to work in: give 400MB or more")
    return size


PolicyName = Annotated[
    str,
    typer.Option(
        "--policy",
        "-p",
        metavar="NAME_OR_FILE",
        envvar="SAMEAS_POLICY",
        help="A built-in policy (see `sameas policy list`), NAME@VERSION, or a policy file.",
        autocompletion=complete_policy,
    ),
]
Overrides = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        envvar="SAMEAS_OVERRIDES",
        help="A JSON file of per-host overrides: parameters to drop, prefixes to rewrite.",
    ),
]
EngineName = Annotated[
    Engine,
    typer.Option(
        envvar="SAMEAS_ENGINE",
        help="What applies the policy. Every engine gives the same results.",
    ),
]
StoreTarget = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="FILE_OR_URL",
        envvar="SAMEAS_STORE",
        help="The store: a file (SQLite), or postgresql://USER@HOST/DATABASE. Without it, "
        "sameas.db in the user's data folder.",
    ),
]
SeenTtlDays = Annotated[
    int,
    typer.Option(
        "--seen-ttl-days",
        metavar="N",
        min=1,
        max=36_500,
        envvar="SAMEAS_SEEN_TTL_DAYS",
        help="Forget entries that have not been seen for so many days.",
    ),
]
SEEN_TTL_DAYS = 30
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write this file, when it is whole."),
]
MemoryLimit = Annotated[
    int | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        parser=memory_size,
        help="The most memory to take, as in 1GB or 800MB: rows are put aside on disk.",
    ),
]
Contact = Annotated[
    str,
    typer.Option(
        metavar="TEXT",
        envvar="SAMEAS_CONTACT",
        help="A mail address or page, told to every server in the User-Agent.",
    ),
]
ConnectTos = Annotated[
    list[str] | None,
    typer.Option(
        "--connect-to",
        metavar="HOST:PORT:HOST:PORT",
        envvar="SAMEAS_CONNECT_TO",
        help="As curl's: requests to the first host and port are made to the second.",
    ),
]
CaCert = Annotated[
    str | None,
    typer.Option(
        "--cacert",
        metavar="FILE",
        envvar="SAMEAS_CACERT",
        help="As curl's: the certificate authorities to trust instead of the system's.",
    ),
]
AllowNetworks = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-network",
        metavar="CIDR",
        envvar="SAMEAS_ALLOW_NETWORK",
        help="A private network that may be asked, on every port.",
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="DOMAIN",
        envvar="SAMEAS_ALLOW",
        help="An allowed host, or *.SUFFIX; instead of the policy's own list.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON, one object a line.")]


def net_settings(
    contact: str, connect_to: list[str] | None, cacert: str | None, networks: list[str] | None
) -> Settings:
    """What the four options about fetching say."""
    from sameas.net import settings

    return settings.Settings(
        contact=contact,
        connect_to=tuple(map(settings.ConnectTo.parse, connect_to or ())),
        cafile=cacert,
        allow_networks=settings.networks(networks or ()),
    )


@contextmanager
def all_extras(what: str, *extras: str) -> Iterator[None]:
    """All a command needs are named: who is sent for one would come back for the next."""
    try:
        yield
    except MissingExtra as missing:
        others = [extra for extra in extras if (extra, missing.extra) != ("store", "postgres")]
        raise MissingExtra(what, ",".join(sorted({*others, missing.extra}))) from missing


def allowlist(allow: list[str] | None, policy: Policy) -> Allowlist | None:
    """The option's hosts, or the policy's; None, no limit, where neither names any."""
    from sameas.resolve.allowlist import Allowlist

    entries = allow or policy.allow
    return Allowlist(entries) if entries else None


def loaded(policy: str, overrides: str | None, engine: Engine = Engine.auto) -> Policy:
    return Policy.load(policy, overrides, engine.value)


def store_target(store: str) -> str:
    """The store that was named, or the user's own, whose folder is made where it is missing."""
    if store:
        return store
    hint = "name a store with --store"
    own = own_store()
    if own is None:
        raise StoreError("gone", "the user's own store", "there is no home folder", hint)
    try:
        own.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"the folder cannot be made: {error.strerror}"
        raise StoreError("gone", str(own.parent), reason, hint) from None
    return str(own)


def own_store() -> Path | None:
    """Where the user's own store is, or would be. Nothing is made."""
    try:
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:
        return None
    return Path(data, "sameas", "sameas.db")


def examples(*lines: str) -> str:
    """The end of a help page: commands to try, each kept on its own line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
