"""What a result says beside its URL: language, kind of page, citation, flags (C25 to C28).

Only what the URL itself shows: what the network knows is added elsewhere, and never changes a key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote_to_bytes

from sameas.engine.encoding import decoded
from sameas.engine.names import name_of
from sameas.engine.parts import Operation, Parts

_UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_TOKENS = re.compile(rb"[-_./]")
_WORD = re.compile(rb"[A-Za-z0-9\x80-\xff]+")


def language(
    codes: Sequence[str], aliases: Mapping[str, str], parameters: Sequence[str]
) -> Operation:
    """The language the URL names: one of its first two path segments, or a parameter."""
    known = frozenset(codes)

    def run(u: Parts) -> None:
        named = [s for s in u.path.split("/", 3)[1:3] if s.lower() in known]
        if not named:
            values = {name_of(p): decoded(p.partition("=")[2]) for p in reversed(u.query)}
            named = [values[name] for name in parameters if values.get(name) in known]
        code = named[0].lower() if named else None
        u.notes["lang_variants"] = {
            "language": aliases.get(code, code) if code else None,
            "alternates": {},
        }

    return run


def link_type(
    languages: Sequence[str], documents: Sequence[str], identifiers: Sequence[str]
) -> Operation:
    """A page about something, a section's, or a site's front door; and may it be cited."""
    codes, names = frozenset(languages), frozenset(identifiers)
    endings = tuple("." + ending for ending in documents)

    def run(u: Parts) -> None:
        kind, reason = _kind(u, codes, endings, names)
        u.notes["link_type"] = kind
        citable = kind == "informative"
        u.notes["citation"] = {
            "citable": citable,
            "qualifier": None
            if citable
            else f"Puedes consultar mas informacion en la web ({u.host})",
        }
        if u.why is not None:
            u.why.append(f"{kind}: {reason}")

    return run


def _kind(
    u: Parts, languages: frozenset[str], documents: tuple[str, ...], identifiers: frozenset[str]
) -> tuple[str, str]:
    segments = [segment for segment in u.path.split("/") if segment]
    if segments and segments[0].lower() in languages:
        del segments[0]
    if segments and decoded(segments[-1]).endswith(documents):
        return "informative", "it is a document"
    for piece in u.query:
        if name_of(piece) in identifiers:
            return "informative", f"{name_of(piece)} identifies what it is about"
    plain = [unquote_to_bytes(segment) for segment in segments]
    if any(_UUID.search(segment) for segment in plain):
        return "informative", "a segment holds a UUID"
    if any(token.isdigit() for segment in plain for token in _TOKENS.split(segment)):
        return "informative", "a segment holds a number"
    if plain and _hyphenated(plain[-1]):
        return "informative", "its last segment is made of words"
    if len(segments) < 2:
        return "homepage", "fewer than two path segments"
    if len(segments) == 2:
        return "section", "two path segments and nothing specific"
    return "informative", "three path segments or more"


def _hyphenated(segment: bytes) -> bool:
    words = segment.partition(b".")[0].split(b"-")
    return len(words) > 1 and all(_WORD.fullmatch(word) for word in words)


def flag(names: Sequence[str]) -> Operation:
    def run(u: Parts) -> None:
        u.flags.update(names)

    return run
