"""What finds the pairs worth asking: too many perhaps, never too few, in bounded memory."""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest
from bench.headlines import TONGUES, random_headlines, templated_headlines
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas.dedupe import by_title, find_duplicates, plain, similar
from sameas.dedupe.by_title import comparable
from tests.dedupe.kernels import FASTEST, compiled, each_kernel
from tests.native.wheel import needed

if compiled:
    from sameas_native import Titles

TEMPLATED = [f"gold price today in pune on day {number:03}" for number in range(500)]
_letters = st.one_of(st.sampled_from("aab "), st.sampled_from("éक市🙂\ud800"), st.characters())
_titles = st.lists(st.text(_letters, min_size=1, max_size=60), min_size=2, max_size=8, unique=True)


def offered(kernel: ModuleType, titles: Sequence[str], apart: int = 0) -> set[tuple[int, int]]:
    """By their places in `titles`, whose order by length the kernels ask for."""
    blocks = kernel.candidates(titles, kernel.labels(len(titles)), apart)
    pairs = [pair for _, block in blocks for pair in block]
    assert len(pairs) == len(set(pairs))
    return set(pairs)


def worth_asking(titles: Sequence[str]) -> set[tuple[int, int]]:
    return {
        (x, y)
        for x, y in combinations(range(len(titles)), 2)
        if SequenceMatcher(None, titles[x], titles[y]).ratio() >= 0.85
        or SequenceMatcher(None, titles[y], titles[x]).ratio() >= 0.85
    }


def headlines_of(code: str, size: int) -> list[str]:
    [tongue] = [tongue for tongue in TONGUES if tongue.code == code]
    titles = {comparable(row.title) for row in random_headlines(size, tongue).rows}
    return sorted(titles, key=lambda title: (len(title), title))


def changed(title: str, seed: int) -> str:
    chance = random.Random(seed)
    letters = list(title)
    for _ in range(1 + len(letters) // 9):
        letters[chance.randrange(len(letters))] = chance.choice("aé市")
    return "".join(letters)


@each_kernel
@settings(max_examples=150, deadline=None, derandomize=True)
@given(titles=_titles, seed=st.integers(0, 99))
def test_every_pair_that_could_be_alike_is_offered_once(
    kernel: ModuleType, titles: list[str], seed: int
) -> None:
    both = sorted({*titles, *(changed(title, seed) for title in titles)}, key=len)
    assert worth_asking(both) <= offered(kernel, both)


@each_kernel
def test_a_pair_of_exactly_the_ratio_is_offered(kernel: ModuleType) -> None:
    assert offered(kernel, ["abcdefghijklmnopq123", "000abcdefghijklmnopq"]) == {(0, 1)}
    assert offered(kernel, ["abcdefghijklmnopq123", "0000abcdefghijklmnopq"]) == set()


@each_kernel
def test_titles_that_have_nothing_in_common_are_not_offered(kernel: ModuleType) -> None:
    assert (
        offered(kernel, ["harbour bridge", "पुल खुला आज फिर", "市长宣布新大桥今天开放水价再次上"])
        == set()
    )


@each_kernel
def test_a_title_alone_gives_no_pair(kernel: ModuleType) -> None:
    assert offered(kernel, ["alone"]) == set()


@each_kernel
@pytest.mark.parametrize("apart", [20, 150])
def test_two_parts_of_the_titles_can_be_compared_with_each_other_only(
    kernel: ModuleType, apart: int
) -> None:
    titles = sorted([*TEMPLATED[:50], *headlines_of("en", 100)], key=len)
    every = {(x, y) for x, y in offered(kernel, titles) if x < apart <= y}
    assert offered(kernel, titles, apart) == every
    assert bool(every) == (apart < 150)


def test_a_block_of_pairs_has_a_bound_however_many_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(similar, "_ROWS", 4)
    monkeypatch.setattr(similar, "_COLUMNS", 64)
    labels = similar.labels(len(TEMPLATED))
    blocks = [len(block) for _, block in similar.candidates(TEMPLATED, labels)]
    assert sum(blocks) == 500 * 499 // 2
    assert max(blocks) == 4 * 64


@pytest.mark.parametrize("code", ["en", "hi", "zh"])
def test_of_random_headlines_less_than_one_pair_in_a_hundred_is_left_for_indel(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_indel, left = similar._by_indel, []

    def counting(texts: Any, lengths: Any, x: Any, y: Any) -> list[tuple[int, int]]:
        left.append(len(x))
        return by_indel(texts, lengths, x, y)

    monkeypatch.setattr(similar, "_by_indel", counting)
    offered(similar, headlines_of(code, 3000))
    assert 0 < sum(left) < 3000 * 2999 // 2 // 100


@each_kernel
def test_titles_that_are_connected_already_are_not_asked_again(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    matcher, _ = by_title.tools()
    asked = []

    def counting(_: None, earlier: str, later: str) -> object:
        asked.append((earlier, later))
        return matcher(None, earlier, later)

    monkeypatch.setattr(by_title, "tools", lambda: (counting, kernel))
    found = find_duplicates([{"title": title} for title in TEMPLATED], "title")
    assert found.survivors == (0,)
    assert len(asked) == len(TEMPLATED) - 1


@needed
@pytest.mark.parametrize("code", ["en", "hi", "zh"])
def test_the_compiled_kernel_offers_what_the_others_do(code: str) -> None:
    """Both end with the same question: is the Indel distance small enough?"""
    titles = headlines_of(code, 1500)
    assert offered(compiled, titles) == offered(similar, titles)


@needed
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_compiled_kernel_gives_the_same_pairs_on_any_number_of_cores(threads: int) -> None:
    titles = [*TEMPLATED, *headlines_of("en", 3000)]
    titles.sort(key=len)
    assert pieces(titles, threads) == pieces(titles, 1)


@needed
def test_the_compiled_kernel_stops_at_a_row_when_it_has_many_pairs() -> None:
    [first, *others] = pieces(TEMPLATED, 2)
    done, pairs = first
    assert len(pairs) == sum(499 - row for row in range(done))
    assert 16_384 < len(pairs) <= 16_384 + 500
    assert [done for done, _ in others][-1] == 500


@needed
def test_the_compiled_kernel_leaves_out_what_is_connected_already() -> None:
    titles = Titles(TEMPLATED)
    assert titles.near(0, array("q", [7] * 500)) == (500, [])
    assert len(titles.near(498, array("q", range(500)))[1]) == 1


@needed
def test_the_compiled_kernel_refuses_what_it_would_misread() -> None:
    with pytest.raises(ValueError, match="shortest first"):
        Titles(["long", "a"])
    with pytest.raises(TypeError):
        Titles(["a", None])
    with pytest.raises(ValueError, match="a label for each title"):
        Titles(["a", "b"]).near(0, array("q", [0]))


def pieces(titles: Sequence[str], threads: int) -> list[tuple[int, list[tuple[int, int]]]]:
    known, label, done, found = Titles(titles), array("q", range(len(titles))), 0, []
    while done < len(titles):
        done, pairs = known.near(done, label, 0, threads)
        found.append((done, pairs))
    return found


def test_all_kernels_find_the_same_groups_among_many_headlines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = random_headlines(600).rows + templated_headlines(200).rows
    rows = [row._asdict() for row in sample]
    matcher, _ = by_title.tools()
    found = []
    for kernel in (FASTEST, similar, plain):
        monkeypatch.setattr(by_title, "tools", lambda kernel=kernel: (matcher, kernel))
        found.append({group.members for group in find_duplicates(rows, "title").groups})
    assert found[0] == found[1] == found[2]
    assert len(found[0]) > 5


def test_a_million_equal_titles_are_one_group_and_nothing_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(by_title, "ratio_of", None)
    [group] = find_duplicates([{"title": "Harbour bridge opens"}] * 1_000_000, "title").groups
    assert group.survivor == 0
    assert group.members == tuple(range(1_000_000))
    assert len(group.evidence) == 999_999


@pytest.mark.parametrize(
    ("missing", "kernel"),
    [((), FASTEST), (("compiled",), similar), (("compiled", "similar"), plain)],
    ids=["nothing", "the wheel", "the extra too"],
)
def test_the_fastest_kernel_that_is_installed_is_used(
    missing: Sequence[str], kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in missing:
        monkeypatch.setitem(sys.modules, f"sameas.dedupe.{name}", None)
    assert by_title.tools.__wrapped__()[1] is kernel


def test_without_the_extra_the_standard_library_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cydifflib", None)
    matcher, _ = by_title.tools.__wrapped__()
    assert matcher is SequenceMatcher
