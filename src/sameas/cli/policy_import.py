"""`sameas policy import`: lists from outside as a policy file that the user owns.

What of a list can be said in a policy is decided in `sameas.change`.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath
from typing import Annotated

import typer

from sameas.change import adguard, clearurls
from sameas.change.imported import Imported, Left, policy_text
from sameas.change.policy_file import save
from sameas.cli.options import Json, complete_policy, examples
from sameas.cli.terminal import say, show, show_json
from sameas.engine.parse import shown
from sameas.errors import RecordsError
from sameas.records.read import opening

HELP = """Make a policy file of a list from outside.

KIND is clearurls (JSON) or adguard (lines with removeparam). What a policy can
say comes to exactly the same; what it cannot is named on standard error and at
the end of the file, and makes the exit status 1. Judge the file with
`sameas policy diff` before you use it."""

EXAMPLES = examples(
    "sameas policy import clearurls rules.json -o clearurls.toml",
    "sameas policy import adguard params.txt -o adguard.toml --extends feed",
    "sameas policy import adguard params.txt -o adguard.toml --json | jq .sites",
)


class Kind(StrEnum):
    clearurls = "clearurls"
    adguard = "adguard"


_READ = {Kind.clearurls: clearurls.read, Kind.adguard: adguard.read}


def import_(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", hidden=True)],
    file: Annotated[str, typer.Argument(metavar="FILE", hidden=True)],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The policy file to write.")
    ],
    extends: Annotated[
        str,
        typer.Option(
            metavar="NAME_OR_FILE",
            help="The policy that the list is added to.",
            autocompletion=complete_policy,
        ),
    ] = "default",
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name of the new policy.")
    ] = "imported",
    as_json: Json = False,
) -> None:
    with opening(file) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise RecordsError(file, "is not UTF-8 text") from None
    found = _READ[kind](text, file)
    if not any(vars(site) != vars(type(site)()) for site in found.sites.values()):
        raise RecordsError(file, "holds no rule that a policy can say", f"is it a {kind} list?")
    policy = save(output, policy_text(found, name, extends, PurePath(file).name))
    for said, rows in (("not expressed", found.left), ("not read", found.broken)):
        for row in rows:
            say(f"{row.place}: {said}: {shown(row.rule)}: {row.why}")
    if as_json:
        show_json({"policy": f"{policy.name}@{policy.version}",
                   "fingerprint": policy.fingerprint, **_object(found)})  # fmt: skip
    else:
        _show(found, output)
    raise typer.Exit(1 if found.left or found.broken else 0)


def _object(found: Imported) -> dict[str, object]:
    return {
        "rules": found.rules,
        "sites": len(found.sites),
        "names": sum(len(site.drop) for site in found.sites.values()),
        "not_expressed": list(map(_row, found.left)),
        "not_read": list(map(_row, found.broken)),
    }


def _row(row: Left) -> dict[str, str]:
    return {"place": row.place, "rule": shown(row.rule), "why": row.why}


def _show(found: Imported, output: str) -> None:
    data = _object(found)
    show(f"rules {found.rules:,} · names {data['names']:,} · sites {data['sites']:,}")
    show(f"not expressed {len(found.left):,} · not read {len(found.broken):,}")
    show(f"written to {output}; `sameas policy diff OLD {output}` tells what it changes")
