"""Spark: keys and canonical URLs as Columns and in SQL, and a DataFrame without its duplicates.

What a row becomes is the business of arrow.py; which titles are alike, that of spark_titles.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sameas.adapters import arrow
from sameas.dedupe import quality
from sameas.errors import MissingExtra
from sameas.policy import Policy, loaded

try:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession, Window
    from pyspark.sql import functions as F

    from sameas.adapters.spark_titles import grouped, udf
except ImportError:
    raise MissingExtra("a column of Spark", "spark") from None

Chosen = str | Path | Policy
WHOLE = "url string, form string, key string, flags array<string>, error string"
RANK = "text int, district boolean, source boolean"
_FIELDS = ("full_text", "district", "source")


def key(urls: str | Column, policy: Chosen = "default") -> Column:
    """The key of each row, as hex text. Null and refused rows give null."""
    return _answered("string", policy, arrow.key)(urls)


def url(urls: str | Column, policy: Chosen = "default") -> Column:
    """The canonical URL of each row. Null and refused rows give null."""
    return _answered("string", policy, arrow.url)(urls)


def canonicalize(urls: str | Column, policy: Chosen = "default") -> Column:
    """A struct of `url`, `form`, `key`, `flags` and `error`, the code of a row that is refused."""
    return _answered(WHOLE, policy, arrow.canonicalize)(urls)


def register(spark: SparkSession, policy: Chosen = "default", name: str = "sameas") -> None:
    """`sameas_url(text)` and `sameas_key(text)` in SQL; another `name` makes room for another
    policy."""
    spark.udf.register(f"{name}_url", _answered("string", policy, arrow.url))
    spark.udf.register(f"{name}_key", _answered("string", policy, arrow.key))


def dedupe(
    rows: DataFrame,
    url: str | None = "url",
    title: str | None = None,
    language: str = "language",
    *,
    keep: str | Column | Sequence[str | Column] | None = None,
    order: str | None = None,
    policy: Chosen = "news",
) -> DataFrame:
    """The rows without their duplicates, by URL and, where `title` names a column, then by title.

    Of those that are one the greatest `keep` stays, of several columns the first that differ; as
    everywhere in sameas the longest full text, then a known district, then a known source, where
    nothing is said. Of equals the earliest stays: by the column `order`, whose numbers differ, else
    as Spark reads them.
    """
    place = F.col(order) if order else F.monotonically_increasing_id()
    if keep is None:
        better = rank(rows)
    else:
        better = F.struct(*([keep] if isinstance(keep, str | Column) else keep))
    left = rows.select("*", place.alias("_place"), better.alias("_rank"))
    if url is not None:
        group = F.coalesce(key(url, policy), F.col("_place").cast("string"))
        left = best(left.withColumn("_group", group))
    if title is not None:
        left = best(grouped(left, title, language))
    return left.select(*rows.columns)


def best(rows: DataFrame) -> DataFrame:
    """Of each `_group` the row of the greatest `_rank`, the earliest of several."""
    better = Window.partitionBy("_group").orderBy(F.desc("_rank"), "_place")
    return rows.withColumn("_n", F.row_number().over(better)).where("_n = 1").drop("_n", "_group")


def rank(rows: DataFrame) -> Column:
    """The quality of an article, of the fields there are."""

    def ranked(*fields: pa.Array) -> pa.Array:
        each = zip(*(field.to_pylist() for field in fields), strict=True)
        ranks = [quality(dict(zip(_FIELDS, row, strict=True))) for row in each]
        columns = zip(*ranks, strict=True) if ranks else [[], [], []]
        kinds = (pa.int32(), pa.bool_(), pa.bool_())
        made = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
        return pa.StructArray.from_arrays(made, ["text", "district", "source"])

    some = [F.col(name) if name in rows.columns else F.lit(None) for name in _FIELDS]
    return udf(ranked, RANK)(*(field.cast("string") for field in some))


def _answered(kind: str, policy: Chosen, answer: Callable[..., Any]) -> Callable[..., Column]:
    chosen = loaded(policy)

    def answered(urls: pa.Array) -> pa.Array:
        return answer(urls, chosen, threads=1)

    answered.__name__ = f"sameas_{answer.__name__}"
    return udf(answered, kind)
