"""How `tk` reads a URL (T1, T2): in small letters, in pieces, and what it refuses.

What becomes of the pieces is tk.py's business. All of it equals tk-normalizer 1.3.0 on Python 3.11
under any Python: hence the pinned tables, and nothing of urlsplit, whose rules have moved since.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_network
from urllib.parse import ParseResult

import ada_url

from sameas.engine.parts import Parts
from sameas.errors import InvalidURL
from sameas.plan.unicode14 import CLASSES, SMALL

SPACE = CLASSES["space"]
"""What Python 3.11 strips from a text."""

_CASED, _IGNORABLE = frozenset(CLASSES["cased"]), frozenset(CLASSES["ignorable"])
_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_TABS_AND_NEWLINES = {ord(char): None for char in "\t\n\r"}
_SIGMA = re.compile("\u03a3")
_BLANK = re.compile(f"[{re.escape(SPACE)}]")
_NFKC = re.compile(f"[{CLASSES['nfkc']}]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*+:")
_FUTURE_IP = re.compile(r"v[a-fA-F0-9]++\..")

_PLAIN = re.compile(
    r"(?:([Hh][Tt][Tt][Pp][Ss]?)://)?+((?:[A-Za-z0-9_-]++\.)++[A-Za-z][A-Za-z0-9-]++)(:[0-9]{2,5}+)?+"
    r'(?:(/[!"$-:<->@-~]*+)(?:\?([!"$-~]*+))?+(?:#([!-~]*+))?+)?+'
)
"""Nearly every URL there is: nothing in it is a matter of tables, or special to urlparse, and the
last label begins with a letter, so that no browser takes the host for an IP address."""

# The package's regular expression in parts, each of which can match in one way only. `LETTER` has
# the astral planes, which the package leaves out. Of the private addresses it knows, each is also
# a public one to it, so those need no pattern; an address whose last number has two digits is a
# name as well.
_LETTER = "a-z0-9\\-\u00a1-\U0010ffff"
_D = f"[{CLASSES['digit']}]"
_NAME = re.compile(rf"(?:[{_LETTER}_]++\.)++[{_LETTER}]{{2,}}+")
_IP = re.compile(
    rf"(?:[1-9]{_D}?|1{_D}{_D}|2[01]{_D}|22[0-3])"
    rf"(?:\.(?:1?{_D}{{1,2}}|2[0-4]{_D}|25[0-5])){{2}}\.[0-9]"
)
_PORT = re.compile(rf"{_D}{{2,5}}")
_LABEL = re.compile(rf"[{_LETTER}_]++")
_USER = re.compile("[a-z0-9._%+\\-\u0131\u017f]++:")  # \u0131, \u017f: i and s, ignoring case
_AUTHORITY_END = re.compile("[/?]|$")
_NETLOC = re.compile("//([^/?#]*+)")

_PRIVATE_BLOCKS = """
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1
"""  # after the IANA registries of special-purpose addresses: private, reserved, multicast
_PRIVATE = [ip_network(block) for block in _PRIVATE_BLOCKS.split()]


class TkParts(Parts):
    """A URL as tk reads it. Its text has no scheme; `query` holds the pieces as spelled, or
    `pairs` what they decode to, never both."""

    __slots__ = ("behind", "pairs")

    def __init__(self, host: str, behind: str, path: str, query: str) -> None:
        pieces = [piece for piece in query.split("&") if piece] if query else []
        super().__init__("", host, behind[1:], path, pieces, "")
        self.behind = behind
        """What stands between host and path: the port with its colon, or nothing."""
        self.pairs: list[tuple[str, str]] = []

    def url(self) -> str:
        pieces = self.query or [f"{name}={value}" for name, value in self.pairs]
        text = f"{self.host}{self.behind}{self.path}"
        return f"{text}?{'&'.join(pieces)}" if pieces else text


def parse(text: str) -> TkParts:
    """The parts of what the package would accept, in small letters."""
    text = text.strip(SPACE)
    small = lower(text)
    found = _plain(small)
    if found is not None:
        _, host, behind, path, query, _ = found.groups("")
        return TkParts(host, behind, path, query)
    pieces, credentials = _split(small)
    if "[" in text or not text.isascii():
        split(text)  # the package makes its friendly URL of this one, and refuses what has none
    check(pieces)
    host, colon, port = pieces.netloc.partition(":")
    parts = TkParts(host, colon + port, pieces.path, pieces.query)
    if credentials:
        parts.flags.add("credentials")
    return parts


def _plain(text: str) -> re.Match[str] | None:
    found = _PLAIN.fullmatch(text)
    if found is not None and found[3] and not found[1]:
        return None  # without a scheme, what stands before the port's colon is one to urlparse
    return found


def lower(text: str) -> str:
    """What str.lower() gives on Python 3.11."""
    if text.isascii():
        return text.lower()
    return _SIGMA.sub(_small_sigma, text).translate(SMALL)


def _small_sigma(found: re.Match[str]) -> str:
    """The final form ends a word: behind a letter, before none, marks between them not counted."""
    text, before, after = found.string, found.start() - 1, found.end()
    while before >= 0 and text[before] in _IGNORABLE:
        before -= 1
    while after < len(text) and text[after] in _IGNORABLE:
        after += 1
    is_final = before >= 0 and text[before] in _CASED
    return "\u03c2" if is_final and text[after : after + 1] not in _CASED else "\u03c3"


def split(text: str) -> ParseResult:
    """urlparse as of Python 3.11, the missing scheme added, the credentials dropped first."""
    plain = _plain(text)
    if plain is None:
        return _split(text)[0]
    scheme, host, behind, path, query, fragment = plain.groups("")
    return ParseResult(scheme.lower() or "http", host + behind, path, "", query, fragment)


def _split(text: str) -> tuple[ParseResult, bool]:
    """The pieces, and whether there were credentials."""
    scheme, rest = _scheme(text)
    start = _NETLOC.match(rest)
    if start is None:
        raise InvalidURL("host", "there is no host: http: is followed by two slashes and a host")
    credentials, _, netloc = start.group(1).rpartition("@")
    if "\\" in credentials:
        raise InvalidURL("host", "a backslash is before the @, where browsers end the host")
    _check_netloc(netloc)
    path, _, fragment = rest[start.end() :].partition("#")
    path, _, query = path.partition("?")
    cut = path.find(";", path.rfind("/")) if ";" in path else -1
    path, params = (path, "") if cut < 0 else (path[:cut], path[cut + 1 :])
    return ParseResult(scheme, netloc, path, params, query, fragment), credentials.strip(":") != ""


def _scheme(text: str) -> tuple[str, str]:
    """The scheme, and all that is behind its colon."""
    if not text:
        raise InvalidURL("empty", "nothing is left of the input without its blanks")
    bare = text.lstrip(_C0_AND_SPACE).translate(_TABS_AND_NEWLINES)
    found = _SCHEME.match(bare)
    if found is None:
        if bare[:1] in ("/", "?", "#"):
            raise InvalidURL("relative", "there is no host; give a URL like example.com/path")
        return "http", "//" + text.translate(_TABS_AND_NEWLINES)
    scheme = found.group()[:-1].lower()
    if scheme not in ("http", "https"):
        raise InvalidURL("scheme", "what stands before the first colon is not http or https")
    return scheme, bare[found.end() :]


def _check_netloc(netloc: str) -> None:
    """What urlsplit itself refuses: broken brackets, and what would not stay a host under NFKC."""
    if ("[" in netloc) != ("]" in netloc):
        raise InvalidURL("host", "a bracket of the host has no counterpart")
    if "[" in netloc:
        inside = netloc.partition("[")[2].partition("]")[0]
        if not (_FUTURE_IP.match(inside) if inside.startswith("v") else _is_ipv6(inside)):
            raise InvalidURL("host", "what stands in brackets is not an IPv6 address")
    if not netloc.isascii() and _NFKC.search(netloc):
        raise InvalidURL("host", "a character of the host becomes one of /?#@: in its normal form")


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def check(pieces: ParseResult) -> None:
    """Refuse what the package's regular expression does not match, and private addresses."""
    netloc, rest = pieces.netloc, _rest(pieces)
    if _plain(f"http://{netloc}{rest}"):
        return
    if "." not in netloc or not _fits(netloc, rest):
        raise _refusal(netloc, rest)
    host = netloc.partition(":")[0].removeprefix("www.")
    address = address_in(host)
    if address is not None and _is_private(address):
        raise _private(host)


def _rest(pieces: ParseResult) -> str:
    """All that is behind the host, put together again."""
    rest = pieces.path
    for mark, piece in ((";", pieces.params), ("?", pieces.query), ("#", pieces.fragment)):
        if piece:
            rest += mark + piece
    return rest


def _fits(netloc: str, rest: str) -> bool:
    """Does the package's regular expression match? It reads what stands before an `@` as
    credentials even where the `@` is in the path, if only a colon follows what looks like a user;
    what is behind that `@` must then look like a host."""
    if _is_authority(netloc) and rest[:1] != "#" and not _BLANK.search(rest):
        return True
    user = _USER.match(netloc)
    if user is None:
        return False
    password, at, tail = (netloc[user.end() :] + rest).partition("@")
    end = _AUTHORITY_END.search(tail)
    assert end is not None
    if not at or _BLANK.search(password) or _BLANK.search(tail, end.start()):
        return False
    host = tail[: end.start()]
    return _is_authority(host) and max(host) <= "\uffff"  # the real host alone may go beyond


def _is_authority(text: str) -> bool:
    name, colon, port = text.partition(":")
    if colon and not _PORT.fullmatch(port):
        return False
    return bool(_NAME.fullmatch(name) or _IP.fullmatch(name))


def _refusal(netloc: str, rest: str) -> InvalidURL:
    """Why there was no match: asked only then, as the regular expression gives no reason."""
    name, colon, port = netloc.partition(":")
    is_bracketed = netloc[:1] == "["
    host = netloc if is_bracketed else name.removeprefix("www.")
    address = address_in(host)
    if address is not None and _is_private(address):
        return _private(host)
    if colon and not is_bracketed and not _PORT.fullmatch(port):
        return InvalidURL("port", "the port is not a number of two to five digits")
    if _LABEL.fullmatch(name):
        return InvalidURL("no_tld", "the host has no dot, so it has no top-level domain")
    if not _is_authority(netloc):
        return InvalidURL("host", "the host is not a name with a top-level domain, nor an address")
    what = "a fragment without a slash before it" if rest[:1] == "#" else "white space"
    return InvalidURL("host", f"{what} is behind the host")


def _private(host: str) -> InvalidURL:
    return InvalidURL("private_host", f"{host[:80]} is a private or reserved address")


def address_in(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a browser would read in this host."""
    last = host.rstrip(".").rpartition(".")[2]
    if host.isascii() and host[:1] != "[" and "%" not in host and last[:1] not in "0123456789":
        return None  # the common case, and no browser would
    name = ascii_name(host)
    if name[:1] == "[":
        return IPv6Address(name[1:-1])
    last = name.rpartition(".")[2]
    return IPv4Address(name) if last.isascii() and last.isdigit() else None


def _is_private(address: IPv4Address | IPv6Address) -> bool:
    return any(address in block for block in _PRIVATE)


def ascii_name(host: str) -> str:
    """The host as a browser writes it; empty where a browser would refuse it."""
    if any(mark in host for mark in "/\\?#@"):
        return ""
    try:
        return ada_url.URL(f"http://{host}/").hostname
    except ValueError:
        return ""
