"""Who may be reached: whatever way an address is named, the server it leads to counts who came."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.errors import NetError
from sameas.net import addresses
from sameas.net.client import Client
from sameas.net.settings import Settings
from sameas.net.target import Target, target
from tests.net.ask import ask, follow, refused, unguarded
from tests.net.servers import in_turn, redirect, reply
from tests.net.world import PUBLIC, PUBLIC_V6, World

AT_ONCE = Settings(spacing=0.0)
INSIDE = ip_address("10.0.0.1")


LITERALS = {
    "http://127.0.0.1/": "private_address",
    "http://127.1/": "private_address",
    "http://2130706433/": "private_address",
    "http://0177.0.0.01/": "private_address",
    "http://0x7f000001/": "private_address",
    "http://0x7F.0.0x0.1/": "private_address",
    "http://127.0.0.1./": "private_address",
    "http://１２７.0.0.1/": "private_address",
    "http://0/": "private_address",
    "http://10.1.2.3/": "private_address",
    "http://100.64.0.1/": "private_address",
    "http://169.254.169.254/latest/meta-data/": "private_address",
    "http://172.31.255.255/": "private_address",
    "http://192.0.0.192/": "private_address",
    "http://192.168.1.1/": "private_address",
    "http://198.18.0.1/": "private_address",
    "http://224.0.0.1/": "private_address",
    "http://240.0.0.1/": "private_address",
    "http://255.255.255.255/": "private_address",
    "http://[::1]/": "private_address",
    "http://[::]/": "private_address",
    "http://[0:0:0:0:0:0:0:1]/": "private_address",
    "http://[::ffff:127.0.0.1]/": "private_address",
    "http://[::ffff:7f00:1]/": "private_address",
    "http://[::ffff:93.184.216.34]/": "private_address",
    "http://[::127.0.0.1]/": "private_address",
    "http://[64:ff9b::7f00:1]/": "private_address",
    "http://[64:ff9b:1::a00:1]/": "private_address",
    "http://[2002:7f00:1::]/": "private_address",
    "http://[2001:0:53aa:64c::1]/": "private_address",
    "http://[fe80::1]/": "private_address",
    "http://[fec0::1]/": "private_address",
    "http://[fd00:ec2::254]/": "private_address",
    "http://[ff02::1]/": "private_address",
    "http://user:word@127.0.0.1/": "private_address",
    "http://93.184.216.34:22/": "port",
    "http://93.184.216.34:8080/": "port",
    "https://[2606:2800:220:1::1]:6379/": "port",
}


@pytest.mark.parametrize(("url", "code"), LITERALS.items())
def test_an_address_in_a_url_is_refused_in_every_notation(url: str, code: str, world: World):
    error = refused(url, AT_ONCE)
    assert error.code == code
    assert (world.server.accepted, world.reached) == (0, [])
    if url.startswith("http:"):
        assert unguarded(url) == 200, "an ordinary client gets there, so this test can fail"
        assert world.server.accepted == 1


BAD_ANSWERS = {
    "loopback": ["127.0.0.1"],
    "private": ["10.0.0.7"],
    "metadata": ["169.254.169.254"],
    "shared": ["100.100.100.200"],
    "loopback in IPv6": ["::1"],
    "link-local with its zone": ["fe80::1%1"],
    "unique local": ["fd00:ec2::254"],
    "mapped": ["::ffff:169.254.169.254"],
    "translated": ["64:ff9b::a9fe:a9fe"],
    "a good one first": [PUBLIC, "127.0.0.1"],
    "a good one last": ["192.168.0.1", PUBLIC],
    "a good one in the other family": [PUBLIC_V6, "10.0.0.1"],
}


@pytest.mark.parametrize("answers", BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_a_name_with_one_bad_answer_is_refused(answers: list[str], world: World):
    world.name("inside.test", answers)
    error = refused("http://inside.test/", AT_ONCE)
    assert error.code == "private_address"
    assert (world.server.accepted, world.reached) == (0, [])
    assert unguarded("http://inside.test/") == 200
    assert world.server.accepted == 1


def test_a_public_name_is_reached_at_the_address_that_was_checked(world: World):
    world.name("good.test", [PUBLIC])
    assert ask("http://good.test/", AT_ONCE).body == b"secret"
    assert world.reached == [(PUBLIC, 80)]
    assert world.lookups == ["good.test"]


def test_a_public_address_in_a_url_is_reached(world: World):
    assert ask(f"http://{PUBLIC}/", AT_ONCE).status == 200
    assert ask(f"http://[{PUBLIC_V6}]/", AT_ONCE).status == 200
    assert world.reached == [(PUBLIC, 80), (PUBLIC_V6, 80)]


def test_a_name_that_changes_after_the_check_is_not_asked_again(world: World):
    world.name("rebinds.test", [PUBLIC], ["127.0.0.1"])
    assert ask("http://rebinds.test/", AT_ONCE).status == 200
    assert world.reached == [(PUBLIC, 80)]
    assert world.lookups == ["rebinds.test"], "a second lookup could have had another answer"
    assert refused("http://rebinds.test/", AT_ONCE).code == "private_address"
    assert world.server.accepted == 1


def test_a_lookup_that_lies_to_the_resolver_is_caught_at_the_socket(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    """The second line: what aiohttp wants to connect to must be what was checked."""
    world.name("good.test", [PUBLIC])
    kept = addresses._result
    monkeypatch.setattr(addresses, "_result", lambda host, _, port: kept(host, INSIDE, port))
    error = refused("http://good.test/", AT_ONCE)
    assert error.code == "private_address"
    assert world.server.accepted == 0
    monkeypatch.setattr(addresses.Addresses, "socket", lambda _, info: socket.socket(*info[:3]))
    assert ask("http://good.test/", AT_ONCE).status == 200
    assert world.reached == [("10.0.0.1", 80)]


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://127.0.0.1/", "private_address"),
        ("http://2130706433/", "private_address"),
        ("//[::ffff:127.0.0.1]/", "private_address"),
        ("http://inside.test/", "private_address"),
        ("http://mixed.test/", "private_address"),
        ("http://good.test:22/", "port"),
        ("file:///etc/passwd", "scheme"),
        ("ftp://good.test/", "scheme"),
        ("gopher://127.0.0.1:6379/_", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("data:text/plain,x", "scheme"),
        ("http://", "protocol"),
        ("http://[::1/", "protocol"),
    ],
)
def test_a_redirect_leads_nowhere_a_url_would_not(location: str, code: str, world: World):
    world.name("good.test", [PUBLIC])
    world.name("inside.test", ["10.0.0.1"])
    world.name("mixed.test", [PUBLIC, "10.0.0.1"])
    world.server.script = in_turn([redirect(location), reply(b"secret")])
    error = refused("http://good.test/start", AT_ONCE)
    assert error.code == code
    assert [hop.url for hop in error.hops][:1] == (
        ["http://good.test/start"] if code != "protocol" else []
    )
    assert world.reached == [(PUBLIC, 80)]
    assert world.server.accepted == 1
    if code == "private_address":
        world.server.script = in_turn([redirect(location), reply(b"secret")])
        assert unguarded("http://good.test/start") == 200
        assert world.server.accepted > 1


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://h/", "unix:/x", "ws://h/", "about:blank"]
)
def test_only_http_and_https_are_asked(url: str, world: World):
    assert refused(url, AT_ONCE).code == "scheme"
    assert world.reached == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "http://[fe80::1%25lo]/",
        "http://[fe80::1%lo]/",
        "http://a b/",
        "http://\x00/",
    ],
)
def test_what_is_no_url_is_told_so(url: str, world: World):
    assert refused(url, AT_ONCE).code == "url"
    assert world.reached == []


def test_a_url_that_aiohttp_would_read_otherwise_is_refused():
    for host, port in (("other.test", 80), ("good.test", 81), ("[::1]", 80)):
        with pytest.raises(NetError) as error:
            Target("http://good.test/", host, port, None, None).sent()
        assert error.value.code == "url"
    with pytest.raises(NetError, match="two ways"):
        Target("http://[::1/", "[::1", 80, None, None).sent()
    assert Target("http://[::1]:81/", "[::1]", 81, None, None).sent().raw_host == "::1"


ODD = "ab1.-_~!$&'()*+,;=%@:[]{}|\\^`\"<> /?#\t\u3002\uff0e\u00e9\u2100xn"


@given(st.sampled_from(["http://", "https://", "http:/", "HTTP:\\\\"]), st.text(ODD, max_size=20))
def test_whatever_can_be_asked_aiohttp_reads_as_we_do(start: str, rest: str):
    try:
        to = target(start + rest, AT_ONCE)
    except NetError as error:
        assert error.code in ("url", "port")  # noqa: PT017 (most of these are no URLs)
        return
    assert "@" not in to.sent().authority
    assert target(to.url, AT_ONCE) == to


@pytest.mark.parametrize(
    "name", ["no.such.test", "x" * 64 + ".test", "a..b.test", "under_score.test"]
)
def test_a_name_that_nobody_knows_is_told(name: str, world: World):
    error = refused(f"http://{name}/", AT_ONCE)
    assert error.code == "dns"
    assert name in error.message
    assert world.reached == []


def test_a_connection_is_kept_for_the_name_it_was_checked_for(world: World):
    """Two names, one address: the pool must not lend the connection of one to the other."""
    world.name("good.test", [PUBLIC])
    world.name("turned.test", [PUBLIC], ["10.0.0.1"])
    world.server.script = reply(b"x")

    async def run() -> None:
        async with Client(AT_ONCE) as client:
            for _ in range(3):
                await client.ask("http://good.test/")
            await client.ask("http://turned.test/")

    asyncio.run(run())
    assert world.reached == [(PUBLIC, 80), (PUBLIC, 80)]
    assert world.lookups == ["good.test", "turned.test"]


def test_every_new_connection_is_looked_up_and_checked(world: World):
    """A cache of names would answer with what was checked for another request, or long ago."""
    world.name("good.test", [PUBLIC])

    async def run() -> list[int]:
        async with Client(AT_ONCE) as client:
            asked = (client.ask("http://good.test/") for _ in range(2))
            return [reply.status for reply in await asyncio.gather(*asked)]

    assert asyncio.run(run()) == [200, 200]
    assert world.lookups == ["good.test", "good.test"]
    assert world.reached == [(PUBLIC, 80), (PUBLIC, 80)]


def test_proxies_in_the_environment_are_ignored(world: World, monkeypatch: pytest.MonkeyPatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    world.name("good.test", [PUBLIC])
    assert ask("http://good.test/", AT_ONCE).status == 200
    assert world.reached == [(PUBLIC, 80)]
    assert follow("http://good.test/", AT_ONCE).status == 200
