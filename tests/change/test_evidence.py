"""What speaks for a rule and against it: changes of a page are forgiven, two pages never."""

from __future__ import annotations

from sameas.change.evidence import Evidence, Seen, judged
from sameas.change.telling import Fetch, telling


def seen(*said: tuple[str, str]) -> list[Seen]:
    return [Seen(variant, content, row, f"https://h/{variant}") for row, (variant, content) in
            enumerate(said)]  # fmt: skip


def test_neighbours_of_two_variants_are_counted_and_those_of_one_are_not():
    found = judged([seen(("a", "1"), ("a", "1"), ("b", "1"), ("a", "2"), ("b", "2"))])
    assert (found.support, found.against, found.unchanged, found.changed) == (2, 1, 1, 0)
    assert found.contents == {"1", "2"}
    assert found.examples == [("https://h/a", "https://h/b"), ("https://h/a", "https://h/b")]


def test_a_page_that_changes_is_no_strong_counter_example():
    once = [("a", "1"), ("a", "1"), ("b", "2"), ("b", "2")]
    passing = [("a", "1"), ("b", "x"), ("a", "1"), ("b", "1")]
    for said in (once, passing, [("a", "1"), ("b", "2")]):
        assert judged([seen(*said)]).strong is None


def test_two_pages_that_take_turns_are_one():
    found = judged([seen(("a", "1"), ("b", "2"), ("a", "1"), ("b", "2"))])
    assert found.strong == ("https://h/a", "https://h/b")
    several = [seen(("a", str(n)), ("b", str(n)), ("a", str(n))) for n in range(50)]
    assert judged(several).convinces
    assert not judged([*several, seen(("a", "1"), ("b", "2"), ("a", "1"), ("b", "2"))]).convinces


def test_two_contents_that_one_variant_gives_both_are_one_page_that_varies():
    found = judged([seen(("a", "1"), ("b", "2"), ("a", "2"), ("b", "1"), ("a", "1"), ("b", "2"))])
    assert found.strong is None


def test_a_site_that_always_says_the_same_proves_nothing():
    found = judged(seen(("a", "gone"), ("b", "gone"), ("c", "gone")) for _ in range(50))
    assert found.support == 100
    assert not found.convinces


def test_variants_that_differ_more_than_pages_do_by_themselves_do_not_convince():
    evidence = Evidence(80, 14, 200, 2, {1, 2, 3})
    assert evidence.confidence > 0.8
    assert not evidence.convinces
    assert Evidence(80, 14, 170, 32, {1, 2, 3}).convinces


def test_few_fetches_do_not_convince():
    assert not Evidence(support=3, contents={1, 2, 3}).convinces
    assert Evidence(support=4, contents={1, 2, 3}).convinces


def fetches(*said: tuple[dict[str, str], str]) -> list[Fetch]:
    return [Fetch("/p", query, content, row, "u") for row, (query, content) in enumerate(said)]


def test_what_parts_different_contents_alone_is_telling_and_what_parts_all_is_noise():
    rows = [
        ({"id": str(n % 10), "s": str(n), "side": str(n % 3)}, f"content {n % 10}")
        for n in range(100)
    ]
    assert telling(fetches(*rows)) == ["id"]


def test_two_that_tell_pages_apart_together_are_both_found():
    rows = [
        ({"q": str(n % 5), "page": str(n % 4), "from": str(n % 2)}, f"{n % 5} {n % 4}")
        for n in range(200)
    ]
    assert sorted(telling(fetches(*rows))) == ["page", "q"]


def test_where_every_fetch_differs_nothing_can_be_told():
    assert telling(fetches(*(({"id": str(n)}, str(n)) for n in range(50)))) == []
