"""Spark for tests: small, quick to start, on loopback; in one process, or a cluster of workers.

A cluster's processes are started here and ended here, each by its own id.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

_HOME = Path(pyspark.__file__).parent
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_SETTINGS = {
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
_PATIENCE = 60


def environment(folder: Path) -> dict[str, str]:
    """What makes a program's Spark a small one that notes in `folder/events` what it did."""
    conf, events = folder / "conf", folder / "events"
    for path in (conf, events):
        path.mkdir(parents=True, exist_ok=True)
    settings = {**_SETTINGS, "spark.eventLog.dir": events.as_uri()}
    text = "".join(f"{name} {value}\n" for name, value in settings.items())
    (conf / "spark-defaults.conf").write_text(text)
    return {
        "SPARK_CONF_DIR": str(conf),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": _JAVA,
        "SPARK_HOME": str(_HOME),
    }


def works(folder: Path) -> bool:
    """Whether a job has begun, by Spark's own notes."""
    notes = (folder / "events").iterdir()
    return any('"SparkListenerJobStart"' in note.read_text() for note in notes)


def read_by(folder: Path) -> Counter[str]:
    """How many rows each executor read from files, by Spark's own notes of its tasks."""
    rows: Counter[str] = Counter()
    for notes in (folder / "events").iterdir():
        for event in map(json.loads, notes.read_text().splitlines()):
            if event["Event"] == "SparkListenerTaskEnd":
                read = event["Task Metrics"]["Input Metrics"]["Records Read"]
                rows[event["Task Info"]["Executor ID"]] += read
    return +rows


@contextmanager
def session(folder: Path) -> Iterator[SparkSession]:
    """Two cores in this process; its Java ends with the block."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**environment(folder), "PYSPARK_PYTHON": sys.executable}.items():
            patch.setenv(name, value)
        spark = SparkSession.builder.master("local[2]").getOrCreate()
    yield spark
    spark.stop()
    gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(15)


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A master and two workers of a core each, on loopback, until the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    env = environment(folder)
    with _running(folder, env, "master.Master", "master") as log:
        master = _said(log, r"Starting Spark master at (spark://\S+)")
        with _worker(folder, env, master, "one") as one, _worker(folder, env, master, "two") as two:
            for worker in (one, two):
                _said(worker, "Successfully registered with master (.*)")
            yield master


@contextmanager
def _worker(folder: Path, env: Mapping[str, str], master: str, name: str) -> Iterator[Path]:
    given = ("--cores", "1", "--memory", "512m", "--work-dir", str(folder / name), master)
    with _running(folder, env, "worker.Worker", f"worker-{name}", *given) as log:
        yield log


@contextmanager
def _running(
    folder: Path, env: Mapping[str, str], what: str, name: str, *given: str
) -> Iterator[Path]:
    log = folder / f"{name}.log"
    command = [_HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{what}"]
    on = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, *on, *given], env={**os.environ, **env}, stdout=out, stderr=out
        )
    try:
        yield log
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _said(log: Path, words: str) -> str:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if found := re.search(words, log.read_text()):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"it never said {words}: {log.read_text()}")
