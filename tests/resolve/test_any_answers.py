"""Whatever a web answers, a link ends: with a status, its evidence, and after a few questions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sameas.policy import named
from sameas.resolve.table import TABLE
from tests.resolve.fake import FakeClient, resolved
from tests.resolve.scenario import TROUBLES, Scenario

MOST_QUESTIONS = 60
STATUSES = {"ok", "dead", "soft_404", "unknown", "rejected", "error"}
HOSTS = ["uno.test", "www.uno.test", "sede.uno.test", "bit.ly", "127.0.0.1"]
PATHS = [
    "/",
    "/a",
    "/a/",
    "/es/a/b",
    "/ca/a/b",
    "/es/a/b/",
    "/a/b?lang=eu",
    "/index.html",
    "/a/b.pdf",
]
WORDS = ["", "Ayuda", "Página no encontrada", "Página 1 de 3", "Solicitud de beca"]
ODD = ["", "http://", "mailto:x", "//[", "\x00", "?", "#", ".", "https://u:p@sede.uno.test/a"]


class World:
    """A web made by chance: the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def url(self) -> str:
        chance = self._chance
        if chance.random() < 0.1:
            return chance.choice(ODD)
        return f"{chance.choice(('http', 'https'))}://{chance.choice(HOSTS)}{chance.choice(PATHS)}"

    def answer(self) -> Any:
        chance = self._chance
        kind = chance.random()
        if kind < 0.15:
            return chance.choice(TROUBLES)
        if kind < 0.4:
            return self._table(chance.choice((301, 302, 303, 307, 308)), Location=self.url())
        if kind < 0.55:
            return str(chance.choice((204, 300, 400, 403, 404, 405, 410, 429, 500, 503)))
        if kind < 0.65:
            return {"type": "application/pdf"}
        return self._table(200, Link=f"<{self.url()}>; rel={chance.choice(('canonical', 'last'))}")

    def _table(self, status: int, **headers: str) -> dict[str, Any]:
        chance = self._chance
        lang = chance.choice(("es", "ca", "fr-FR", ""))
        tags = [
            f"<html lang='{lang}'><title>{chance.choice(WORDS)}</title>",
            f"<link rel=canonical href='{self.url()}'>",
            f"<link rel=alternate hreflang=es href='{self.url()}'>",
            f"<meta http-equiv=refresh content='0;url={self.url()}'>",
            f"<h1>{chance.choice(WORDS)}</h1>",
        ]
        kept = [tag for tag in tags if chance.random() < 0.5]
        if chance.random() < 0.3:
            headers["Set-Cookie"] = "a=1"
        return {"status": status, "html": "".join(kept), "headers": headers}

    def web(self) -> dict[str, Any]:
        return {
            f"{scheme}://{host}": {path: self.answer() for path in [*PATHS, "*"]}
            for scheme in ("http", "https")
            for host in HOSTS[:-1]
            if self._chance.random() < 0.8
        }


@pytest.mark.parametrize("policy", ["clara", "default", "news"])
def test_every_link_ends_with_a_status_that_its_evidence_explains(policy: str) -> None:
    taken: set[str] = set()
    for seed in range(1500):
        world = World(seed)
        data = {"link": world.url(), "web": world.web(), "policy": policy}
        if seed % 2:
            data["allow"] = ["*.uno.test", "uno.test"]
        scenario = Scenario(str(seed), data)
        client = FakeClient(scenario)
        got = resolved(scenario, client)
        assert got.status in STATUSES, seed
        assert len(client.asked) <= MOST_QUESTIONS, seed
        assert len(got.chain) <= len(client.asked)
        assert (got.canonical is None) == (got.status == "error"), seed
        if got.canonical is not None:
            assert got.key == got.canonical.key == named(policy).key(got.canonical.url)
            assert "bit.ly" not in got.url
            assert (
                got.url == "" or named(policy).key(got.url) == got.key or "http_only" in got.flags
            )
        assert "p@" not in repr(got.evidence)
        taken |= {evidence.signal for evidence in got.evidence}
    assert len(taken) > len(TABLE) / 2, "this web is too poor to prove anything"
