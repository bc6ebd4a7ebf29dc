"""In pandas a Series gives a Series with the same index, one bad row beside a hundred good ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sameas.adapters import pandas as adapter
from tests.adapters.columns import ROWS, field, one_by_one
from tests.adapters.engines import each_engine, policy

EXPECTED = one_by_one(policy("python", "news"), ROWS)
KEYS = field(EXPECTED, "key")
INDEX = [*range(len(ROWS) - 1, 0, -1), 1]
KINDS = [object, "string[python]", "string[pyarrow]", pd.ArrowDtype(pa.string()), "category"]


def listed(values: Any) -> list[Any]:
    return [None if value is pd.NA else value for value in values]


@each_engine
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_series_gives_what_single_urls_give_under_its_own_index(engine: str, kind: Any) -> None:
    urls = pd.Series(ROWS, INDEX, name="link", dtype=kind)
    news = policy(engine, "news")
    for found, name in ((adapter.key(urls, news), "key"), (adapter.url(urls, news), "url")):
        assert listed(found) == field(EXPECTED, name)
        assert (found.name, found.dtype) == ("link", "string")
        assert found.index.equals(urls.index)
    frame = adapter.canonicalize(urls, news)
    assert [*frame] == ["url", "form", "key", "flags", "error"]
    assert frame.index.equals(urls.index)
    for name in ("url", "form", "key", "error"):
        assert listed(frame[name]) == field(EXPECTED, name)
    flags = [found if found is pd.NA else [*found] for found in frame["flags"]]
    assert listed(flags) == field(EXPECTED, "flags")


def test_the_accessor_gives_what_the_functions_give() -> None:
    urls = pd.Series(ROWS, INDEX)
    accessor = urls.sameas
    pd.testing.assert_series_equal(accessor.key("news"), adapter.key(urls, "news"))
    pd.testing.assert_series_equal(accessor.url("news"), adapter.url(urls, "news"))
    digests = accessor.key("news", binary=True)
    assert [key and key.hex() for key in listed(digests)] == KEYS
    whole = accessor.canonicalize("news", binary=True)
    pd.testing.assert_series_equal(whole["key"], digests, check_names=False)


def test_rows_that_arrow_has_no_column_for_cost_the_others_nothing() -> None:
    good = "http://example.com/?a=%E9"
    rows = [good, 404, None, "\ud800", np.nan, pd.NA, b"http://example.com/?a=\xe9", 1.5, pd.NaT]
    rows += ["http://example.com/?a=\udce9"]
    frame = adapter.canonicalize(pd.Series(rows, dtype=object))
    assert listed(frame["error"]) == [
        None, "relative", None, "encoding", None, None, None, "relative", None, None,
    ]  # fmt: skip
    key = frame["key"][0]
    assert listed(frame["key"]) == [key, *[None] * 5, key, None, None, key]


@pytest.mark.parametrize(
    "urls",
    [
        pd.Series([], dtype=object),
        pd.Series([np.nan, np.nan]),
        pd.Series([None, pd.NA]),
        pd.Series([1]),
    ],
)
def test_a_series_without_any_url_gives_text_all_the_same(urls: pd.Series) -> None:
    found = adapter.key(urls)
    assert found.dtype == "string"
    assert listed(found) == [None] * len(urls)
