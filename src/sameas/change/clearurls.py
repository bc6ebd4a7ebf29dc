"""A list in the form of ClearURLs: JSON, providers by name, regular expressions in each.

What of it can be said here is decided by what a policy file can say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sameas.change.imported import Imported, Left, Where, is_host, is_path
from sameas.change.patterns import Untranslatable, entries
from sameas.errors import RecordsError

_LISTS = ("rules", "rawRules", "referralMarketing", "exceptions", "redirections")
_FLAGS = ("urlPattern", "completeProvider", "forceRedirection")
_START = "^https?://"
_BELOW = re.compile(r"\(\?:\[a-z0-9-\]\+\.\)\*\??")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_ANY_SUFFIX = re.compile(r"\(\?:\.\[a-z\]\{2,\}\)(?:\{1,\}|\+)?")
_PIECE = re.compile(r"/?([A-Za-z0-9_-]+=)\[\^/\??\]\*")
_TARGET = re.compile(
    r"(?P<where>.*?)\\\?(?:\.\*\??|&)*(?P<names>[A-Za-z0-9_]+|\(\?:[A-Za-z0-9_|]+\))=\((?:https?)?[^()]*\)"
)


def read(text: str, label: str) -> Imported:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordsError(f"{label}:{error.lineno}", f"is not JSON: {error.msg}") from None
    except (ValueError, RecursionError):
        raise RecordsError(label, "is JSON that cannot be read") from None
    providers = data.get("providers") if isinstance(data, dict) else None
    if not isinstance(providers, dict):
        raise RecordsError(label, 'has no object "providers"', "is it a list of ClearURLs?")
    found = Imported()
    for name, provider in providers.items():
        _Provider(name, found).read(provider)
    return found


class _Provider:
    def __init__(self, name: str, found: Imported) -> None:
        self._name, self._found = name, found

    def read(self, provider: Any) -> None:
        if not isinstance(provider, dict) or not isinstance(provider.get("urlPattern"), str):
            self._broken("", "it is no object with a urlPattern")
            return
        for key in provider.keys() - {*_LISTS, *_FLAGS}:
            self._broken(str(key), "nobody knows this key")
        where = _where(provider["urlPattern"])
        lists = {key: list(self._texts(provider, key)) for key in _LISTS}
        if provider.get("completeProvider") is True:
            self._left(provider["urlPattern"], "it blocks the whole page")
        for key, rules in lists.items():
            for rule in rules:
                self._found.rules += 1
                self._rule(key, rule, where)

    def _texts(self, provider: Mapping[str, Any], key: str) -> Iterator[str]:
        listed = provider.get(key, [])
        for text in listed if isinstance(listed, list) else [listed]:
            if isinstance(text, str) and text:
                yield text
            else:
                self._broken(f"{key}: {json.dumps(text)[:80]}", "it is no text")

    def _rule(self, key: str, rule: str, where: Where | None) -> None:
        if key == "referralMarketing":
            self._left(rule, "it names who is paid for a sale; add it if that may go")
        elif key == "exceptions":
            self._left(rule, f"an exception: what {self._name} drops is dropped there, too")
        elif key == "redirections":
            self._redirection(rule)
        elif where is None:
            self._left(rule, "its urlPattern is no host, nor a host and the start of a path")
        elif key == "rawRules":
            self._raw(rule, where)
        else:
            try:
                self._found.sites[where].drop.update(entries(rule))
            except Untranslatable as error:
                near = f"; {error.nearest} would drop more" if error.nearest else ""
                self._left(rule, f"{error.why}{near}")

    def _raw(self, rule: str, where: Where) -> None:
        piece = _PIECE.fullmatch(rule.replace("\\", ""))
        if piece is None or not where.host:
            self._left(rule, "it changes the text of a URL anywhere in it")
        else:
            self._found.sites[where].path_drop.add(piece[1])

    def _redirection(self, rule: str) -> None:
        target = _TARGET.fullmatch(rule)
        where = _where(target["where"]) if target else None
        if target is None or where is None or not where.host:
            self._left(rule, "it is no redirector with a parameter for its target")
        else:
            names = target["names"].removeprefix("(?:").removesuffix(")").split("|")
            held = self._found.sites[where].target
            held += [name for name in names if name not in held]

    def _left(self, rule: str, why: str) -> None:
        self._found.left.append(Left(self._name, rule, why))

    def _broken(self, rule: str, why: str) -> None:
        self._found.broken.append(Left(self._name, rule, why))


def _where(pattern: str) -> Where | None:
    """A pattern of URLs as a host and the beginning of a path."""
    if pattern in (".*", "^.*", ".*$", "^.*$"):
        return Where()
    text = pattern.replace("\\/", "/").replace("\\.", ".").replace("\\-", "-")
    if not text.startswith(_START):
        return None
    text = text.removeprefix(_START)
    below = _BELOW.match(text)
    text = text[below.end() :] if below else text
    host = _HOST.match(text)
    if host is None or not (below or host[0].startswith("www.")):
        return None
    rest, name = text[host.end() :], host[0]
    if any_suffix := _ANY_SUFFIX.match(rest):
        name, rest = f"{name}.*", rest[any_suffix.end() :]
    path = rest.replace("\\?", "?").removesuffix("?")
    if not is_host(name) or (path and not is_path(path)):
        return None
    return Where(name, "" if path == "/" else path)
