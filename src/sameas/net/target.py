"""What one request is addressed to: a URL read as browsers read it, its host, port and exemption.

It refuses what can be refused by looking. What a name stands for is for `addresses` to find out.
"""

from __future__ import annotations

from dataclasses import dataclass

import ada_url
from yarl import URL

from sameas.engine.parse import masked, parse, read, shown
from sameas.errors import InvalidURL, NetError
from sameas.net.guard import Address, numeric
from sameas.net.reply import Reply
from sameas.net.settings import ConnectTo, Settings

_PORTS = {"http": 80, "https": 443}
_CODES = {"scheme": "scheme", "port": "port"}


@dataclass(frozen=True)
class Target:
    """`url` has no credentials; `shown` hides those of URLs inside it too."""

    url: str
    host: str
    port: int
    address: Address | None
    """Where the host is numeric."""
    connect_to: ConnectTo | None

    @property
    def shown(self) -> str:
        return masked(self.url)

    def sent(self) -> URL:
        """For aiohttp, spelled as it stands; refused if it would read another host out of it."""
        url = URL(self.url, encoded=True)
        if (url.raw_host, url.port) != (self.host.strip("[]"), self.port):
            raise NetError("url", self.shown, "its host can be read in two ways")
        return url


def target(raw: str | bytes, settings: Settings) -> Target:
    """Who `raw` asks for, however it is spelled: `http://0x7f.1/` is asked for 127.0.0.1."""
    try:
        text = read(raw)
        parts = parse(text)
    except InvalidURL as error:
        code = _CODES.get(error.code, "url")
        raise NetError(code, shown(raw, error.code), error.message) from None
    url = _without_credentials(ada_url.normalize_url(text))
    port = int(parts.port) if parts.port else _PORTS[parts.scheme]
    rules = settings.connect_to
    rule = next((rule for rule in rules if rule.matches(parts.host, port)), None)
    return Target(url, parts.host, port, numeric(parts.host), rule)


def _without_credentials(href: str) -> str:
    scheme, _, rest = href.partition("://")
    ends = [at for at in map(rest.find, "/?#") if at >= 0]
    end = min(ends, default=len(rest))
    return f"{scheme}://{rest[rest.rfind('@', 0, end) + 1 :]}"


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
    return _without_credentials(url if "#" in url else f"{url}{mark}{fragment}")
