"""Spark: titles alike, found as pairs of blocks of titles of about one length in one language.

Each pair of blocks is a task, and gives the pairs that connect it. What connects the tasks' pairs
is found by the driver, in the order in which one machine asks: the same pairs come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined] # not among its types

from sameas.dedupe.by_title import alike, comparable, language_of
from sameas.dedupe.groups import Evidence, Forest

BLOCK = 50_000
"""So many titles a block: two of them are one task."""

TOLD = "spoken binary, told binary, length int"
SAID = pa.struct({"spoken": pa.binary(), "told": pa.binary(), "length": pa.int32()})
_PAIR = "length_x int, x long, length_y int, y long, a long, b long, ratio double"
_MOST_PARTITIONS = 1000


class Block(NamedTuple):
    """Titles of one language, from a length to a length, both included."""

    number: int
    spoken: bytes
    shortest: int
    longest: int


@dataclass
class Blocks:
    """All blocks, and to which one the first titles of a length go."""

    blocks: list[Block]
    homes: list[tuple[bytes, int, int]]

    def tasks(self) -> Iterator[tuple[int, int]]:
        """The pairs of blocks in which a ratio of 0.85 is possible, the shorter one first."""
        for i, one in enumerate(self.blocks):
            for other in self.blocks[i:]:
                near = other.shortest <= one.longest * 23 // 17
                if one.spoken == other.spoken and near:
                    yield one.number, other.number


def blocks_of(counts: Iterable[tuple[bytes, int, int]], size: int) -> Blocks:
    """Languages and lengths with how many titles they have, in order, cut into blocks. A length
    that has too many for one block has several, filled in the order of the titles."""
    found = Blocks([], [])
    room = 0
    for spoken, length, count in counts:
        last = found.blocks[-1] if found.blocks else None
        parts = -(-count // size)
        if last is None or last.spoken != spoken or count > room:
            start = len(found.blocks)
            found.blocks += [Block(start + i, spoken, length, length) for i in range(parts)]
            room = size - count if parts == 1 else 0
        else:
            start = last.number
            found.blocks[-1] = last._replace(longest=length)
            room -= count
        found.homes.append((spoken, length, start))
    return found


def told(title: Column, language: Column) -> Column:
    """What of a title is compared, and in which language; null where there is nothing."""

    def read(titles: pa.Array, languages: pa.Array) -> pa.Array:
        pairs = zip(titles.to_pylist(), languages.to_pylist(), strict=True)
        return pa.array([said(title, _spoken(language)) for title, language in pairs], SAID)

    return udf(read, TOLD)(title.cast("string"), language.cast("string"))


def udf(answer: Callable[..., Any], kind: str) -> Callable[..., Column]:
    """A function of Arrow arrays as one of Columns."""
    made: Callable[..., Column] = arrow_udf(answer, kind)
    return made


def said(title: str | None, spoken: str) -> dict[str, Any] | None:
    text = comparable(title or "")
    return {"spoken": _bytes(spoken), "told": _bytes(text), "length": len(text)} if text else None


def _spoken(language: str | None) -> str:
    return language_of({"language": language})


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def grouped(rows: DataFrame, title: str, language: str) -> DataFrame:
    """`_group` for each row: the same for those whose titles connect them."""
    spoken = F.col(language) if language in rows.columns else F.lit("")
    rows = placed(rows.withColumn("_said", told(F.col(title), spoken))).localCheckpoint()
    labels = joined(pairs(rows)).labels
    known = rows.sparkSession.createDataFrame([*labels.items()], "_first long, _group long")
    group = F.coalesce("_group", "_first").alias("_group")
    kept = [name for name in rows.columns if name not in ("_said", "_first", "_last")]
    return rows.join(known, "_first", "left").select(*kept, group)


def placed(rows: DataFrame) -> DataFrame:
    """The first and last `_place` of each title, `_said`; of a row without one its own."""
    alone = F.when(F.col("_said").isNull(), F.col("_place"))
    equal = Window.partitionBy("_said", alone)
    return rows.withColumns(
        {"_first": F.min("_place").over(equal), "_last": F.max("_place").over(equal)}
    )


def pairs(rows: DataFrame) -> DataFrame:
    """Pairs that are alike and connect the titles of each task."""
    titles = rows.where("_said is not null and _place = _first").select(
        "_said.*", F.col("_first").alias("first"), F.col("_last").alias("last")
    )
    counts = titles.groupBy("spoken", "length").count().orderBy("spoken", "length").collect()
    blocks = blocks_of(((bytes(s), length, n) for s, length, n in counts), BLOCK)
    tasks = list(blocks.tasks())
    spark = rows.sparkSession
    homes = spark.createDataFrame(blocks.homes, "spoken binary, length int, start int")
    roles = [(a, task, False) for task, (a, _) in enumerate(tasks)]
    roles += [(b, task, True) for task, (a, b) in enumerate(tasks) if a != b]
    sides = spark.createDataFrame(roles, "block int, task int, columns boolean")
    alike_in_length = Window.partitionBy("spoken", "length").orderBy("first")
    part = F.floor((F.row_number().over(alike_in_length) - 1) / BLOCK).cast("int")
    return (
        titles.join(F.broadcast(homes), ["spoken", "length"])
        .withColumn("block", F.col("start") + part)
        .join(F.broadcast(sides), "block")
        .select("task", "columns", "told", "length", "first", "last")
        .repartition(max(1, min(len(tasks), _MOST_PARTITIONS)), "task")
        .groupBy("task")
        .applyInArrow(_asked, _PAIR)
    )


def _asked(task: pa.Table) -> pa.Table:
    """One task: a block with itself, or the rows of one with the columns of another."""
    task = task.sort_by([("columns", "ascending"), ("length", "ascending"), ("first", "ascending")])
    texts = [text.decode("utf-8", "surrogatepass") for text in task["told"].to_pylist()]
    ends = zip(task["first"].to_pylist(), task["last"].to_pylist(), strict=True)
    places = {text: (a,) if a == b else (a, b) for text, (a, b) in zip(texts, ends, strict=True)}
    columns = sum(task["columns"].to_pylist())
    found = [
        (len(one), places[one][0], len(two), places[two][0], proof.a, proof.b, proof.ratio)
        for _, block in alike(places, len(texts) - columns if columns else 0)
        for one, two, proof in block
    ]
    return pa.table([list(column) for column in zip(*found, strict=True)] or [[]] * 7, _PAIRS)


_PAIRS = pa.schema(
    [
        ("length_x", pa.int32()), ("x", pa.int64()), ("length_y", pa.int32()), ("y", pa.int64()),
        ("a", pa.int64()), ("b", pa.int64()), ("ratio", pa.float64()),
    ]
)  # fmt: skip


class _Itself(dict[int, int]):
    """A label for each title that was connected; any other's is its own."""

    def __missing__(self, place: int) -> int:
        return place


class Joined(NamedTuple):
    """The pairs that connect, and the label of each title that is connected, by its first place."""

    evidence: list[Evidence]
    labels: dict[int, int]


def joined(found: DataFrame) -> Joined:
    """The tasks' pairs taken in the order in which one machine asks."""
    label = _Itself()
    forest = Forest(0, label)
    rows = found.orderBy("length_x", "x", "length_y", "y").toLocalIterator()
    evidence = [
        Evidence("title", row.a, row.b, row.ratio) for row in rows if forest.connect(row.x, row.y)
    ]
    return Joined(evidence, label)
