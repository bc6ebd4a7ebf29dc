"""`sameas resolve` as a shell sees it: results, statuses, what is named, and what is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sameas import Policy
from tests.cli.program import Ended, in_process, on_terminal, sameas
from tests.net.servers import Answer, Asked, Server, authority, redirect, reply, tls

U = "https://sede.uno.test"
PDF = reply(content_type="application/pdf")


def _answer(asked: Asked) -> Answer:
    if asked.path == "/a/viejo":
        return redirect("/a/nuevo.pdf", 301)
    if asked.path == "/":
        return redirect("https://www.uno.test/inicio.pdf", 301)
    return PDF if asked.path.endswith(".pdf") else reply(status=404)


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Every host with TLS is this server; without TLS nobody answers."""
    authority().cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.chdir(tmp_path)
    names = ("sede.uno.test", "uno.test", "www.uno.test", "bit.ly")
    with Server(_answer, tls=tls(*names)) as server:
        monkeypatch.setenv("SAMEAS_CONNECT_TO", f":443:127.0.0.1:{server.port} :80:127.0.0.1:1")
        monkeypatch.setenv("SAMEAS_CACERT", "authority.pem")
        yield server


def resolve(*args: str) -> Ended:
    return in_process("resolve", "--policy", "clara", "--allow", "*.test", *args)


def test_an_object_has_the_names_scripts_rely_on(web: Server):
    ended = resolve("--json", f"{U}/a/viejo")
    assert (ended.status, ended.err) == (0, "")
    (line,) = ended.lines
    found = json.loads(line)
    assert list(found) == ["input", "url", "key", "chain", "status", "flags", "notes", "evidence"]
    assert (found["input"], found["url"], found["status"]) == (
        f"{U}/a/viejo",
        f"{U}/a/nuevo.pdf",
        "ok",
    )
    assert found["key"] == Policy.load("clara").key(found["url"])
    assert found["chain"] == [
        {"url": f"{U}/a/viejo", "status": 301},
        {"url": f"{U}/a/nuevo.pdf", "status": 200},
    ]
    assert found["notes"]["link_type"] == "informative"
    assert [list(one) for one in found["evidence"]] == [
        ["signal", "url", "said", "at", "status"]
    ] * len(found["evidence"])
    assert [one["at"] for one in found["evidence"]] == sorted(
        one["at"] for one in found["evidence"]
    )
    assert [asked.method for asked in web.asked] == ["HEAD", "HEAD"]


@pytest.mark.usefixtures("web")
def test_one_bad_link_costs_the_others_nothing_and_is_named():
    ended = resolve("--json", "nonsense", f"{U}/gone", f"{U}/b.pdf", "https://www.elsewhere.org/a")
    assert ended.status == 1
    found = [json.loads(line) for line in ended.lines]
    assert [one["status"] for one in found] == ["error", "dead", "ok", "rejected"]
    assert [line.partition(": ")[2].partition(":")[0] for line in ended.err.splitlines()] == [
        "error",
        "dead",
        "rejected",
    ]
    assert (found[0]["url"], found[0]["key"], found[0]["chain"]) == ("", "", [])
    assert found[0]["notes"]["error"]["code"] == "relative"


@pytest.mark.usefixtures("web")
def test_the_chain_is_drawn_for_a_person():
    ended = resolve(f"{U}/a/viejo")
    assert ended.lines[:4] == [
        f"{U}/a/viejo",
        f"├─ 301  {U}/a/viejo",
        f"└─ 200  {U}/a/nuevo.pdf",
        f"ok        {U}/a/nuevo.pdf",
    ]
    assert "follow.elsewhere" in ended.out
    assert "\x1b" not in ended.out


def test_credentials_are_nowhere(web: Server):
    """But for the url itself: what stands in a parameter is what the link is about."""
    url = "https://user:s3cret@sede.uno.test/gone?u=http://ann:w0rd@h/"
    drawn = resolve(url)
    told = resolve("--json", url)
    found = json.loads(told.out)
    assert found.pop("url") == "https://sede.uno.test/gone?u=http://ann:w0rd@h/"
    assert "credentials" in found["flags"]
    for text in (drawn.out, drawn.err, told.err, json.dumps(found)):
        assert "***" in text
        assert "s3cret" not in text
        assert "w0rd" not in text
    assert all("authorization" not in asked.headers for asked in web.asked)


def test_what_a_page_says_is_harmless_on_a_terminal(web: Server):
    web.script = reply(
        b"<title>\x1b[5mB</title><h1>Error 404 \x1b[5m</h1>", content_type="text/html"
    )
    env = {name: os.environ[name] for name in ("SAMEAS_CONNECT_TO", "SAMEAS_CACERT")}
    ended, seen = on_terminal("resolve", f"{U}/a", env=env)
    assert ended.status == 1
    assert "soft_404" in seen
    assert "\x1b[31m" in seen, "what is wrong is red"
    assert "\x1b[5m" not in seen


def test_a_limit_that_is_no_host_is_wrong_usage(web: Server):
    ended = resolve("--allow", "http://x/", f"{U}/a")
    assert (ended.status, ended.out) == (2, "")
    assert "--allow http://x/" in ended.err
    assert web.asked == []


def test_a_policy_without_addresses_cannot_be_asked_for():
    ended = in_process("resolve", "--policy", "tk", U)
    assert (ended.status, ended.out) == (2, "")
    assert "tk" in ended.err


@pytest.mark.parametrize("module", ["aiohttp", "sqlalchemy"])
@pytest.mark.parametrize(
    ("command", "extras"),
    [
        (["resolve", U, "--store", "links.db"], "net,store"),
        (["registry", "check", ".", "--store", "links.db"], "net,store"),
    ],
)
def test_all_the_extras_it_needs_are_named_at_once_and_before_anything_is_done(
    module: str, command: list[str], extras: str, tmp_path: Path
):
    (tmp_path / f"{module}.py").write_text("raise ImportError")
    ended = sameas(*command, env={"PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert f"pip install 'sameas[{extras}]'" in ended.err


def test_without_a_store_it_needs_one_extra(tmp_path: Path):
    (tmp_path / "aiohttp.py").write_text("raise ImportError")
    ended = sameas("resolve", U, env={"PYTHONPATH": str(tmp_path)})
    assert ended.status == 2
    assert "pip install 'sameas[net]'" in ended.err


def test_the_form_of_a_domain_is_kept_in_a_store_and_not_asked_again(web: Server):
    link = "https://uno.test/x/y.pdf"
    first = json.loads(resolve("--json", "--store", "s.db", link).out)
    asked = len(web.asked)
    second = json.loads(resolve("--json", "--store", "s.db", link).out)
    assert first["url"] == second["url"] == "https://www.uno.test/x/y.pdf"
    assert "bare.arrived" in {one["signal"] for one in first["evidence"]}
    assert len(web.asked) - asked == 1
    assert web.asked[-1].headers["host"] == "www.uno.test"
