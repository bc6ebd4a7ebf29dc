"""What a user sets: as curl reads it, and a wrong value is told with its place and the reason."""

from __future__ import annotations

import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path

import pytest

from sameas.errors import SettingError
from sameas.net.client import Client
from sameas.net.settings import ConnectTo, Settings, networks


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a.test:80:127.0.0.1:8080", ConnectTo("a.test", 80, "127.0.0.1", 8080)),
        ("A.Test:443:b.test:", ConnectTo("a.test", 443, "b.test", None)),
        ("::127.0.0.1:1", ConnectTo("", None, "127.0.0.1", 1)),
        ("a.test::[::1]:8080", ConnectTo("a.test", None, "[::1]", 8080)),
        (":80::8080", ConnectTo("", 80, "", 8080)),
        ("bücher.test:80:127.1:80", ConnectTo("xn--bcher-kva.test", 80, "127.0.0.1", 80)),
    ],
)
def test_connect_to_is_read_as_curl_reads_it(text: str, rule: ConnectTo):
    assert ConnectTo.parse(text) == rule


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "HOST1:PORT1:HOST2:PORT2"),
        ("a.test:80", "HOST1:PORT1:HOST2:PORT2"),
        ("a.test:80:b.test:80:x", "HOST1:PORT1:HOST2:PORT2"),
        ("a.test:80:::1:80", "HOST1:PORT1:HOST2:PORT2"),
        ("a.test:http:b.test:80", "'http' is not a port"),
        ("a.test:0:b.test:80", "'0' is not a port"),
        ("a.test:80:b.test:65536", "'65536' is not a port"),
        (f"a.test:80:b.test:{'9' * 5000}", "is not a port"),
        ("a b:80:b.test:80", "'a b' is no host"),
        ("127.0.0.1:80:b.test:80", "only names are redirected"),
        ("0x7f.1:80:b.test:80", "only names are redirected"),
        ("[::1]:80:b.test:80", "only names are redirected"),
    ],
)
def test_a_connect_to_that_cannot_be_used_is_told(text: str, reason: str):
    with pytest.raises(SettingError) as error:
        ConnectTo.parse(text)
    assert error.value.place == f"--connect-to {text}"
    assert reason in error.value.reason
    assert error.value.hint


def test_connect_to_matches_its_host_and_port():
    exact, any_port, anything = map(ConnectTo.parse, ("a.test:80:b:1", "a.test::b:1", "::b:1"))
    assert exact.matches("a.test", 80)
    assert not exact.matches("a.test", 81)
    assert not exact.matches("b.test", 80)
    assert any_port.matches("a.test", 81)
    assert not any_port.matches("b.test", 81)
    assert anything.matches("c.test", 7)


def test_networks_are_ranges_or_single_addresses():
    assert networks(["10.0.0.0/8", " 127.0.0.1 ", "fd00::/8"]) == tuple(
        map(ip_network, ("10.0.0.0/8", "127.0.0.1/32", "fd00::/8"))
    )


@pytest.mark.parametrize("text", ["", "localhost", "10.0.0.1/8", "10.0.0.0/33", "::/129", "10.*"])
def test_a_network_that_is_none_is_told(text: str):
    with pytest.raises(SettingError) as error:
        networks(["10.0.0.0/8", text])
    assert error.value.place == f"--allow-network {text}"


@pytest.mark.parametrize("contact", ["a\r\nX-Evil: 1", "a\nb", "josé@example.com", "\x7f"])
def test_a_contact_that_would_break_the_header_is_told(contact: str):
    with pytest.raises(SettingError, match="the contact"):
        Settings(contact=contact)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seconds", 0),
        ("seconds", float("nan")),
        ("seconds", float("inf")),
        ("body_bytes", 0),
        ("header_bytes", 9),
        ("redirects", -1),
        ("connections", 0),
        ("per_host", 0),
        ("spacing", -0.5),
    ],
)
def test_a_limit_under_which_nothing_could_be_fetched_is_told(name: str, value: float):
    with pytest.raises(SettingError) as error:
        Settings(**{name: value})
    assert error.value.place == name
    assert str(value) in error.value.reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "No such file"), ("", "holds no certificates"), ("hello", "holds no certificates")],
)
def test_a_cacert_that_cannot_be_used_is_told(content: str | None, reason: str, tmp_path: Path):
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SettingError) as error:
        Client(Settings(cafile=str(file)))
    assert error.value.place == f"--cacert {file}"
    assert reason in error.value.reason


WITHOUT = """
import sys
sys.modules["aiohttp"] = None
import sameas.net.settings, sameas.net.politeness, sameas.net.reply
from sameas.errors import MissingExtra
try:
    import sameas.net.client
except MissingExtra as error:
    print(error)
"""


def test_settings_are_read_without_the_extra_and_fetching_says_which_one_it_is():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert done.stdout == "fetching needs an extra: pip install 'sameas[net]'\n", done.stderr
