"""`sameas policy`: the policies there are, one in words, files checked, and two compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from sameas.cli import policy_diff, policy_import, policy_learn
from sameas.cli.options import Json, complete_policy, examples
from sameas.cli.terminal import say, show, show_json, show_table, show_words
from sameas.errors import PolicyError
from sameas.plan import document
from sameas.policy import Policy

commands = typer.Typer(
    help="List, show, check, compare and make policies.",
    epilog=examples(
        "sameas policy list", "sameas policy show news", "sameas policy check mine.toml"
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
)

_SHORT = 12


commands.command("diff", help=policy_diff.HELP, epilog=policy_diff.EXAMPLES)(policy_diff.diff)
commands.command("import", help=policy_import.HELP, epilog=policy_import.EXAMPLES)(
    policy_import.import_
)
commands.command("learn", help=policy_learn.HELP, epilog=policy_learn.EXAMPLES)(policy_learn.learn)


@commands.command(
    "list",
    epilog=examples("sameas policy list", "sameas policy list --json | jq -r .fingerprint"),
)
def list_(as_json: Json = False) -> None:
    """List the built-in policies.

    Name, version, the beginning of the fingerprint, and what each is for.
    """
    rows = []
    for name in document.builtin_names():
        policy, summary = Policy.load(name), document.load(name).words.get("summary", "")
        if as_json:
            show_json({**_identity(policy), "summary": summary})
        rows.append((name, policy.version, policy.fingerprint[:_SHORT], summary))
    if not as_json:
        show_table(("policy", "version", "fingerprint", "what it is for"), rows)


@commands.command(
    "show",
    epilog=examples(
        "sameas policy show default",
        "sameas policy show ./mine.toml",
        "sameas policy show --json tk | jq .rules",
    ),
)
def show_(
    policy: Annotated[
        str,
        typer.Argument(metavar="NAME_OR_FILE", hidden=True, autocompletion=complete_policy),
    ],
    as_json: Json = False,
) -> None:
    """Show a policy in words.

    Every rule in its order, with the clause that defines it and its lists. The policy is a
    built-in one, NAME@VERSION, or a file.
    """
    wanted, loaded = document.load(policy), Policy.load(policy)
    if as_json:
        rules = [
            {"rule": op.name, "clause": op.clause, "does": op.does, **op.args}
            for op in loaded.plan.ops()
        ]
        show_json({**_identity(loaded), **wanted.words, "rules": rules, "sites": loaded.plan.sites})
        return
    show_words(f"{loaded.name}@{loaded.version}: {wanted.words.get('summary', '')}".rstrip(": "))
    show(f"fingerprint {loaded.fingerprint}")
    for name in ("audience", "deviations"):
        for text in _listed(wanted.words.get(name, ())):
            show_words(f"{name.removesuffix('s')}: {text}")
    _show_rules(loaded)


def _show_rules(policy: Policy) -> None:
    plan = policy.plan
    groups = (
        ("The url", (*plan.rules, *((plan.unwrap,) if plan.unwrap else ()))),
        ("The form, from the url", plan.form),
        ("Notes", plan.notes),
    )
    for title, ops in groups:
        if ops:
            show()
            show(f"{title}:")
        for op in ops:
            show_words(f"  {op.name} ({op.clause}): {op.does}")
            for line in _arguments(op.args):
                show_words(f"      {line}")
    if plan.sites:
        show()
        show(f"Sites ({len(plan.sites)} rules; the more specific host goes first):")
    for site in plan.sites:
        show_words(f"  {', '.join(site['host'])}")
        for line in _arguments({key: site[key] for key in site if key != "host"}):
            show_words(f"      {line}")


def _arguments(args: Mapping[str, Any]) -> Iterator[str]:
    for name, value in args.items():
        if value in ("", None) or value == [] or value is False:
            continue
        text = ", ".join(value) if _texts(value) else json.dumps(value, ensure_ascii=False)
        yield f"{name}: {value if isinstance(value, str) else text}"


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _listed(words: str | list[str]) -> list[str]:
    return [words] if isinstance(words, str) else words


@commands.command(
    "check",
    epilog=examples("sameas policy check mine.toml", "sameas policy check policies/*.toml"),
)
def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", hidden=True),
    ],
) -> None:
    """Check policy files and run their examples.

    Every word must be known, every rule sound, every example true. The exit status is 1 where a
    file fails, 2 where there is no such file.
    """
    worst = 0
    for file in files:
        try:
            policy = Policy.load(file)
            count = len(document.load(file).examples)
        except PolicyError as error:
            say(str(error))
            worst = max(worst, 1 if _exists(file) else 2)
            continue
        name, word = f"{policy.name}@{policy.version}", "example" if count == 1 else "examples"
        show(f"ok {name} {policy.fingerprint}, {count} {word}")
    raise typer.Exit(worst)


def _exists(file: str) -> bool:
    return Path(file).is_file() or file in document.builtin_names()


def _identity(policy: Policy) -> dict[str, str]:
    return {"name": policy.name, "version": policy.version, "fingerprint": policy.fingerprint}
