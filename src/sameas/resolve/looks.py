"""Questions that are answered by looking: what is known or was read, without asking anybody.

Each gives a kind of the table, or nothing where the question need not be put.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sameas.resolve import address, kinds

if TYPE_CHECKING:
    from sameas.resolve.chain import Chain


def _secure(chain: Chain) -> str:
    if chain.end.url.startswith("https:") or "http_only" in chain.flags:
        return ""
    known = chain.around.known(address.bare(address.host(chain.end.url)))
    return "known" if known.https is False else "unasked"


def _slash(chain: Chain) -> str:
    unslashed = chain.unslashed()
    if not unslashed or unslashed in chain.visited:
        return ""
    return "decided" if chain.keep_slash else "unasked"


def _genuine(chain: Chain) -> str:
    return "" if chain.page is None or address.is_home(chain.end.url) else "unasked"


def _domain(chain: Chain) -> str:
    """Only where the policy tells the two forms apart, and the host has both."""
    url = chain.end.url
    host = address.host(url)
    bare = address.bare(host)
    if not address.has_www_form(host) or "host_kept" in chain.flags or address.has_port(url):
        return ""
    forms = (address.with_host(url, name) for name in (bare, f"www.{bare}"))
    if len({chain.canonical(form).key for form in forms}) == 1:
        return ""
    form = chain.form()
    if form is None:
        return "" if bare in chain.forms else "unasked"
    return "" if form == host else "other"


def _declared(chain: Chain) -> str:
    named = set(kinds.declared(chain.read or chain.end))
    if len(named) != 1:
        return "several" if named else ""
    chain.declared = declared = named.pop()
    if not declared:
        return "empty"
    if not address.is_web(declared):
        return "no_web"
    url = chain.end.url
    known = declared in chain.visited or declared == url
    if known or chain.canonical(declared).key == chain.canonical(url).key:
        return "itself"
    if address.is_home(declared) and not address.is_home(url):
        return "home"
    return "named" if chain.allows(declared) else "off_list"


def _language(chain: Chain) -> str:
    return chain.languages.look(chain.end.url, chain.read, chain.allows)


LOOKS: dict[str, Callable[[Chain], str]] = {
    "secure?": _secure,
    "slash?": _slash,
    "genuine?": _genuine,
    "domain?": _domain,
    "declared?": _declared,
    "language?": _language,
}
