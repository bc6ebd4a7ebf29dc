"""HTML taken apart into tags and text, in one pass: linear in its length, whatever it holds.

It follows the HTML standard's tokenizer as far as a page's head and words need; what is never
closed (a tag, a comment, a script) swallows the rest, as in browsers.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)"""
_ATTRIBUTE = rf"[^\s/>][^\s/>=]*+(?:\s*+=\s*+{_VALUE})?+"
_ATTRIBUTES = rf"(?:[\s/]++(?:{_ATTRIBUTE})?+|{_ATTRIBUTE})*+"
_TEXT = r"[^<]++|<(?![A-Za-z/!?])"
_BEHIND = rf"""
    (?:<(?:
        ([A-Za-z][^\s/>]*+) ({_ATTRIBUTES}) (>?)
      | /(?:([A-Za-z][^\s/>]*+))?+ [^>]*+ (>?)
      | !--(?:>|(?:[^-]++|-(?!->))*+(?:-->)?+)
      | [!?][^>]*+>?+
    ))?+"""
"""What may stand behind text: a start tag, an end tag, a comment or a declaration."""
_ONE = re.compile(
    r"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?+"""
)
_REFERENCE = re.compile(r"&#?\w{1,40}+(?:;|(?![=\w]))")
_ENDS_OF = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.I)
    for name in ("script", "style", "title", "textarea", "iframe", "noframes", "noembed", "xmp")
}
"""What stands inside these is text, whatever it looks like."""


_LOUD = (
    *_ENDS_OF, "html", "head", "meta", "link", "base", "noscript", "template", "svg", "h1"
)  # fmt: skip
_FIRST = "".join(sorted({letter for name in _LOUD for letter in (name[0], name[0].upper())}))
_QUIET = (
    rf"<(?!/?+(?=[{_FIRST}])(?i:{'|'.join(_LOUD)})[\s/>])"
    rf"(?:[A-Za-z][^\s/>]*+{_ATTRIBUTES}|/[A-Za-z][^>]*+)>"
)
_PIECE = re.compile(rf"((?:{_TEXT}|{_QUIET})*+){_BEHIND}", re.VERBOSE)
"""Most tags of a page say nothing by themselves: these stay in the text, which saves most of the
time that reading takes."""
_TAG = re.compile(
    rf"<(?:((?i:a|img|form)(?=[\s/>]){_ATTRIBUTES})|[A-Za-z][^\s/>]*+(){_ATTRIBUTES}|/[A-Za-z][^>]*+)>"
)


class Piece(NamedTuple):
    """Text, as it is written, and what stands behind it: at most one of a start tag and an end."""

    words: str
    """Quiet tags are taken out of it, for a space each."""
    start: str = ""
    """The name of a start tag, in small letters, and its attributes as they are written."""
    inside: str = ""
    end: str = ""
    quiet: list[str] | None = None
    """Of the start tags taken out, those that refer to something, without `<>`; None where no
    start tag was."""


def pieces(text: str) -> Iterator[Piece]:
    at, end = 0, len(text)
    while at < end:
        found = _PIECE.match(text, at)
        assert found is not None  # it matches nothing, too
        words, start, inside, whole, close, closed = found.groups()
        quiet = None
        if "<" in words:
            words, quiet = _without_tags(words)
        at = found.end()
        if start and whole:
            name = start.lower()
            yield Piece(words, name, inside, quiet=quiet)
            if name in _ENDS_OF:
                stop = _ENDS_OF[name].search(text, at)
                raw, at = at, stop.start() if stop else end
                yield Piece(text[raw:at])
        elif close and closed:
            yield Piece(words, end=close.lower(), quiet=quiet)
        elif words or quiet is not None:
            yield Piece(words, quiet=quiet)


def _without_tags(run: str) -> tuple[str, list[str] | None]:
    """A split gives text, and two groups a tag: one that refers to something, or that it is another
    start tag; neither for an end tag."""
    parts = _TAG.split(run)
    words, referring = " ".join(parts[::3]), [tag for tag in parts[1::3] if tag is not None]
    return words, referring if referring or "" in parts[2::3] else None


def attributes(inside: str) -> dict[str, str]:
    """By name, in small letters; of those given twice the first counts.

    `&section=2` in an address is a parameter, though `&sect` alone is a paragraph's sign."""
    found: dict[str, str] = {}
    for name, *values in _ONE.findall(inside):
        value = "".join(values)
        if "&" in value:
            value = _REFERENCE.sub(lambda one: unescaped(one[0]), value)
        found.setdefault(name.lower(), value)
    return found


def unescaped(text: str) -> str:
    """Character references read; those of numbers longer than any character's stay."""
    if "&" not in text:
        return text
    try:
        return html.unescape(text)
    except ValueError:
        return text
