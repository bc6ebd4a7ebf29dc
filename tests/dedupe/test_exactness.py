"""By title the groups are exactly those that asking every pair would give, on a thousand sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import NamedTuple

import pytest

from sameas.dedupe import by_title, deduplicate_by_title, find_duplicates, similar
from sameas.dedupe.by_title import comparable
from tests.dedupe import brute, made
from tests.dedupe.brute import Groups, Row
from tests.dedupe.kernels import each_kernel

SETS = 1000


class Known(NamedTuple):
    rows: list[Row]
    ratios: dict[tuple[int, int], float]
    groups: Groups


@cache
def known() -> list[Known]:
    """Every set with what asking every pair of it gives."""
    found = []
    for number in range(SETS):
        rows = made.articles(number)
        ratios = brute.ratios(rows)
        found.append(Known(rows, ratios, brute.groups(len(rows), ratios)))
    return found


def differing() -> Iterator[int]:
    """The sets whose groups are not those that asking every pair gives."""
    for number, (rows, _, groups) in enumerate(known()):
        if [list(group.members) for group in find_duplicates(rows, "title").groups] != groups:
            yield number


def use(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    matcher, _ = by_title.tools()
    monkeypatch.setattr(by_title, "tools", lambda: (matcher, kernel))


def test_the_sets_hold_what_is_hard() -> None:
    at_the_edge, long, one_way, by_language = 0, 0, 0, Counter[str]()
    for rows, ratios, groups in known():
        by_language.update(row["language"][:2] for row in rows)
        at_the_edge += sum(ratio == 0.85 for ratio in ratios.values())
        lengths = [len(comparable(row["title"])) for row in rows]
        long += sum(min(lengths[i], lengths[k]) > 200 for i, k in ratios)
        one_way += len(groups)
    assert at_the_edge >= 100
    assert long >= 1000
    assert one_way >= SETS
    assert min(by_language[code] for code in made.WORDS) > SETS


@each_kernel
def test_the_groups_are_those_of_every_pair_asked(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(kernel, monkeypatch)
    assert list(differing()) == []


def test_the_groups_do_not_depend_on_how_pairs_are_cut_into_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(similar, monkeypatch)
    for name, size in (("_ROWS", 2), ("_COLUMNS", 3), ("_TITLES_AT_ONCE", 5)):
        monkeypatch.setattr(similar, name, size)
    assert list(differing()) == []


def test_the_survivors_are_those_of_every_pair_asked() -> None:
    for rows, _, groups in known():
        stay = [rows[i] for i in brute.survivors(rows, groups)]
        assert deduplicate_by_title(rows) == stay


def test_the_evidence_is_a_spanning_forest_of_pairs_with_their_ratios() -> None:
    for rows, ratios, _ in known():
        for group in find_duplicates(rows, "title").groups:
            pairs = {(e.a, e.b): e.ratio for e in group.evidence}
            assert len(pairs) == len(group.evidence) == len(group.members) - 1
            assert all(a < b and ratios[a, b] == ratio for (a, b), ratio in pairs.items())
            assert brute.groups(len(rows), pairs) == [list(group.members)]


@pytest.mark.parametrize(
    "asked",
    [
        lambda *_: 1.0,
        lambda earlier, later: by_title.tools()[0](None, later, earlier).ratio(),
        lambda earlier, later: by_title.tools()[0](None, earlier, later).ratio() - 1e-9,
        lambda earlier, later: by_title.tools()[0](None, earlier, later, False).ratio(),
    ],
    ids=["nothing is asked", "the later one first", "a hair stricter", "without autojunk"],
)
def test_asking_in_any_other_way_would_be_seen(
    asked: Callable[[str, str], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_title, "ratio_of", asked)
    assert any(True for _ in differing())


@pytest.mark.parametrize("lost", [lambda both: both * 3 // 20 - 1, lambda both: both // 10])
def test_a_kernel_that_offers_too_few_pairs_would_be_seen(
    lost: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(similar, monkeypatch)
    monkeypatch.setattr(similar, "most", lost)
    assert any(True for _ in differing())
