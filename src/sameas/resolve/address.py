"""How two addresses are related, and the addresses that can be made of one. Text in, text out.

What follows from a relation is for the chain to say; identity stays the policy's business. An
address is text as the parser or a policy wrote it: only what a page or a header names is parsed.
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import unquote

import ada_url

from sameas.engine.parse import serialized, split, without_credentials
from sameas.engine.parts import Parts
from sameas.errors import InvalidURL
from sameas.plan.suffixes import is_public_suffix
from sameas.resolve import words


@lru_cache(maxsize=4096)
def normal(url: str) -> str:
    """As a browser would ask for it: no fragment, no credentials."""
    return without_credentials(serialized(url).partition("#")[0])


def joined(base: str, reference: str) -> str:
    """The absolute address that a page or a header names; nothing if it is none.

    An empty reference names nothing: a browser would read it as the page itself, and others have
    read it as the folder the page lies in."""
    reference = reference.strip()
    if not reference:
        return ""
    try:
        return normal(ada_url.join_url(base, reference))
    except (ValueError, InvalidURL):
        return ""


def is_web(url: str) -> bool:
    return url.startswith(("https://", "http://"))


@lru_cache(maxsize=4096)
def host(url: str) -> str:
    return split(url).host


def bare(name: str) -> str:
    return name.removeprefix("www.")


def has_www_form(name: str) -> bool:
    """Only a registrable domain and its `www.` stand for one another; `www2.` and `sede.` don't."""
    name = bare(name)
    _, _, parent = name.partition(".")
    return bool(parent) and is_public_suffix(parent) and not is_public_suffix(name)


def differ_by_slash(a: str, b: str) -> bool:
    one, two = split(a), split(b)
    if one.path == two.path or one.path.rstrip("/") != two.path.rstrip("/"):
        return False
    return _but_path(one) == _but_path(two)


def _but_path(u: Parts) -> tuple[str, str, str, list[str]]:
    return u.scheme, u.host, u.port, u.query


def is_home(url: str) -> bool:
    """A site's front page, by its path: nothing but a language or a name like index.html."""
    segments = [unquote(s).lower() for s in split(url).path.split("/") if s]
    if segments and segments[0] in words.listed("languages"):
        del segments[0]
    return not segments or (len(segments) == 1 and segments[0] in words.listed("home"))


def with_scheme(url: str, scheme: str) -> str:
    return f"{scheme}://{url.partition('://')[2]}"


def with_host(url: str, name: str) -> str:
    u = split(url)
    u.host = name
    return u.url()


def slashed(url: str) -> str:
    """With a slash at the end of its path."""
    u = split(url)
    u.path = f"{u.path.rstrip('/')}/"
    return u.url()


def ends_with_slash(url: str) -> bool:
    """Below the root: there it is no choice."""
    path = url.partition("?")[0]
    return path.endswith("/") and path.count("/") > 3


def same_path(a: str, b: str) -> bool:
    """But for slashes at the end, and for how a triplet is spelled."""
    return split(a).path.rstrip("/").lower() == split(b).path.rstrip("/").lower()


def sibling(url: str, token: str) -> str:
    """An address in the same folder that nobody has made."""
    u = split(url)
    folder = u.path.rstrip("/").rpartition("/")[0]
    u.path, u.query = f"{folder}/{token}", []
    return u.url()


def in_spanish(url: str, code: str) -> list[str]:
    """What the address would be in Spanish, where it names the language `code`: in one of its first
    two segments, or as the value of a parameter."""
    u = split(url)
    segments = u.path.split("/")
    for i in range(1, min(3, len(segments))):
        if segments[i].lower() == code:
            return [_changed(url, i, spanish) for spanish in ("es", "cas")]
    for i, piece in enumerate(u.query):
        name, equals, value = piece.partition("=")
        if equals and value.lower() == code:
            u.query[i] = f"{name}=es"
            return [u.url()]
    return []


def _changed(url: str, i: int, segment: str) -> str:
    u = split(url)
    segments = u.path.split("/")
    segments[i] = segment
    u.path = "/".join(segments)
    return u.url()


def has_port(url: str) -> bool:
    return bool(split(url).port)


def parameter(url: str, name: str) -> str:
    """The value of the first parameter with this name, as it is spelled."""
    pairs = (piece.partition("=") for piece in split(url).query)
    return next((value for key, _, value in pairs if key == name), "")
