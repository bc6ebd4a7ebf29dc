"""What one request is addressed to: a URL read as browsers read it, its host, port and exemption.

It refuses what can be refused by looking. What a name stands for is for `addresses` to find out.
"""

from __future__ import annotations

from typing import NamedTuple

import ada_url
from yarl import URL

from sameas.engine.parse import masked, parse, read, serialized, shown, without_credentials
from sameas.errors import InvalidURL, NetError
from sameas.net.guard import Address, numeric
from sameas.net.reply import Reply
from sameas.net.settings import ConnectTo, Settings

_PORTS = {"http": 80, "https": 443}
_CODES = {"scheme": "scheme", "port": "port"}


class Target(NamedTuple):
    url: str
    """Without credentials."""
    host: str
    port: int
    address: Address | None
    """Where the host is numeric."""
    connect_to: ConnectTo | None

    @property
    def shown(self) -> str:
        """The credentials of URLs inside it are hidden too."""
        return masked(self.url)

    def sent(self) -> URL:
        """For aiohttp, spelled as it stands; refused if it would read another host out of it."""
        try:
            url = URL(self.url, encoded=True)
            same = url.raw_host == self.host.strip("[]") and url.port == self.port
        except ValueError:
            same = False
        if not same:
            raise NetError("url", self.shown, "its host can be read in two ways")
        return url


def target(raw: str | bytes, settings: Settings) -> Target:
    """Who `raw` asks for, however it is spelled: `http://0x7f.1/` is asked for 127.0.0.1."""
    try:
        url = serialized(read(raw))
        if url.partition(":")[0] not in _PORTS:
            parse(url)  # which refuses it, and says why
    except InvalidURL as error:
        code = _CODES.get(error.code, "url")
        raise NetError(code, shown(raw, error.code), error.message) from None
    url = without_credentials(url)
    host, port = _host_and_port(url)
    rule = next((rule for rule in settings.connect_to if rule.matches(host, port)), None)
    return Target(url, host, port, numeric(host), rule)


def _host_and_port(url: str) -> tuple[str, int]:
    scheme, _, place, _ = url.split("/", 3)
    host, colon, port = place.rpartition(":")
    if not colon or place[-1] == "]":
        return place, _PORTS[scheme[:-1]]
    return host, int(port)


def redirected(to: Target, reply: Reply) -> str:
    """The absolute URL a redirect names, without credentials; the fragment goes along, as it does
    in browsers."""
    location = reply.headers.get("location", "").strip()
    if not location:
        raise NetError("protocol", to.shown, f"redirects ({reply.status}) without saying where to")
    try:
        url = ada_url.join_url(to.url, read(location.encode("latin-1")))
    except (ValueError, InvalidURL):
        where = shown(location[:200], "url")
        raise NetError("protocol", to.shown, f"redirects to {where!r}, which is no URL") from None
    _, mark, fragment = to.url.partition("#")
    return without_credentials(url if "#" in url else f"{url}{mark}{fragment}")
