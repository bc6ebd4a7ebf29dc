"""What comes of a chain: the address to store, its key, flags and notes. Nothing is asked here.

Identity is the policy's, applied to where the chain ended; a fact changes the address alone.
"""

from __future__ import annotations

from typing import Any

from sameas.engine.parse import shown
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.resolve import address, kinds, words
from sameas.resolve.answer import Answer
from sameas.resolve.chain import Chain
from sameas.resolve.language import noted
from sameas.resolve.page import Page
from sameas.resolve.types import Evidence, Resolution
from sameas.types import Canonical

_NOT_FOLLOWED = frozenset({"soft_404", "rejected"})
"""Where these end is nothing of the link's own: it is the link as given that is kept."""


def refused(raw: str | bytes, error: InvalidURL) -> Resolution:
    given = shown(raw, error.code)
    evidence = (Evidence("input.refused", given, f"{error.code}: {error.message}"),)
    notes = {"error": {"code": error.code, "message": error.message}}
    return Resolution(given, None, "", "", (), "error", (), notes, evidence)


def resolution(raw: str | bytes, given: Canonical, chain: Chain) -> Resolution:
    policy = chain.around.policy
    followed = chain.status not in _NOT_FOLLOWED and "redirect_limit" not in chain.flags
    canonical = chain.canonical(chain.end.url) if followed else given
    flags = {*canonical.flags, *chain.flags, *({"credentials"} & {*given.flags})} - {"unresolved"}
    return Resolution(
        input=shown(raw, flags=given.flags),
        canonical=canonical,
        url=_to_store(canonical, chain),
        key=canonical.key,
        chain=tuple(chain.hops),
        status=chain.status,
        flags=tuple(sorted(flags)),
        notes=_notes(policy, given, canonical, chain),
        evidence=tuple(chain.evidence),
    )


def _to_store(canonical: Canonical, chain: Chain) -> str:
    """The canonical URL, but for what is a fact: its slash, its host, that it has no TLS."""
    url = canonical.url
    if words.is_shortener(address.host(url)):
        return ""
    if "slash_kept" in chain.flags:
        url = address.slashed(url)
    if "host_kept" in chain.flags:
        url = address.with_host(url, address.host(chain.end.url))
    return address.with_scheme(url, "http") if "http_only" in chain.flags else url


def _notes(policy: Policy, given: Canonical, canonical: Canonical, chain: Chain) -> dict[str, Any]:
    notes = dict(canonical.notes)
    read = chain.read if chain.status == "ok" else None
    if given.notes.get("fragment_note"):
        notes["fragment_note"] = given.notes["fragment_note"]
    if "pagination" in notes:
        notes["pagination"] = _pagination(policy, given, notes["pagination"], read)
    noted(notes, chain.languages)
    if read is not None and read.page is not None:
        _name(notes, read.page)
    if chain.declared:
        notes["rel_canonical"] = chain.declared
    return notes


def _name(notes: dict[str, Any], page: Page) -> None:
    if page.title:
        notes["title"] = page.title
    if "link_type" in notes and words.names_procedure(page.title):
        notes["link_type"] = "informative"
        notes["citation"] = {"citable": True, "qualifier": None}


def _pagination(
    policy: Policy, given: Canonical, own: dict[str, Any], read: Answer | None
) -> dict[str, Any]:
    """What the given address said of it counts as well: its page's number has left the url."""
    asked = given.notes["pagination"]
    param = own["page_param"] or asked["page_param"]
    total = words.total_pages(read.page.text) if read and read.page else None
    last = _last(read) if read else ""
    if last:
        named = policy.canonicalize(last).notes["pagination"]["page_param"]
        param, total = param or named, total or _number(last, named)
    paginated = own["paginated"] or asked["paginated"] or total is not None
    return {"paginated": paginated, "page_param": param, "total_pages": total}


def _last(read: Answer) -> str:
    header = [
        address.joined(read.url, link.href) for link in read.links if "last" in link.relations
    ]
    inside = read.page.last if read.page else ()
    found = [*header, *(address.joined(kinds.base(read), href) for href in inside)]
    return next((url for url in found if address.is_web(url)), "")


def _number(url: str, param: str | None) -> int | None:
    value = address.parameter(url, param) if param else ""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 7 else None
