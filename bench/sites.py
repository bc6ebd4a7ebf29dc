"""Made-up sites of which it is known what may go: what `policy learn` is tried on.

It knows nothing of the learner. A page's content changes with a chance of 5% from one fetch of it
to the next; URLs that are held out are of the same sites, and of other pages and values, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

CHANGING = 0.05

Rule = tuple[str, str, str]
"""Kind, host and name, as an answer is told."""


@dataclass(frozen=True)
class Made:
    """A site: what was fetched, in order; the rules there are; URLs with the page each leads to."""

    fetches: Sequence[tuple[str, str]]
    rules: frozenset[Rule]
    held_out: Sequence[tuple[str, str]]


@dataclass
class _Site:
    """A site that is being made. `page` gives a URL and the name of what stands there."""

    host: str
    chance: random.Random
    versions: dict[str, int] = field(default_factory=dict)

    def fetched(self, url: str, page: str) -> tuple[str, str]:
        version = self.versions.get(page, 0)
        version += self.chance.random() < CHANGING
        self.versions[page] = version
        content = sha256(f"{self.host} {page} {version}".encode()).hexdigest()[:16]
        return url, content

    def query(self, pairs: Mapping[str, str]) -> str:
        listed = list(pairs.items())
        self.chance.shuffle(listed)
        text = "&".join(f"{name}={value}" for name, value in listed)
        return f"?{text}" if text else ""

    def word(self, length: int = 8) -> str:
        return "".join(self.chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))

    def maybe(self, odds: float = 0.5) -> bool:
        return self.chance.random() < odds


Page = Callable[[_Site, int], tuple[str, str]]
"""A URL of the n-th page, in one of its spellings, and what stands there."""


@dataclass(frozen=True)
class Kind:
    """A kind of site. Policies that drop trailing slashes anyway have nothing to learn there."""

    page: Page
    rules: Sequence[tuple[str, str]]
    policy: str = "default"
    hosts: Sequence[str] = ()
    """Other hosts that are this one, by what stands before its name."""


def made(kind: str, seed: int, pages: int, fetches: int) -> Made:
    """`pages` pages, each fetched so often on average; half as many others are held out."""
    wanted = (KINDS | ASIDE)[kind]
    site = _Site(f"{kind.replace('_', '-')}-{seed}.example", random.Random(f"{kind} {seed}"))
    found = [
        site.fetched(*wanted.page(site, site.chance.randrange(pages)))
        for _ in range(pages * fetches)
    ]
    others = [wanted.page(site, n % (pages * 3 // 2)) for n in range(pages * 3)]
    others_of_it = [f"{name}{site.host}" for name in wanted.hosts]
    rules = {
        (kind, host, name) for kind, name in wanted.rules for host in (site.host, *others_of_it)
    }
    rules |= {("host_alias", host, site.host) for host in others_of_it}
    return Made(found, frozenset(rules), others)


def _campaigns(site: _Site, n: int) -> tuple[str, str]:
    query = {name: site.word(4) for name in ("src", "partner", "cmpname") if site.maybe()}
    return f"https://{site.host}/news/story-{n}{site.query(query)}", f"story {n}"


def _session_by_number(site: _Site, n: int) -> tuple[str, str]:
    query = {"id": str(n), "sess": site.word(16)}
    return f"https://{site.host}/item.php{site.query(query)}", f"item {n}"


def _search(site: _Site, n: int) -> tuple[str, str]:
    words, page = n % 12, n // 12
    query = {"q": f"word{words}", "start": str(page)}
    if site.maybe():
        query["origin"] = site.chance.choice(("box", "menu", "mail"))
    return f"https://{site.host}/search{site.query(query)}", f"found {words} {page}"


def _sometimes_content(site: _Site, n: int) -> tuple[str, str]:
    """`view` makes another page of every third, and is nothing on the others."""
    view = site.chance.choice(("full", "short", ""))
    query = {"aff": site.word(5)} if site.maybe() else {}
    if view:
        query["view"] = view
    shown = view == "short" and n % 3 == 0
    return f"https://{site.host}/read/{n}{site.query(query)}", f"read {n} {shown}"


def _amp(site: _Site, n: int) -> tuple[str, str]:
    start = "/amp" if site.maybe() else ""
    return f"https://{site.host}{start}/2026/{n}/title-{n}", f"title {n}"


def _reference_in_path(site: _Site, n: int) -> tuple[str, str]:
    end = f"/ref={site.word(6)}" if site.maybe(0.6) else ""
    return f"https://{site.host}/dp/{n:05}{end}", f"product {n}"


def _mobile(site: _Site, n: int) -> tuple[str, str]:
    start = "m." if site.maybe() else ""
    return f"https://{start}{site.host}/p/{n}", f"post {n}"


def _slash(site: _Site, n: int) -> tuple[str, str]:
    end = "/" if site.maybe() else ""
    return f"https://{site.host}/blog/{n}{end}", f"entry {n}"


def _slash_that_matters(site: _Site, n: int) -> tuple[str, str]:
    end = "/" if site.maybe() else ""
    query = {"from": site.word(4)} if site.maybe() else {}
    return f"https://{site.host}/files/{n}{end}{site.query(query)}", f"file {n} {end}"


def _index(site: _Site, n: int) -> tuple[str, str]:
    end = site.chance.choice(("", "index.html"))
    return f"https://{site.host}/docs/part-{n}/{end}", f"part {n}"


def _slug(site: _Site, n: int) -> tuple[str, str]:
    query = {"article": str(n), "title": site.chance.choice(("old", "new", "short")) + str(n)}
    return f"https://{site.host}/show{site.query(query)}", f"article {n}"


def _two_numbers(site: _Site, n: int) -> tuple[str, str]:
    """Two that never repeat: neither can go while the other stays."""
    query = {"click": site.word(12), "visit": site.word(12)}
    return f"https://{site.host}/offer/{n}{site.query(query)}", f"offer {n}"


def _languages(site: _Site, n: int) -> tuple[str, str]:
    query = {"lang": site.chance.choice(("en", "de", "es"))}
    if site.maybe():
        query["print"] = "1"
    said = f"{n} {query['lang']} {query.get('print', '')}"
    return f"https://{site.host}/manual/{n}{site.query(query)}", f"manual {said}"


def _mirrors(site: _Site, n: int) -> tuple[str, str]:
    start = site.chance.choice(("", "eu.", "us."))
    query = {"rid": site.word(9)} if site.maybe() else {}
    return f"https://{start}{site.host}/get/{n}{site.query(query)}", f"file {n}"


def _shop_with_colours(site: _Site, n: int) -> tuple[str, str]:
    """Kept aside: `colour` is content, `list` and `pos` tell where a link stood."""
    colour = site.chance.choice(("red", "blue"))
    query = {"colour": colour}
    if site.maybe(0.7):
        query |= {
            "list": site.chance.choice(("home", "sale")),
            "pos": str(site.chance.randrange(9)),
        }
    return f"https://{site.host}/shop/thing-{n}{site.query(query)}", f"thing {n} {colour}"


def _forum(site: _Site, n: int) -> tuple[str, str]:
    """Kept aside: threads by number and page, with a session and words to mark."""
    query = {"t": str(n // 3), "page": str(n % 3)}
    if site.maybe(0.7):
        query["sid"] = site.word(20)
    if site.maybe(0.3):
        query["hilit"] = site.word(5)
    start = "wap." if site.maybe(0.3) else ""
    return f"https://{start}{site.host}/viewtopic{site.query(query)}", f"thread {n}"


def _parameters(*names: str) -> list[tuple[str, str]]:
    return [("parameter", name) for name in names]


KINDS: dict[str, Kind] = {
    "campaigns": Kind(_campaigns, _parameters("src", "partner", "cmpname")),
    "session_by_number": Kind(_session_by_number, _parameters("sess")),
    "search": Kind(_search, _parameters("origin")),
    "sometimes_content": Kind(_sometimes_content, _parameters("aff")),
    "amp": Kind(_amp, [("first_piece", "amp")]),
    "reference_in_path": Kind(_reference_in_path, [("path_piece", "ref=")]),
    "mobile": Kind(_mobile, (), hosts=("m.",)),
    "slash": Kind(_slash, [("trailing_slash", "")], "feed"),
    "slash_that_matters": Kind(_slash_that_matters, _parameters("from"), "feed"),
    "index": Kind(_index, [("index_page", "index.html")]),
    "slug": Kind(_slug, _parameters("title")),
    "two_numbers": Kind(_two_numbers, _parameters("click", "visit")),
    "languages": Kind(_languages, ()),
    "mirrors": Kind(_mirrors, _parameters("rid"), hosts=("eu.", "us.")),
}
ASIDE: dict[str, Kind] = {
    "shop_with_colours": Kind(_shop_with_colours, _parameters("list", "pos")),
    "forum": Kind(_forum, _parameters("sid", "hilit"), hosts=("wap.",)),
}
"""Kinds that the learner was not looked at with while it was written."""
