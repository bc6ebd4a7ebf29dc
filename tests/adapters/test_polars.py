"""In Polars an expression gives what single URLs give, eager, lazy and in a stream."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from sameas.adapters import polars as adapter
from tests.adapters.columns import ROWS, field, one_by_one
from tests.adapters.engines import each_engine, policy

EXPECTED = one_by_one(policy("python", "news"), ROWS)
KEYS = field(EXPECTED, "key")
FRAME = pl.DataFrame({"url": ROWS, "row": range(len(ROWS))})


@each_engine
@pytest.mark.parametrize("kind", [pl.String, pl.Binary, pl.Categorical])
def test_an_expression_gives_what_single_urls_give(engine: str, kind: Any) -> None:
    urls = pl.col("url").cast(kind).sameas  # type: ignore[attr-defined]
    news = policy(engine, "news")
    found = FRAME.select(
        key=urls.key(news), url=urls.url(news), all=urls.canonicalize(news), row="row"
    )
    assert found["key"].to_list() == KEYS
    assert found["url"].to_list() == field(EXPECTED, "url")
    assert found["all"].to_list() == EXPECTED


def test_a_function_takes_an_expression_or_the_name_of_a_column_which_it_keeps() -> None:
    by_name = FRAME.select(adapter.key("url", "news"))
    assert by_name.equals(FRAME.select(adapter.key(pl.col("url"), "news")))
    assert by_name.to_dict(as_series=False) == {"url": KEYS}


@pytest.mark.parametrize("way", ["in-memory", "streaming"])
def test_a_lazy_frame_knows_its_types_before_it_runs(way: Any) -> None:
    text = pl.String
    lazy = FRAME.lazy().select(
        key=adapter.key("url", "news"),
        digest=adapter.key("url", "news", binary=True),
        url=adapter.url("url", "news"),
        all=adapter.canonicalize("url", "news", binary=True),
    )
    fields = {"url": text, "form": text, "key": pl.Binary, "flags": pl.List(text), "error": text}
    schema = {"key": text, "digest": pl.Binary, "url": text, "all": pl.Struct(fields)}
    assert lazy.collect_schema() == pl.Schema(schema)
    found = lazy.collect(engine=way)
    assert found.schema == pl.Schema(schema)
    assert found["key"].to_list() == KEYS
    assert [key and key.hex() for key in found["digest"]] == KEYS
    assert [row["key"] for row in found["all"] if row] == [
        row["key"] and bytes.fromhex(row["key"]) for row in EXPECTED if row
    ]


def test_rows_can_be_grouped_by_what_they_are() -> None:
    frame = pl.DataFrame(
        {"url": ["http://a.example/", "https://www.a.example", "http://b.example"]}
    )
    one_each = frame.group_by(adapter.key("url").alias("key"), maintain_order=True).first()
    assert one_each["url"].to_list() == ["http://a.example/", "http://b.example"]
    assert frame.unique(adapter.key("url"), maintain_order=True).height == 2
