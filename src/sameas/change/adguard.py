"""A list in the form of AdGuard: a rule a line, `$removeparam` those that speak of parameters.

What of it can be said here is decided by what a policy file can say.
"""

from __future__ import annotations

import re

from sameas.change.imported import Imported, Left, Where, is_host, is_path
from sameas.change.patterns import ANY, Untranslatable, entries
from sameas.plan.schema import pattern as wrong_name

_COSMETIC = re.compile(r"#@?[#$%?]+#?")
_PLACE = re.compile(r"\|\|([a-z0-9.*-]+?)(\^|/.*)?", re.I)
_COMMA = re.compile(r"(?<!\\),")
_HARMLESS = frozenset(("document", "doc", "all", "third-party", "3p", "important", "match-case"))
_OTHERS = frozenset(
    ("subdocument", "script", "stylesheet", "object", "image", "xmlhttprequest", "xhr", "media")
) | {"font", "websocket", "ping", "other"}
"""Kinds of requests that are no pages."""


def read(text: str, label: str) -> Imported:
    found = Imported()
    for number, line in enumerate(text.splitlines(), 1):
        rule = line.strip()
        if not rule or rule[0] == "!" or (rule[0] == "[" and rule[-1] == "]"):
            continue
        found.rules += 1
        place = f"{label}:{number}"
        try:
            _read(rule, found)
        except Untranslatable as error:
            near = f"; {error.nearest} would drop more" if error.nearest else ""
            found.left.append(Left(place, rule, f"{error.why}{near}"))
        except _Broken as error:
            found.broken.append(Left(place, rule, str(error)))
    return found


class _Broken(Exception):
    """A line that is no rule."""


def _read(rule: str, found: Imported) -> None:
    if _COSMETIC.search(rule) or "$" not in rule:
        raise Untranslatable("it says nothing of parameters")
    allows = rule.startswith("@@")
    start, modifiers = _apart(rule.removeprefix("@@"))
    names = _names(modifiers)
    for where in _places(start, modifiers):
        site = found.sites[where]
        (site.keep if allows else site.drop).update(names)


def _apart(rule: str) -> tuple[str, dict[str, str]]:
    """The pattern of URLs, and the modifiers by name. A regular expression may hold a `$`."""
    at = rule.find("$removeparam")
    before = rule.rfind("$", 0, at) if at > 0 else -1
    start = at if before < 0 else before
    if start < 0:
        start = rule.find("$")
    modifiers = {}
    for piece in _COMMA.split(rule[start + 1 :]):
        name, _, value = piece.strip().partition("=")
        if not name:
            raise _Broken("a modifier has no name")
        modifiers[name] = value.replace("\\,", ",")
    if "removeparam" not in modifiers:
        raise Untranslatable("it says nothing of parameters")
    return rule[:start], modifiers


def _names(modifiers: dict[str, str]) -> list[str]:
    value = modifiers["removeparam"]
    for name in modifiers.keys() - {"removeparam", "domain"}:
        if name.removeprefix("~") in _OTHERS:
            if not modifiers.keys() & {"document", "doc"} and name[0] != "~":
                raise Untranslatable(f"it is about requests of the kind {name} alone")
        elif name not in _HARMLESS:
            raise Untranslatable(f'"{name}" has no counterpart')
    if value.startswith("~"):
        raise Untranslatable("it drops all parameters but one")
    if not value:
        return [ANY]
    if value[0] == "/":
        end = value.rfind("/")
        if end == 0 or value[end + 1 :] not in ("", "i"):
            raise _Broken("a regular expression is not closed")
        return entries(_anchored(value[1:end]))
    if reason := wrong_name(value):
        raise _Broken(reason)
    return [value]


def _anchored(expression: str) -> str:
    """An expression is looked for anywhere in `name=value`, so it needs its own beginning and, to
    speak of the name alone, an end."""
    if not expression.startswith("^"):
        raise Untranslatable("it is looked for anywhere in a parameter")
    if expression.endswith("="):
        return expression[1:-1]
    if expression.endswith("$"):
        raise Untranslatable("it is about names and values")
    return f"(?:{expression[1:]}).*" if "|" in expression else f"{expression[1:]}.*"


def _places(start: str, modifiers: dict[str, str]) -> list[Where]:
    where = _where(start)
    domains = modifiers.get("domain")
    if domains is None:
        return [where]
    if where != Where():
        raise Untranslatable("it is about one site, asked for by another")
    found = []
    for domain in domains.lower().split("|"):
        if domain.startswith("~"):
            raise Untranslatable("it holds everywhere but on some sites")
        if not is_host(domain):
            raise Untranslatable(f'"{domain}" is no host that a policy can name')
        found.append(Where(domain))
    return found


def _where(start: str) -> Where:
    if start in ("", "*"):
        return Where()
    place = _PLACE.fullmatch(start)
    if place is None:
        raise Untranslatable("its pattern is no host, nor a host and the start of a path")
    host, path = place[1].lower(), (place[2] or "").removesuffix("*")
    if not is_host(host):
        raise Untranslatable(f'"{host}" is no host that a policy can name')
    if path in ("", "^", "/"):
        return Where(host)
    if "*" in path or "^" in path or "|" in path or not is_path(path):
        raise Untranslatable(f'"{path}" is not the start of a path')
    return Where(host, path)
