"""Who may be reached besides public addresses: what a user named, and nothing beside it."""

from __future__ import annotations

import asyncio

import pytest

from sameas.errors import NetError
from sameas.net.client import Client
from sameas.net.settings import ConnectTo, Settings, networks
from tests.net.ask import ask, led, refused
from tests.net.servers import redirect
from tests.net.world import PUBLIC, World


def test_connect_to_opens_its_target_for_its_name_alone(world: World):
    server = world.server
    settings = led("feed.test", 80, server)
    world.name("other.test", ["127.0.0.1"])
    assert ask("http://feed.test/", settings).body == b"secret"
    assert server.asked[0].headers["host"] == "feed.test"
    assert world.reached == [("127.0.0.1", server.port)]
    assert world.lookups == [], "the name itself is not looked up"
    for url in (
        f"http://127.0.0.1:{server.port}/",
        f"http://other.test:{server.port}/",
        "http://other.test/",
        "http://127.0.0.1/",
    ):
        assert refused(url, settings).code in ("port", "private_address")
    assert server.accepted == 1


def test_connect_to_a_port_nobody_else_gets(world: World):
    settings = led("feed.test", 8080, world.server)
    assert ask("http://feed.test:8080/x", settings).url == "http://feed.test:8080/x"
    assert world.server.asked[0].headers["host"] == "feed.test:8080"
    assert refused("http://feed.test:8081/", settings).code == "port"


def test_a_redirect_from_a_target_gains_nothing(world: World):
    settings = led("feed.test", 80, world.server)
    world.server.script = redirect(f"http://127.0.0.1:{world.server.port}/")
    assert refused("http://feed.test/", settings).code in ("port", "private_address")
    assert world.server.accepted == 1


def test_connect_to_can_name_a_host(world: World):
    world.name("localhost", ["127.0.0.1"])
    rule = f"feed.test:80:localhost:{world.server.port}"
    settings = Settings(connect_to=(ConnectTo.parse(rule),), spacing=0.0)
    assert ask("http://feed.test/", settings).status == 200
    assert world.lookups == ["localhost"]


def test_connect_to_another_port_of_any_host_opens_that_port_and_no_address(world: World):
    world.name("good.test", [PUBLIC])
    world.name("inside.test", ["10.0.0.1"])
    settings = Settings(connect_to=(ConnectTo.parse(":::8080"),), spacing=0.0)
    assert ask("http://good.test/", settings).status == 200
    assert world.reached == [(PUBLIC, 8080)]
    assert refused("http://inside.test/", settings).code == "private_address"
    assert world.server.accepted == 1


def test_connect_to_a_host_on_any_port_opens_wanted_ports_alone(world: World):
    settings = Settings(connect_to=(ConnectTo.parse("feed.test::127.0.0.1:"),), spacing=0.0)
    assert ask("http://feed.test/", settings).status == 200
    assert world.reached == [("127.0.0.1", 80)]
    assert refused("http://feed.test:6379/", settings).code == "port"
    assert world.server.accepted == 1


def test_connect_to_for_any_host_leaves_numeric_ones_alone(world: World):
    settings = Settings(
        connect_to=(ConnectTo.parse(f"::127.0.0.1:{world.server.port}"),), spacing=0.0
    )
    assert ask("http://a.test/", settings).status == 200
    assert ask("http://b.test:81/", settings).status == 200, "the rule names the port to use"
    assert refused("http://10.0.0.1/", settings).code == "connection"
    assert refused(f"http://{PUBLIC}/", settings).code == "connection"
    assert world.server.accepted == 2


def test_an_allowed_network_is_open_on_every_port_and_nothing_beside_it(world: World):
    world.name("inside.test", ["10.0.0.7"])
    world.name("beside.test", ["10.0.1.7"])
    world.name("both.test", ["10.0.0.7", "10.0.1.7"])
    world.name("good.test", [PUBLIC])
    settings = Settings(allow_networks=networks(["10.0.0.0/24"]), spacing=0.0)
    for url in ("http://inside.test:8080/", "http://10.0.0.9/", "http://good.test/"):
        assert ask(url, settings).status == 200
    assert world.server.accepted == 3
    assert refused("http://beside.test/", settings).code == "private_address"
    assert refused("http://both.test/", settings).code == "private_address"
    assert refused("http://[::ffff:10.0.0.9]/", settings).code == "private_address"
    assert refused("http://good.test:8080/", settings).code == "port"
    assert world.server.accepted == 3


def test_a_connection_to_a_target_is_lent_to_nobody_else(world: World):
    settings = led("feed.test", 80, world.server)
    place = f"127.0.0.1:{world.server.port}"
    world.name("other.test", ["127.0.0.1"])

    async def run() -> list[str]:
        async with Client(settings) as client:
            codes = []
            await client.ask("http://feed.test/")
            for url in (f"http://{place}/", f"http://other.test:{world.server.port}/"):
                with pytest.raises(NetError) as error:
                    await client.ask(url)
                codes.append(error.value.code)
            return codes

    assert asyncio.run(run()) == ["private_address", "port"]
    assert len(world.server.asked) == 1
