"""The table of addresses: what is refused, that nothing hides beside it, and what stays open."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.net.guard import numeric, refusal

REFUSED = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "255.255.255.255/32",
    "::/96",
    "::/128",
    "::1/128",
    "::ffff:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/32",
    "2001:2::/48",
    "2001:10::/28",
    "2001:20::/28",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
    "4000::/2",
    "8000::/2",
    "::/3",
]

OPEN = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2001:200::",
    "2003::",
    "2a00:1450:4001:80b::200e",
    "2000::1",
    "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
]


@pytest.mark.parametrize("network", REFUSED)
def test_both_ends_of_a_range_are_refused(network: str):
    ends = ip_network(network)
    assert refusal(ends[0])
    assert refusal(ends[-1])


@pytest.mark.parametrize("address", OPEN)
def test_a_public_address_is_open_also_right_beside_a_range(address: str):
    assert refusal(ip_address(address)) == ""


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("10.0.0.1", "a private address"),
        ("127.0.0.1", "a loopback address"),
        ("169.254.169.254", "a link-local address"),
        ("255.255.255.255", "the broadcast address"),
        ("250.0.0.1", "a reserved address"),
        ("::", "an address of this machine"),
        ("::1", "a loopback address"),
        ("::2", "an IPv4 address inside IPv6"),
        ("2001::1", "an address of a tunnel"),
        ("2001:10::1", "an address for protocols"),
        ("fe80::1%1", "a link-local address"),
        ("4000::1", "a reserved address"),
    ],
)
def test_the_kind_of_an_address_is_told(address: str, kind: str):
    assert refusal(ip_address(address)) == kind


@given(st.sampled_from(REFUSED), st.data())
def test_every_address_of_a_refused_range_is_refused(network: str, data: st.DataObject):
    ends = ip_network(network)
    offset = data.draw(st.integers(0, ends.num_addresses - 1))
    assert refusal(ends[offset])


V4 = st.integers(0, 2**32 - 1)


@given(V4)
def test_no_ipv4_address_is_open_that_python_calls_private(number: int):
    address = IPv4Address(number)
    if not address.is_global or address.is_multicast:
        assert refusal(address)


@given(st.integers(0, 2**128 - 1))
def test_no_ipv6_address_is_open_that_python_calls_private(number: int):
    address = IPv6Address(number)
    if not address.is_global or address.is_multicast:
        assert refusal(address)


@given(V4)
def test_no_ipv4_address_is_open_inside_ipv6(number: int):
    for shape in (
        number,  # ::a.b.c.d
        0xFFFF << 32 | number,  # ::ffff:a.b.c.d
        0xFFFF << 48 | number,  # ::ffff:0:a.b.c.d, translated
        0x64FF9B << 96 | number,  # 64:ff9b::a.b.c.d
        0x64FF9B0001 << 80 | number,  # 64:ff9b:1::a.b.c.d
        0x2002 << 112 | number << 80,  # 6to4
        0x20010000 << 96 | (number ^ 0xFFFFFFFF),  # Teredo
    ):
        assert refusal(IPv6Address(shape)), IPv6Address(shape)


@given(st.integers(0, 2**128 - 1), st.sampled_from(["1", "eth0", "lo"]))
def test_a_zone_opens_nothing(number: int, zone: str):
    plain, zoned = IPv6Address(number), IPv6Address(f"{IPv6Address(number)}%{zone}")
    assert refusal(zoned) == refusal(plain)


@given(V4 | st.integers(0, 2**128 - 1))
def test_an_address_is_told_from_a_name(number: int):
    address = ip_address(number)
    assert numeric(f"[{address}]" if address.version == 6 else str(address)) == address


@pytest.mark.parametrize(
    "name", ["a.test", "a1.b2", "localhost", "xn--bcher-kva.example", "1.a", ""]
)
def test_a_name_is_no_address(name: str):
    assert numeric(name) is None
