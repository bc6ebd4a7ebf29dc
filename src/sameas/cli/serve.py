"""`sameas serve`: the service, from the options to the last request.

What it answers, and to whom, is for `sameas.web`.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import Annotated

import typer

from sameas.cli.options import (
    Allow,
    AllowNetworks,
    CaCert,
    ConnectTos,
    Contact,
    Overrides,
    StoreTarget,
    examples,
    net_settings,
    store_target,
)
from sameas.errors import MissingExtra
from sameas.policy import Policy

HELP = """Serve a JSON API and pages, for programs and for people.

It listens on this machine alone. On another address it wants a token in the
variable SAMEAS_TOKEN, which programs send as `Authorization: Bearer TOKEN` and
people type in once. The API is described at /docs. Logs are JSON on standard
error; SIGTERM ends it when what is under way is finished."""

EXAMPLES = examples(
    "sameas serve",
    "sameas serve --port 9000 --store news.db --overrides overrides.json",
    "sameas serve --host 0.0.0.0 --allow-host sameas.example.org",
)

TOKEN = "SAMEAS_TOKEN"
PORT = 8321


def serve(  # noqa: PLR0913, PLR0917 (its options)
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0 is any that is free.")
    ] = PORT,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            envvar="SAMEAS_ALLOW_HOST",
            help="A name by which the service is called.",
        ),
    ] = None,
    rate: Annotated[
        float,
        typer.Option(metavar="N", min=0.1, help="Requests a second that one address may make."),
    ] = 200.0,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            "-p",
            metavar="FILE",
            help="A policy file to serve beside the built-in policies.",
        ),
    ] = None,
    reviews: Annotated[
        str,
        typer.Option(metavar="NAME_OR_FILE", help="The policy whose questions are decided here."),
    ] = "clara",
    overrides: Overrides = None,
    allow: Allow = None,
    store: StoreTarget = "",
    contact: Contact = "",
    connect_to: ConnectTos = None,
    cacert: CaCert = None,
    allow_network: AllowNetworks = None,
) -> None:
    try:
        from sameas.web.serving import serve as run
        from sameas.web.settings import Limits, Settings
    except ImportError as error:
        raise MissingExtra("the service", "web") from error
    from sameas.resolve.allowlist import Allowlist
    from sameas.store.opening import open_store

    settings = Settings(
        host=host,
        port=port,
        token=os.environ.get(TOKEN, ""),
        hosts=tuple(allow_host or ()),
        policies=tuple(map(Policy.load, policy or ())),
        reviews=reviews,
        overrides=overrides,
        allow=Allowlist(allow) if allow else None,
        net=net_settings(contact, connect_to, cacert, allow_network),
        limits=Limits(rate=rate),
    )
    Policy.load(reviews, overrides if overrides and os.path.exists(overrides) else None)
    with closing(open_store(store_target(store))) as kept:
        run(settings, kept)
