"""A decision's whole life: found, listed, decided, silent, taken back, asked again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sameas.errors import SettingError
from sameas.policy import named
from sameas.registry.facts import StoreFacts
from sameas.resolve.facts import DomainFact
from sameas.review.decide import decide, take_back, wanted
from sameas.review.kinds import DECISIONS, KINDS
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Review
from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from tests.registry.runs import GOOD, NOW, WEEK, Answer, Run, TableResolver, run, tramites

U, CLARA = "https://sede.uno.gob.es", named("clara")
LATER = NOW + WEEK / 7
HTTP = "http://viejo.gob.es/a/b/c"
TABLE = {
    f"{U}/a/b/dead": Answer("dead"),
    f"{U}/a/b/soft": Answer("soft_404"),
    f"{U}/a/b/old": Answer(url=f"{U}/portada"),
    f"{U}/a/b/wall": Answer("unknown", hop=403),
    f"{U}/a/b/slash": Answer(url=f"{U}/a/b/slash/", flags=("slash_kept",)),
    f"{U}/a/b/basque": Answer(flags=("needs_translation",)),
    f"{U}/a/b/other": Answer(flags=("canonical_differs",)),
    "https://viejo.gob.es/a/b/c": Answer(url=HTTP, flags=("http_only",)),
    "https://tienda.example/a/b/c": Answer("rejected"),
}

CASES = [
    ("homepage", f"{U}", "accept_home", ""),
    ("homepage", f"{U}", "keep", ""),
    ("section", f"{U}/a/b", "accept_home", ""),
    ("section", f"{U}/a/b", "keep", ""),
    ("dead", f"{U}/a/b/dead", "keep", ""),
    ("soft_404", f"{U}/a/b/soft", "keep", ""),
    ("moved", f"{U}/a/b/old", "keep", ""),
    ("unknown", f"{U}/a/b/wall", "keep", ""),
    ("slash", f"{U}/a/b/slash/", "keep_slash", ""),
    ("slash", f"{U}/a/b/slash/", "keep", ""),
    ("translation", f"{U}/a/b/basque", "keep", ""),
    ("canonical", f"{U}/a/b/other", "keep", ""),
    ("http_only", HTTP, "domain", "http://viejo.gob.es"),
    ("http_only", HTTP, "keep", ""),
    ("not_allowed", "https://tienda.example/a/b/c", "keep", ""),
    ("parameter", f"{U}/a/b/c?ver=2", "keep", ""),
    ("invalid", "tramite/12", "keep", ""),
]


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LinkStore]:
    made = MemoryStore() if request.param == "memory" else open_store(str(tmp_path / "store.db"))
    yield made
    made.close()


def _run(store: LinkStore, folder: Path, days: int = 0) -> Run:
    return run(store, [folder], TableResolver(TABLE), now=NOW + days * WEEK / 7)


def _open(store: LinkStore) -> list[str]:
    return [review.kind for review in store.reviews(decided=False)]


def _one(store: LinkStore, kind: str) -> Review:
    (review,) = [review for review in store.reviews() if review.kind == kind]
    return review


def _decide(store: LinkStore, review: Review, decision: str, value: str = "") -> None:
    decision, value = wanted(review, decision, value, CLARA)
    decide(store, review, decision, value, "ana", LATER)


@pytest.mark.parametrize(("kind", "link", "decision", "value"), CASES)
def test_a_decision_from_its_question_to_the_same_question_again(
    kind: str, link: str, decision: str, value: str, store: LinkStore, tmp_path: Path
):
    tramites(tmp_path, a=link)
    first = _run(store, tmp_path)
    assert _open(store) == [kind]
    assert first.questions == 1
    review = _one(store, kind)
    assert review.evidence
    assert review.reason
    assert review.file.endswith("tramites/a.json")

    _decide(store, review, decision, value)
    after = _run(store, tmp_path, days=2)
    assert after.problems() == {}
    assert (_open(store), after.questions) == ([], 0)
    decided = _one(store, kind)
    assert (decided.decided_by, decided.decided_at) == ("ana", LATER)

    take_back(store, decided, "luis", LATER)
    again = _run(store, tmp_path, days=4)
    assert again.problems() == first.problems()
    assert _open(store) == [kind]


def test_every_kind_and_every_decision_has_its_life():
    lived = {(kind, decision) for kind, _, decision, _ in CASES}
    told = {(kind, decision) for kind, row in KINDS.items() for decision in row.decisions}
    elsewhere = {(kind, "replace") for kind in KINDS if kind != "duplicate"} | {
        ("duplicate", "not_duplicate"),
        ("parameter", "drop"),
    }
    assert told - lived <= elsewhere
    assert {decision for _, decision in told} == set(DECISIONS)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "replace" in KINDS[kind].decisions])
def test_a_replacement_is_what_is_suggested_until_it_is_written(kind: str, tmp_path: Path):
    store = MemoryStore()
    link = next((link for k, link, _, _ in CASES if k == kind), GOOD)
    tramites(tmp_path, a=link)
    _run(store, tmp_path)
    _decide(store, _one(store, kind), "replace", f"{GOOD}-2/?utm_source=x")
    found = _run(store, tmp_path, days=2)
    assert _open(store) == []
    for judged in found.judged:
        if judged.verdict.problems:
            assert (judged.verdict.suggestion, judged.verdict.is_sure) == (f"{GOOD}-2", True)
    tramites(tmp_path, a=f"{GOOD}-2")
    assert "a" not in _run(store, tmp_path, days=3).problems()


def test_not_a_duplicate_holds_for_all_its_records(store: LinkStore, tmp_path: Path):
    tramites(tmp_path, a=GOOD, b=GOOD, c=f"{GOOD}/")
    assert set(_run(store, tmp_path).problems()) == {"a", "b", "c"}
    assert _open(store) == ["duplicate"]
    _decide(store, _one(store, "duplicate"), "not_duplicate")
    assert _run(store, tmp_path, days=1).problems() == {"c": ("not_canonical",)}
    take_back(store, _one(store, "duplicate"), "ana", LATER)
    assert set(_run(store, tmp_path, days=2).problems()) == {"a", "b", "c"}


def test_a_decision_about_one_thing_says_nothing_about_another(tmp_path: Path):
    store = MemoryStore()
    tramites(tmp_path, a=f"{U}/a/b/dead")
    _run(store, tmp_path)
    _decide(store, _one(store, "dead"), "keep")
    tramites(tmp_path, b=f"{U}/a/b/dead")
    found = _run(store, tmp_path, days=2).problems()
    assert found == {"a": ("duplicate",), "b": ("duplicate",)}


def test_a_domains_form_is_written_into_every_link_of_it(store: LinkStore, tmp_path: Path):
    tramites(tmp_path, a=HTTP, b="https://www.viejo.gob.es/d/e/f")
    _run(store, tmp_path)
    review = _one(store, "http_only")
    assert review.suggestion == "domain http://viejo.gob.es"
    _decide(store, review, "domain", "http://WWW.viejo.gob.es/")
    offline = run(store, [tmp_path], now=LATER)
    suggested = {one.entry.found.value: one.verdict.suggestion for one in offline.judged}
    assert suggested == {
        HTTP: "http://www.viejo.gob.es/a/b/c",
        "https://www.viejo.gob.es/d/e/f": "http://www.viejo.gob.es/d/e/f",
    }
    fact = StoreFacts(store).domain("viejo.gob.es")
    assert fact == DomainFact("viejo.gob.es", "www.viejo.gob.es", False, LATER, True)
    take_back(store, _one(store, "http_only"), "ana", LATER)
    found_out = DomainFact("viejo.gob.es", None, False, review.asked_at)
    assert StoreFacts(store).domain("viejo.gob.es") == found_out
    assert not any(one.verdict.is_sure for one in run(store, [tmp_path], now=LATER).judged)


def test_what_is_decided_about_a_link_is_told_to_those_who_resolve_it(store: LinkStore):
    facts, key = StoreFacts(store), CLARA.key(GOOD)
    for kind, decision in (("dead", "keep"), ("slash", "keep_slash")):
        assert not facts.keeps_slash(key)
        store.ask([Review(kind, key, GOOD, "", 0, "", "", (), NOW, NOW)])
        _decide(store, _one(store, kind), decision)
    assert facts.keeps_slash(key)
    fact = DomainFact("a.gob.es", None, None, NOW)
    facts.save_domain(fact)
    assert facts.domain("a.gob.es") == fact


def test_a_link_is_asked_anew_after_a_decision_about_it(tmp_path: Path):
    store = MemoryStore()
    tramites(tmp_path, a=f"{U}/a/b/dead", b=GOOD)
    _run(store, tmp_path)
    _decide(store, _one(store, "dead"), "keep")
    assert _run(store, tmp_path, days=2).asked == 1
    assert _run(store, tmp_path, days=3).asked == 0


def test_a_question_goes_when_what_it_is_about_goes(store: LinkStore, tmp_path: Path):
    tramites(tmp_path, a=f"{U}/a/b/dead", b=f"{U}/a/b/soft", c=U)
    _run(store, tmp_path)
    assert sorted(_open(store)) == ["dead", "homepage", "soft_404"]
    tramites(tmp_path, a=GOOD)
    (tmp_path / "tramites" / "b.json").unlink()
    _run(store, tmp_path, days=1)
    assert _open(store) == ["homepage"]
    run(store, [tmp_path / "tramites" / "a.json"], now=NOW + WEEK)
    assert _open(store) == ["homepage"]


def test_a_run_over_other_fields_leaves_the_questions_alone(store: LinkStore, tmp_path: Path):
    inside = tramites(tmp_path) / "tramites" / "a.json"
    inside.write_text(f'{{"a": [{{"fuente_url": ["{U}"]}}], "enlace": "{GOOD}", "url": "{U}/es"}}')
    run(store, [tmp_path])
    assert _open(store) == ["homepage"]
    run(store, [tmp_path], now=NOW + WEEK, fields={"enlace", "url"})
    assert _open(store) == ["homepage", "homepage"]
    assert sorted(review.field for review in store.reviews()) == ["fuente_url", "url"]
    inside.write_text(f'{{"fuente_url": "{GOOD}"}}')
    run(store, [tmp_path], now=NOW + 2 * WEEK)
    assert [review.field for review in store.reviews()] == ["url"]
    run(store, [tmp_path], now=NOW + 2 * WEEK, fields={"url"})
    assert _open(store) == []


@pytest.mark.parametrize(
    ("kind", "decision", "value", "reason"),
    [
        ("dead", "accept_home", "", '"accept_home" is no answer to this question'),
        ("dead", "hide", "", '"hide" is no decision'),
        ("dead", "replace", "", '"replace" needs a URL'),
        ("dead", "keep", GOOD, '"keep" takes no URL'),
        ("dead", "replace", "boe.es", "has no scheme"),
        ("dead", "suggested", "", "nothing is suggested for it"),
        ("http_only", "domain", "http://otro.gob.es", "is no form of it"),
        ("http_only", "domain", "http://viejo.gob.es/a", "is no form of it"),
    ],
)
def test_what_is_no_answer_is_refused_with_the_answers_there_are(
    kind: str, decision: str, value: str, reason: str
):
    review = Review(kind, "viejo.gob.es", HTTP, "", 0, "", "gone", (), NOW, NOW)
    with pytest.raises(SettingError) as refused:
        wanted(review, decision, value, CLARA)
    assert reason in str(refused.value)
    assert review.review_id in str(refused.value)


def test_as_suggested_is_an_answer_and_dashes_are_as_good_as_underscores():
    review = Review("moved", "k", GOOD, "", 0, f"replace {U}/portada", "", (), NOW, NOW)
    assert wanted(review, "suggested", "", CLARA) == ("replace", f"{U}/portada")
    home = Review("homepage", "k", U, "", 0, "", "", (), NOW, NOW)
    assert wanted(home, "accept-home", "", CLARA) == ("accept_home", "")


def test_what_nobody_decided_cannot_be_taken_back():
    with pytest.raises(SettingError, match="nothing is decided"):
        take_back(MemoryStore(), Review("dead", "k", U, "", 0, "", "", (), NOW, NOW), "ana", NOW)
