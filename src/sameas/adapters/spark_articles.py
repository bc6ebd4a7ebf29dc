"""Spark: which articles are one, by URL and by title, with the pairs that prove it.

Articles come as numbered rows: `place`, `rank`, `url` in bytes, and `said`, what of the title is
compared. Groups are made of the pairs by the caller.
"""

from __future__ import annotations

from typing import NamedTuple

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from sameas.adapters.spark import best, canonicalize
from sameas.adapters.spark_titles import joined, pairs, placed
from sameas.dedupe.groups import Evidence
from sameas.policy import Policy


class Urls(NamedTuple):
    evidence: list[Evidence]
    refused: list[tuple[int, bytes]]
    left: DataFrame
    """The articles that go on to be compared by title: the best of each URL."""


class Titles(NamedTuple):
    evidence: list[Evidence]
    without: list[int]


def by_url(rows: DataFrame, policy: Policy) -> Urls:
    """Every article but the first of its key, paired with that first one."""
    asked = rows.withColumn("_found", canonicalize("url", policy))
    alone = F.when(F.col("_found.key").isNull(), F.col("place"))
    equal = Window.partitionBy("_found.key", alone)
    asked = asked.withColumn("_first", F.min("place").over(equal)).localCheckpoint()
    pairs = asked.where("place != _first").select("_first", "place", "_found.form")
    refused = asked.where("_found.error is not null").select("place", "url")
    return Urls(
        [Evidence("url", a, b, 1.0, form) for a, b, form in pairs.toLocalIterator()],
        [(row.place, bytes(row.url)) for row in refused.toLocalIterator()],
        _best(asked.withColumn("_group", F.col("_first"))).select(rows.columns),
    )


def _best(rows: DataFrame) -> DataFrame:
    return best(rows.withColumns({"_place": F.col("place"), "_rank": F.col("rank")}))


def by_title(rows: DataFrame) -> Titles:
    """Every article but the first of its title, paired with that first one, and pairs of titles
    that are alike, which connect them."""
    spoken = rows.select(F.col("place").alias("_place"), F.col("said").alias("_said"))
    spoken = placed(spoken).localCheckpoint()
    equal = spoken.where("_place != _first").select("_first", "_place")
    without = spoken.where("_said is null").select("_place").orderBy("_place")
    return Titles(
        [Evidence("title", a, b, 1.0) for a, b in equal.toLocalIterator()]
        + joined(pairs(spoken)).evidence,
        [row._place for row in without.toLocalIterator()],
    )
