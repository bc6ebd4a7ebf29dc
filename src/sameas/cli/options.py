"""Options that several commands share: spelled, explained and completed in one place."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sameas.policy import Policy


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
Json = Annotated[bool, typer.Option("--json", help="Write JSON, one object a line.")]


def loaded(policy: str, overrides: str | None, engine: Engine = Engine.auto) -> Policy:
    return Policy.load(policy, overrides, engine.value)


def store_target(store: str) -> str:
    """The store that was named, or the user's own, whose folder is made where it is missing."""
    if store:
        return store
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(data, "sameas")
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "sameas.db")


def examples(*lines: str) -> str:
    """The end of a help page: commands to try, each kept on its own line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
