"""The commands of docs/service.md, run against a service of their own.

The page says port 8321; the service listens on one that is free. Its store holds the questions of
examples/tramites and one feed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sameas.feeds.record import record_document
from sameas.feeds.types import Document, Item
from sameas.policy import named
from sameas.store.opening import open_store
from tests.cli.program import sameas
from tests.web.running import serving

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "correct-horse-battery-staple"
PORT = "8321"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_NUMBER = re.compile(r"(_(?:sum|count|created)\{[^}]*\}) \S+")


@contextmanager
def environment(folder: Path) -> Iterator[Mapping[str, str]]:
    store = str(folder / "sameas.db")
    sameas("registry", "check", "--offline", "--store", store, "examples/tramites", cwd=ROOT)
    now = datetime.now(UTC)
    with closing(open_store(store)) as kept:
        (feed,) = kept.add_feeds([("https://example.org/feed.xml", "")], now)
        item = Item(guid="1", link="https://example.org/one?utm_source=rss", title="One")
        record_document(kept, feed, Document(items=(item,)), feed, named("feed"), now)
    with serving("--store", store, env={"SAMEAS_TOKEN": TOKEN}) as running:
        yield {"SAMEAS_TOKEN": TOKEN, "PORT": str(running.port)}


def command(text: str, env: Mapping[str, str]) -> str:
    return text.replace(f":{PORT}", f":{env['PORT']}")


def plain(text: str) -> list[str]:
    """The lines, every time in them as the same one."""
    return [_NUMBER.sub(r"\1 N", _TIME.sub("TIME", line)).rstrip() for line in text.splitlines()]
