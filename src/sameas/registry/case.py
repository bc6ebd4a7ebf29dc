"""One link and all that is known of it: each problem it has, and what could stand instead.

A method a problem; which of them count, and what is asked about them, is judge.py's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sameas.engine.parse import parse
from sameas.policy import Policy
from sameas.registry.known import Known
from sameas.registry.questions import PROBLEM_QUESTIONS, Asked, uncertain
from sameas.resolve import address
from sameas.resolve.allowlist import Allowlist
from sameas.types import Canonical

_NO_SUGGESTION = frozenset({"dead", "soft_404"})
"""A link that leads nowhere is not mended by spelling it well."""

_FLAGS = {
    "slash_kept": "slash",
    "canonical_differs": "canonical",
    "needs_translation": "translation",
}
"""What resolving found that is no problem, and still a question."""

_FOR_A_MOMENT = "its HTTPS may have been away for a moment only"

_SHALLOW = ("homepage", "section")


class Case:
    """One link, with all there is to know about it."""

    def __init__(
        self,
        policy: Policy,
        allow: Allowlist | None,
        value: str,
        canonical: Canonical,
        known: Known,
    ) -> None:
        self._policy, self._allow, self._known = policy, allow, known
        self.value, self.canonical, self.key = value, canonical, canonical.key
        self.host = parse(canonical.url).host
        link = known.link
        self.status = link.status if link else ""
        self.flags = frozenset(link.flags if link else ())
        self.is_moved = bool(link and link.final_key and link.final_key != self.key)

    def problems(self) -> list[tuple[str, str]]:
        """In the order in which they are listed everywhere, each with a sentence."""
        return [(name, said) for name, look in _LOOKS.items() if (said := look(self))]

    def is_kept(self, name: str) -> bool:
        """Whether a person has said that this is no problem here."""
        answer = self._known.decision(name, self._subject(name))
        return answer in ("keep", "accept_home", "not_duplicate")

    def _subject(self, problem: str) -> str:
        """What a question about it is asked of: mostly the link."""
        return {"http_only": self.bare, "duplicate": self._known.page}.get(problem, self.key)

    @property
    def bare(self) -> str:
        return address.bare(self.host)

    @property
    def right(self) -> str:
        """The address to store, as long as the link leads to its own page."""
        link, domain = self._known.link, self._known.domain
        url = self.canonical.url
        if link and link.status == "ok" and link.final_url and not self.is_moved:
            url = link.final_url
        if domain and domain.decided and domain.www_form:
            url = address.with_host(url, domain.www_form)
        if domain and (domain.decided or domain.https is False):
            url = address.with_scheme(url, "http" if domain.https is False else "https")
        if self._known.decision("slash", self.key) == "keep_slash":
            url = address.slashed(url)
        return url

    def _not_canonical(self) -> str:
        if self.value == self.right or self.is_plain_slash:
            return ""
        fragment = self.canonical.notes.get("fragment_note")
        lost = f"; its fragment #{fragment} goes" if fragment else ""
        return f"it is not written as it is to be stored{lost}"

    @property
    def is_plain_slash(self) -> bool:
        """Answered `keep` to the question about its slash: it stays as it is."""
        kept = self._known.decision("slash", self.key) == "keep"
        return kept and self.value.rstrip("/") == self.right.rstrip("/")

    def _kind(self) -> str:
        """The page's own title may have told more than its address."""
        link = self._known.link
        told = link.notes.get("link_type") if link and link.status == "ok" else None
        own = self.canonical.notes.get("link_type")
        return str((told if not self.is_moved else None) or own or "")

    def _homepage(self) -> str:
        return "it is a home page: it says nothing particular" if self._kind() == "homepage" else ""

    def _section(self) -> str:
        return "it is a section page, on the way to others" if self._kind() == "section" else ""

    def _dead(self) -> str:
        return self._last_word() if self.status == "dead" else ""

    def _moved(self) -> str:
        if not self.is_moved or self.status != "ok":
            return ""
        assert self._known.link
        return f"it leads to {self._known.link.final_url}"

    def _soft_404(self) -> str:
        return f"nothing is there: {self._last_word()}" if self.status == "soft_404" else ""

    def _http_only(self) -> str:
        domain = self._known.domain
        if domain and domain.decided:
            return ""
        flagged = "http_only" in self.flags and not self._leads_to_http_elsewhere
        found = flagged or (domain is not None and domain.https is False)
        return f"{self.bare} does not answer by https" if found else ""

    @property
    def _leads_to_http_elsewhere(self) -> bool:
        """That a site has no HTTPS is asked about its own links."""
        link = self._known.link
        if not self.is_moved or link is None or not link.final_url.startswith("http:"):
            return False
        return address.bare(parse(link.final_url).host) != self.bare

    def _duplicate(self) -> str:
        places = ", ".join(self._known.elsewhere)
        return f"the same page as in {places}" if places else ""

    def _not_allowed(self) -> str:
        if self._allow is not None and not self._allow.allows(self.host):
            return f"{self.host} is not on the allowlist"
        return self._last_word() if self.status == "rejected" else ""

    def _last_word(self) -> str:
        link = self._known.link
        said = [str(one.get("said", "")) for one in link.evidence] if link else []
        return next((words for words in reversed(said) if words), "no reason was given")

    def suggestion(self, names: Sequence[str]) -> tuple[str | None, str]:
        """What to write instead, and why it should not be written unasked."""
        if _NO_SUGGESTION.intersection(names):
            return None, ""
        if "moved" in names:
            url, doubt = self._where_it_leads()
            doubted = "http_only" in names or self._leads_to_http_elsewhere
            return url, doubt or (_FOR_A_MOMENT if doubted else "")
        if "http_only" in names and "not_canonical" in names:
            return self.right, _FOR_A_MOMENT
        return (self.right, "") if "not_canonical" in names else (None, "")

    def _where_it_leads(self) -> tuple[str, str]:
        link = self._known.link
        assert link
        kind = self._policy.canonicalize(link.final_url).notes.get("link_type")
        kind = link.notes.get("link_type", kind)
        if kind in _SHALLOW and self.canonical.notes.get("link_type") not in _SHALLOW:
            return link.final_url, f"it leads to a {kind} now, and was no such page before"
        if self.flags & _FLAGS.keys():
            return link.final_url, f"flagged {', '.join(sorted(self.flags & _FLAGS.keys()))}"
        return link.final_url, ""

    def questions(self, found: Sequence[tuple[str, str]], doubt: str) -> list[Asked]:
        evidence = self._evidence()
        asked = [
            self._question(name, [said, doubt], evidence)
            for name, said in found
            if name != "not_canonical" and (name != "moved" or doubt)
        ]
        for kind in sorted(kind for flag, kind in _FLAGS.items() if flag in self.flags):
            asked.append(uncertain(kind, self.key, self.canonical.url, evidence))
        if self.status == "unknown":
            asked.append(uncertain("unknown", self.key, self.canonical.url, evidence))
        return asked

    def _question(self, problem: str, said: list[str], evidence: Sequence[str]) -> Asked:
        suggestion = ""
        if problem == "moved" and self._known.link:
            suggestion = f"replace {self._known.link.final_url}"
        elif problem == "http_only":
            suggestion = f"domain http://{self.host}"
        elif problem in _SHALLOW:
            said.append(self._citation())
        ask = PROBLEM_QUESTIONS[problem]
        return ask(self._subject(problem), self.canonical.url, suggestion, [*said, *evidence])

    def _evidence(self) -> list[str]:
        link = self._known.link
        if link is None:
            return []
        hops = [f"{url} answered {status or 'nothing'}" for url, status in link.chain]
        return hops + [str(one.get("said", "")) for one in link.evidence]

    def _citation(self) -> str:
        told = (self.canonical.notes.get("citation") or {}).get("qualifier")
        return f"it would be cited with: {told}" if told else ""


_LOOKS: dict[str, Callable[[Case], str]] = {
    "not_canonical": Case._not_canonical,
    "homepage": Case._homepage,
    "section": Case._section,
    "dead": Case._dead,
    "moved": Case._moved,
    "soft_404": Case._soft_404,
    "http_only": Case._http_only,
    "duplicate": Case._duplicate,
    "not_allowed": Case._not_allowed,
}
"""What is wrong, in words; nothing where it is not."""

PROBLEMS = ("invalid", *_LOOKS)
"""In the order in which they are told everywhere; `invalid` is what is no link at all."""
