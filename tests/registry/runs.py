"""Runs over a registry as tests need them: small folders, a web that is a table, whole results."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sameas.policy import named
from sameas.registry.ask import Asking
from sameas.registry.check import Check, Judged
from sameas.registry.ledger import Ledger
from sameas.registry.types import FIELD, Unread
from sameas.resolve.allowlist import Allowlist
from sameas.resolve.types import Evidence, Hop, Resolution
from sameas.store.link_protocol import LinkStore

NOW = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
WEEK = timedelta(days=7)
ALLOW = Allowlist(["*.gob.es", "boe.es", "sepe.es"])
GOOD = "https://sede.uno.gob.es/tramites/empadronamiento-colectivo"


@dataclass(frozen=True)
class Answer:
    """How a link answers; without `url` it is at its own."""

    status: str = "ok"
    url: str = ""
    flags: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    hop: int | None = 200


class TableResolver:
    """Answers from a table by canonical URL; what is not in it is fine."""

    def __init__(self, table: Mapping[str, Answer] | None = None) -> None:
        self.table = table or {}
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0

    async def resolve(self, url: str) -> Resolution:
        policy = named("clara")
        given = policy.canonicalize(url)
        self.asked.append(given.url)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        answer = self.table.get(given.url, Answer())
        led = policy.canonicalize(answer.url or given.url)
        return Resolution(
            input=given.url,
            canonical=led,
            url=answer.url or given.url,
            key=led.key,
            chain=(Hop(given.url, answer.hop),),
            status=answer.status,  # type: ignore[arg-type]
            flags=answer.flags,
            notes={**led.notes, **answer.notes},
            evidence=(Evidence("test", given.url, f"the table says {answer.status}"),),
        )


def tramites(folder: Path, **links: str | None) -> Path:
    """A file for each name, its link in `fuente_url`."""
    inside = folder / "tramites"
    inside.mkdir(parents=True, exist_ok=True)
    for name, link in links.items():
        text = json.dumps({"id": name, FIELD: link}, indent=2)
        (inside / f"{name}.json").write_text(text, "utf-8")
    return folder


@dataclass
class Run:
    judged: list[Judged]
    unread: list[tuple[str, Unread]]
    asked: int
    left: dict[str, int]
    questions: int

    def problems(self) -> dict[str, tuple[str, ...]]:
        """By the name of the file."""
        return {
            Path(one.entry.path).stem: one.verdict.problems
            for one in self.judged
            if one.verdict.problems
        }

    def one(self, name: str) -> Judged:
        (found,) = [one for one in self.judged if Path(one.entry.path).stem == name]
        return found


def run(
    store: LinkStore,
    places: Iterable[Path],
    resolver: TableResolver | None = None,
    allow: Allowlist | None = ALLOW,
    now: datetime = NOW,
    fields: Collection[str] = (FIELD,),
) -> Run:
    """Without a resolver: offline."""
    policy, unread, names = named("clara"), [], [str(place) for place in places]
    with Ledger() as ledger:
        check = Check(policy, store, allow, ledger, now)
        check.read(names, fields, lambda path, piece: unread.append((path, piece)))
        asking = Asking(policy, store, resolver or TableResolver(), lambda: now, lambda _: None)
        if resolver is not None:
            check.find_due(WEEK)
            asyncio.run(asking.over(check.turns(), 10))
        judged = list(check.judged())
        check.withdraw(names)
        return Run(judged, unread, asking.asked, dict(asking.left), check.questions)
