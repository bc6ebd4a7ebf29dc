"""Many URLs at once give what each alone gives: results, errors, order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas import Canonical, InvalidURL
from tests.adapters.engines import each_engine, policy
from tests.laws.strategies import POLICIES, Raw, raws


def told(result: Canonical | InvalidURL) -> Any:
    return result if isinstance(result, Canonical) else (result.code, result.message)


@each_engine
@pytest.mark.parametrize("name", POLICIES)
@given(urls=st.lists(raws, max_size=12), threads=st.sampled_from([None, 1, 2, 5]))
def test_each_gives_what_it_gives_alone(
    engine: str, name: str, urls: list[Raw], threads: int | None
) -> None:
    alone = [told(one) for url in urls for one in POLICIES[name].canonicalize_many([url])]
    found = policy(engine, name).canonicalize_many(urls, threads)
    assert [told(one) for one in found] == alone
    assert [one.original for one in found if isinstance(one, Canonical)] == [
        url for url, one in zip(urls, found, strict=True) if isinstance(one, Canonical)
    ]


@each_engine
@pytest.mark.parametrize("count", [0, 1, 127, 128, 129, 1023, 1024, 1025, 5000])
def test_no_row_is_lost_where_work_is_shared_out(engine: str, count: int) -> None:
    urls = [f"http://h/{i}" if i % 10 else "nonsense" for i in range(count)]
    for threads in (1, 2, 7):
        found = policy(engine).canonicalize_many(iter(urls), threads)
        assert [getattr(one, "url", None) for one in found] == [
            url if i % 10 else None for i, url in enumerate(urls)
        ]


@each_engine
def test_what_is_no_url_at_all_is_an_error_of_the_caller(engine: str) -> None:
    for urls in ("http://h/", b"http://h/", ["http://h/", 5], [None]):
        with pytest.raises(TypeError):
            policy(engine).canonicalize_many(urls)  # type: ignore[arg-type]
