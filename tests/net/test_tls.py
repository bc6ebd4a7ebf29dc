"""Who a server proves to be: the name in the URL, wherever the connection is led."""

from __future__ import annotations

import contextlib
import gc
import ssl
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from sameas.errors import NetError
from sameas.net.settings import ConnectTo, Settings
from tests.net.ask import ask, follow, loopback, refused
from tests.net.servers import Answer, Pause, Server, authority, redirect, reply, tls


@pytest.fixture
def cafile(tmp_path: Path) -> str:
    file = tmp_path / "ca.pem"
    authority().cert_pem.write_to_path(str(file))
    return str(file)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(reply(b"secret"), tls=tls("feed.test")) as server:
        yield server


def led_to(server: Server, name: str = "feed.test", **options: Any) -> Settings:
    rule = ConnectTo.parse(f"{name}:443:{server.address}:{server.port}")
    return Settings(connect_to=(rule,), spacing=0.0, **options)


def test_the_right_name_is_answered(server: Server, cafile: str):
    seen: list[str | None] = []
    context = tls("feed.test")
    context.sni_callback = lambda _, name, __: seen.append(name)
    with Server(reply(b"secret"), tls=context) as other:
        assert follow("https://feed.test/", led_to(other, cafile=cafile)).body == b"secret"
        assert other.asked[0].headers["host"] == "feed.test"
    assert seen == ["feed.test"]
    assert follow("https://feed.test/", led_to(server, cafile=cafile)).body == b"secret"


def test_a_name_with_its_dot_at_the_end_is_the_same_name(server: Server, cafile: str):
    settings = led_to(server, "feed.test.", cafile=cafile)
    assert follow("https://feed.test./", settings).body == b"secret"


def test_the_wrong_name_is_refused(server: Server, cafile: str):
    error = refused("https://other.test/", led_to(server, "other.test", cafile=cafile))
    assert error.code == "tls"
    assert "not valid for 'other.test'" in error.message
    assert server.asked == []


def test_an_authority_nobody_named_is_refused(server: Server):
    error = refused("https://feed.test/", led_to(server))
    assert error.code == "tls"
    assert "certificate is refused" in error.message
    assert "--cacert" in error.message
    assert server.asked == []


def test_cacert_trusts_these_authorities_and_no_others(tmp_path: Path, server: Server):
    file = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(str(file))
    assert refused("https://feed.test/", led_to(server, cafile=str(file))).code == "tls"


def test_a_self_signed_certificate_is_refused(cafile: str):
    alone = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    alone.issue_cert("feed.test").configure_cert(context)
    with Server(reply(), tls=context) as server:
        assert refused("https://feed.test/", led_to(server, cafile=cafile)).code == "tls"


def test_a_numeric_host_is_proven_too(cafile: str):
    with Server(reply(b"secret"), tls=tls("127.0.0.1")) as right:
        assert follow(right.url(), loopback(cafile=cafile)).body == b"secret"
    with Server(reply(b"secret"), tls=tls("feed.test")) as wrong:
        assert refused(wrong.url(), loopback(cafile=cafile)).code == "tls"


def test_a_server_without_tls_is_told(cafile: str):
    with Server(reply()) as server:
        url = server.url().replace("http:", "https:")
        error = refused(url, loopback(cafile=cafile))
    assert error.code == "tls"
    assert "no secure connection" in error.message
    assert "Operation not permitted" not in error.message


def test_a_redirect_from_http_to_https_is_checked(server: Server, cafile: str):
    with Server(redirect("https://feed.test/")) as plain:
        rules = (
            ConnectTo.parse(f"feed.test:80:127.0.0.1:{plain.port}"),
            ConnectTo.parse(f"feed.test:443:127.0.0.1:{server.port}"),
        )
        trusting = Settings(connect_to=rules, cafile=cafile, spacing=0.0)
        assert follow("http://feed.test/", trusting).url == "https://feed.test/"
        error = refused("http://feed.test/", Settings(connect_to=rules, spacing=0.0))
    assert error.code == "tls"
    assert [hop.location for hop in error.hops] == ["https://feed.test/"]


LONG = b"HTTP/1.1 200 Said\r\nContent-Length: 1000000\r\n\r\nbegins"


@pytest.mark.parametrize(
    "script",
    [(LONG,), (LONG, Pause(30)), (Pause(30),), (b"HTTP/1.1 200 Said\r\n", Pause(30)), reply(b"x")],
    ids=["too large", "hangs in the body", "hangs", "hangs in the headers", "not read"],
)
def test_a_connection_given_up_in_the_middle_is_not_left_open(cafile: str, script: Answer):
    """Closing it means agreeing with the other side, which may never say a word."""
    with Server(script, tls=tls("feed.test")) as server:
        settings = led_to(server, cafile=cafile, body_bytes=100, seconds=0.3)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for body in (True, False):
                with contextlib.suppress(NetError):
                    ask("https://feed.test/", settings, body=body)
            gc.collect()
    assert [str(one.message) for one in told] == []
