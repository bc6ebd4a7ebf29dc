"""Links as entries spell them, made absolute.

Whether one is a URL to go by is the business of identity.
"""

from __future__ import annotations

import re

import ada_url

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


def absolute(link: str, base: str) -> str:
    """A link with a scheme stays as it is spelled; others are joined to the base as browsers do."""
    link = link.strip()
    if not link or _ABSOLUTE.match(link):
        return link
    try:
        return str(ada_url.join_url(base, link))
    except ValueError:
        return link
