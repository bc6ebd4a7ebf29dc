"""`sameas.compat` and the policy `tk` against the published package, on a hundred thousand URLs."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

import pytest

from bench import corpus
from sameas.compat import TkNormalizer
from sameas.plan import document
from tests.compat import comparison, odd_urls

SIZE = 102_000
PROCESSES = 2
CHUNK = 2_000


def test_nothing_differs_from_the_package_but_what_has_a_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    urls = odd_urls.make(SIZE)
    outcome = comparison.Outcome()
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        for part in pool.map(comparison.compare_all, _chunks(urls)):
            outcome.add(part)
    with capsys.disabled():
        print(f"\n  tk against the package: {_told(outcome)}")
    assert not outcome.unnamed, "\n".join(islice(outcome.unnamed, 20))
    assert outcome.compared == len(urls) >= 100_000
    assert set(outcome.named) == set(comparison.DEVIATIONS), "a deviation was never met"


def _chunks(urls: Sequence[str]) -> list[Sequence[str]]:
    """Every so many-th, so that slow ones are spread."""
    parts = -(-len(urls) // CHUNK)
    return [urls[first::parts] for first in range(parts)]


def _told(outcome: comparison.Outcome) -> str:
    named = ", ".join(f"{name} {outcome.named[name]:,}" for name in comparison.DEVIATIONS)
    return f"{outcome.compared:,} URLs, {outcome.refused:,} refused; different: {named}"


def test_a_quarter_of_the_urls_are_hostile() -> None:
    plain = set(corpus.make(SIZE, odd_urls.SEED))
    urls = odd_urls.make(SIZE)
    assert sum(url not in plain for url in urls) > SIZE // 4


def test_the_deviations_that_are_counted_are_those_of_the_policys_file() -> None:
    listed = [text.partition(":")[0] for text in document.load("tk").words["deviations"]]
    assert listed == list(comparison.DEVIATIONS)


class LastTwo(TkNormalizer):
    root = "last-two-labels"


class KeepsAParameter(LastTwo):
    query_params_to_remove = ("utm_*",)


class KeepsTheCase(LastTwo):
    def lowercase_url(self, url: str) -> str:  # type: ignore[override]
        return url


class TakesTooMuch(LastTwo):
    def validate_url(self, parsed_url):  # type: ignore[no-untyped-def,override]
        return parsed_url.netloc, parsed_url.path, parsed_url.query


class RefusesTooMuch(LastTwo):
    def validate_url(self, parsed_url):  # type: ignore[no-untyped-def,override]
        if parsed_url.netloc == "8.8.8.8":
            raise ValueError("an address")
        return super().validate_url(parsed_url)


class LeavesCredentials(LastTwo):
    def build_friendly_url(self) -> str:
        return self.original_url


class TakesTheSuffix(TkNormalizer):
    root = "last-two-labels"


PLANTED = {
    "a parameter stays": ("http://example.com/?gclid=1", KeepsAParameter, TkNormalizer),
    "letters keep their case": ("http://example.com/A", KeepsTheCase, TkNormalizer),
    "a host with an odd character passes": ("http://example!.com/", TakesTooMuch, TkNormalizer),
    "white space passes": ("http://example.com/a b", TakesTooMuch, TkNormalizer),
    "a public address is refused": ("http://8.8.8.8/", RefusesTooMuch, TkNormalizer),
    "credentials stay": ("http://u:p@example.com/", LeavesCredentials, TkNormalizer),
    "another host is not the same host": ("http://😀.com/A", KeepsTheCase, TkNormalizer),
    "a suffix is no root": ("http://bbc.co.uk/", LastTwo, TakesTheSuffix),
    "the policy gives something else": ("http://example.com/?gclid=1", LastTwo, KeepsAParameter),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_difference_is_not_taken_for_a_named_one(name: str) -> None:
    url, same_root, default_root = PLANTED[name]
    assert comparison.compare_all([url]).unnamed == []
    assert comparison.compare_all([url], same_root, default_root).unnamed


@pytest.mark.parametrize(
    ("url", "deviation"),
    [
        ("http://10.0.0.1/", comparison.PRIVATE),
        ("http://１２７.0.0.10/", comparison.PRIVATE),
        ("http://😀.com/", comparison.ASTRAL),
        ("http://user:pass@example.com/", comparison.CREDENTIALS),
        ("http://u:p@10.0.0.1/", comparison.CREDENTIALS),
        (f"http://{'a-' * 40}!.com", comparison.LINEAR),
        ("http://www.bbc.co.uk/", comparison.ROOT),
    ],
)
def test_each_deviation_is_known_by_its_name(url: str, deviation: str) -> None:
    outcome = comparison.compare_all([url])
    assert outcome.named[deviation] == 1
    assert outcome.unnamed == []
