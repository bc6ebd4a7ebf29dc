"""Passwords of feeds: read in the form of netrc, sent to the host they are for and to no other.

Where the text comes from (a file, the environment) is the command line's business. No message here
shows what stands in it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sameas.engine.parse import parse
from sameas.errors import InvalidURL, SettingError

_TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"|(\S+)')
_FIELDS = ("login", "password", "account")
_PORTS = {"http": "80", "https": "443"}
_HINT = "a line is: machine HOST login NAME password WORD"


@dataclass(frozen=True)
class Passwords:
    """`by_machine`: a host, or host:port, with its login and password."""

    by_machine: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)

    def header(self, feed_url: str, url: str) -> dict[str, str]:
        """What goes along to `url` when the feed at `feed_url` is asked for."""
        if not self.by_machine or not _same_place(feed_url, url):
            return {}
        host, port = _place(url)[1:]
        found = self.by_machine.get(f"{host}:{port}") or self.by_machine.get(host)
        if found is None:
            return {}
        token = b64encode(":".join(found).encode()).decode()
        return {"Authorization": f"Basic {token}"}


def read_passwords(text: str, place: str) -> Passwords:
    found: dict[str, tuple[str, str]] = {}
    fields: dict[str, str] = {}
    machine, at = "", 0
    for number, word, value in _pairs(text, place):
        if word == "machine":
            _keep(found, machine, fields, f"{place}:{at}")
            machine, fields, at = value.lower(), {}, number
        elif word in _FIELDS and machine:
            fields[word] = value
        else:
            reason = "a word that is not known, or before any machine"
            raise SettingError(f"{place}:{number}", reason, _HINT)
    _keep(found, machine, fields, f"{place}:{at}")
    return Passwords(found)


def _pairs(text: str, place: str) -> Iterator[tuple[int, str, str]]:
    """Words and values with their lines; `default` has no value, and would go to every host."""
    words = list(_words(text))
    for i in range(0, len(words), 2):
        number, word = words[i]
        if word in ("default", "macdef"):
            raise SettingError(f"{place}:{number}", f"{word} is not used here: name each host")
        if i + 1 == len(words):
            raise SettingError(f"{place}:{number}", "ends in the middle of an entry", _HINT)
        yield number, word, words[i + 1][1]


def _words(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("#"):
            for quoted, plain in _TOKEN.findall(line):
                yield number, plain or re.sub(r"\\(.)", r"\1", quoted)


def _keep(found: dict[str, tuple[str, str]], machine: str, given: dict[str, str], at: str) -> None:
    if not machine:
        return
    if "login" not in given or "password" not in given:
        raise SettingError(at, f"{machine} has no login or no password", _HINT)
    if ":" in given["login"]:
        raise SettingError(at, f"the login of {machine} holds a colon, which HTTP cannot carry")
    found[machine] = given["login"], given["password"]


def _place(url: str) -> tuple[str, str, str]:
    try:
        parts = parse(url)
    except InvalidURL:
        return "", "", ""
    return parts.scheme, parts.host, parts.port or _PORTS[parts.scheme]


def _same_place(feed_url: str, url: str) -> bool:
    """The same scheme, host and port, or the step from plain http to https on one host."""
    old, new = _place(feed_url), _place(url)
    upgraded = old[0] == "http" and old[2] == "80" and new == ("https", old[1], "443")
    return bool(new[1]) and (old == new or upgraded)
