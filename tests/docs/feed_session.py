"""The commands of docs/feeds.md, run one after another in a folder of their own.

The feeds they name are served on loopback: the environment leads three names of example domains
there, as a user could. Times are compared by their form alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.feeds.runs import item, rss
from tests.net.servers import Answer, Server, authority, in_turn, reply, tls

_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\dZ)?")
_ONE, _TWO, _THREE, _FOUR = (
    item(name, f"https://example.org/{name}?utm_source=rss", name.title())
    for name in ("one", "two", "three", "four")
)
_NEWS = "<title>Example News</title>"
_NOTES = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title>'
    + "".join(f'<entry><id>{x}</id><link href="/{x}"/><title>{x}</title></entry>' for x in "ab")
    + "</feed>"
)
_FEEDS: Mapping[str, list[Answer]] = {
    "example.org": [
        reply(rss(_ONE, _TWO, _THREE, head=_NEWS)),
        reply(rss(_FOUR, _ONE, _TWO.replace("Two", "Two!"), _THREE, head=_NEWS)),
        reply(rss(_THREE, _FOUR, _ONE, _TWO.replace("Two", "Two!"), head=_NEWS)),
    ],
    "example.net": [reply(_NOTES.encode(), etag='"1"'), reply(status=304)],
    "example.com": [reply(status=404)],
}


@contextmanager
def environment(folder: Path) -> Iterator[Mapping[str, str]]:
    with ExitStack() as servers:
        rules = []
        for name, answers in _FEEDS.items():
            server = servers.enter_context(Server(in_turn(answers), tls=tls(name)))
            rules.append(f"{name}:443:127.0.0.1:{server.port}")
        bundle = folder / "authority.pem"
        authority().cert_pem.write_to_path(str(bundle))
        yield {
            "SAMEAS_CONNECT_TO": " ".join(rules),
            "SAMEAS_CACERT": str(bundle),
            "XDG_DATA_HOME": str(folder),
        }


def plain(text: str) -> list[str]:
    """The lines, every time in them as the same one."""
    return [_TIME.sub("TIME", line).rstrip() for line in text.splitlines()]


def command(text: str, _: Mapping[str, str]) -> str:
    return text
