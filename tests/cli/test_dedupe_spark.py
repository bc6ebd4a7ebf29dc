"""`sameas dedupe --spark`: the same flags and the same result as without, wherever Spark runs."""

from __future__ import annotations

import csv
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from sameas.adapters import spark_session
from tests import spark as small
from tests.cli.program import PROGRAM, Ended, environment, in_process, sameas
from tests.dedupe import made

MASTER = "local[2]"
PATIENCE = 300


def _articles(file: Path) -> None:
    """Rows of every kind: alike by URL or title, refused, empty, torn, and not UTF-8."""
    names = ["url", "title", "language", "full_text", "district", "source"]
    with file.open("w", encoding="utf-8", errors="surrogatepass", newline="") as out:
        rows = csv.DictWriter(out, names)
        rows.writeheader()
        for number in range(12):
            for i, row in enumerate(made.articles(number)):
                text = {name: value.replace("\ud800", "") for name, value in row.items()}
                url = (f"https://A.example/{i % 9}?ref=x", "no link", "", "ftp://a.example")
                rows.writerow({**text, "url": url[i % 5 % 4], "source": "Gazette" * (i % 2)})
    with file.open("ab") as out:
        out.write(b"https://b.example/\xe9,caf\xe9 reopens downtown today,en,,,\n")
        out.write(b"https://b.example/%E9,caf\xe8 reopens downtown today,en,x,,\n")
        out.write(b"torn\nhttps://user:word@b.example/,,,,,\n")


def _everything(file: Path, by: str, *more: str, env: Mapping[str, str] | None = None) -> Ended:
    out, groups, page = (file.parent / name for name in ("out.csv", "groups.jsonl", "page.html"))
    to = ("-o", str(out), "--groups", str(groups), "--report", str(page))
    ended = sameas("dedupe", str(file), "--by", by, *to, *more, env=env, patience=PATIENCE)
    written = [path.read_text(errors="surrogateescape") for path in (out, groups, page)]
    return Ended(ended.status, "\0".join(written), ended.err)


def _ours(said: str) -> list[str]:
    """Without what Spark says when it starts."""
    kept = ("articles ", "not compared", "left out")
    return [line for line in said.splitlines() if line.startswith(kept) or "articles.csv:" in line]


def test_a_file_of_articles_gives_the_same_as_without(tmp_path: Path) -> None:
    file = tmp_path / "articles.csv"
    _articles(file)
    env = small.environment(tmp_path)
    alone = _everything(file, "both")
    spark = _everything(file, "both", "--spark", MASTER, env=env)
    assert (spark.status, spark.out) == (alone.status, alone.out) == (1, alone.out)
    assert _ours(spark.err) == _ours(alone.err) != []
    assert small.read_by(tmp_path)["driver"] > 100


def test_two_workers_of_a_cluster_each_do_their_part(tmp_path: Path) -> None:
    file = tmp_path / "links.txt"
    links = [f"https://a.example/{i % 30_000}?utm_source={i}" for i in range(45_000)]
    file.write_text("\n".join([*links, "no link", ""]))
    alone = sameas("dedupe", str(file), "--by", "url", "--groups", str(tmp_path / "alone"))
    with small.cluster(tmp_path) as master:
        given = ("--by", "url", "--groups", str(tmp_path / "cluster"), "--spark", master)
        env = small.environment(tmp_path)
        spark = sameas("dedupe", str(file), *given, env=env, patience=PATIENCE)
    assert (spark.status, spark.lines) == (alone.status, alone.lines)
    assert len(spark.lines) == 30_001
    assert (tmp_path / "cluster").read_bytes() == (tmp_path / "alone").read_bytes()
    rows = small.read_by(tmp_path)
    assert len(rows) == 2
    assert sum(rows.values()) >= 45_001
    assert {path.parts[-3] for path in tmp_path.glob("*/app-*/*")} == {"one", "two"}


def _rows() -> list[dict[str, Any]]:
    """What JSON and Parquet may hold beside text: nothing, numbers, and in JSON surrogates."""
    title = "Harbour bridge opens after two years"
    return [
        {"url": "https://a.example/x?ref=m", "title": f"{title} - Gazette", "language": "en-GB"},
        {"url": None, "title": f"{title}!", "language": "en", "full_text": "x"},
        {"url": "https://user:word@a.example/x", "title": "Gold", "source": "Gazette"},
        {"url": " ", "title": None},
        {"url": "ftp://a.example/", "title": f"{title}?", "language": None},
    ]


ODD = [
    {"url": "http://a.example/\ud800", "title": "\ud800 torn"},
    {"url": 7, "title": 7},
    {"title": []},
]


@pytest.mark.parametrize("by", ["url", "title", "both"])
@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_every_format_gives_the_same_as_without(
    format: str, by: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_session, "session", lambda _: nullcontext(spark))
    file = tmp_path / f"articles.{format}"
    if format == "parquet":
        pq.write_table(pa.Table.from_pylist(_rows()), file)
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in [*_rows(), *ODD]))
    given = ("dedupe", str(file), "--by", by, "--json")
    alone = in_process(*given)
    assert in_process(*given, "--spark", MASTER) == alone
    assert json.loads(alone.out)["duplicates"] > 0
    english = (*given, "--language", "en")
    assert in_process(*english, "--spark", MASTER) == in_process(*english)


def test_a_file_without_rows_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_session, "session", None)
    file = tmp_path / "articles.csv"
    file.write_text("url,title\n")
    ended = in_process("dedupe", str(file), "--spark", MASTER)
    assert (ended.status, ended.out) == (0, "url,title\n")


def test_workers_that_cannot_work_are_told_with_their_reason(tmp_path: Path) -> None:
    file, out = tmp_path / "links.txt", tmp_path / "out.txt"
    file.write_text("https://a.example/\n")
    env = {**small.environment(tmp_path), "PYSPARK_PYTHON": "/nowhere/python"}
    given = ("--by", "url", "-o", str(out), "--spark", MASTER)
    ended = sameas("dedupe", str(file), *given, env=env, patience=PATIENCE)
    assert ended.status == 2
    assert "local[2]: the work failed: " in ended.err
    assert "/nowhere/python" in ended.err
    assert "(the workers need sameas, and have to see" in ended.err
    assert not out.exists()


def test_ctrl_c_while_spark_works_ends_it_and_leaves_nothing(tmp_path: Path) -> None:
    file, aside = tmp_path / "links.txt", tmp_path / "aside"
    file.write_text("".join(f"https://a.example/{i}\n" for i in range(30_000)))
    aside.mkdir()
    env = environment({**small.environment(tmp_path), "TMPDIR": str(aside)})
    command = [*PROGRAM, "dedupe", str(file), "--by", "url", "-o", str(tmp_path / "out.txt")]
    command += ["--spark", MASTER]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE) as program:
        end = time.monotonic() + PATIENCE
        while not small.works(tmp_path) and time.monotonic() < end:
            time.sleep(0.1)
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=PATIENCE)
    assert program.returncode == 130
    assert not (tmp_path / "out.txt").exists()
    assert [*aside.iterdir(), *tmp_path.glob(".sameas-*")] == []


@pytest.mark.parametrize(
    ("master", "said"),
    [
        ("localhost", "localhost: is no Spark master (give local[4]"),
        ("local[0]", "local[0]: is no Spark master"),
        ("spark://127.0.0.1", "spark://127.0.0.1: is no Spark master"),
        ("spark://127.0.0.1:{closed}", "does not answer: Connection refused (is it running?"),
    ],
)
def test_a_master_that_is_none_is_told_before_anything_is_read(
    master: str, said: str, tmp_path: Path
) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        master = master.format(closed=bound.getsockname()[1])
        file = tmp_path / "articles.csv"
        file.write_text("url\nhttps://a.example/\n")
        out = tmp_path / "out.csv"
        ended = in_process("dedupe", str(file), "--by", "url", "-o", str(out), "--spark", master)
    assert ended.status == 2
    assert said in ended.err
    assert not out.exists()


@pytest.mark.parametrize("missing", [{"PATH": "/nowhere"}, {"JAVA_HOME": "/nowhere"}])
def test_without_java_it_is_told_what_to_install(missing: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "articles.csv"
    file.write_text("url\nhttps://a.example/\n")
    given = ("dedupe", str(file), "--by", "url", "--spark", MASTER)
    ended = in_process(*given, env={"JAVA_HOME": "", **missing})
    assert ended.status == 2
    assert "needs Java 17 or newer, and there is none (install a Java runtime" in ended.err


def test_without_pyspark_it_is_told_which_extra_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    file = tmp_path / "articles.csv"
    file.write_text("url\nhttps://a.example/\n")
    ended = in_process("dedupe", str(file), "--by", "url", "--spark", MASTER)
    assert ended.status == 2
    assert "pip install 'sameas[spark]'" in ended.err
    assert ended.out == ""
