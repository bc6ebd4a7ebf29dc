"""The operations of `tk` (T3 to T11): from the parts of a URL to the text that is compared.

How the URL is read, and what is refused, is tk_parse.py's business.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from hashlib import sha256
from typing import cast
from urllib.parse import quote_plus, unquote

from sameas.engine.parts import Operation
from sameas.engine.tk_parse import TkParts, ascii_name, lower, parse
from sameas.errors import InvalidURL
from sameas.plan.suffixes import public_suffix_length

__all__ = ["OPERATIONS", "encoded", "hash_of", "is_listed_in", "pairs_of", "parse", "root_of"]

TkOperation = Callable[[TkParts], None]

_WILD = re.compile(r"[*?\[]")
_DOTS = ".\u3002\uff0e\uff61"
_DOT = re.compile(f"[{_DOTS}]")
_NUMBER = re.compile("[0-9]+|0x[0-9a-f]*")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_.~-]*+").fullmatch
_LONGEST_HOST = 261  # a name of 253 letters, a final dot, a port


def drop_www() -> TkOperation:
    def run(u: TkParts) -> None:
        if u.host.startswith("www."):
            u.host = u.host[4:]
            if u.why is not None:
                u.why.append("www. goes, whatever is left")

    return run


def decode_path() -> TkOperation:
    def run(u: TkParts) -> None:
        if "%" in u.path:
            u.path = unquote(u.path)
            if u.why is not None:
                u.why.append("the path's triplets stand for their characters")

    return run


def trailing_slash() -> TkOperation:
    def run(u: TkParts) -> None:
        if u.path.endswith("/"):
            u.path = u.path.rstrip("/")
            if u.why is not None:
                u.why.append("slashes at the end of the path go, at the root too")

    return run


def decode_query() -> TkOperation:
    """The pieces become pairs, read as a form."""

    def run(u: TkParts) -> None:
        if u.query:
            u.pairs = [_pair(piece) for piece in u.query]
            u.query = []
            if u.why is not None:
                u.why.append("the query is read as a form")

    return run


def pairs_of(query: str) -> list[tuple[str, str]]:
    return [_pair(piece) for piece in query.split("&") if piece] if query else []


def _pair(piece: str) -> tuple[str, str]:
    name, _, value = piece.partition("=")
    if "%" in piece or "+" in piece:
        return unquote(name.replace("+", " ")), unquote(value.replace("+", " "))
    return name, value


@lru_cache(maxsize=64)
def is_listed_in(names: tuple[str, ...]) -> Callable[[str], bool]:
    """Names as fnmatch has them; a plain one and `begin*` are what lists are made of."""
    exact = {name for name in names if not _WILD.search(name)}
    wild = [name for name in names if name not in exact]
    simple = [name for name in wild if name[-1] == "*" and not _WILD.search(name[:-1])]
    begins = tuple(name[:-1] for name in simple)
    others = [name for name in wild if name not in simple]

    def is_listed(name: str) -> bool:
        name = lower(name)
        if name in exact or name.startswith(begins):
            return True
        return bool(others) and any(fnmatchcase(name, pattern) for pattern in others)

    return is_listed


def drop_parameters(names: Sequence[str]) -> TkOperation:
    is_listed = is_listed_in(tuple(names))

    def reasons(pairs: list[tuple[str, str]]) -> list[str]:
        gone = dict.fromkeys(name for name, _ in pairs if is_listed(name))
        entries = [next(n for n in names if fnmatchcase(lower(name), n)) for name in gone]
        return [f"{name} is on the drop list ({e})" for name, e in zip(gone, entries, strict=True)]

    def run(u: TkParts) -> None:
        if u.pairs:
            if u.why is not None:
                u.why += reasons(u.pairs)
            u.pairs = [pair for pair in u.pairs if not is_listed(pair[0])]

    return run


def sort_parameters() -> TkOperation:
    """By name, then value, character by character."""

    def run(u: TkParts) -> None:
        if len(u.pairs) > 1:
            before = u.pairs
            u.pairs = sorted(before)
            if u.why is not None and u.pairs != before:
                u.why.append("parameters stand in the order of their names and values")

    return run


def drop_repeats() -> TkOperation:
    def run(u: TkParts) -> None:
        if len(u.pairs) > 1:
            if u.why is not None:
                again = (name for (name, _), times in Counter(u.pairs).items() if times > 1)
                u.why += [f"{name} has the same value more than once" for name in again]
            u.pairs = list(dict.fromkeys(u.pairs))

    return run


def encode_query() -> TkOperation:
    """The pairs become pieces, written as a form. That ends the text, which needs a dot."""

    def run(u: TkParts) -> None:
        if u.pairs:
            u.query = [_piece(*pair) for pair in u.pairs]
            u.pairs = []
            if u.why is not None:
                u.why.append("the query is written as a form")
        if "." not in u.host and "." not in u.url():
            raise InvalidURL("no_tld", "no dot is left, so there is no top-level domain")

    return run


def encoded(pairs: Iterable[tuple[str, str]]) -> str:
    return "&".join([_piece(*pair) for pair in pairs])


def _piece(name: str, value: str) -> str:
    return f"{_word(name)}={_word(value)}"


def _word(text: str) -> str:
    return text if _PLAIN_WORD(text) else quote_plus(text)


def roots(root: str) -> TkOperation:
    """The six names of the document: the url, its parent and its root, each with its hash."""
    top_of = root_of[root]

    def run(u: TkParts) -> None:
        url, parent = u.url(), u.host + u.behind
        top = top_of(parent)
        u.notes.update(
            normalized_url=url,
            parent_normal_url=parent,
            root_normal_url=top,
            normalized_url_hash=sha256(url.encode()).hexdigest(),
            parent_normal_url_hash=hash_of(parent),
            root_normal_url_hash=hash_of(top),
        )
        if u.why is not None:
            u.why.append(f"the root of {parent} is {top}")

    return run


def _remembered(function: Callable[[str], str]) -> Callable[[str], str]:
    """Hosts come again and again; one that is no host in earnest is not kept in memory."""
    cached = lru_cache(maxsize=4096)(function)

    def of(host: str) -> str:
        return cached(host) if len(host) <= _LONGEST_HOST else function(host)

    return of


@_remembered
def hash_of(host: str) -> str:
    return sha256(host.encode()).hexdigest()


@_remembered
def _registrable(netloc: str) -> str:
    """The public suffix and one label more, as spelled. A bare suffix is its own root, and so is
    what ends in a number: an address, or what no browser takes for a name."""
    host, colon, port = netloc.partition(":")
    bare = host.rstrip(_DOTS)
    labels = _DOT.split(bare)
    name = bare if bare.isascii() else ascii_name(bare)
    if not name:  # one label that no browser takes spoils the host for it, but not the suffix
        name = ".".join(ascii_name(f"{label}.x")[:-2] or label for label in labels)
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        return netloc
    if len(labels) != name.count(".") + 1:  # one character that a browser reads as dots
        labels = name.split(".")
    wanted = 1 + public_suffix_length(name)
    return ".".join(labels[-wanted:]) + host[len(bare) :] + colon + port


def _last_two_labels(netloc: str) -> str:
    return ".".join(netloc.split(".")[-2:])


root_of: dict[str, Callable[[str], str]] = {
    "registrable": _registrable,
    "last-two-labels": _last_two_labels,
}
"""The root of a host with its port, by the policy's `root`."""


OPERATIONS = cast(
    "dict[str, Callable[..., Operation]]",
    {
        "tk.drop_www": drop_www,
        "tk.decode_path": decode_path,
        "tk.trailing_slash": trailing_slash,
        "tk.decode_query": decode_query,
        "tk.drop_parameters": drop_parameters,
        "tk.sort_parameters": sort_parameters,
        "tk.drop_repeats": drop_repeats,
        "tk.encode_query": encode_query,
        "tk.roots": roots,
    },
)
"""Each makes an operation of its tables. The engine gives these nothing but what parse() gave."""
