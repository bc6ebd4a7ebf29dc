"""URLs nobody writes by accident: torn triplets, odd hosts, controls, dots in disguise.

It decides what is thrown at every library; what counts as surviving it is in traps.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable

SEED = 7
DEFAULT_SIZE = 3_000

_SCHEMES = [
    "http://", "https://", "HTTP://", "http:/", "http:", "https:\\\\", "http:///", " http://",
]  # fmt: skip
_HOSTS = [
    "example.com", "EXAMPLE.com.", "www.example.com", "www.www.example.com", "example.com:80",
    "example.com:443", "example.com:0080", "example.com:", "example.com:99999",
    "user:pw@example.com", "a@b@example.com", "bücher.example", "xn--bcher-kva.example",
    "xn--a.example", "ｅｘａｍｐｌｅ.com", "faß.example", "ex%61mple.com", "example%2ecom",
    "0x7f.1", "127.1", "[::1]", "[0:0::1]", "[::1", "1.2.3.4.5", "256.256.256.256", "a..b.com",
    "-a-.com", "ex_ample.com", "exam ple.com", "münchen", "☃.example", "example。com",
    "a\u00adb.example", "example.com\\@evil.example", "x" * 64 + ".com",
]  # fmt: skip
_SEGMENTS = [
    "a", "B", ".", "..", ".b", "...", "%2e", "%2E%2e", ".%2e", "%2f", "%2F", "%5c", "%7e", "~",
    "%e9", "%E9", "%C3%A9", "é", "%%37E", "%3%37", "%", "%2", "%zz", "%25", "%2541", "%00", "\x00",
    "\t", "a b", "a%20b", "a+b", ";jsessionid=1", "a;b=c", "index.html", "amp", "//",
    "http://b.example/", "'", '"', "<b>", "|", "^", "[", "{x}", "`", "日本", "\u202e", "\u00a0",
    "😀", "&amp;", "a\nb",
]  # fmt: skip
_PIECES = [
    "a=1", "a=2", "a", "a=", "=", "=1", "&", "&&", "b=%2B", "b=+", "b=%20", "c=%E9", "c=é", "c=%26",
    "utm_source=x", "UTM_Source=x", "%75tm_source=x", "fbclid=1", "ref=1", "session=1", "d=%%37E",
    "u=http://b.example/?a=1", "url=https%3A%2F%2Fb.example%2F", "x[]=1", "x[a]=b;c", "q=a?b",
    "q=%3%37", "n=\x00", "n=\t", "e=%", "s=;", "p=😀", "amp;a=1",
]  # fmt: skip
_FRAGMENTS = ["", "", "", "#", "#top", "#!/a", "#/a?b=1", "#a#b", "#%e9", "#utm_source=x"]


def make(size: int = DEFAULT_SIZE, seed: int = SEED) -> list[str]:
    chance = random.Random(seed)
    return [one(chance) for _ in range(size)]


def one(chance: random.Random) -> str:
    url = _scheme(chance) + _host(chance)
    for _ in range(chance.randint(0, 5)):
        url += chance.choice("////\\") + chance.choice(_SEGMENTS)
        if chance.random() < 0.3:
            url += chance.choice(_SEGMENTS)
    if chance.random() < 0.6:
        url += "?" + "&".join(chance.choices(_PIECES, k=chance.randint(0, 4)))
    return url + chance.choice(_FRAGMENTS)


def _scheme(chance: random.Random) -> str:
    return chance.choice(_SCHEMES) if chance.random() < 0.2 else chance.choice(_SCHEMES[:2])


def _host(chance: random.Random) -> str:
    return chance.choice(_HOSTS) if chance.random() < 0.6 else "example.com"


def with_surrogates() -> list[str]:
    """Lone surrogates, as they come out of file names and broken JSON, in every part of a URL."""
    places = [
        "http://example.com/{}", "http://example.com/a?b={}", "http://example.com/a?{}=b",
        "http://example.com/#{}", "http://ex{}ample.com/", "http://u:{}@example.com/", "{}",
        "http://example.com/%C3{}", "http://example.com{}:80/",
    ]  # fmt: skip
    return [place.format(char) for place in places for char in ("\ud800", "\udfff", "\udce9")]


def with_nul() -> list[str]:
    return [
        "http://example.com/\x00", "http://example.com/a\x00b?c\x00d=e\x00", "http://exa\x00mple.com/",
        "\x00http://example.com/", "http://example.com/%00", "http://example.com:8\x000/", "\x00",
    ]  # fmt: skip


def _repeat(head: str, piece: str, tail: str = "", width: int = 0) -> Callable[[int], str]:
    """`width`: the length of a piece once it is percent-encoded, where that is longer."""

    def shape(length: int) -> str:
        room = length - len(head) - len(tail)
        return head + piece * max(1, room // (width or len(piece))) + tail

    return shape


def _nested(length: int) -> str:
    """Redirectors in redirectors, each `%` escaped anew, as far as the length goes."""
    url = "http://example.com/" + "a" * (length // 2)
    while len(url) < length:
        url = "https://www.google.com/url?q=" + url.replace("%", "%25").replace("&", "%26")
    return url[:length]


def _distinct(length: int) -> str:
    url = "http://example.com/?"
    return url + "&".join(f"p{i}={i}" for i in range(length))[: length - len(url)]


SHAPES: dict[str, Callable[[int], str]] = {
    "`../` in a row": _repeat("http://example.com/", "../"),
    "`a/../` in a row": _repeat("http://example.com/", "a/../"),
    "`%2e%2e/` in a row": _repeat("http://example.com/", "%2e%2e/"),
    "slashes": _repeat("http://example.com", "/"),
    "`&` in a row": _repeat("http://example.com/?", "&"),
    "parameters, all different": _distinct,
    "parameters, all the same": _repeat("http://example.com/?", "a=1&"),
    "torn triplets": _repeat("http://example.com/", "%3", "7E"),
    "`%25` in a row": _repeat("http://example.com/%", "25"),
    "`;jsessionid=1` in a row": _repeat("http://example.com/a", ";jsessionid=1"),
    "`@` in a row": _repeat("http://", "a@", "example.com/"),
    "labels": _repeat("http://", "a.", "example.com/"),
    "`www.` in a row": _repeat("http://", "www.", "example.com/"),
    "nested redirectors": _nested,
    "`http://` in a row": _repeat("http://example.com/", "http://b.example/"),
    "`<` in a row": _repeat("http://example.com/", "<", width=3),
    "`{` in a row": _repeat("http://example.com/", "{", width=3),
    "blanks inside": _repeat("http://example.com/", " ", "a", width=3),
    "letters beyond ASCII": _repeat("http://example.com/", "é", width=6),
    "fragment of pairs": _repeat("http://example.com/#", "a=1&"),
}
"""Shapes a URL of any length can have; the longest are as long as a policy of ours accepts."""

SHORT_SHAPES: dict[str, Callable[[int], str]] = {
    "hyphens in a host, 64 characters long": _repeat("http://", "a-", ".c!"),
}
"""Shapes that are hostile at a length a person could type."""
