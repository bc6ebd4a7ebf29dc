"""`sameas feeds` as a shell sees it, against servers on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from sameas.store.opening import open_store
from tests.cli.feeding import LOOPBACK, STORE, feeds
from tests.cli.program import PROGRAM, environment, in_process, on_terminal
from tests.feeds.runs import numbered
from tests.net.servers import Pause, Server, redirect, reply, routes

NAMES = [
    "feed_url",
    "status",
    "http_status",
    "new",
    "updated",
    "duplicates",
    "conflicts",
    "error",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_feeds_from_the_first_day_to_the_second():
    with Server(reply(numbered(1, 2), etag='"1"')) as one, Server(reply(status=404)) as other:
        ended = feeds("add", one.url("/feed#x"), other.url("/feed"), one.url("/feed"))
        assert (ended.status, ended.out) == (0, "added 2\n")
        assert feeds("add", one.url("/feed")).out == "added 0 · known 1\n"
        ended = feeds("sync")
        assert ended.status == 1
        assert ended.out == "new 2 · updated 0 · seen 0 · no change 0 · failed 1\n"
        assert ended.err == (
            f"{other.url('/feed')}: is not there: is the address right? (status 404)\n"
        )
        one.script = reply(status=304)
        ended = feeds("sync", one.url("/feed"))
        assert (ended.status, ended.err) == (0, "")
        assert ended.out == "new 0 · updated 0 · seen 2 · no change 1 · failed 0\n"
        listed = feeds("list").lines
        assert listed[0].startswith(f"{one.url('/feed')}  News  ")
        assert listed[1].endswith("is not there: is the address right? (status 404)")


def test_json_gives_one_object_a_feed_with_the_names_scripts_rely_on():
    table = {
        "/ok": reply(numbered(1, 2)),
        "/wait": reply(status=429, retry_after="120"),
        "/bad": reply(b"<html></html>"),
    }
    with Server(routes(table)) as server:
        feeds("add", *map(server.url, table))
        ended = feeds("sync", "--json")
        rows = {row["feed_url"]: row for row in map(json.loads, ended.lines)}
        assert all(list(row) == NAMES for row in rows.values())
        good = rows[server.url("/ok")]
        assert list(good.values())[1:] == ["ok", 200, 2, 0, 0, 0, None]
        assert rows[server.url("/wait")]["status"] == "waiting"
        assert rows[server.url("/bad")]["status"] == "failed"
        assert "web page" in rows[server.url("/bad")]["error"]
        assert ended.status == 1


def test_a_feed_that_waits_is_no_problem_and_is_named():
    with Server(reply(status=503, retry_after="7200")) as server:
        feeds("add", server.url("/feed"))
        for _ in range(2):
            ended = feeds("sync")
            assert ended.status == 0
            assert ended.out.endswith(" · failed 0 · waiting 1\n")
            assert "asks to be left alone until" in ended.err
        assert len(server.asked) == 1


def test_due_asks_nobody_before_the_time():
    with Server(reply(numbered(1))) as server:
        feeds("add", server.url("/feed"))
        for asked in (1, 1):
            assert feeds("sync", "--due").status == 0
            assert len(server.asked) == asked
    assert feeds("sync", "--due", "http://example.org/").status == 2


def test_an_address_with_a_password_is_refused_with_what_to_do_instead():
    ended = feeds("add", "https://ann:s3cret@example.org/feed", "ftp://example.org/")
    assert ended.status == 1
    assert ended.out == "added 0 · refused 2\n"
    assert "argument 1: https://***@example.org/feed: the address holds credentials" in ended.err
    assert "sameas feeds sync --help" in ended.err
    assert "argument 2: scheme: " in ended.err
    assert "s3cret" not in ended.err
    assert not Path("sameas.db").exists()


def test_a_feed_that_is_removed_takes_what_only_it_has_brought():
    with Server(reply(numbered(1, 2))) as one, Server(reply(numbered(2, 3))) as other:
        feeds("add", one.url("/feed"), other.url("/feed"))
        feeds("sync", one.url("/feed"))
        feeds("sync", other.url("/feed"))
        before = len(feeds("entries").lines)
        ended = feeds("remove", one.url("/feed"), one.url("/none"), "ftp://example.org/")
        assert (ended.status, ended.out) == (1, "removed 1\n")
        assert f"{one.url('/none')}: is no feed of this store" in ended.err
        assert "argument 3: scheme: " in ended.err
        assert [line.split()[0] for line in feeds("list").lines] == [other.url("/feed")]
        left = [json.loads(line) for line in feeds("entries").lines]
        assert len(left) < before
        assert {row["feed_url"] for row in left} == {other.url("/feed")}


@pytest.mark.parametrize("way", ["file", "lines"])
def test_a_password_comes_from_a_file_or_the_environment(way: str, folder: Path):
    line = "machine 127.0.0.1 login ann password s3cret"
    (folder / "pw").write_text(line)
    env = {"SAMEAS_PASSWORDS": "pw"} if way == "file" else {"SAMEAS_PASSWORD_LINES": line}
    with Server(reply(numbered(1))) as server:
        lines = {
            name: text.replace("127.0.0.1", f"127.0.0.1:{server.port}")
            for name, text in env.items()
        }
        (folder / "pw").write_text(line.replace("127.0.0.1", f"127.0.0.1:{server.port}"))
        feeds("add", server.url("/feed"))
        assert feeds("sync", env=lines).status == 0
        assert server.asked[0].headers["authorization"] == "Basic YW5uOnMzY3JldA=="
    assert b"s3cret" not in (folder / "sameas.db").read_bytes()


@pytest.mark.parametrize(
    ("options", "env", "said"),
    [
        (["--passwords", "missing"], {}, "missing: cannot be read"),
        (["--passwords", "bad"], {}, "bad:1: a word that is not known"),
        (["--passwords", "bytes"], {}, "bytes: is not UTF-8 text"),
        (["--passwords", "bad"], {"SAMEAS_PASSWORD_LINES": "x y"}, "is set too"),
        (["--connect-to", "a:b"], {}, "--connect-to a:b"),
        (["--allow-network", "everything"], {}, "--allow-network everything"),
        (["--cacert", "bad"], {}, "--cacert bad"),
        (["--contact", "é"], {}, "contact"),
        (["--store", "missing.db"], {}, "missing.db: there is no such store"),
        (["--store", "redis://x"], {}, "redis://…: is no store"),
        (["--seen-ttl-days", "0"], {}, "--seen-ttl-days"),
    ],
)
def test_wrong_settings_end_with_2_and_say_what_is_wrong(
    options: list[str], env: dict[str, str], said: str, folder: Path
):
    (folder / "bad").write_text("hunter2 is here")
    (folder / "bytes").write_bytes(b"\xff\xfe")
    feeds("add", "https://example.invalid/feed")
    ended = feeds("sync", *options, env=env)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert "hunter2" not in ended.err


def test_without_its_store_a_run_tells_apart_in_memory_and_warns(folder: Path):
    (folder / "broken.db").write_bytes(b"this is no database, but it is long enough" * 40)
    with Server(reply(numbered(1, 2))) as server:
        ended = feeds("sync", "--store", "broken.db", server.url("/feed"))
        assert ended.status == 1
        assert ended.out == "new 2 · updated 0 · seen 0 · no change 0 · failed 0\n"
        assert ended.err.startswith("sameas: broken.db: ")
        assert "told apart in memory" in ended.err
    assert feeds("sync", "--store", "broken.db").status == 2


def test_a_url_that_is_no_feed_of_the_store_is_named():
    with Server(reply(numbered(1))) as server:
        feeds("add", server.url("/feed"))
        ended = feeds("sync", "https://example.org/other", server.url("/feed"), "nonsense")
        assert ended.status == 1
        assert ended.out.startswith("new 1 ")
        assert "https://example.org/other: is no feed of this store" in ended.err
        assert "argument 3: relative" in ended.err


def test_a_feed_that_moves_is_told():
    with Server(reply(numbered(1))) as server:
        feeds("add", server.url("/old"))
        feeds("sync")
        server.script = routes({"/new": reply(numbered(1)), "/old": redirect("/new", 301)})
        feeds("sync")
        server.script = routes({"/new": reply(numbered(1))})
        ended = feeds("sync")
        assert f"{server.url('/old')} has moved for good; from now on it is" in ended.err
        assert ended.status == 0


def test_connect_to_and_cacert_are_curls(folder: Path):
    from tests.net.servers import authority, tls

    authority().cert_pem.write_to_path(str(folder / "ca.pem"))
    with Server(reply(numbered(1)), tls=tls("feeds.example")) as server:
        feeds("add", "https://feeds.example/feed")
        to = f"feeds.example:443:127.0.0.1:{server.port}"
        options = ("--connect-to", to, "--cacert", "ca.pem", "--contact", "me@example.org")
        assert in_process("feeds", "sync", *options, env=STORE).status == 0
        assert server.asked[0].headers["host"] == "feeds.example"
        assert server.asked[0].headers["user-agent"].endswith(" (+me@example.org)")
        env = STORE | {"SAMEAS_CONNECT_TO": to, "SAMEAS_CACERT": "ca.pem"}
        assert in_process("feeds", "sync", env=env).status == 0


def test_a_bar_is_drawn_on_a_terminal_and_gone_at_the_end():
    with Server(reply(numbered(1))) as server:
        feeds("add", server.url("/feed"))
        ended, seen = on_terminal("feeds", "sync", streams="err", env=LOOPBACK)
    assert ended.out == "new 1 · updated 0 · seen 0 · no change 0 · failed 0\n"
    assert "feeds" in seen
    assert "\x1b[2K" in seen


def test_an_interrupt_keeps_what_is_done():
    with Server(reply(numbered(1, 2))) as quick, Server([Pause(30)]) as slow:
        feeds("add", quick.url("/feed"), slow.url("/feed"))
        program = subprocess.Popen(
            [*PROGRAM, "feeds", "sync", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(LOOPBACK | {"PYTHONUNBUFFERED": "1"}),
        )
        while not slow.asked or not _checked(quick.url("/feed")):
            assert program.poll() is None
        os.kill(program.pid, signal.SIGINT)
        out, err = program.communicate(timeout=30)
    assert program.returncode == 130
    assert b"stopped: what is done is kept" in err
    assert b"Traceback" not in err
    assert json.loads(out)["new"] == 2
    assert len(feeds("entries").lines) == 2


def _checked(url: str) -> bool:
    with closing(open_store("sameas.db")) as store:
        return store.feeds([url])[0].last_checked_at is not None
