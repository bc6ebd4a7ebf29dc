"""Rules learned from pairs: each kind, what contradicts it, what is skipped, what is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sameas import Policy
from sameas.change import fetches as keeping
from sameas.change.learn import Lesson, lesson
from sameas.change.proposal import overrides, policy_text, questions
from sameas.change.stored import pairs as stored
from sameas.records.source import Refused
from sameas.store.link_types import Link
from sameas.store.opening import open_store
from tests.feeds.documents import NOW, item, recorded

Pair = tuple[str, str]


def taught(pairs: Iterable[Pair], base: str = "default") -> Lesson:
    rows = ((n, {"url": url, "content": said}) for n, (url, said) in enumerate(pairs, 1))
    return lesson(Policy.load(base), rows, lambda *_: None)


def told(found: Lesson) -> set[tuple[str, str, str]]:
    return {(rule.kind, rule.host, rule.name) for rule in found.rules}


def policy_of(found: Lesson, folder: Path, base: str = "default") -> Policy:
    (folder / "learned.json").write_text(overrides(found))
    (folder / "learned.toml").write_text(policy_text(found, "learned", base))
    return Policy.load(folder / "learned.toml", folder / "learned.json")


def turns(one: Callable[[int], Pair], other: Callable[[int], Pair], pages: int = 8) -> list[Pair]:
    """Both spellings of each page, twice, taking turns."""
    return [spelled(n) for _ in range(2) for n in range(pages) for spelled in (one, other)]


H = "https://h.example"


@pytest.mark.parametrize(
    ("base", "one", "other", "rule"),
    [
        ("default", "/a{n}", "/a{n}?aff=x{n}", ("parameter", "h.example", "aff")),
        ("default", "/p?id={n}", "/p?id={n}&s=y", ("parameter", "h.example", "s")),
        ("default", "/a{n}", "/amp/a{n}", ("first_piece", "h.example", "amp")),
        ("default", "/a{n}", "/a{n}/ref=x{n}", ("path_piece", "h.example", "ref=")),
        ("default", "/a{n}/", "/a{n}/index.php", ("index_page", "h.example", "index.php")),
        ("feed", "/a{n}", "/a{n}/", ("trailing_slash", "h.example", "")),
    ],
)
def test_two_spellings_of_each_page_become_a_rule_that_makes_them_one(
    base: str, one: str, other: str, rule: tuple[str, str, str], tmp_path: Path
):
    found = taught(
        turns(
            lambda n: (H + one.format(n=n), f"page {n}"),
            lambda n: (H + other.format(n=n), f"page {n}"),
        ),
        base,
    )
    assert told(found) == {rule}
    policy = policy_of(found, tmp_path, base)
    assert policy.key(H + one.format(n=99)) == policy.key(H + other.format(n=99))
    assert policy.key(H + one.format(n=98)) != policy.key(H + other.format(n=99))


def test_hosts_that_say_the_same_become_one_and_keep_what_goes_on_each(tmp_path: Path):
    found = taught(
        turns(
            lambda n: (f"{H}/a{n}", f"page {n}"),
            lambda n: (f"https://m.h.example/a{n}?sid={n}", f"page {n}"),
        )
        + turns(
            lambda n: (f"https://m.h.example/a{n}?sid=x{n}", f"page {n}"),
            lambda n: (f"https://old.h.example/a{n}", f"page {n}"),
        )
    )
    assert told(found) >= {
        ("host_alias", "m.h.example", "h.example"),
        ("host_alias", "old.h.example", "h.example"),
        ("parameter", "m.h.example", "sid"),
    }
    policy = policy_of(found, tmp_path)
    assert policy.canonicalize("http://m.h.example/z?sid=1").url == "http://h.example/z"


def test_a_host_is_written_as_it_stands_in_urls_also_where_www_is_not_compared(tmp_path: Path):
    found = taught(
        turns(
            lambda n: (f"https://www.h.example/a{n}", f"page {n}"),
            lambda n: (f"https://h.example/a{n}?aff=x{n}", f"page {n}"),
        )
    )
    policy = policy_of(found, tmp_path)
    for host in ("www.h.example", "h.example"):
        assert policy.canonicalize(f"https://{host}/z?aff=1").url == f"https://{host}/z"


@pytest.mark.parametrize("strong", [True, False])
def test_one_strong_counter_example_is_enough(strong: bool):
    pairs = turns(
        lambda n: (f"{H}/a{n}?view=full", f"page {n}"),
        lambda n: (f"{H}/a{n}?view=short", f"page {n}"),
        pages=100,
    )
    if strong:
        pairs += [(f"{H}/z?view={v}", v) for v in ("full", "short", "full", "short")]
    found = taught(pairs)
    assert told(found) == (set() if strong else {("parameter", "h.example", "view")})
    if strong:
        (rule,) = found.rejected
        assert rule.evidence.strong == (f"{H}/z?view=full", f"{H}/z?view=short")


def test_slashes_of_all_hosts_stay_where_one_host_speaks_against(tmp_path: Path):
    agreeing = turns(lambda n: (f"{H}/a{n}", f"p{n}"), lambda n: (f"{H}/a{n}/", f"p{n}"))
    other = "https://other.example"
    against = turns(lambda n: (f"{other}/a{n}", f"p{n}"), lambda n: (f"{other}/a{n}/", f"q{n}"))
    assert policy_of(taught(agreeing, "feed"), tmp_path, "feed").key(f"{H}/z/") == policy_of(
        taught(agreeing, "feed"), tmp_path, "feed"
    ).key(f"{H}/z")
    both = taught(agreeing + against, "feed")
    assert "trailing_slash" not in policy_text(both, "learned", "feed")


def test_rows_that_cannot_be_used_are_skipped_by_name_and_cost_the_others_nothing():
    rows: list[tuple[int, object]] = [
        (1, {"url": f"{H}/a", "content": "1"}),
        (2, {"url": f"{H}/a", "content": ""}),
        (3, {"url": f"{H}/a"}),
        (4, {"url": "nonsense", "content": "1"}),
        (5, Refused("row", "the line is not JSON")),
        (6, {"url": "https://h.example:8080/", "content": "1"}),
        (7, {"content": "1"}),
        (8, {"url": b"https://h.example/\xe9", "content": 7}),
    ]
    told_of: list[tuple[int, str]] = []
    found = lesson(Policy.load("default"), rows, lambda n, why: told_of.append((n, why.code)))
    assert found.pairs == 8
    assert found.skipped == {"no_content": 2, "relative": 1, "row": 1, "port": 1, "empty": 1}
    assert [n for n, _ in told_of] == [2, 3, 4, 5, 6, 7]


def test_of_a_very_large_host_some_paths_are_looked_at(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keeping, "MOST_OF_A_HOST", 100)
    pairs = turns(
        lambda n: (f"{H}/a{n}", f"page {n}"), lambda n: (f"{H}/a{n}?aff={n}", f"page {n}"), 300
    )
    found = taught(pairs)
    assert told(found) == {("parameter", "h.example", "aff")}
    assert found.rules[0].evidence.support < 200


def test_parameters_become_questions_that_can_be_answered():
    found = taught(
        turns(lambda n: (f"{H}/a{n}", f"p{n}"), lambda n: (f"{H}/a{n}?aff={n}", f"p{n}"))
    )
    (asked,) = questions(found, datetime(2026, 11, 19, tzinfo=UTC))
    assert (asked.kind, asked.key, asked.suggestion) == ("parameter", "h.example?aff", "drop")
    assert asked.evidence
    assert "gave the same page" in asked.reason


def test_a_store_teaches_by_its_links_and_entries(target: str):
    store = open_store(target)
    for n in range(8):
        for turn, end in enumerate(("", f"?aff=x{n}", "", f"?aff=y{n}")):
            link = Link(f"{n}{turn}", f"{H}/a{n}{end}", "ok", NOW, f"{H}/a{n}", f"page {n}")
            store.save_links([link])
    store.save_links([Link("dead", f"{H}/dead", "dead", NOW)])
    recorded(store, item("1", f"{H}/e1", "one", summary="words"), item("2", f"{H}/e2", "no words"))
    found = lesson(Policy.load("default"), stored(store), lambda *_: None)
    assert found.pairs == 33
    assert told(found) == {("parameter", "h.example", "aff")}
    store.close()


def test_no_credentials_are_shown():
    found = taught(
        turns(
            lambda n: (f"https://ann:s3cret@h.example/a{n}", f"p{n}"),
            lambda n: (f"https://ann:s3cret@h.example/a{n}?aff={n}", f"p{n}"),
        )
    )
    assert found.rules
    assert "s3cret" not in repr(found) + json.dumps(overrides(found))
