"""Which character set a label names, whoever wrote it there.

It reads no bytes: which of several labels counts is for those who read a document to decide.
"""

from __future__ import annotations

import codecs
import re

_SETS = re.compile(
    r"(utf|iso8859|iso2022|cp|koi8|gb|big5|shift|euc|mac|ascii|latin|hz|johab|tis)[\w\-]*"
)
"""Character sets as Python names them: it also has encodings that are none (`unicode_escape`), and
some that take a page's length squared (`punycode`)."""


def charset(label: str) -> str:
    """Python's name for it, read as browsers read it; empty where it names none."""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return ""
    if name in ("ascii", "iso8859-1"):
        return "cp1252"
    return name if _SETS.fullmatch(name) else ""
