"""Which characters the bytes of a document are, whatever its labels claim.

It decides nothing about markup. Only what the bytes and labels say counts, never what is installed.
"""

from __future__ import annotations

import codecs
import re

from sameas.net.charset import charset

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = (
    (re.compile(rb"[<{\s]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\0[<{\s]"), "utf-32-be"),
    (re.compile(rb"[<{\s]\0[^\0]"), "utf-16-le"),
    (re.compile(rb"\0[<{\s]\0"), "utf-16-be"),
)
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:\-]{1,40})["']""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:\-]{1,40})""", re.IGNORECASE)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Controls have no place in XML (1.0, 2.2), and databases refuse some of them."""
_SURROGATES = re.compile("[\ud800-\udfff]")


def decoded(body: bytes, content_type: str) -> str:
    """The text. Bytes that are UTF-8 are read so, also where a label says something else: other
    encodings hardly ever look like it, and servers label everything latin-1."""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    for shape, encoding in _WIDE:
        if shape.match(body):
            return body.decode(encoding, "replace")
    labels = _labels(body, content_type)
    if b"\x1b" in body:  # ISO-2022 is ASCII to the eye
        labels = [name for name in labels if name.startswith("iso2022")] + ["utf-8", *labels]
    else:
        labels = ["utf-8", *labels]
    for name in labels:
        try:
            return body.decode(name)
        except UnicodeDecodeError:
            pass
    return body.decode("cp1252", "replace")


def _labels(body: bytes, content_type: str) -> list[str]:
    """What the document says of itself, then what the server says of it."""
    declared, served = _DECLARED.match(body), _CHARSET.search(content_type)
    found = [declared[1].decode() if declared else "", served[1] if served else ""]
    return [name for label in found if (name := charset(label))]


def legal(text: str) -> str:
    """Without the characters that no feed may hold; half a character becomes U+FFFD."""
    return _SURROGATES.sub("\ufffd", _FORBIDDEN.sub("", text))
