"""Which addresses may be reached: the public ones, by a table of our own.

It only looks at an address. Where addresses come from, and who is exempt, is for `addresses`.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_V4 = {
    IPv4Network(network): kind
    for network, kind in {
        "0.0.0.0/8": "an address of this machine",
        "10.0.0.0/8": "a private address",
        "100.64.0.0/10": "a carrier's shared address",
        "127.0.0.0/8": "a loopback address",
        "169.254.0.0/16": "a link-local address",
        "172.16.0.0/12": "a private address",
        "192.0.0.0/24": "an address for protocols",
        "192.0.2.0/24": "an address for documentation",
        "192.88.99.0/24": "an address of a tunnel",
        "192.168.0.0/16": "a private address",
        "198.18.0.0/15": "an address for benchmarks",
        "198.51.100.0/24": "an address for documentation",
        "203.0.113.0/24": "an address for documentation",
        "224.0.0.0/4": "a multicast address",
        "255.255.255.255/32": "the broadcast address",
        "240.0.0.0/4": "a reserved address",
    }.items()
}
_V6 = {
    IPv6Network(network): kind
    for network, kind in {
        "::/128": "an address of this machine",
        "::1/128": "a loopback address",
        "::/96": "an IPv4 address inside IPv6",
        "::ffff:0:0/96": "an IPv4 address inside IPv6",
        "64:ff9b::/96": "an IPv4 address inside IPv6",
        "64:ff9b:1::/48": "an IPv4 address inside IPv6",
        "2001::/32": "an address of a tunnel",
        "2001::/23": "an address for protocols",
        "2001:db8::/32": "an address for documentation",
        "2002::/16": "an IPv4 address inside IPv6",
        "3fff::/20": "an address for documentation",
        "fc00::/7": "a private address",
        "fe80::/10": "a link-local address",
        "fec0::/10": "a private address",
        "ff00::/8": "a multicast address",
    }.items()
}
"""Python's `is_global` depends on its version, and 3.11 calls several of these global."""

_UNICAST = IPv6Network("2000::/3")
"""All of IPv6 that is assigned to anybody; what lies outside is refused even if no row names it."""


def refusal(address: Address) -> str:
    """What kind of address this is, if it must not be reached; empty for a public one."""
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in _V4.items() if address in network), "")
    kind = next((kind for network, kind in _V6.items() if address in network), "")
    return kind or ("" if address in _UNICAST else "a reserved address")


@lru_cache(1024)
def numeric(host: str) -> Address | None:
    """The address a parsed URL's host is, if it is one: a name's last label is never all digits."""
    if host[:1] != "[" and not host[-1:].isdigit():
        return None
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None
