"""Spark: a session on a master, for as long as a command needs one.

What is wrong with the master or with this machine is said before Spark is asked: it would take
minutes, and say it in pages. What is done in the session is the caller's business.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sameas.errors import MissingExtra, SparkError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_HOST = r"(?:[\w.-]+|\[[\da-fA-F:]+\]):\d+"
_MASTERS = re.compile(
    rf"local(?:\[(?:\*|[1-9]\d*)(?:, ?\d+)?\])?|spark://({_HOST}(?:,{_HOST})*)|yarn|k8s://.+"
)
_PATIENCE = 5.0


def check(master: str) -> None:
    """Whether a session could be had: pyspark, Java, a master that answers."""
    try:
        import pyspark  # noqa: F401 (what is missing is told here)
    except ImportError:
        raise MissingExtra("--spark", "spark") from None
    named = _MASTERS.fullmatch(master)
    if named is None:
        hint = "give local[4] for four cores of this machine, spark://HOST:7077, yarn or k8s://…"
        raise SparkError(master, "is no Spark master", hint)
    if _java() is None:
        hint = "install a Java runtime, or say with JAVA_HOME where it is"
        raise SparkError("Spark", "needs Java 17 or newer, and there is none", hint)
    if named[1]:
        _check_answers(master, named[1].split(","))


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    return shutil.which(os.path.join(home, "bin", "java") if home else "java")


def _check_answers(master: str, places: list[str]) -> None:
    """One of the masters has to."""
    for place in places:
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
        except (OSError, OverflowError) as error:
            reason = f"does not answer: {getattr(error, 'strerror', None) or error}"
        else:
            return
    hint = "is it running? its page names its address, spark://HOST:PORT"
    raise SparkError(master, reason, hint)


@contextmanager
def session(master: str) -> Iterator[SparkSession]:
    """What is set in Spark's own files holds, but for the master."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    logging.getLogger("py4j").setLevel(logging.CRITICAL)  # it writes tracebacks, also of Ctrl-C
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    made = SparkSession.builder.master(master).appName("sameas").config("spark.log.level", "ERROR")
    bar = str(sys.stderr.isatty()).lower()
    try:
        spark = made.config("spark.ui.showConsoleProgress", bar).getOrCreate()
        try:
            yield spark
        finally:
            spark.stop()
    except (PySparkException, Py4JError) as error:
        hint = "the workers need sameas, and have to see the folder for temporary files (TMPDIR)"
        raise SparkError(master, f"the work failed: {_reason(error)}", hint) from error


def _reason(error: Exception) -> str:
    """Of a worker's traceback the last line; of Java's the first."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    last = [line for line in lines if re.match(r"(?:\w+\.)*\w*(?:Error|Exception)\b", line)]
    return (last or lines or [type(error).__name__])[0]
