"""What is known about domains and links beside their policy: dated, found out or decided.

It only says what a fact is and keeps them for one run; the registry has those that outlive it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class DomainFact:
    """About a host and the same host with `www.` before it, kept under the one without."""

    host: str
    www_form: str | None
    """The host its front page is served from; None: nobody could tell."""
    https: bool | None
    """False: it answers by http alone; None: not known."""
    checked_at: datetime
    decided: bool = False
    """A person's word: it does not age."""


class Facts(Protocol):
    """What is known already, and where to put what was found out."""

    def domain(self, host: str) -> DomainFact | None: ...

    def save_domain(self, fact: DomainFact) -> None:
        """Kept unless a person has decided about this host."""
        ...

    def keeps_slash(self, key: str) -> bool:
        """Whether a person said that its slash belongs to the link with this key."""
        ...


class MemoryFacts:
    """Facts for one run."""

    def __init__(self) -> None:
        self.domains: dict[str, DomainFact] = {}
        self.slashed: set[str] = set()

    def domain(self, host: str) -> DomainFact | None:
        return self.domains.get(host)

    def save_domain(self, fact: DomainFact) -> None:
        known = self.domains.get(fact.host)
        if known is None or fact.decided or not known.decided:
            self.domains[fact.host] = fact

    def keeps_slash(self, key: str) -> bool:
        return key in self.slashed
