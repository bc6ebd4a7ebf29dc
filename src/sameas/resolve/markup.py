"""HTML taken apart into tags and text, in one pass: linear in its length, whatever it holds.

It follows the HTML standard's tokenizer as far as a page's head and words need; what is never
closed (a tag, a comment, a script) swallows the rest, as in browsers.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)"""
_ATTRIBUTE = rf"[^\s/>][^\s/>=]*+(?:\s*+=\s*+{_VALUE})?+"
_PIECE = re.compile(
    rf"""((?:[^<]++|<(?![A-Za-z/!?]))*+)
    (?:<(?:
        ([A-Za-z][^\s/>]*+) ((?:[\s/]++(?:{_ATTRIBUTE})?+|{_ATTRIBUTE})*+) (>?)
      | /(?:([A-Za-z][^\s/>]*+))?+ [^>]*+ (>?)
      | !--(?:>|(?:[^-]++|-(?!->))*+(?:-->)?+)
      | [!?][^>]*+>?+
    ))?+""",
    re.VERBOSE,
)
"""Text, and what stands behind it: a start tag, an end tag, a comment or a declaration."""
_ONE = re.compile(
    r"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?+"""
)
_REFERENCE = re.compile(r"&#?\w{1,40}+(?:;|(?![=\w]))")
_ENDS_OF = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.I)
    for name in ("script", "style", "title", "textarea", "iframe", "noframes", "noembed", "xmp")
}
"""What stands inside these is text, whatever it looks like."""


Piece = tuple[str, str, str, str]
"""Text, as it is written; then the name of a start tag in small letters, its attributes as they are
written, or the name of an end tag: at most one of the two."""


def pieces(text: str) -> Iterator[Piece]:
    at, end = 0, len(text)
    while at < end:
        found = _PIECE.match(text, at)
        assert found is not None  # it matches nothing, too
        words, start, inside, whole, close, closed = found.groups()
        at = found.end()
        if start and whole:
            name = start.lower()
            yield words, name, inside, ""
            if name in _ENDS_OF:
                stop = _ENDS_OF[name].search(text, at)
                raw, at = at, stop.start() if stop else end
                yield text[raw:at], "", "", ""
        elif close and closed:
            yield words, "", "", close.lower()
        elif words:
            yield words, "", "", ""


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
