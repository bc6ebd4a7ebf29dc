"""What the two engines are tried on: URLs mutated, put together, torn, and noise.

It decides what is thrown, from one seed; what both engines make of it is compared elsewhere.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from spec.run import suites

from bench import corpus, hostile, languages
from sameas.plan.plan import Plan

Raw = str | bytes
Generator = Callable[[random.Random], Raw]

ROOT = Path(__file__).parent.parent
SURROGATES = ["\ud800", "\udfff", "\udc00", "\udce9", "\udcc3\udca9", "\udc80", "\ud83d\ude00"]
_TORN = [
    "%", "%3", "%%37E", "%3%37", "%%", "%zz", "%4%31", "%c3%", "%2", "%%34%31", "%e2%82", "%80",
]  # fmt: skip
_TRIPLETS = [
    "%7e", "%41", "%e9", "%C3%A9", "%2f", "%5c", "%00", "%0a", "%25", "%2541", "%2e", "%3D",
]  # fmt: skip
_DOTS = [".", "..", "%2e", "%2E", ".%2e", "%2E%2e", "...", ".a", "a..", "..;sid=1", ";sid=2.."]
_MARKS = list("/\\?#&=;:@%+.,-_~!'\"<>|^`{}[]$*() \t\n\r\x00\x1f\x7f")
_LETTERS = [
    "é", "ß", "И", "жук", "日本", "İ", "Σ", "ς", "ﬁ", "\u212a", "\u0130", "😀", "\u3000", "\u0301",
]  # fmt: skip
_SCHEMES = [
    "http://", "https://", "HTTP://", "hTTps://", "http:/", "http:", "https:\\\\", "http:///",
]  # fmt: skip
_ODD_SCHEMES = [
    "", "//", "ftp://", "javascript:", "mailto:", " http://", "ht\ntp://", "http//", "1:",
]  # fmt: skip
_SUBDOMAINS = ["", "", "www.", "www.", "m.", "www.www.", "WWW.", "blog.", "es."]
_HOSTS = [
    "example.com", "Example.ORG", "news.example.co.uk", "a-b.example", "ex_ample.com", "example.es",
    "xn--bcher-kva.example", "1.2.3.4", "bbc.co.uk", "co.uk", "city.kawasaki.jp", "x.kawasaki.jp",
    "a.ck", "com", "h", "example.com.", "a..b.com", "0x7f.1", "127.1", "[::1]", "bücher.example",
    "пример.рф", "1.2.3.04", "256.1.1.1", "example.com%2e", "-", "a.1b", "localhost",
    "a.b.c.d.e.f.g.h",
]  # fmt: skip
_PORTS = [":80", ":443", ":8080", ":", ":0080", ":65535", ":65536", ":99999", ":1", ":x"]
_CREDENTIALS = ["u:p@", "u@", ":@", "@", "a@b@", "u:p:q@", "u\\@"]
_WORDS = [
    "a", "index.html", "2026", "news", "Politics", "ca", "tramite", "doc.PDF", "a-long-slug",
    "amp",
]  # fmt: skip
_NAMES = [
    "a", "b", "q", "id", "page", "p", "lang", "utm", "A", "x[]", "utm_source", "cfid", "cftoken",
]  # fmt: skip
_VALUES = [
    "", "1", "22", "x", "es", "+", "%20", "%2B", "a=b", "/", "%31", "https://example.com/a?b=1",
]  # fmt: skip


def of(policies: Sequence[Plan], data: Path | None) -> dict[str, Generator]:
    """Every generator, by name. `data` is a folder with the files of real URLs and of WPT."""
    links, wpt = _real(data), _wpt(data)
    words = _Words(policies)

    def mutated(chance: random.Random) -> str:
        return _mutated(chance, chance.choice(links), links)

    return {
        "real, mutated": mutated,
        "put together": words.url,
        "redirectors": words.redirector,
        "WPT": lambda chance: chance.choice(wpt),
        "WPT, mutated": lambda chance: _mutated(chance, chance.choice(wpt), wpt),
        "hostile": hostile.one,
        "surrogates": lambda chance: _sprinkled(chance, words.url(chance), SURROGATES),
        "letters": lambda chance: _sprinkled(chance, words.url(chance), _any_letters(chance)),
        "torn triplets": lambda chance: _sprinkled(chance, words.url(chance), _TORN),
        "bytes": lambda chance: _as_bytes(chance, mutated(chance)),
        "noise": _noise,
        "long": _long,
    }


WEIGHTS = {
    "real, mutated": 24, "put together": 30, "redirectors": 4, "WPT": 2, "WPT, mutated": 6,
    "hostile": 6, "surrogates": 4, "letters": 6, "torn triplets": 8, "bytes": 8, "noise": 2,
    "long": 0.02,
}  # fmt: skip
"""How often each is asked: mostly for what the native engine keeps for itself."""


def _real(data: Path | None) -> list[str]:
    """Links of a crawl; where there are none, links that look like some."""
    if data is not None and (file := data / "urls-100k.txt.gz").is_file():
        return gzip.open(file, "rt", encoding="utf-8", errors="surrogateescape").read().split("\n")
    vectors = [vector.row["input"] for vectors in suites().values() for vector in vectors]
    in_languages = [url for name in languages.LANGUAGES for url in languages.make(name, 2_000)]
    return [*vectors, *in_languages, *corpus.make()]


def _wpt(data: Path | None) -> list[str]:
    """Inputs of web-platform-tests; where there is no copy, those that stand with the tests."""
    ours = json.loads((ROOT / "tests/engine/urls_as_browsers_read_them.json").read_text("utf-8"))
    inputs = [row["input"] for row in ours]
    if data is None or not (data / "wpt-urltestdata.json").is_file():
        return inputs
    for name, shape in (
        ("urltestdata", "{}"),
        ("toascii", "http://{}/a"),
        ("IdnaTestV2", "https://{}/"),
    ):
        rows = json.loads((data / f"wpt-{name}.json").read_text("utf-8"))
        inputs += [shape.format(row["input"]) for row in rows if isinstance(row, dict)]
    return inputs


class _Words:
    """URLs put together of what policies and their sites know."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        names: set[str] = set()
        hosts: set[str] = set()
        self.sites = [site for plan in plans for site in plan.sites]
        for table in [*self.sites, *(op.args for plan in plans for op in plan.ops())]:
            for key in ("names", "drop", "keep", "known", "session", "below_root"):
                names.update(table.get(key, ()))
            hosts.update(host for host in table.get("host", ()))
            hosts.update(table.get("domains", {}))
        self.names = [n.replace("*", "x").replace("{letters}", "my") for n in sorted(names)]
        self.hosts = [host.replace(".*", ".co.uk") for host in sorted(hosts)]
        self.paths = [site["path"] for site in self.sites if "path" in site]
        self.pieces = [piece for site in self.sites for piece in site.get("path_drop", ())]
        self.targets = [site for site in self.sites if "target" in site or "target_path" in site]

    def url(self, chance: random.Random) -> str:
        roll = chance.random
        schemes = _ODD_SCHEMES if roll() < 0.03 else _SCHEMES if roll() < 0.1 else _SCHEMES[:2]
        host = chance.choice(self.hosts if roll() < 0.4 else _HOSTS[:9] if roll() < 0.8 else _HOSTS)
        url = chance.choice(schemes) + ("" if roll() < 0.97 else chance.choice(_CREDENTIALS))
        url += chance.choice(_SUBDOMAINS) + host + (chance.choice(_PORTS) if roll() < 0.06 else "")
        url += self.path(chance)
        if roll() < 0.7:
            url += "?" + chance.choice("&&&&&;")[:1].join(
                self.pair(chance) for _ in range(chance.randint(0, 5))
            )
        return url + (
            chance.choice(["#", "#top", "#!/a", "#/a b", "#%e9", "#a#b"]) if roll() < 0.2 else ""
        )

    def path(self, chance: random.Random) -> str:
        roll = chance.random
        path = chance.choice(self.paths) if roll() < 0.1 else ""
        for _ in range(chance.randint(0, 4)):
            kind = roll()
            if kind < 0.6:
                segment = chance.choice(_WORDS)
            elif kind < 0.75:
                segment = chance.choice(_DOTS)
            elif kind < 0.85:
                segment = chance.choice(_TRIPLETS) + chance.choice(["", "a", ".."])
            elif kind < 0.9:
                segment = chance.choice(self.pieces or _WORDS) + "1"
            else:
                segment = f"{chance.choice(_WORDS)};{self.name(chance)}={chance.choice(_VALUES)}"
            path += chance.choice("///////\\") + segment
        return path + chance.choice(["", "", "/", "//"])

    def name(self, chance: random.Random) -> str:
        name = chance.choice(self.names if chance.random() < 0.5 else _NAMES)
        spelled = chance.random()
        if spelled < 0.1 and name:
            at = chance.randrange(len(name))
            escaped = "".join(f"%{byte:02x}" for byte in name[at].encode())
            return f"{name[:at]}{escaped}{name[at + 1 :]}"
        return name.upper() if spelled < 0.2 else name

    def pair(self, chance: random.Random) -> str:
        if chance.random() < 0.05:
            return chance.choice(["", "=", "=1", "a"])
        return f"{self.name(chance)}={chance.choice(_VALUES + _TRIPLETS)}"

    def redirector(self, chance: random.Random) -> str:
        url = self.url(chance)
        for _ in range(chance.choice([1, 1, 1, 2, 3, 6, 7])):
            site = chance.choice(self.targets)
            host = chance.choice(site["host"]).replace(".*", ".com")
            if "target_path" in site:
                url = f"https://{host}{site['target_path']}{url.partition('://')[2]}"
            else:
                escaped = url.replace("%", "%25").replace("&", "%26").replace("#", "%23")
                path, name = site.get("path", "/"), chance.choice(site["target"])
                url = f"http://{host}{path}?{name}={escaped}"
        return url


_TOKENS = [
    *_MARKS,
    *_TORN,
    *_TRIPLETS,
    *_DOTS,
    *_LETTERS,
    *_PORTS,
    *_CREDENTIALS,
    "www.",
    "//",
    "xn--",
]


def _mutated(chance: random.Random, url: str, others: Sequence[str]) -> str:
    for _ in range(chance.choice([0, 1, 1, 1, 2, 2, 3, 6])):
        at, kind = chance.randint(0, len(url)), chance.random()
        end = min(len(url), at + chance.choice([1, 1, 2, 8]))
        if kind < 0.45:
            url = url[:at] + chance.choice(_TOKENS) + url[at:]
        elif kind < 0.65:
            url = url[:at] + url[end:]
        elif kind < 0.75:
            url = url[:at] + url[at:end].swapcase() + url[end:]
        elif kind < 0.85:
            url = url[:at] + url[at:end] + url[at:]
        elif kind < 0.95:
            url = url[:at] + chr(chance.randrange(128)) + url[end:]
        else:
            other = chance.choice(others)
            url = url[:at] + other[chance.randint(0, len(other)) :]
    return url


def _sprinkled(chance: random.Random, url: str, tokens: Sequence[str]) -> str:
    behind_host = url.find("/", 8) if chance.random() < 0.9 else 0
    for _ in range(chance.choice([1, 1, 2, 3])):
        at = chance.randint(max(0, behind_host), len(url))
        url = url[:at] + chance.choice(tokens) + url[at:]
    return url


def _any_letters(chance: random.Random) -> list[str]:
    spans = [(0x80, 0x250), (0x370, 0x530), (0x1E00, 0x2130), (0x3000, 0xA800), (0xA640, 0xFFFF)]
    first, last = chance.choice(spans)
    anywhere = [chr(chance.randrange(first, last)) for _ in range(4)]
    return [char for char in anywhere if not "\ud800" <= char <= "\udfff"] + _LETTERS


def _as_bytes(chance: random.Random, url: Raw) -> bytes:
    data = bytearray(url.encode("utf-8", "surrogatepass") if isinstance(url, str) else url)
    for _ in range(chance.choice([0, 1, 1, 2])):
        at = chance.randint(min(10, len(data)), len(data))
        data[at : at + chance.choice([0, 0, 1])] = chance.randbytes(chance.choice([1, 1, 2, 3]))
    return bytes(data)


def _noise(chance: random.Random) -> Raw:
    if chance.random() < 0.5:
        return chance.choice([b"", b"http://", b"http://h/"]) + chance.randbytes(
            chance.randint(0, 30)
        )
    return "".join(chance.choices([*_TOKENS, "http", "://", "a", "b.c"], k=chance.randint(0, 12)))


def _long(chance: random.Random) -> Raw:
    """A step before and a step behind the limits."""
    piece = chance.choice(["a", "é", "../", "%3", "&", ";sid=1", "/", "a=1&", "%41", "<", "-x."])
    length = chance.choice([21_000, 22_000, 60_000, 65_536, 65_537]) + chance.randint(-40, 40)
    start = chance.choice(
        ["http://example.com/", "https://www.h.co.uk/?", "http://h.com/a#", "http://"]
    )
    url = start + (piece * length)[: length - len(start)]
    return url.encode() if chance.random() < 0.2 else url
