"""What is asked next and when it ends, from what was answered: the table at work, without I/O.

What the states mean stands in `table`, what an answer is in `kinds`, what comes of it in `outcome`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sameas.engine.parse import masked, read
from sameas.net.reply import Method
from sameas.policy import Policy
from sameas.resolve import address, kinds, words
from sameas.resolve.allowlist import Allowlist
from sameas.resolve.answer import Answer, Ask
from sameas.resolve.language import Languages
from sameas.resolve.looks import LOOKS
from sameas.resolve.page import Page
from sameas.resolve.table import DONE, MOVED, NEXT, QUESTIONS, RESUME, STAY, Move, row
from sameas.resolve.types import Evidence, Hop, Status
from sameas.types import Canonical

_HOPS = frozenset({"follow", "respelled", "plain"})
"""States in which what is asked is the link itself, or where it leads."""
_COMPARED = frozenset({"form", "canonical", "spanish"})
"""States in which a page is compared with the one the chain ends at."""


@dataclass(frozen=True)
class Known:
    """What is known about a host before anything is asked."""

    form: str | None = None
    """The host that its domain uses."""
    https: bool | None = None


@dataclass(frozen=True)
class Around:
    """What a chain is told and does not find out."""

    policy: Policy
    allow: Allowlist | None
    known: Callable[[str], Known]
    """By the bare host."""
    token: str
    """A path segment nobody has made."""


class Canonicals:
    """What the policy makes of an address: asked for often on a link's way, and always the same."""

    def __init__(self, policy: Policy, given: Canonical) -> None:
        self._policy, self._known = policy, {read(given.original): given}

    def __call__(self, url: str) -> Canonical:
        found = self._known.get(url)
        if found is None:
            found = self._known[url] = self._policy.canonicalize(url)
        return found


class Chain:
    """One link on its way. `ask` is the next question, None at the end."""

    def __init__(self, given: Canonical, spellings: list[str], keep_slash: bool, around: Around):
        """`spellings` of what was given: the first is asked, the others where nothing is there."""
        self.around = around
        spelled, *self.spellings = spellings
        self.start = spelled
        self.keep_slash = keep_slash
        self.ask: Ask | None = None
        self.state = "start"
        self.status: Status = "unknown"
        self.flags: set[str] = set()
        self.hops: list[Hop] = []
        self.evidence: list[Evidence] = []
        self.visited: set[str] = set()
        self.unanswered: set[str] = set()
        self.probed: set[str] = set()
        """Asked in the present state."""
        self.redirects = 0
        self.end = Answer("GET", spelled, None)
        """What the chain ended at: the last answer that counts."""
        self.read: Answer | None = None
        """The answer its page was read in; as a rule it is the end."""
        self.forms: dict[str, str | None] = {}
        """Found out about a bare host on the way."""
        self.no_https: set[str] = set()
        """Hosts that answered without TLS alone."""
        self.declared = ""
        self.canonical = Canonicals(around.policy, given)
        self.languages = Languages(self.canonical)
        self._answer = self.end
        self._first: Answer | None = None
        self._question = -1
        self._take("plain" if self.allows(spelled) else "off_list", self.end)

    def answered(self, answer: Answer) -> None:
        """The answer to `ask`."""
        state, self._answer = self.state, answer
        if state in _HOPS:
            self._hop(answer)
        kind = kinds.OF[state](self, answer)
        if kind in ("no_https", "insecure"):
            self.unanswered.add(answer.url)
            if state == "follow" and answer.failure != "silent":
                self.no_https.add(address.host(answer.url))
        if kind == "lost" and self._first is None:
            self._first = answer
        self._take(kind, answer)

    @property
    def page(self) -> Page | None:
        return self.read.page if self.read else None

    def allows(self, url: str) -> bool:
        """Shorteners lead on, so they may be asked on the way to what is allowed."""
        if self.around.allow is None:
            return True
        host = address.host(url)
        return self.around.allow.allows(host) or words.is_shortener(host)

    def _hop(self, answer: Answer) -> None:
        """HEAD and GET of one address are one hop: the later answer is the one that counts."""
        hop = Hop(answer.url, answer.status)
        if self.hops and self.hops[-1].url == answer.url:
            self.hops[-1] = hop
        else:
            self.hops.append(hop)

    def _take(self, kind: str, answer: Answer) -> None:
        move = row(self.state, kind)
        self._note(kind, move, answer)
        if move.flag:
            self.flags.add(move.flag)
        if move.to == DONE:
            self._finish(move.status, answer)
        elif move.to == RESUME:
            self._resume()
        elif move.to == MOVED:
            self._move(answer)
            self._next()
        elif move.to == NEXT:
            self._next()
        else:
            self._enter(move)

    def _enter(self, move: Move) -> None:
        if move.to in QUESTIONS:
            if self.state == "bare":
                self._learn_form()
            self.state = move.to
            self._look()
            return
        if move.to != STAY:
            self.state, self.probed = move.to, set()
        self.ask = ASKS[move.ask](self)
        self.probed.add(self.ask.url)
        if self.state in _HOPS:
            self.visited.add(self.ask.url)

    def _next(self) -> None:
        self._question += 1
        if self._question == len(QUESTIONS):
            self._finish("ok", self.end)
            return
        self.state = QUESTIONS[self._question]
        self._look()

    def _look(self) -> None:
        """Some questions are answered by looking at what is known, some need not be put."""
        kind = LOOKS[self.state](self)
        if kind:
            self._take(kind, self.end)
        else:
            self._next()

    def _move(self, answer: Answer) -> None:
        if self.state == "spanish":
            self.languages.moved(self.end.url)
        self.end = answer
        if answer.page is not None or self.read is None:
            self.read = answer
        if self.state == "respelled" and address.host(answer.url) != address.host(self.start):
            self.flags.add("host_kept")
        if self.hops[-1].url != answer.url:
            self.hops.append(Hop(answer.url, answer.status))

    def _resume(self) -> None:
        first, self._first = self._first, None
        self.spellings, self.state = [], "follow"
        assert first is not None
        self._answer = first
        self._take(kinds.of_link(self, first), first)

    def _finish(self, status: Status, answer: Answer) -> None:
        if self.state in _HOPS:
            self.end = answer
        self.status, self.ask, self.state = status, None, DONE

    def _note(self, kind: str, move: Move, answer: Answer) -> None:
        said = move.said
        if "{" in said:
            said = said.format(
                target=answer.location or kinds.refresh(answer) or answer.url,
                reason=answer.reason or (kinds.absent(answer.page) if answer.page else ""),
                status=answer.status,
            )
        at = self._answer.at
        asked = self.state not in LOOKS and self.state != "start"
        status = answer.status if asked else None
        signal = f"{self.state.rstrip('?')}.{kind}"
        self.evidence.append(Evidence(signal, _shown(answer.url), _shown(said), at, status))

    # What the rows ask.

    def _target(self) -> Ask:
        answer = self._answer
        if self.state == "follow":
            self.redirects += 1
        method: Method = self._to_compare if self.state in _COMPARED else "HEAD"
        return Ask(method, answer.location or kinds.refresh(answer), self.state == "bare")

    def _by_get(self) -> Ask:
        return Ask("GET", self._answer.url, self.state == "bare")

    def _sibling(self) -> Ask:
        """Beside the link that was followed where its own site answered, else beside the end."""
        beside = self.start if self._moved_within() else self.end.url
        return Ask("GET", address.sibling(beside, self.around.token), True)

    def _moved_within(self) -> bool:
        same_host = address.host(self.start) == address.host(self.end.url)
        moved = not address.differ_by_slash(self.start, self.end.url)
        return same_host and moved and self.redirects > 0

    def _form(self) -> Ask:
        return Ask(self._to_compare, address.with_host(self.end.url, self.form() or ""))

    def _declared(self) -> Ask:
        return Ask(self._to_compare, self.declared)

    @property
    def _to_compare(self) -> Method:
        return "HEAD" if self.page is None else "GET"

    def _spelling(self) -> Ask:
        return Ask("HEAD", self.spellings.pop(0))

    def unslashed(self) -> str:
        """The end without its slash, if that is how the policy spells its path."""
        url = self.end.url
        if not address.ends_with_slash(url):
            return ""
        canonical = address.normal(self.canonical(url).url)
        spelled = address.with_scheme(canonical, url.partition(":")[0])
        spelled = address.with_host(spelled, address.host(url))
        return spelled if address.differ_by_slash(url, spelled) else ""

    def form(self) -> str | None:
        """The host that the domain of the end uses, as far as it is known."""
        bare = address.bare(address.host(self.end.url))
        return self.forms[bare] if bare in self.forms else self.around.known(bare).form

    def _learn_form(self) -> None:
        """A front page that another site serves says nothing about this one's form."""
        bare = address.bare(address.host(self.end.url))
        found = address.host(self._answer.url)
        self.forms[bare] = found if found in (bare, f"www.{bare}") else None


def _shown(text: str) -> str:
    """Without credentials, which need one of these to be there."""
    return masked(text) if "@" in text or "%" in text else text


ASKS: dict[str, Callable[[Chain], Ask]] = {
    "link": lambda chain: Ask("HEAD", chain.start),
    "by_get": Chain._by_get,
    "target": Chain._target,
    "spelling": Chain._spelling,
    "http": lambda chain: Ask("HEAD", address.with_scheme(chain._answer.url, "http")),
    "https": lambda chain: Ask("HEAD", address.with_scheme(chain._answer.url, "https")),
    "unslashed": lambda chain: Ask("HEAD", chain.unslashed()),
    "sibling": Chain._sibling,
    "bare": lambda chain: Ask("HEAD", f"http://{address.bare(address.host(chain.end.url))}/", True),
    "bare_https": lambda chain: Ask("HEAD", address.with_scheme(chain._answer.url, "https"), True),
    "form": Chain._form,
    "declared": Chain._declared,
    "spanish": lambda chain: Ask("GET", chain.languages.next_spanish()),
}
