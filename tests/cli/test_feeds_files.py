"""What `sameas feeds` writes and reads: entries, lists of feeds, and what must not be loaded."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sameas.store.opening import open_store
from tests.cli.feeding import LOOPBACK, feeds
from tests.cli.program import environment, on_terminal, sameas
from tests.feeds.runs import item, numbered, rss
from tests.net.servers import Server, reply


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_entries_in_three_formats(folder: Path):
    body = rss(item("1", "https://example.org/1?utm_source=x", 'One, "two"\nthree', "é"), item("2"))
    with Server(reply(body)) as server:
        feeds("add", server.url("/feed"))
        feeds("sync")
        url = server.url("/feed")
    rows = [json.loads(line) for line in feeds("entries").lines]
    found = {row["guid"]: row for row in rows}
    assert found["1"]["canonical_url"] == "https://example.org/1"
    assert found["1"]["feed_url"] == url
    text = feeds("entries", "--format", "csv").out
    assert list(csv.DictReader(io.StringIO(text, newline=""))) == rows
    assert feeds("entries", "--format", "parquet", "-o", "out.parquet").out == ""
    assert pq.read_table(folder / "out.parquet").to_pylist() == rows
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_entries_by_feed_and_by_when_they_were_new():
    with Server(reply(numbered(1))) as one, Server(reply(numbered(2))) as other:
        urls = [one.url("/feed"), other.url("/feed")]
        feeds("add", *urls)
        feeds("sync")
    (entry,) = map(json.loads, feeds("entries", "--feed", urls[1]).lines)
    assert entry["guid"] == "2"
    for when in ("1h", "2d", "5m", "2020-01-01", "2020-01-01T20:00", "2020-01-01T20:00+01:00"):
        assert len(feeds("entries", "--new-since", when).lines) == 2
    assert feeds("entries", "--new-since", "2120-01-01").lines == []
    for wrong in (["--new-since", "yesterday"], ["--feed", "https://example.org/"]):
        assert feeds("entries", *wrong).status == 2


def test_lists_go_out_and_come_in():
    urls = ["https://a.example/feed?x=1&y=2", "https://b.example/feed"]
    feeds("add", *urls)
    text = feeds("export").out
    feeds("export", "--output", "out.opml")
    assert Path("out.opml").read_text() == text
    ended = feeds("import", "out.opml", "--store", "new.db")
    assert (ended.status, ended.out) == (0, "added 2\n")
    again = sameas("feeds", "import", "-", "--store", "new.db", stdin=text.encode())
    assert (again.status, again.out) == (0, "added 0 · known 2\n")
    with closing(open_store("new.db")) as store:
        assert [feed.feed_url for feed in store.feeds()] == urls


def test_a_bad_list_names_the_line_and_a_bad_address_costs_no_other():
    Path("bad.opml").write_text("<opml>\n<body>\n</opml>")
    ended = feeds("import", "bad.opml")
    assert (ended.status, ended.out) == (2, "")
    assert "bad.opml:3: is broken XML" in ended.err
    outlines = ("ftp://x/", "https://a.example/", "https://u:s3cret@b.example/")
    rows = "\n".join(f"<outline xmlUrl='{url}'/>" for url in outlines)
    Path("some.opml").write_text(f"<opml>\n{rows}\n</opml>")
    ended = feeds("import", "some.opml")
    assert (ended.status, ended.out) == (1, "added 1 · refused 2\n")
    assert "some.opml:2: scheme: " in ended.err
    assert "some.opml:4: https://***@b.example/: " in ended.err
    assert "s3cret" not in ended.err
    assert feeds("import", "missing.opml").status == 2


def test_prune_forgets_and_says_how_many():
    with Server(reply(numbered(1, 2))) as server:
        feeds("add", server.url("/feed"))
        feeds("sync")
    assert feeds("prune").out == "forgot 0\n"
    assert feeds("prune", "--seen-ttl-days", "1", env={}).out == "forgot 0\n"


@pytest.mark.parametrize(
    ("module", "command", "extra"),
    [
        ("feedparser", ["sync"], "feeds"),
        ("aiohttp", ["sync"], "feeds"),
        ("sqlalchemy", ["sync"], "feeds"),
        ("sqlalchemy", ["add", "https://example.org/"], "feeds"),
        ("psycopg", ["list", "--store", "postgresql://h/d"], "postgres"),
    ],
)
def test_a_part_that_is_not_installed_is_named_with_what_brings_it(
    module: str, command: list[str], extra: str
):
    feeds("add", "https://example.invalid/feed")
    code = f"import sys; sys.modules[{module!r}] = None; from sameas.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "feeds", *command],
        capture_output=True,
        env=environment(LOOPBACK),
        check=False,
    )
    assert done.returncode == 2
    assert f"pip install 'sameas[{extra}]'" in done.stderr.decode()


def test_other_commands_load_nothing_of_what_feeds_need():
    code = "import sys, sameas.cli.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    parts = {"feedparser", "aiohttp", "sqlalchemy", "asyncio", "sameas.net", "sameas.feeds"}
    assert parts.isdisjoint(done.stdout.decode().split())


def test_what_a_feed_says_is_harmless_on_a_terminal():
    body = '{"version": "https://jsonfeed.org/version/1", "title": "\u009b2J", "items": [%s]}'
    body %= '{"id": "1", "title": "a\u009b31mb"}'
    with Server(reply(body.encode())) as server:
        feeds("add", server.url("/feed"))
        feeds("sync")
    for command in (["list"], ["entries", "--format", "csv"], ["export"]):
        _, seen = on_terminal("feeds", *command, streams="out", env=LOOPBACK)
        assert "\u009b" not in seen
        assert "\\x9b" in seen or command == ["list"]  # a table breaks its cells anywhere
