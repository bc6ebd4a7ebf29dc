"""What a user may set about fetching, and why a value is refused.

Where the values come from (options, the environment) is the command line's business.
"""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from sameas.engine.parse import parse
from sameas.errors import InvalidURL, SettingError
from sameas.net.guard import Network, numeric

_FORM = re.compile(
    r"(?P<host>\[[^\]]*\]|[^:]*):(?P<port>[^:]*):(?P<to_host>\[[^\]]*\]|[^:]*):(?P<to_port>[^:]*)"
)
_LEAST = {
    "seconds": 0.001,
    "body_bytes": 1,
    "header_bytes": 1024,
    "redirects": 0,
    "connections": 1,
    "per_host": 1,
    "spacing": 0,
}
_CONTACT = re.compile(r"[\x20-\x7e]*")


@dataclass(frozen=True)
class ConnectTo:
    """curl's `--connect-to`: a request to HOST1:PORT1 is connected to HOST2:PORT2 instead.

    An empty HOST1 or PORT1 is any, an empty HOST2 or PORT2 is the URL's own."""

    host: str
    port: int | None
    to_host: str
    to_port: int | None

    @classmethod
    def parse(cls, text: str) -> ConnectTo:
        found = _FORM.fullmatch(text)
        if found is None:
            raise _wrong(text, "is not of the form HOST1:PORT1:HOST2:PORT2")
        host, to_host = (_host(text, found[name]) for name in ("host", "to_host"))
        if numeric(host):
            hint = "name a host, or put the target's address into the URL"
            raise _wrong(text, f"{host} is an address, and only names are redirected", hint)
        return cls(host, _port(text, found["port"]), to_host, _port(text, found["to_port"]))

    def matches(self, host: str, port: int) -> bool:
        return self.host in ("", host) and self.port in (None, port)


@dataclass(frozen=True)
class Settings:
    """How much, how long, how often, and who besides public addresses may be reached."""

    contact: str = ""
    seconds: float = 30.0
    """For one exchange, from the connection to the last byte of the body."""
    body_bytes: int = 10 * 1024 * 1024
    """As received, and after inflation."""
    header_bytes: int = 64 * 1024
    redirects: int = 5
    connections: int = 50
    per_host: int = 2
    spacing: float = 1.0
    """Seconds between the starts of two requests to one host; jitter makes it a little more."""
    ports: frozenset[int] = frozenset({80, 443})
    connect_to: tuple[ConnectTo, ...] = ()
    cafile: str | None = None
    allow_networks: tuple[Network, ...] = ()

    def __post_init__(self) -> None:
        if not _CONTACT.fullmatch(self.contact):
            hint = "give a mail address or the URL of a page"
            raise SettingError("the contact", "goes into a header, so it must be plain ASCII", hint)
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if not least <= value < math.inf:
                raise SettingError(name, f"is {value}, which is less than {least:g} or endless")


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """What `--allow-network` names: ranges, or single addresses."""
    return tuple(map(_network, texts))


def _network(text: str) -> Network:
    place = f"--allow-network {text}"
    try:
        return ipaddress.ip_network(text.strip())
    except ValueError as error:
        hint = "an example of one that is: 10.0.0.0/8"
        raise SettingError(place, f"is not a network: {error}", hint) from None


def _wrong(
    text: str, reason: str, hint: str = "an example: a.test:443:127.0.0.1:8443"
) -> Exception:
    return SettingError(f"--connect-to {text}", reason, hint)


def _host(text: str, host: str) -> str:
    """As URLs have it, which is what it is compared with: lower case, punycode, `127.1` in full."""
    try:
        return parse(f"http://{host}/").host if host else ""
    except InvalidURL:
        raise _wrong(text, f"{host!r} is no host") from None


def _port(text: str, port: str) -> int | None:
    if not port:
        return None
    if not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65536):
        raise _wrong(text, f"{port!r} is not a port from 1 to 65535")
    return int(port)
