"""Whatever a page or a header names, nobody inside is asked: the server behind it counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import aiohttp
import pytest

from sameas.errors import NetError
from sameas.net.client import Client
from sameas.net.reply import Headers, Reply
from sameas.net.settings import Settings
from sameas.policy import named
from sameas.resolve.facts import DomainFact, MemoryFacts
from sameas.resolve.probe import Resolver
from sameas.resolve.types import Resolution
from tests.net.servers import Answer, Asked, Server, redirect, reply
from tests.net.world import PUBLIC, World

NOW = datetime(2026, 11, 19, tzinfo=UTC)
LINK = "http://sede.good.test/ca/tramits/ajut"

INSIDE = {
    "a name": "http://inside.test/x/y",
    "loopback": "http://127.0.0.1/x/y",
    "a number": "http://2130706433/x/y",
    "metadata": "http://169.254.169.254/latest/meta-data",
    "IPv6": "http://[::1]/x/y",
    "mapped": "http://[::ffff:10.0.0.1]/x/y",
}


def page(head: str, **headers: str) -> tuple[bytes]:
    html = f"<html lang=ca><head><title>Ajut</title>{head}</head><p>text</p>"
    return reply(html.encode(), content_type="text/html", **headers)


DOORS: dict[str, Callable[[str], tuple[bytes]]] = {
    "redirect": redirect,
    "meta refresh": lambda url: page(f'<meta http-equiv=refresh content="0;url={url}">'),
    "canonical": lambda url: page(f'<link rel=canonical href="{url}">'),
    "canonical header": lambda url: page("", link=f"<{url}>; rel=canonical"),
    "hreflang": lambda url: page(f'<link rel=alternate hreflang=es href="{url}">'),
    "hreflang header": lambda url: page("", link=f"<{url}>; rel=alternate; hreflang=es"),
    "base": lambda url: page(f'<base href="{url}"><link rel=canonical href="z">'),
}


class Unguarded:
    """The same exchanges by an ordinary client."""

    async def ask(self, url: str, *, method: str = "GET", **_: int) -> Reply:
        try:
            async with (
                aiohttp.ClientSession() as session,
                session.request(method, url, allow_redirects=False) as answer,
            ):
                return Reply(url, answer.status, Headers(answer.raw_headers), await answer.read())
        except aiohttp.ClientSSLError as error:
            raise NetError("tls", url, str(error)) from None


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with Server(reply(b"secret")) as server:
        world = World(server, monkeypatch)
        world.name("sede.good.test", [PUBLIC])
        world.name("www.good.test", [PUBLIC])
        world.name("good.test", [PUBLIC])
        world.name("inside.test", ["10.0.0.1"])
        yield world


async def _resolved(link: str, client: Any) -> Resolution:
    """Without TLS, which this world's one server does not speak."""
    facts = MemoryFacts()
    for host in ("sede.good.test", "good.test"):
        facts.save_domain(DomainFact(host, None, False, NOW))
    return await Resolver(client, named("clara"), facts, None, lambda: NOW).resolve(link)


def unguarded(link: str) -> Resolution:
    return asyncio.run(_resolved(link, Unguarded()))


def guarded(link: str) -> Resolution:
    async def run() -> Resolution:
        async with Client(Settings(spacing=0.0)) as client:
            return await _resolved(link, client)

    return asyncio.run(run())


OWN = LINK.removeprefix("http://sede.good.test")
SECRET = reply(b"<html lang=es><title>Secret</title>", content_type="text/html")
NOTHING = reply(status=404)


def led_by(answer: tuple[bytes]) -> Callable[[Asked], Answer]:
    """The link is answered so, its neighbours are not there, and everybody else is the secret."""

    def script(asked: Asked) -> Answer:
        outside = asked.headers["host"].endswith("good.test")
        (whole,) = answer if asked.path == OWN else NOTHING if outside else SECRET
        return (
            (whole.partition(b"\r\n\r\n")[0] + b"\r\n\r\n",) if asked.method == "HEAD" else (whole,)
        )

    return script


def came(world: World) -> list[Asked]:
    return [a for a in world.server.asked if not a.headers["host"].endswith("good.test")]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("inside", INSIDE)
def test_nobody_inside_is_reached_through_what_an_answer_names(
    door: str, inside: str, world: World
) -> None:
    world.server.script = led_by(DOORS[door](INSIDE[inside]))
    got = guarded(LINK)
    assert {address for address, _ in world.reached} == {PUBLIC}
    assert came(world) == []
    assert got.status == ("rejected" if door in ("redirect", "meta refresh") else "ok")
    unguarded(LINK)
    assert came(world), "an ordinary client gets there, so this test can fail"


def test_nobody_inside_is_reached_while_the_form_of_a_domain_is_found_out(world: World) -> None:
    pdf, inward = reply(content_type="application/pdf"), redirect("http://10.0.0.1/admin")
    world.server.script = lambda asked: pdf if asked.headers["host"] == "www.good.test" else inward
    link = "http://www.good.test/a/b.pdf"
    assert guarded(link).status == "ok"
    assert (PUBLIC, 80) in world.reached
    assert came(world) == []
    unguarded(link)
    assert [asked.path for asked in came(world)] == ["/admin"] * len(came(world)) != []


def test_a_name_that_turns_inward_after_its_first_answer_is_let_go(world: World) -> None:
    """HEAD is answered from outside; for GET the name stands for an address inside."""
    world.name("sede.good.test", [PUBLIC], ["10.0.0.1"])
    world.server.script = led_by(page("", connection="close"))
    got = guarded(LINK)
    assert (got.status, got.evidence[-1].signal) == ("rejected", "follow.forbidden")
    assert world.reached == [(PUBLIC, 80)]
    assert [asked.method for asked in world.server.asked] == ["HEAD"]
