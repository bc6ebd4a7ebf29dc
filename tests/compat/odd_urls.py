"""Ordinary and hostile URLs for comparing two readings of one URL, the same list every time.

It decides what both are asked. Lone surrogates are left out: the package crashes on them.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from bench import corpus, hostile

SEED = 14
_CHARACTERS = [
    *"Σςσ", "ΑΣ", "ΑΣ.", "Σ\u0301", "İ", "ı", "ſ", "\u212a", "ẞ", "ß", "Å", "Ⅷ", "Ω", "ǅ", "ﬁ",
    "É", "\u0301", "Ａ", "．", "。", "｡", "⁄", "℀", "℅", "⁇", "﹖", "？", "＃", "／", "：", "＠",
    "٣", "７", "²", "ª", "𝟙", " ", "\t", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x1f", "\x85",
    "\xa0", "\u1680", "\u2003", "\u2028", "\u3000", "\x00", "\x01", "\x7f", "\x80", "\xa1", "\xad",
    "\u200b", "\u200d", "\u202e", "\ufeff", "\ufffd", "\uffff", "😀", "👨‍👩‍👧", "𐐀", "𐐨", "𝐀",
    "🄰", "\U0010ffff", "\U000e0001", *"%:@/?#[]\\;&=+*.-_~!$'(),|^`{}<>\"0aZ", "%2", "%41",
    "%C3%A9", "%e9", "%F0%9F%98%80", "%ff", "%00", "%2f", "%25", "//", "..", "--", "www.", "@x.de",
    "/@x.de", ":x@", "&&", "==", "?a", "#/",
]  # fmt: skip
_HOSTS = [
    "localhost", "intranet", "com", "co.uk", "www.com", "www.co.uk", "bbc.co.uk",
    "www.www.bbc.co.uk", "a.b.c.bbc.co.uk", "x.ck", "www.ck", "city.kawasaki.jp",
    "a.b.kawasaki.jp", "x.рф", "кто.рф", "a.xn--p1ai", "ＥＸＡＭＰＬＥ.ＣＯＭ", "example。com",
    "a.example。co。uk", "example.com.", "www.", "www..com", ".com", "a..com", "a.c", "a.co",
    "a_b.c_d", "-.--", "10.0.0.1", "127.0.0.1", "192.168.1.10", "172.16.0.1", "172.32.0.1",
    "169.254.1.1", "8.8.8.8", "8.8.8.80", "1.1.1.1:80", "0.0.0.0", "224.0.0.1", "223.255.255.9",
    "100.64.0.10", "198.51.100.7", "203.0.113.99", "255.255.255.255", "256.1.1.10", "2130706433",
    "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "0300.0250.0.10", "127.1", "10.1.10", "1.2.3.4.5",
    "www.10.0.0.10", "１２７.０.０.１", "127。0。0。1", "10.0.0.1.", "8.8.8.8.", "٣.٣.٣.3",
    "1.٢.3.4", "[::1]", "[2001:db8::1]:80", "[::ffff:10.0.0.1]", "[v1.a]", "[::1", "::1]",
    "😀.com", "i❤.ws", "💩.la", "a.😀", "www.😀.co.uk", "𐐀𐐁.com", "xn--ls8h.la", "xn--a.example",
    "faß.de", "FAẞ.de", "ΒΌΛΟΣ.com", "ΣΑΣ.ΣΑΣ", "İstanbul.com.tr", "\u212aelvin.com",
    "ex%61mple.com", "127%2e0.0.10", "a-b--c-.d-.org", "xn--bcher-kva.example",
    "user.name.github.io", "x.y.appspot.com", "a" * 70 + ".com", "é" * 70 + ".com",
]  # fmt: skip
_PORTS = [
    ":", ":8", ":80", ":443", ":8080", ":99999", ":123456", ":٣٣", ":x", ":80:80", ":-1", ": 80",
    ":８０", ":0",
]  # fmt: skip
_USERS = [
    "user:pw@", "user@", "@", ":@", "a@b:c@", "u:[::1]@", "u:[@", "user%40:x@", "ü:p@", "a.b:x@",
    "a.b:x/@", "a.b:80/@",
]  # fmt: skip
_SCHEMES = [
    "HTTP://", "hTTps://", "http:/", "http:", "http:///", "//", "", "ftp://", "ftps://",
    "httpx://", "ht\ttp://", "http\n://", "\x00http://", "\x1fhttps://", "http ://",
    "http://http://", "httpſ://", "view-source:http://", "1http://", "http:\\\\", "mailto:",
]  # fmt: skip
_TAILS = [
    "/", "//", "///", "/;", ";a", ";a=b?c", "/a;b/c;d", "?", "??", "?a", "?a=", "?=a", "?=", "?&",
    "?a&a&a=", "?b=1&a=2&a=1&a=2", "?a=1;b=2", "?a=%41&A=a&a=A", "?UTM_SOURCE=x&Utm_=1&utm=2",
    "?%75tm_x=1&utm%5Fy=2&utm+z=3", "?_ga=1&_GA=2&_gat=3&gaa_=4&gaa=5", "?a=%2B&a=+&a=%20",
    "?é=%C3%A9&%c3%A9=é", "?a=%E9&a=%FF&a=%EF%BF%BD", "?a=b=c", "?a==", "?*=~&-=_.",
    "?ſ=1&utm_ı=2", "?İ=Σ", "?q=a?b", "#", "#a", "/#", "/#a b", "/?#", "?#a", "/a b", "/a%20b",
    "/%E9/%C3%A9/é", "/%2F%2f/", "/a%2f", "/A/../B/./", "/%0a", "/\xa0", "/Σ/ΑΣ",
]  # fmt: skip


def make(size: int, seed: int = SEED) -> list[str]:
    """A quarter of it hostile, and more."""
    strange = size // 3
    plain = corpus.make(size - strange, seed)
    half = hostile.make(strange // 4, seed)
    chance = random.Random(seed)
    torn = [_torn(chance.choice((plain, half, plain)), chance) for _ in range(strange - len(half))]
    return plain + half + torn + _SLOW


_SLOW = [
    f"http://{'a-' * length}{end}" for length in range(24, 60, 9) for end in ("!.com", ".c!", "/")
]
"""Short ones on which the package's pattern tries every way to split a row of hyphens."""


def _torn(bases: list[str], chance: random.Random) -> str:
    url = chance.choice(bases)
    for _ in range(chance.randint(1, 3)):
        url = chance.choice(_WAYS)(url, chance)
    return url


def _authority(url: str) -> tuple[int, int]:
    start = url.find("://") + 3 if "://" in url else 0
    ends = [end for mark in "/?#" if (end := url.find(mark, start)) >= 0]
    return start, min(ends, default=len(url))


def _insert(url: str, chance: random.Random) -> str:
    place = chance.randint(0, len(url))
    return url[:place] + chance.choice(_CHARACTERS) + url[place:]


def _insert_in_host(url: str, chance: random.Random) -> str:
    place = chance.randint(*_authority(url))
    return url[:place] + chance.choice(_CHARACTERS) + url[place:]


def _cut(url: str, chance: random.Random) -> str:
    place = chance.randint(0, len(url))
    return url[:place] + url[place + chance.randint(1, 4) :]


def _again(url: str, chance: random.Random) -> str:
    place = chance.randint(0, len(url))
    return url[: place + chance.randint(1, 9)] + url[place:]


def _case(url: str, chance: random.Random) -> str:
    place = chance.randint(0, len(url))
    end = place + chance.randint(1, 30)
    return url[:place] + url[place:end].swapcase() + url[end:]


def _triplet(url: str, chance: random.Random) -> str:
    place = chance.randint(0, max(0, len(url) - 1))
    written = "".join(f"%{byte:02x}" for byte in url[place : place + 1].encode())
    return url[:place] + written[: chance.choice((3, 9, 2))] + url[place + 1 :]


def _host(url: str, chance: random.Random) -> str:
    start, end = _authority(url)
    return url[:start] + chance.choice(_HOSTS) + url[end:]


def _port(url: str, chance: random.Random) -> str:
    _, end = _authority(url)
    return url[:end] + chance.choice(_PORTS) + url[end:]


def _user(url: str, chance: random.Random) -> str:
    start, _ = _authority(url)
    return url[:start] + chance.choice(_USERS) + url[start:]


def _scheme(url: str, chance: random.Random) -> str:
    start, _ = _authority(url)
    return chance.choice(_SCHEMES) + url[start:]


def _tail(url: str, chance: random.Random) -> str:
    return url + chance.choice(_TAILS)


def _another_tail(url: str, chance: random.Random) -> str:
    return url[: _authority(url)[1]] + chance.choice(_TAILS)


def _blanks(url: str, chance: random.Random) -> str:
    around = [chance.choice(["", " ", "\n", "\xa0", "\u3000", "\x1f", "\ufeff"]) for _ in range(2)]
    return url.join(around)


_WAYS: list[Callable[[str, random.Random], str]] = [
    _insert, _insert, _insert_in_host, _cut, _again, _case, _triplet, _host, _host, _port, _user,
    _scheme, _tail, _another_tail, _blanks,
]  # fmt: skip
