"""Columns, SQL and DataFrames of Spark give what one machine gives."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from sameas import Policy
from sameas.adapters import spark as on_spark
from sameas.adapters import spark_titles
from sameas.adapters.spark_titles import Block, blocks_of
from sameas.dedupe import deduplicate, find_duplicates
from tests import spark as small
from tests.adapters.columns import ROWS, field, one_by_one
from tests.dedupe import made

EXPECTED = one_by_one(Policy.load("default"), ROWS)


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    env = small.environment(tmp_path_factory.mktemp("spark"))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**env, "PYSPARK_PYTHON": sys.executable}.items():
            patch.setenv(name, value)
        session = SparkSession.builder.master("local[2]").getOrCreate()
        yield session
        session.stop()
        gateway, session._sc.__class__._gateway = session._sc._gateway, None
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(15)


def articles(sets: int) -> list[dict[str, Any]]:
    """Sets of titles that are hard to compare, each in languages of its own, with URLs."""
    rows: list[dict[str, Any]] = []
    for number in range(sets):
        chance = random.Random(f"urls {number}")
        for row in made.articles(number):
            url = chance.choice((f"https://a.example/{number}/{chance.randrange(20)}?ref=x", "no"))
            spoken = row["language"].replace("-", f"{number % 3}-")
            title = row["title"].replace("\ud800", "")
            odd = {"number": len(rows), "language": spoken, "url": url, "title": title}
            rows.append({**row, **odd})
    return rows


def numbers(rows: DataFrame) -> list[int]:
    return sorted(row.number for row in rows.collect())


def links(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([*enumerate(ROWS)], "row int, url string").orderBy("row")


def test_columns_give_what_single_urls_give(spark: SparkSession) -> None:
    whole = on_spark.canonicalize("url")
    asked = links(spark).select(on_spark.key("url"), on_spark.url(F.col("url")), whole).collect()
    assert [row[0] for row in asked] == field(EXPECTED, "key")
    assert [row[1] for row in asked] == field(EXPECTED, "url")
    assert [row[2] and row[2].asDict() for row in asked] == EXPECTED


def test_a_policy_of_one_s_own_goes_to_the_workers(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nversion = "1"\nextends = "default"\n[query]\ndrop = ["cmp"]\n')
    row = spark.createDataFrame([("https://a.example/?cmp=1&b=2",)], "url string")
    assert row.select(on_spark.url("url", file)).first() == ("https://a.example/?b=2",)


def test_sql_gives_what_single_urls_give(spark: SparkSession) -> None:
    on_spark.register(spark)
    on_spark.register(spark, "news", name="news")
    links(spark).createOrReplaceTempView("links")
    asked = spark.sql("select sameas_key(url), sameas_url(url) from links order by row").collect()
    expected = zip(field(EXPECTED, "key"), field(EXPECTED, "url"), strict=True)
    assert [tuple(row) for row in asked] == [*expected]
    news = spark.sql("select news_url('http://www.example.com/a/')").first()
    assert news == ("http://example.com/a",)


@pytest.mark.parametrize(
    ("by", "columns"),
    [
        ("url", {}),
        ("title", {"url": None, "title": "title"}),
        ("both", {"title": "title"}),
    ],
)
def test_a_dataframe_keeps_the_rows_that_one_machine_keeps(
    by: Any, columns: dict[str, Any], spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_titles, "BLOCK", 60)
    rows = articles(50)
    chance = random.Random(by)
    given = spark.createDataFrame(chance.sample(rows, len(rows)))
    kept = on_spark.dedupe(given, order="number", **columns)
    assert kept.columns == given.columns
    assert numbers(kept) == [row["number"] for row in deduplicate(rows, by)]
    assert len(rows) > 600


def test_the_order_of_a_dataframe_decides_among_equals(spark: SparkSession) -> None:
    rows = [(i, f"http://a.example/{i % 3}#{i}") for i in range(30)]
    assert numbers(on_spark.dedupe(spark.createDataFrame(rows, "number int, url string"))) == [
        0,
        1,
        2,
    ]


def test_a_caller_s_own_columns_decide_who_stays(spark: SparkSession) -> None:
    url = "https://a.example/"
    rows = [(0, url, 3, None), (1, url, 7, 1), (2, url, 7, 2), (3, None, 0, 0), (4, None, 0, 0)]
    given = spark.createDataFrame(rows, "number int, url string, votes int, seen int")
    assert numbers(on_spark.dedupe(given, keep="votes", order="number")) == [1, 3, 4]
    assert numbers(on_spark.dedupe(given, keep=["votes", F.col("seen")])) == [2, 3, 4]
    assert numbers(on_spark.dedupe(given, keep=-F.col("votes"))) == [0, 3, 4]


ONE_LENGTH = [
    {"number": i, "title": f"{kind} price in pune on day {i:02}", "language": "en"}
    for i, kind in enumerate(random.Random(7).choices(("gold", "bolt", "rice", "soap"), k=60))
]


@pytest.mark.parametrize(
    ("rows", "block"),
    [(articles(40), 50), (ONE_LENGTH, 13)],
    ids=["of many lengths", "of one length"],
)
def test_the_pairs_of_titles_are_those_of_one_machine(
    rows: list[dict[str, Any]],
    block: int,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spark_titles, "BLOCK", block)
    given = spark.createDataFrame(rows).withColumn("_place", F.col("number").cast("long"))
    said = spark_titles.told(F.col("title"), F.col("language"))
    placed = spark_titles.placed(given.withColumn("_said", said))
    found = spark_titles.joined(spark_titles.pairs(placed)).evidence
    expected = [pair for g in find_duplicates(rows, "title").groups for pair in g.evidence]
    unequal = {pair for pair in expected if pair.ratio < 1}
    assert {pair for pair in found if pair.ratio < 1} == unequal
    assert len(unequal) > 40


def test_blocks_hold_titles_of_about_one_length_in_one_language() -> None:
    counts = [(b"", 9, 2), (b"en", 10, 4), (b"en", 11, 5), (b"en", 12, 3), (b"en", 20, 25)]
    found = blocks_of(counts, 10)
    assert found.blocks == [
        Block(0, b"", 9, 9),
        Block(1, b"en", 10, 11),
        Block(2, b"en", 12, 12),
        Block(3, b"en", 20, 20),
        Block(4, b"en", 20, 20),
        Block(5, b"en", 20, 20),
    ]
    assert found.homes[2:] == [(b"en", 11, 1), (b"en", 12, 2), (b"en", 20, 3)]
    assert [*found.tasks()] == [
        (0, 0),
        *((1, 1), (1, 2), (2, 2)),
        *((3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5)),
    ]
