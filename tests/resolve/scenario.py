"""A scenario: a small web as data, the link that is resolved in it, and what must come out.

docs/links.md says how to write one. What a host answers is read here, for both webs that play it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from sameas import Policy
from sameas.policy import named
from sameas.resolve.allowlist import Allowlist
from sameas.resolve.facts import DomainFact, MemoryFacts
from sameas.resolve.types import Resolution

FOLDER = Path(__file__).parent / "scenarios"
NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)

TROUBLES = (
    "hangs up",
    "hangs",
    "refuses",
    "bad certificate",
    "private",
    "no name server",
)
"""What a host, or one address of it, does instead of answering. A host that is not listed has no
name; one listed with one scheme alone refuses the other."""
_SHORT = re.compile(r"([0-9]{3})(?: (\S+))?")


@dataclass(frozen=True)
class Told:
    """One answer, as a scenario gives it."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    trouble: str = ""
    endless: bool = False
    """Much more comes behind the body."""


NOTHING = Told(404, (("Content-Type", "text/html"),), b"<title>Nada</title>")


@dataclass(frozen=True)
class Scenario:
    name: str
    data: Mapping[str, Any] = field(repr=False)

    @property
    def link(self) -> str:
        return self.data["link"]

    @cached_property
    def policy(self) -> Policy:
        return named(self.data.get("policy", "clara"))

    @property
    def allow(self) -> Allowlist | None:
        return Allowlist(self.data["allow"]) if "allow" in self.data else None

    @property
    def hosts(self) -> dict[str, Any]:
        """By origin: `https://a.test`."""
        return self.data["web"]

    def facts(self) -> MemoryFacts:
        facts = MemoryFacts()
        for row in self.data.get("domain", ()):
            then = NOW - timedelta(days=row.get("days_ago", 0))
            fact = (row.get("www_form"), row.get("https"), then, row.get("decided", False))
            facts.domains[row["host"]] = DomainFact(row["host"], *fact)
        facts.slashed = {self.policy.key(link) for link in self.data.get("keep_slash", ())}
        return facts

    def answer(self, origin: str, method: str, path: str) -> Told:
        """What is told at an origin that is listed."""
        host = self.hosts[origin]
        if isinstance(host, str):
            return told(host)
        found = host.get(f"{method} {path}", host.get(path, host.get("*")))
        return NOTHING if found is None else told(found)

    def differences(self, got: Resolution, asked: int) -> list[str]:
        """Where what came out is not what the scenario says."""
        chain = [f"{hop.status or 'none'} {hop.url}" for hop in got.chain]
        signals = [evidence.signal for evidence in got.evidence]
        actual: dict[str, Any] = {
            "status": got.status,
            "url": got.url,
            "flags": list(got.flags),
            "chain": chain,
            "asked": asked,
            "signals": [signal for signal in self.wanted.get("signals", ()) if signal in signals],
            "notes": {name: got.notes.get(name) for name in self.wanted.get("notes", {})},
        }
        if got.canonical is not None and got.key != got.canonical.key:
            return ["the key is not the canonical URL's"]
        wanted = {"flags": [], **self.wanted}
        return [
            f"{name}: wanted {wanted[name]}, got {actual[name]}"
            for name in wanted
            if wanted[name] != actual[name]
        ]

    @property
    def wanted(self) -> Mapping[str, Any]:
        return self.data["result"]


def told(value: Any) -> Told:
    """`"301 /there"`, `"404"`, `"hangs up"`, or a table: status, type, html, headers, and
    whether it is endless."""
    if isinstance(value, str):
        if value in TROUBLES:
            return Told(trouble=value)
        found = _SHORT.fullmatch(value)
        assert found, f"{value!r} is no answer"
        location = (("Location", found[2]),) if found[2] else ()
        return Told(int(found[1]), (*location, ("Content-Type", "text/html")))
    headers = []
    for name, text in value.get("headers", {}).items():
        headers += [(name, one) for one in ([text] if isinstance(text, str) else text)]
    media = value.get("type", "text/html")
    if media:
        headers.append(("Content-Type", media))
    body = value.get("html", value.get("text", ""))
    assert not set(value) - {"status", "type", "html", "text", "headers", "endless"}, value
    encoding = "latin-1" if "8859" in media else "utf-8"
    endless = value.get("endless", False)
    return Told(value.get("status", 200), tuple(headers), body.encode(encoding), "", endless)


def scenarios() -> list[Scenario]:
    return [
        Scenario(file.stem, tomllib.loads(file.read_text("utf-8")))
        for file in sorted(FOLDER.glob("*.toml"))
    ]


SCENARIOS = scenarios()
