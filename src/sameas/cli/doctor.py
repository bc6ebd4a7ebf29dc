"""`sameas doctor`: what is installed, what works, what is missing and how to get it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import typer

import sameas
from sameas.cli.options import Json, examples, net_settings
from sameas.cli.terminal import say, show, show_json
from sameas.engine import ENGINES, VARIABLE, native
from sameas.engine.parse import PARSER, masked
from sameas.errors import EngineUnavailable, SameasError
from sameas.plan import document
from sameas.policy import Policy

HELP = """Show what is installed, what works, what is missing.

The exit status is 1 where something does not work. An extra that is not installed
is no fault; the line says how to get it."""

EXAMPLES = examples("sameas doctor", "sameas doctor --json | jq .policies")

_SETTINGS = (
    "SAMEAS_POLICY",
    "SAMEAS_OVERRIDES",
    "SAMEAS_ENGINE",
    "SAMEAS_STORE",
    "SAMEAS_SEEN_TTL_DAYS",
    "SAMEAS_CONTACT",
    "SAMEAS_PASSWORDS",
    "SAMEAS_PASSWORD_LINES",
    "SAMEAS_CONNECT_TO",
    "SAMEAS_CACERT",
    "SAMEAS_ALLOW_NETWORK",
    "SAMEAS_ALLOW_HOST",
    "SAMEAS_TOKEN",
)
_REQUIREMENT = re.compile(r"""([\w.\-]+)[^;]*;.*\bextra\s*==\s*['"]([\w\-]+)['"]""")


def doctor(as_json: Json = False) -> None:
    problems: list[str] = []
    found: dict[str, Any] = {
        "sameas": sameas.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "executable": sys.executable,
        "engines": {name: _engine(name) for name in ENGINES},
        "parser": PARSER,
        "policies": dict(_policies(problems)),
        "extras": _extras(),
        "environment": _settings(problems),
        "problems": problems,
    }
    if as_json:
        show_json(found)
    else:
        _show(found)
    for problem in problems:
        say(f"sameas: {problem}")
    raise typer.Exit(1 if problems else 0)


def _settings(problems: list[str]) -> dict[str, str]:
    """What the environment sets, without its secrets, tried together as a command would."""
    found = {name: os.environ[name] for name in _SETTINGS if os.environ.get(name)}
    try:
        Policy.load(found.get("SAMEAS_POLICY", "default"), found.get("SAMEAS_OVERRIDES"))
        net_settings(
            found.get("SAMEAS_CONTACT", ""),
            found.get("SAMEAS_CONNECT_TO", "").split(),
            found.get("SAMEAS_CACERT"),
            found.get("SAMEAS_ALLOW_NETWORK", "").split(),
        )
    except SameasError as error:
        problems.append(f"with {', '.join(found)} as set: {error}" if found else str(error))
    return {name: _SHOWN.get(name, str)(value) for name, value in found.items()}


def _place(store: str) -> str:
    """Where a store is. A password may stand before the host, or among the options."""
    return masked(store, everywhere=True).partition("?")[0] if "://" in store else store


_SHOWN: dict[str, Callable[[str], str]] = {
    "SAMEAS_STORE": _place,
    "SAMEAS_PASSWORD_LINES": lambda _: "***",
    "SAMEAS_TOKEN": lambda _: "***",
}


def _engine(name: str) -> str:
    """Can this engine be had; of `auto`, which one it is and why."""
    try:
        policy = Policy.load("feed", engine=name)
    except EngineUnavailable as error:
        return str(error)
    return f"{policy.engine}, {_why(policy.engine)}" if name == "auto" else "available"


def _why(engine: str) -> str:
    if os.environ.get(VARIABLE) in ENGINES[1:]:
        return f"as {VARIABLE} says"
    if engine == "native":
        return "which is installed and fits"
    return f"because of the native one: {native.why_not() or 'it does not know the plan'}"


def _policies(problems: list[str]) -> Iterator[tuple[str, str]]:
    for name in document.builtin_names():
        try:
            policy = Policy.load(name, engine="python")
        except SameasError as error:
            problems.append(str(error))
        else:
            yield f"{policy.name}@{policy.version}", policy.fingerprint


def _extras() -> dict[str, dict[str, Any]]:
    """Each extra with the packages it brings, as the installed package itself lists them."""
    from importlib import metadata  # slow to load, and nothing else needs it

    extras: dict[str, dict[str, Any]] = {}
    for line in metadata.requires("sameas") or ():
        found = _REQUIREMENT.match(line)
        if found and found[2] != "all":
            extra = extras.setdefault(found[2], {"installed": {}, "missing": []})
            try:
                extra["installed"][found[1]] = metadata.version(found[1])
            except metadata.PackageNotFoundError:
                extra["missing"].append(found[1])
                extra["get"] = f"pip install 'sameas[{found[2]}]'"
    return extras


def _show(found: dict[str, Any]) -> None:
    rows = [(name, found[name]) for name in ("sameas", "python", "executable", "parser")]
    rows += [(f"engine {name}", state) for name, state in found["engines"].items()]
    rows += [(f"policy {name}", print_) for name, print_ in found["policies"].items()]
    for name, extra in found["extras"].items():
        have = [f"{package} {version}" for package, version in extra["installed"].items()]
        lack = [f"{package} is missing: {extra['get']}" for package in extra["missing"]]
        rows.append((f"extra {name}", "; ".join(have + lack)))
    rows += [(name, value) for name, value in found["environment"].items()]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        show(f"{name:{width}}  {value}")
