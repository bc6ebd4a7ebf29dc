"""What the laws are tried on: inputs made to be hostile, and policies nobody has written yet.

It decides what is thrown at the engine; what has to hold then is in the tests beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import quote

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sameas import Policy
from sameas.plan.document import builtin_names

POLICIES = {name: Policy.load(name) for name in builtin_names()}
NOT_TK = sorted(set(POLICIES) - {"tk"})

SURROGATES = ["\ud800", "\udfff", "\udc00", "\ud83d\ude00", "\udce9", "\udcc3\udca9", "\udc80"]
CONTROLS = ["\x00", "\x01", "\t", "\n", "\r", "\x7f", "\x85", "\u2028", "\u3000", "\ufeff"]
TORN = ["%", "%3", "%%37E", "%3%37", "%%", "%zz", "%4%31", "%2%", "%%34%31", "%c3%", "%\udc37"]
TRIPLETS = ["%7e", "%7E", "%e9", "%C3%A9", "%2f", "%2F", "%5c", "%00", "%0a", "%25", "%2541", "%2e"]
DOTS = [".", "..", "%2e", "%2E", ".%2e", "%2E.", "%2e%2E", "...", ".a", "..;jsessionid=1", ".;sid="]
SESSIONS = [";jsessionid=1", ";JSESSIONID", ";a=b", ";;", ";sid=2;phpsessid=3", ";%6asessionid=1"]
LETTERS = [
    "a",
    "B",
    "é",
    "İ",
    "Σ",
    "ß",
    "日本",
    "😀",
    "~",
    "-",
    "_",
    "'",
    '"',
    "<",
    "|",
    "^",
    "{",
    " ",
]
HOSTS = {
    "plain": ["example.com", "EXAMPLE.com", "a.example.co.uk", "h", "boe.es", "sepe.es"],
    "www": [
        "www.example.com", "www.www.example.com", "WWW.com", "www.", "www..", "www.www.",
        "www",
    ],
    "trailing dot": ["example.com.", "example.com..", "www.example.com."],
    "empty label": ["a..b.com", ".com", "..", ".", "www..com"],
    "idn": [
        "bücher.example", "faß.example", "☃.example", "日本。jp", "😀.example", "ﬀ.example",
        "İ.example",
    ],
    "xn--": [
        "xn--bcher-kva.example", "xn--a.example", "XN--BCHER-KVA.example", "xn--",
        "xn--.com",
    ],
    "ipv4": [
        "127.1", "0x7f.1", "0177.0.0.1", "1.2.3.4", "2130706433", "256.256.256.256",
        "1.2.3.4.", "8.8.8.8", "１.1",
    ],
    "ipv6": ["[::1]", "[0:0::1]", "[::ffff:1.2.3.4]", "[::1", "[2A00::1]", "::1"],
    "userinfo": [
        "u:p@example.com", "u@", "a@b@example.com", "u:p\\@example.com", "@example.com",
        ":@example.com", "u:p@w:80@h", "a\\b@h", "u:\\p@h",
    ],
    "port": [
        "example.com:80", "example.com:443", "example.com:", "example.com:0080", "h:99999",
        "h:x", "example.com:8080",
    ],
    "broken": [
        "", "exa mple.com", "a%2ecom", "ex%61mple.com", "a<b", "a^b", "-", "a\u00adb.com",
        "exam\u200bple.com", "*", "a%",
    ],
}  # fmt: skip
SCHEMES = [
    "http://", "https://", "HTTP://", "hTTps:", "http:/", "https:\\\\", "http:///", "ht\ttp://",
    " http://", "//", "", "ftp://", "javascript:", "http//", "1http://", "http:\t//", "\u3000http://",
]  # fmt: skip


def _listed(*keys: str) -> list[str]:
    """Names the policies drop or keep, a `*` filled in: what their lists really hold."""
    entries: set[str] = set()
    for policy in POLICIES.values():
        tables = [op.args for op in policy.plan.ops()] + list(policy.plan.sites)
        for table in tables:
            entries.update(entry for key in keys for entry in table.get(key, ()))
    return sorted(entry.replace("*", "x").replace("{letters}", "my") for entry in entries)


TRACKING = _listed("names", "drop")
KEPT = _listed("keep", "below_root")
SITE_HOSTS = sorted(
    {host.replace(".*", ".co.uk") for s in POLICIES["default"].plan.sites for host in s["host"]}
)
REDIRECTORS = [site for site in POLICIES["default"].plan.sites if site.get("target")]

_odd = st.sampled_from([*SURROGATES, *CONTROLS, *TORN, *TRIPLETS, *LETTERS])
_segments = st.lists(
    st.one_of(
        st.sampled_from(["a", "b", "amp", "ref=1", "es", "index.html", "", ""]),
        st.sampled_from(DOTS),
        st.sampled_from(SESSIONS),
        st.sampled_from(DOTS).flatmap(lambda dots: st.sampled_from([dots + s for s in SESSIONS])),
        _odd,
        st.lists(_odd, max_size=4).map("".join),
    ),
    max_size=6,
)
_names = st.one_of(
    st.sampled_from(["utm_source", "fbclid", "gclid", "mc_cid", "a", "b", "q", "id", "page", "p"]),
    st.sampled_from(["url", "sid", "session", "x[]", "", "é", "%"]),
    st.sampled_from(TRACKING),
    st.sampled_from(TRACKING).map(lambda name: quote(name[:1]) + "%" + name[1:2].encode().hex()),
    st.sampled_from(TRACKING).map(str.upper),
    st.sampled_from(KEPT),
    _odd,
)  # fmt: skip
_values = st.one_of(
    st.sampled_from(["", "1", "2", "+", "%20", "%2B", "%26", "x=y", "/", "%2F"]),
    _odd,
    st.lists(_odd, max_size=3).map("".join),
)
_pieces = st.one_of(
    st.builds("{}={}".format, _names, _values), _names, st.sampled_from(["", "=", "=1", "a;b=c"])
)
_queries = st.lists(_pieces, max_size=5).map(lambda pieces: "?" * bool(pieces) + "&".join(pieces))
_fragments = st.one_of(
    st.just(""), st.sampled_from(["#", "#top", "#!/a", "#/a?b=1", "#a#b", "#%e9", "#!%\udce9"])
)
_users = st.sampled_from(["u:p@", "u@", "u:p\\@", "a\\b@", "a@b@", "u:p@w:80@", "@", ":@"])
hosts = st.one_of(
    *(st.sampled_from(HOSTS[kind]) for kind in sorted(HOSTS)),
    st.sampled_from(SITE_HOSTS),
    st.builds("{}{}".format, _users, st.sampled_from(HOSTS["plain"] + SITE_HOSTS)),
)
_schemes = st.sampled_from([*["http://", "https://"] * 20, *SCHEMES])


def _path(segments: list[str], slash: str) -> str:
    return "".join(slash + segment for segment in segments)


_plain_urls = st.builds(
    "{}{}{}{}{}".format,
    _schemes,
    hosts,
    st.builds(_path, _segments, st.sampled_from(["/", "/", "/", "//", "\\", "/./"])),
    _queries,
    _fragments,
)


@st.composite
def _nests(draw: st.DrawFn) -> str:
    """Redirectors in redirectors, escaped as often as they are deep; seven is over the limit."""
    url = draw(_plain_urls)
    for _ in range(draw(st.integers(1, 7))):
        site = draw(st.sampled_from(REDIRECTORS))
        host = site["host"][0].replace(".*", ".com")
        inner = quote(url, safe=":/", errors="replace")
        url = f"https://{host}{site.get('path', '/')}?{site['target'][0]}={inner}"
    return url


@st.composite
def _mangled(draw: st.DrawFn) -> str:
    """A URL with something odd put in anywhere."""
    url = draw(_plain_urls)
    for _ in range(draw(st.integers(1, 3))):
        at = len(url) - draw(st.integers(0, len(url)))
        url = url[:at] + draw(_odd) + url[at:]
    return url


LIMIT = 64 * 1024
_long = st.builds(
    lambda piece, tail, extra: (
        "http://example.com/" + (piece * LIMIT)[: LIMIT - 19 - len(tail) + extra] + tail
    ),
    st.sampled_from(["a", "é", "../", "%3", "&", ";jsessionid=1", "/", "a=1&", "\udce9", "@"]),
    st.sampled_from(["", "?a=1&utm_source=x", "#top"]),
    st.integers(-2, 2),
)  # fmt: skip
_labels = st.builds(
    lambda piece, count: f"http://{piece * count}.example.com/",
    st.sampled_from(["a", "a.", "www.", "é", "xn--", "-"]),
    st.integers(60, 500),
)
_noise = st.one_of(st.text(max_size=20), st.lists(_odd, max_size=8).map("".join))
_rare = st.one_of(_labels, _noise)

texts = st.one_of(_plain_urls, _plain_urls, _plain_urls, _plain_urls, _mangled(), _nests(), _rare)
"""Anything a str can be; most of it at least looks like a URL."""


def as_bytes(text: str) -> bytes:
    """The text as it may come from a socket: surrogate escapes as the bytes they stand for."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


raws = st.one_of(
    texts, texts, texts.map(as_bytes), st.binary(max_size=12).map(b"http://h/".__add__)
)
"""Anything an input can be."""

long_raws = st.one_of(_long, _long.map(as_bytes))
"""Inputs a step before and a step behind the limit."""

Raw = str | bytes
KINDS: dict[str, Callable[[str], object]] = {
    "a lone surrogate": re.compile("(?<![\ud800-\udbff])[\udc00-\udc7f\udd00-\udfff]").search,
    "a surrogate pair": re.compile("[\ud800-\udbff][\udc00-\udfff]").search,
    "a surrogate escape": re.compile("[\udc80-\udcff]").search,
    "a NUL": re.compile("\x00").search,
    "a torn triplet": re.compile("%(?![0-9A-Fa-f]{2})").search,
    "a torn triplet that decoding would complete": re.compile("%[0-9]?%3[0-9]").search,
    "a tab or newline inside": re.compile("\\S[\t\n\r]\\S").search,
    "an internationalized host": re.compile("//[^/?#]*(bücher|☃|ß|日本)").search,
    "an xn-- host": re.compile("//xn--", re.I).search,
    "a host with a trailing dot": re.compile("//[^/?#@]*[a-z]\\.([/?#:]|$)").search,
    "www. twice": re.compile("//www\\.www\\.", re.I).search,
    "an IPv4 address in an odd notation": re.compile("//(127\\.1|0x7f|0177|2130706433)").search,
    "an IPv6 address": re.compile("//\\[").search,
    "an empty label": re.compile("//[^/?#]*\\.\\.").search,
    "userinfo with two @": re.compile("//[^/?#]*@[^/?#]*@").search,
    "userinfo with a backslash": re.compile("//[^/?#@]*\\\\[^/?#@]*@").search,
    "a huge label": re.compile("//[^/?#.]{64}").search,
    "a session in the path": re.compile(";jsessionid", re.I).search,
    "a dot segment in disguise": re.compile("[/\\\\](\\.?%2e|%2e\\.)", re.I).search,
    "a dot segment under a session": re.compile("\\.\\.;").search,
    "a tracking parameter": re.compile("[?&](utm_|fbclid|gclid|mc_)").search,
    "a tracking parameter in disguise": re.compile("[?&][a-z_]%[0-9a-f]{2}").search,
    "a redirector": re.compile("[?&](q|url|u|to|target)=https?:/").search,
    "nested redirectors": re.compile("=https?:.*(%3D|%253D)https?", re.I).search,
    "credentials": re.compile("//[^/?#@]+:[^/?#@]+@").search,
    "no scheme": lambda text: ":" not in text,
    "another scheme": re.compile("^(ftp|javascript):").search,
    "a port that is none": re.compile("//[^/?#]*:(99999|x)").search,
    "a default port": re.compile("//[^/?#]*:(80|443)\\b").search,
    "a route": re.compile("#[!/]").search,
}  # fmt: skip
"""Every kind of trouble that the strategies promise, and how one knows it."""


T = TypeVar("T")


def sample(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """`count` values, the same in every run."""
    found: list[T] = []

    @settings(max_examples=count, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value: T) -> None:
        found.append(value)

    collect()
    return found
