"""What kind of answer this is: the words of the table, by what was received and asked before.

It decides nothing: what a kind leads to stands in `table`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sameas.net.guard import numeric, refusal
from sameas.resolve import address, words
from sameas.resolve.answer import Answer
from sameas.resolve.page import Page

if TYPE_CHECKING:
    from sameas.resolve.chain import Chain

MOST_HOPS = 5
_SOON = 10
"""Seconds: a page that refreshes later than that is meant to be read first."""
_FEW = 3
"""Words below which a page that is the same everywhere is taken for one that scripts write."""

_GONE = frozenset({404, 410})
_WALLED = frozenset({401, 403, 429})
_NO_ANSWER = frozenset({"hung_up", "unreached", "silent", "insecure"})
_LOST = frozenset({"gone", "nameless", "absent"})


def of_link(chain: Chain, answer: Answer) -> str:
    """Of the link itself, or a hop on its way."""
    kind = _of_link(chain, answer)
    return "lost" if kind in _LOST and chain.spellings and not chain.redirects else kind


def _of_link(chain: Chain, answer: Answer) -> str:
    if answer.failure:
        return _failed(chain, answer)
    if answer.is_redirect:
        return _redirect(chain, answer, answer.location, "elsewhere")
    if not answer.is_good:
        return _refused(answer)
    if answer.page is None and (answer.method == "GET" or not answer.is_html):
        return "doubted" if not answer.media else _unless_parked(answer, "file")
    if answer.page is None:
        return "html"
    target = refresh(answer)
    if target:
        return _redirect(chain, answer, target, "refresh")
    return _unless_parked(answer, "absent" if absent(answer.page) else "page")


def _failed(chain: Chain, answer: Answer) -> str:
    if answer.failure == "hung_up" and answer.method == "HEAD":
        return "doubted"
    if answer.failure not in _NO_ANSWER:
        return answer.failure
    if answer.url.startswith("https:"):
        return "insecure" if answer.failure == "insecure" else "no_https"
    secured = address.with_scheme(answer.url, "https")
    return "unreached" if secured in chain.visited else "no_http"


def _refused(answer: Answer) -> str:
    status = answer.status or 0
    if answer.method == "HEAD" and status != 429:
        return "doubted"
    if status in _GONE:
        return "gone"
    if status in _WALLED:
        return "walled"
    return "broken" if status >= 500 else "odd"


def _redirect(chain: Chain, answer: Answer, target: str, usual: str) -> str:
    if not target:
        return "nowhere"
    if not address.is_web(target):
        return "no_web"
    if target == answer.url:
        return "cookie" if answer.cookie else "circle"
    if target in chain.unanswered:
        return "upgraded"
    if target in chain.visited:
        return "circle"
    if not chain.allows(target):
        return "off_list"
    if chain.redirects >= MOST_HOPS:
        return "sixth"
    if address.differ_by_slash(answer.url, target):
        return "slash"
    return "home" if _gives_up(answer.url, target) else usual


def _gives_up(url: str, target: str) -> bool:
    """A deep link that ends at a front page; a shortener may well lead there. A front page that
    nobody may ask is asked for, and refused."""
    deep = not address.is_home(url) and not _leads_on(url)
    return deep and address.is_home(target) and not _is_inside(target)


def _is_inside(url: str) -> bool:
    found = numeric(address.host(url))
    return found is not None and bool(refusal(found))


def _unless_parked(answer: Answer, kind: str) -> str:
    return "parked" if _leads_on(answer.url) else kind


def _leads_on(url: str) -> bool:
    return words.is_shortener(address.host(url))


def refresh(answer: Answer) -> str:
    """Where a page sends its reader at once; nothing where it only loads itself again."""
    page = answer.page
    if page is None or page.refresh is None or page.refresh[0] > _SOON:
        return ""
    target = address.joined(base(answer), page.refresh[1])
    return "" if target == answer.url else target


def base(answer: Answer) -> str:
    """What the references of a page are relative to: where it was answered, unless it says."""
    told = answer.page.base if answer.page else ""
    return address.joined(answer.url, told) or answer.url


def absent(page: Page) -> str:
    return words.not_found(page.title) or words.not_found(page.heading)


def alike(one: Page | None, two: Page | None) -> bool:
    """The same words; or the same title and headings, where there are both."""
    if one is None or two is None:
        return False
    if _same_words(one, two):
        return True
    return bool(one.title and one.heading) and (one.title, one.heading) == (two.title, two.heading)


def _same_words(one: Page, two: Page) -> bool:
    return one.wording.digest == two.wording.digest


def _of_probe(chain: Chain, answer: Answer) -> str:
    """Of an address that was asked to learn something about the link."""
    if answer.failure:
        hung_up = answer.failure == "hung_up" and answer.method == "HEAD"
        return "doubted" if hung_up else "failed"
    if answer.is_redirect:
        target = answer.location
        if not target or not address.is_web(target) or not chain.allows(target):
            return "failed"
        if address.differ_by_slash(answer.url, target) and target not in chain.probed:
            return "slash"
        return "onward"
    if not answer.is_good:
        return "doubted" if answer.method == "HEAD" and answer.status != 429 else "failed"
    if answer.page is None and answer.method == "HEAD" and answer.is_html:
        return "html"
    if answer.page is None:
        return "file" if chain.page is None else "other"
    return "failed" if absent(answer.page) or refresh(answer) else "page"


def of_unslashed(chain: Chain, answer: Answer) -> str:
    kind = _of_probe(chain, answer)
    if kind == "page" and answer.page and alike(answer.page, chain.page):
        return "adrift" if answer.page.relative and not answer.page.base else "twin"
    return kind


def of_sibling(chain: Chain, answer: Answer) -> str:
    if answer.is_redirect:
        return "twin" if answer.location == chain.end.url else "different"
    page = answer.page
    if page is None or chain.page is None or not _same_words(page, chain.page):
        return "different"
    return "shell" if page.wording.words < _FEW else "twin"


def of_bare(chain: Chain, answer: Answer) -> str:
    kind = _of_probe(chain, answer)
    if answer.is_redirect and kind != "failed":
        again = answer.location in chain.probed or len(chain.probed) > MOST_HOPS
        return "failed" if again else "onward"
    if answer.is_good:
        return "arrived"
    never = answer.failure in ("unreached", "silent", "hung_up") and answer.url.startswith("http:")
    return "no_http" if never and kind == "failed" else kind


def of_form(chain: Chain, answer: Answer) -> str:
    kind = _of_probe(chain, answer)
    return "twin" if kind == "page" and alike(answer.page, chain.page) else kind


def of_canonical(chain: Chain, answer: Answer) -> str:
    kind = _of_probe(chain, answer)
    if kind in ("html", "file"):
        return "page"
    if kind != "page":
        return kind
    own = {url for url in declared(answer) if url}
    if own and own != {answer.url}:
        return "disputed"
    return "twin" if alike(answer.page, chain.page) else "page"


def declared(answer: Answer) -> list[str]:
    """The canonical addresses an answer names, in its header and in its page's head, absolute."""
    header = [
        address.joined(answer.url, link.href)
        for link in answer.links
        if "canonical" in link.relations
    ]
    at = base(answer)
    inside = answer.page.canonicals if answer.page else ()
    return header + [address.joined(at, href) for href in inside]


def of_spanish(chain: Chain, answer: Answer) -> str:
    kind = _of_probe(chain, answer)
    if kind != "page" or answer.page is None or chain.page is None:
        return kind
    other = not _same_words(answer.page, chain.page)
    return "spanish" if other and chain.languages.says_spanish(answer.page) else "page"


OF: dict[str, Callable[[Chain, Answer], str]] = {
    "follow": of_link,
    "respelled": of_link,
    "plain": of_link,
    "https": _of_probe,
    "unslashed": of_unslashed,
    "sibling": of_sibling,
    "bare": of_bare,
    "form": of_form,
    "canonical": of_canonical,
    "spanish": of_spanish,
}
