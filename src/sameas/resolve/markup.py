"""HTML taken apart into tags and text, in one pass: linear in its length, whatever it holds.

It follows the HTML standard's tokenizer as far as a page's head and words need; what is never
closed (a tag, a comment, a script) swallows the rest, as in browsers.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

_OPENS = re.compile("<(?=[A-Za-z/!?])")
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)"""
_ATTRIBUTE = rf"[^\s/>][^\s/>=]*+(?:\s*+=\s*+{_VALUE})?+"
_START = re.compile(rf"<([A-Za-z][^\s/>]*+)((?:[\s/]++(?:{_ATTRIBUTE})?+|{_ATTRIBUTE})*+)>")
_END = re.compile(r"</([A-Za-z][^\s/>]*+)")
_ONE = re.compile(
    r"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?+"""
)
_REFERENCE = re.compile(r"&#?\w{1,40}+(?:;|(?![=\w]))")
_ENDS_OF = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.I)
    for name in ("script", "style", "title", "textarea", "iframe", "noframes", "noembed", "xmp")
}
"""What stands inside these is text, whatever it looks like."""


class Token(NamedTuple):
    kind: Literal["start", "end", "text"]
    text: str
    """The name of the tag, in small letters; or the text, as it is written."""
    inside: str = ""
    """The attributes of a start tag, as they are written."""


def tokens(text: str) -> Iterator[Token]:
    at, end = 0, len(text)
    while at < end:
        found = _OPENS.search(text, at)
        opens = found.start() if found else end
        if opens > at:
            yield Token("text", text[at:opens])
        if opens == end:
            return
        if text[opens + 1] not in "/!?":
            tag = _START.match(text, opens)
            if tag is None:
                return
            name, at = tag[1].lower(), tag.end()
            yield Token("start", name, tag[2])
            if name in _ENDS_OF:
                close = _ENDS_OF[name].search(text, at)
                stop = close.start() if close else end
                yield Token("text", text[at:stop])
                at = stop
            continue
        named = _END.match(text, opens)
        at = _closes(text, opens)
        if at < 0:
            return
        if named:
            yield Token("end", named[1].lower())


def _closes(text: str, opens: int) -> int:
    """Behind an end tag, a comment, a declaration; -1 where it is not closed."""
    mark = "-->" if text.startswith("<!--", opens) else ">"
    found = text.find(mark, opens + 2)
    return found + len(mark) if found >= 0 else -1


def attributes(inside: str) -> dict[str, str]:
    """By name, in small letters; of those given twice the first counts.

    `&section=2` in an address is a parameter, though `&sect` alone is a paragraph's sign."""
    found: dict[str, str] = {}
    for name, *values in _ONE.findall(inside):
        value = _REFERENCE.sub(lambda one: unescaped(one[0]), "".join(values))
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
