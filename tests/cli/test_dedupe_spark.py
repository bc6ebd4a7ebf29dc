"""`sameas dedupe --spark`: the same flags and the same result as without, wherever Spark runs."""

from __future__ import annotations

import csv
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import spark as small
from tests.cli.program import Ended, in_process, sameas
from tests.dedupe import made

MASTER = "local[2]"


def _articles(file: Path) -> None:
    """Rows of every kind: alike by URL or title, refused, empty, torn, and not UTF-8."""
    names = ["url", "title", "language", "full_text", "district", "source"]
    with file.open("w", encoding="utf-8", errors="surrogatepass", newline="") as out:
        rows = csv.DictWriter(out, names)
        rows.writeheader()
        for number in range(25):
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
    ended = sameas("dedupe", str(file), "--by", by, *to, *more, env=env)
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
    assert small.read_by(tmp_path)["driver"] > 200


def test_two_workers_of_a_cluster_each_do_their_part(tmp_path: Path) -> None:
    file = tmp_path / "links.txt"
    links = [f"https://a.example/{i % 30_000}?utm_source={i}" for i in range(45_000)]
    file.write_text("\n".join([*links, "no link", ""]))
    alone = sameas("dedupe", str(file), "--by", "url", "--groups", str(tmp_path / "alone"))
    with small.cluster(tmp_path) as master:
        given = ("--by", "url", "--groups", str(tmp_path / "cluster"), "--spark", master)
        spark = sameas("dedupe", str(file), *given, env=small.environment(tmp_path))
    assert (spark.status, spark.lines) == (alone.status, alone.lines)
    assert len(spark.lines) == 30_001
    assert (tmp_path / "cluster").read_bytes() == (tmp_path / "alone").read_bytes()
    rows = small.read_by(tmp_path)
    assert len(rows) == 2
    assert sum(rows.values()) >= 45_001
    assert {path.parts[-3] for path in tmp_path.glob("*/app-*/*")} == {"one", "two"}


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
