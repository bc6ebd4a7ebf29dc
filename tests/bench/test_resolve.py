"""The bench of resolving on a few links: every subject is measured, and politeness is counted."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bench.resolve_server import answer

from bench import resolve
from sameas.net.reply import Headers, Reply
from sameas.policy import Policy
from sameas.resolve.probe import Resolver


def test_a_run_measures_every_subject_and_writes_its_page(tmp_path: Path) -> None:
    out = tmp_path / "resolve.md"
    assert resolve.main(["--links", "40", "--rounds", "1", "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    for name in (resolve.BARE, resolve.CLIENT, resolve.WHOLE):
        rows = text.partition("## Where")[0]
        assert rows.count(f"| {name} |") == len(resolve.KINDS) * len(resolve.SERVERS)
    assert "`python -m bench.resolve --links 40 --rounds 1`" in text
    assert str(tmp_path) not in text


def test_a_host_is_asked_politely_while_all_are_asked_at_once() -> None:
    most = resolve.politeness(200).most
    assert 1 <= most <= resolve.PER_HOST


class Recorder:
    """Answers as the server does, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def ask(self, url: str, *, method: str = "GET", **_: int) -> Reply:
        path = "/" + url.split("/", 3)[3]
        self.asked.append((method, path))
        head, _, body = answer(method, path).partition(b"\r\n\r\n")
        first, *lines = head.split(b"\r\n")
        pairs = [tuple(line.split(b": ", 1)) for line in lines]
        return Reply(url, int(first.split()[1]), Headers(pairs), body)


@pytest.mark.parametrize("kind", resolve.KINDS, ids=lambda kind: kind.name)
def test_the_bare_client_is_given_what_resolving_asks(kind: resolve.Kind) -> None:
    """But for what is asked once for many links."""
    client = Recorder()
    facts = resolve.facts(resolve.hosts())
    now = datetime(2026, 11, 19, tzinfo=UTC)
    resolver = Resolver(client, Policy.load("clara"), facts, None, lambda: now)
    found = asyncio.run(resolver.resolve(resolve.links(kind, 8)[7]))
    assert found.status == "ok"
    alone = [one for one in client.asked if one[1][-1].isdigit() or one[1].endswith("7.pdf")]
    assert alone[: len(kind.exchanges)] == [(m, path.format(7)) for m, path in kind.exchanges]
    assert len(client.asked) <= len(kind.exchanges) + 1
