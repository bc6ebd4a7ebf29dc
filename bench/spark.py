"""What sameas costs a row in Spark, over the same rows that only pass through Python.

`python -m bench.spark` measures and writes docs/bench/spark.md. It takes Java, and a session on one
core of this machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench import corpus, machine
from bench.markdown import figure, table
from bench.speed import read_lines

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PAGE = Path(__file__).parent.parent / "docs" / "bench" / "spark.md"
ROWS, ROUNDS, DIFFERENT = 1_000_000, 5, 100_000
_MASTER = "local[1]"
_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
}

PASSED, BY_HAND = "identity, `mapInArrow`", "`udf` around `policy.key`"
_DOES = {
    PASSED: "batches go to Python and come back",
    "`spark.key`": "the key of each row",
    "`spark.url`": "the canonical URL of each row",
    "`spark.canonicalize`": "URL, form, key, flags and error",
    BY_HAND: "the key, as a function of one row",
}


@dataclass(frozen=True)
class Reading:
    name: str
    seconds: tuple[float, ...]
    """Round by round."""

    @property
    def best(self) -> float:
        return min(self.seconds)


def _subjects() -> dict[str, Callable[[DataFrame], DataFrame]]:
    from pyspark.sql import functions as F

    from sameas import Policy
    from sameas.adapters import spark
    from sameas.errors import InvalidURL

    policy = Policy.load("default")

    def passed(batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches

    def key(url: str) -> str | None:
        try:
            return policy.key(url)
        except InvalidURL:
            return None

    by_hand = F.udf(key, "string", useArrow=False)
    calls: list[Callable[[DataFrame], DataFrame]] = [
        lambda rows: rows.mapInArrow(passed, rows.schema),
        lambda rows: rows.select(spark.key("url")),
        lambda rows: rows.select(spark.url("url")),
        lambda rows: rows.select(spark.canonicalize("url")),
        lambda rows: rows.select(by_hand("url")),
    ]
    return dict(zip(_DOES, calls, strict=True))


def measure(urls: Sequence[str], count: int, rounds: int) -> list[Reading]:
    """Each round has every subject once; what each does first is not counted."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(_MASTER).appName("bench")
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    seconds: dict[str, list[float]] = {name: [] for name in _DOES}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "urls.parquet"
        pq.write_table(pa.table({"url": [*islice(cycle(urls), count)]}), file)
        rows = spark.read.parquet(str(file))
        for number in range(rounds + 1):
            _tell(f"round {number} of {rounds}, {count:,} rows" if number else "warming up")
            for name, call in _subjects().items():
                begin = perf_counter()
                call(rows).write.format("noop").mode("overwrite").save()
                if number:
                    seconds[name].append(perf_counter() - begin)
    spark.stop()
    return [Reading(name, tuple(found)) for name, found in seconds.items()]


@dataclass(frozen=True)
class Run:
    date: str
    command: str
    source: str
    engine: str
    rows: int
    rounds: int
    readings: Sequence[Reading]


def page(run: Run) -> str:
    facts = [*machine.facts().items(), ("engine", run.engine), ("date", run.date)]
    floor = next(one.best for one in run.readings if one.name == PASSED)
    rows = [
        (
            one.name,
            _DOES[one.name],
            figure(one.best),
            f"+{100 * (max(one.seconds) / one.best - 1):.0f} %",
            "" if one.name == PASSED else figure((one.best - floor) / run.rows * 1e6),
            f"{one.best / floor:.2f}",
        )
        for one in run.readings
    ]
    head = ("", "what it does", "seconds", "slowest round", "µs a row, over identity", "× identity")
    return "\n".join(
        (
            "# A row in Spark\n",
            "This page is written by the command below, and by nobody's hand.\n",
            table(("", ""), [*facts, ("command", f"`{run.command}`")]),
            f"{run.rows:,} rows, {run.source}, are read from a Parquet file and written nowhere "
            f"(`noop`), on one core (`{_MASTER}`). The figure is the best of {run.rounds} rounds "
            "that take turns. Identity is what Spark takes to bring the same rows to Python and "
            "back; what is over it is the adapter's, and the engine's.\n",
            table(head, rows, right=range(2, 6)),
        )
    )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.spark", description=__doc__)
    parser.add_argument("--input", type=Path, metavar="FILE", help="lines of URLs, plain or .gz")
    parser.add_argument("--rows", type=int, default=ROWS, help="how many rows")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write")
    asked = parser.parse_args(given)
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        _tell("NOT RUN: Spark, for want of Java")
        return int(os.environ.get("CI") == "true")
    if asked.input is None:
        urls, source = corpus.make(min(asked.rows, DIFFERENT)), "links made by `bench/corpus.py`"
    else:
        urls, _ = read_lines(asked.input, DIFFERENT)
        source = f"links of `{asked.input.name}`"
    readings = measure(urls, asked.rows, asked.rounds)
    from sameas import Policy

    run = Run(
        datetime.now(UTC).date().isoformat(),
        _command(asked),
        f"{len(urls):,} different {source}",
        Policy.load("default").engine,
        asked.rows,
        asked.rounds,
        readings,
    )
    asked.out.write_text(page(run), encoding="utf-8")
    _tell(f"wrote {asked.out.name}")
    return 0


def _command(asked: argparse.Namespace) -> str:
    given = f" --input {asked.input.name}" if asked.input else ""
    if (asked.rows, asked.rounds) != (ROWS, ROUNDS):
        given += f" --rows {asked.rows} --rounds {asked.rounds}"
    return f"python -m bench.spark{given}"


if __name__ == "__main__":
    sys.exit(main())
