"""The overrides file that the user owns: extended, checked, and never half written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sameas import Policy, PolicyError
from sameas.errors import StoreError
from sameas.review.answer import Answer
from sameas.review.kinds import parameter_key
from sameas.review.overrides import add_drop, take_drop_back
from sameas.review.rekey import rekey
from sameas.store.link_types import Link, Review
from sameas.store.memory import MemoryStore
from tests.registry.runs import NOW

HOST, URL = "a.gob.es", "https://a.gob.es/x/y/z?ver=2"
MINE = {
    "overrides": [
        {"match": {"host": "b.gob.es"}, "drop_query_params": ["ñ"]},
        {
            "match": {"host": "A.gob.es"},
            "rewrite_rules": [
                {"from_prefix": "https://a.gob.es/amp/", "to_prefix": "https://a.gob.es/"}
            ],
        },
    ]
}


def test_a_file_is_made_where_there_is_none_and_works(tmp_path: Path):
    path = tmp_path / "overrides.json"
    policy = add_drop(str(path), "clara", HOST, "ver")
    assert policy.canonicalize(URL).url == "https://a.gob.es/x/y/z"
    assert policy.fingerprint == Policy.load("clara", path).fingerprint
    assert policy.canonicalize("https://b.gob.es/x?ver=2").url == "https://b.gob.es/x?ver=2"
    assert list(tmp_path.iterdir()) == [path]


def test_what_the_user_wrote_stays(tmp_path: Path):
    path = tmp_path / "overrides.json"
    path.write_text(json.dumps(MINE))
    path.chmod(0o600)
    add_drop(str(path), "clara", HOST, "ver")
    add_drop(str(path), "clara", HOST, "otro")
    data = json.loads(path.read_text())
    assert data["overrides"][0] == MINE["overrides"][0]
    assert data["overrides"][1] == {**MINE["overrides"][1], "drop_query_params": ["ver", "otro"]}
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_drop_that_is_there_leaves_the_file_as_it_is(tmp_path: Path):
    path = tmp_path / "overrides.json"
    add_drop(str(path), "clara", HOST, "ver")
    path.write_text(path.read_text().replace("  ", " "))
    before = path.read_bytes()
    add_drop(str(path), "clara", HOST, "ver")
    assert path.read_bytes() == before


def test_a_drop_taken_back_leaves_what_the_user_wrote(tmp_path: Path):
    path = tmp_path / "overrides.json"
    path.write_text(json.dumps(MINE))
    add_drop(str(path), "clara", HOST, "ver")
    add_drop(str(path), "clara", "c.gob.es", "ver")
    for host in (HOST, "c.gob.es"):
        take_drop_back(str(path), "clara", host, "ver")
    data = json.loads(path.read_text())
    assert data["overrides"][1].pop("drop_query_params") == []
    assert data == MINE


@pytest.mark.parametrize("text", ["{", '{"overrides": [{}]}', "[]"])
def test_a_file_that_is_wrong_is_refused_and_stays_as_it_is(text: str, tmp_path: Path):
    path = tmp_path / "overrides.json"
    path.write_text(text)
    with pytest.raises(PolicyError, match=r"overrides\.json"):
        add_drop(str(path), "clara", HOST, "ver")
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_makes_the_file_wrong_never_reaches_it(tmp_path: Path):
    path = tmp_path / "overrides.json"
    with pytest.raises(PolicyError, match=r"overrides\.json") as refused:
        add_drop(str(path), "clara", HOST, "")
    assert ".new" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_links_and_questions_move_along_and_no_decision_is_lost(tmp_path: Path):
    store, old = MemoryStore(), Policy.load("clara")
    store.claim_links(old.name, old.fingerprint, NOW)
    key = old.key(URL)
    store.save_links([Link(key, URL, "ok", NOW), Link("k", "https://b.gob.es", "ok", NOW)])
    named = parameter_key(HOST, "ver")
    store.ask(
        [
            Review("dead", key, URL, "", 0, "", "", (), NOW, NOW),
            Review("parameter", named, URL, "", 0, "", "", (), NOW, NOW),
        ]
    )
    store.decide(next(store.reviews()).review_id, "keep", "", "ana", NOW)
    new = add_drop(str(tmp_path / "o.json"), "clara", HOST, "ver")
    assert rekey(store, new, NOW) == 3
    moved = {review.kind: review for review in store.reviews()}
    assert moved["dead"].key == new.key("https://a.gob.es/x/y/z")
    assert moved["parameter"].key == named
    assert [review.decision for review in store.reviews(decided=True)] == ["keep"]
    store.claim_links(new.name, new.fingerprint, NOW)


def test_a_drop_under_another_policy_than_the_store_s_is_refused_before_anything_is_written(
    tmp_path: Path,
):
    path, store, mine = tmp_path / "overrides.json", MemoryStore(), Policy.load("default")
    store.claim_links(mine.name, mine.fingerprint, NOW)
    named = parameter_key(HOST, "ver")
    store.ask([Review("parameter", named, URL, "", 0, "", "", (), NOW, NOW)])
    (review,) = store.reviews()
    with pytest.raises(StoreError, match="policy"):
        Answer(store, review, "ana", "clara", str(path), NOW).give("drop", "")
    assert not path.exists()
    assert [*store.reviews(decided=False)] == [review]
    Answer(store, review, "ana", "default", str(path), NOW).give("drop", "")
    assert [one.decision for one in store.reviews()] == ["drop"]


def test_a_symbolic_link_stays_one_and_the_file_is_made_where_it_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What is written aside takes its name in one step, which no step between two disks is."""
    real, path = tmp_path / "kept" / "mine.json", tmp_path / "overrides.json"
    real.parent.mkdir()
    real.write_text(json.dumps(MINE))
    path.symlink_to(real)
    steps: list[tuple[Path, Path]] = []
    replace = os.replace

    def noted(old: str | Path, new: str | Path) -> None:
        steps.append((Path(old).parent, Path(new).parent))
        replace(old, new)

    monkeypatch.setattr(os, "replace", noted)
    add_drop(str(path), "clara", HOST, "ver")
    assert {*steps} == {(real.parent, real.parent)}
    assert path.is_symlink()
    assert "ver" in real.read_text()
