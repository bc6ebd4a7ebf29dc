"""What is found out about domains: asked once, dated, believed for a while, never over a person."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from sameas.policy import named
from sameas.resolve.facts import DomainFact, MemoryFacts
from sameas.resolve.probe import KEPT_FOR, Resolver
from sameas.resolve.types import Resolution
from tests.resolve.fake import FakeClient
from tests.resolve.scenario import NOW, Scenario

PDF = {"type": "application/pdf"}
WWW = {
    "http://uno.test": {"/": "301 https://www.uno.test/"},
    "https://uno.test": {"*": PDF},
    "https://www.uno.test": {"*": PDF},
}
LINKS = [f"https://uno.test/docs/{i}.pdf" for i in range(20)]


class Run:
    """Links resolved at once, at a given time."""

    def __init__(self, web: dict[str, object], facts: MemoryFacts, now: datetime = NOW) -> None:
        self.client = FakeClient(Scenario("", {"web": web}))
        self._resolver = Resolver(self.client, named("clara"), facts, None, lambda: now)  # type: ignore[arg-type]

    def over(self, links: list[str]) -> list[Resolution]:
        async def run() -> list[Resolution]:
            return list(await asyncio.gather(*map(self._resolver.resolve, links)))

        return asyncio.run(run())

    @property
    def discoveries(self) -> int:
        return sum(asked == "HEAD http://uno.test/" for asked in self.client.asked)


def test_many_links_of_a_domain_ask_for_its_form_once_and_it_is_dated():
    facts = MemoryFacts()
    run = Run(WWW, facts)
    found = run.over(LINKS)
    assert [one.url for one in found] == [link.replace("//uno", "//www.uno") for link in LINKS]
    assert run.discoveries == 1
    assert facts.domains == {"uno.test": DomainFact("uno.test", "www.uno.test", None, NOW)}


def test_a_form_is_believed_for_a_while_and_then_asked_again():
    facts = MemoryFacts()
    Run(WWW, facts).over(LINKS[:1])
    soon = Run(WWW, facts, NOW + KEPT_FOR - timedelta(seconds=1))
    assert soon.over(LINKS)[0].url == "https://www.uno.test/docs/0.pdf"
    assert soon.discoveries == 0
    assert len(soon.client.asked) == len(LINKS), "the form is used at once"
    turned = {**WWW, "http://uno.test": {"/": "301 https://uno.test/"}}
    later = Run(turned, facts, NOW + KEPT_FOR)
    assert later.over(LINKS[:1])[0].url == "https://uno.test/docs/0.pdf"
    assert later.discoveries == 1
    assert facts.domains["uno.test"].checked_at == NOW + KEPT_FOR


def test_a_domain_of_the_policys_map_is_not_asked_about():
    web = {"https://www.boe.es": {"*": PDF}}
    run = Run(web, MemoryFacts())
    assert run.over(["http://boe.es/a/b.pdf"])[0].url == "https://www.boe.es/a/b.pdf"
    assert run.client.asked == ["HEAD https://www.boe.es/a/b.pdf"]


def test_subdomains_have_no_form_to_ask_about():
    run = Run({"https://sede.uno.test": {"*": PDF}}, MemoryFacts())
    run.over(["https://sede.uno.test/a/b.pdf"])
    assert len(run.client.asked) == 1


def test_what_could_not_be_found_out_is_not_kept():
    facts = MemoryFacts()
    run = Run({"https://uno.test": {"/docs/0.pdf": PDF}}, facts)
    assert run.over(LINKS[:1])[0].status == "ok"
    assert facts.domains == {}


def test_a_persons_word_is_kept_over_what_is_found_out():
    fact = DomainFact("uno.test", "uno.test", None, NOW - timedelta(days=1000), decided=True)
    facts = MemoryFacts()
    facts.save_domain(fact)
    facts.save_domain(DomainFact("uno.test", "www.uno.test", None, NOW))
    run = Run(WWW, facts)
    assert run.over(LINKS[:1])[0].url == LINKS[0]
    assert (run.discoveries, facts.domains["uno.test"]) == (0, fact)


def test_a_host_without_tls_is_remembered_and_its_form_is_not_forgotten():
    facts = MemoryFacts()
    facts.save_domain(DomainFact("uno.test", "uno.test", None, NOW))
    web = {"http://uno.test": {"*": PDF}}
    assert Run(web, facts).over(LINKS[:1])[0].flags == ("http_only",)
    assert facts.domains["uno.test"] == DomainFact("uno.test", "uno.test", False, NOW)
    again = Run(web, facts)
    assert again.over(LINKS)[3].url == "http://uno.test/docs/3.pdf"
    assert len(again.client.asked) == len(LINKS)


def test_a_sibling_is_asked_once_for_a_folder():
    page = {"html": "<html lang=es><title>Uno</title>"}
    web = {"https://sede.uno.test": {f"/docs/{i}": page for i in range(20)}}
    run = Run(web, MemoryFacts())
    found = run.over([f"https://sede.uno.test/docs/{i}" for i in range(20)])
    assert {one.status for one in found} == {"ok"}
    assert len(run.client.asked) == 2 * 20 + 1
