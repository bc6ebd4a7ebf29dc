"""What the Protocol promises of links, domains and reviews, kept by every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from sameas.errors import StoreError
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Domain, Link, Review, review_id
from tests.store.rows import DAY, NOW

URL = "https://a.example/x"
LINK = Link(
    key="k1",
    url=URL,
    status="ok",
    checked_at=NOW,
    final_url="https://a.example/y",
    final_key="k2",
    flags=("http_only",),
    notes={"pagination": {"total_pages": 3}, "alternates": {"fr": "ñ"}},
    chain=((URL, 301), ("https://a.example/y", None)),
    evidence=({"signal": "redirect", "url": URL, "said": "moved", "at": 0.5, "status": 301},),
)


def _question(key: str = "k1", kind: str = "dead", **other: Any) -> Review:
    made = Review(
        kind=kind,
        key=key,
        url=URL,
        file="/r/tramites/a.json",
        line=3,
        suggestion="",
        reason="it is gone",
        evidence=("404", "no such page"),
        asked_at=NOW,
        seen_at=NOW,
    )
    return replace(made, **other)


def _open(store: LinkStore) -> list[str]:
    return [review.key for review in store.reviews(decided=False)]


def test_a_link_comes_back_as_it_was_saved(store: LinkStore):
    store.save_links([LINK, Link("k3", "https://b.example/", "dead", NOW)])
    assert store.links(["k1", "k2", "k3"]) == {
        "k1": LINK,
        "k3": Link("k3", "https://b.example/", "dead", NOW),
    }
    assert store.links([]) == {}


def test_a_link_that_is_asked_again_takes_the_place_of_its_row(store: LinkStore):
    store.save_links([LINK])
    later = replace(LINK, status="dead", checked_at=NOW + DAY, chain=(), notes={})
    store.save_links([LINK, later])
    assert store.links(["k1"]) == {"k1": later}
    store.save_links([])
    assert store.links(["k1"]) == {"k1": later}


def test_many_links_are_found_by_their_keys(store: LinkStore):
    keys = [f"k{number}" for number in range(1200)]
    store.save_links([replace(LINK, key=key) for key in keys])
    assert set(store.links(keys)) == set(keys)


def test_a_domain_keeps_what_a_person_said_of_it(store: LinkStore):
    assert store.domains(["a.example"]).get("a.example") is None
    found = Domain("a.example", "www.a.example", None, NOW)
    said = Domain("a.example", "a.example", False, NOW + DAY, decided=True)
    store.save_domain(found)
    assert store.domains(["a.example"]).get("a.example") == found
    store.save_domain(said)
    store.save_domain(replace(found, checked_at=NOW + 2 * DAY))
    assert store.domains(["a.example"]).get("a.example") == said
    store.save_domain(replace(said, https=True))
    assert store.domains(["a.example"]).get("a.example") == replace(said, https=True)
    store.forget_domain("a.example")
    assert store.domains(["a.example"]).get("a.example") is None


def test_a_question_is_put_once(store: LinkStore):
    assert store.ask([_question(), _question("k2"), _question("k1", "duplicate")]) == 3
    assert store.ask([]) == 0
    again = _question(asked_at=NOW + DAY, seen_at=NOW + DAY, line=9, reason="still", evidence=())
    assert store.ask([again, _question("k3", asked_at=NOW - DAY)]) == 1
    assert store.review(review_id("dead", "k1")) == replace(again, asked_at=NOW)
    assert _open(store)[0] == "k3"
    assert len(_open(store)) == 4
    assert {r.kind for r in store.reviews_of(["k1"])} == {"dead", "duplicate"}
    assert store.review("no such") is None


def test_a_decision_stays_whatever_a_run_writes_and_can_be_taken_back(store: LinkStore):
    store.ask([_question(), _question("k2")])
    number = review_id("dead", "k1")
    store.decide(number, "replace", "https://a.example/z", "ana", NOW + DAY)
    store.ask([_question(asked_at=NOW + DAY, line=7)])
    decided = _question(
        line=7,
        decision="replace",
        value="https://a.example/z",
        decided_by="ana",
        decided_at=NOW + DAY,
    )
    assert store.review(number) == decided
    assert list(store.reviews(decided=True)) == [decided]
    assert _open(store) == ["k2"]
    store.decide(number, None, "", "luis", NOW + 2 * DAY)
    taken_back = store.review(number)
    assert taken_back is not None
    assert (taken_back.decision, taken_back.decided_by) == (None, "luis")
    assert sorted(_open(store)) == ["k1", "k2"]
    store.decide("no such", "keep", "", "ana", NOW)


def test_only_an_open_question_of_a_covered_file_is_withdrawn(store: LinkStore):
    here, there = "/r/a.json", "/r/b.json"
    store.ask(
        [
            _question("old", file=here),
            _question("decided", file=here),
            _question("seen", file=here, seen_at=NOW + DAY),
            _question("elsewhere", file=there),
            _question("other field", file=here, field="enlace"),
        ]
    )
    store.decide(review_id("dead", "decided"), "keep", "", "ana", NOW)
    assert store.withdraw(NOW + DAY, lambda file, field: (file, field) == (here, "")) == 1
    kept = ["decided", "elsewhere", "other field", "seen"]
    assert sorted(r.key for r in store.reviews()) == kept


def test_keys_of_another_policy_are_refused(store: LinkStore):
    store.claim_links("clara", "f" * 64, NOW)
    store.claim_links("clara", "f" * 64, NOW + DAY)
    with pytest.raises(StoreError, match="were made under clara") as refused:
        store.claim_links("clara", "0" * 64, NOW)
    assert refused.value.code == "policy"


def test_moved_to_another_policy_questions_move_and_changed_links_are_forgotten(store: LinkStore):
    store.claim_links("clara", "f" * 64, NOW)
    urls = {"k1": "u1", "k2": "u2", "k4": "u4"}
    store.save_links([Link(key, url, "ok", NOW) for key, url in urls.items()])
    store.save_links([Link("k3", "u3", "ok", NOW, final_url="u1", final_key="k1")])
    store.ask([_question(key, url=url) for key, url in urls.items()])
    store.ask([_question("h.example", "http_only", url="http://h.example/")])
    store.decide(review_id("dead", "k1"), "keep", "", "ana", NOW)
    store.decide(review_id("dead", "k2"), "replace", "v", "luis", NOW + DAY)
    new = {"u1": "n", "u2": "n", "u3": "k3", "u4": "k4"}
    changed = store.rekey_links(
        new.__getitem__,
        lambda review: new.get(review.url, review.key),
        ("clara", "0" * 64),
        NOW,
    )
    assert changed == 5
    assert set(store.links(["k1", "k2", "k3", "k4", "n"])) == {"k4"}
    assert sorted(r.key for r in store.reviews()) == ["h.example", "k4", "n"]
    (met,) = store.reviews_of(["n"])
    assert (met.decision, met.value, met.decided_by) == ("replace", "v", "luis")
    store.claim_links("clara", "0" * 64, NOW)


def test_what_no_database_can_hold_stands_as_its_escape(store: LinkStore):
    odd = "a\x00\udc80ñ"
    store.ask([_question(url=odd, reason=odd, evidence=(odd,))])
    (found,) = store.reviews()
    assert found.evidence == (odd,)
    if type(store).__name__ != "MemoryStore":
        assert found.url == found.reason == "a\\x00\\udc80ñ"


def test_times_come_back_in_utc(store: LinkStore):
    zone = timezone(timedelta(hours=5))
    store.save_links([replace(LINK, checked_at=NOW.astimezone(zone))])
    assert store.links(["k1"])["k1"].checked_at.tzinfo == NOW.tzinfo


def test_the_rows_are_counted(store: Any):
    store.save_links([LINK])
    store.ask([_question()])
    store.save_domain(Domain("a.example", None, None, NOW))
    rows = store.info().rows
    assert (rows["links"], rows["reviews"], rows["domains"]) == (1, 1, 1)
