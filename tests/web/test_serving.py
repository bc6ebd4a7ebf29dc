"""The service as a process: it starts with a line, ends when its work is done, lets people in."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.cli.program import PROGRAM, environment
from tests.web.browser import visiting
from tests.web.running import FAST, Running, serving

TOKEN = "correct-horse-battery-staple"
_STREAM = (
    b"POST /v1/canonicalize HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def _chunk(text: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(text), text)


def test_what_is_under_way_is_finished_when_the_service_is_told_to_end(store: str):
    with serving(*FAST, "--store", store) as running:
        with socket.create_connection(("127.0.0.1", running.port), timeout=20) as connection:
            connection.sendall(_STREAM + _chunk(b'"http://a.example/1"\n'))
            got = connection.recv(65536)
            while b"a.example/1" not in got:
                got += connection.recv(65536)
            running.process.terminate()
            _until_refused(running.port)
            connection.sendall(_chunk(b'"http://a.example/2"\n') + b"0\r\n\r\n")
            while more := connection.recv(65536):
                got += more
        assert b"a.example/2" in got
        assert got.endswith(b"0\r\n\r\n")
        assert running.process.wait(20) == 0
    assert running.told(lambda line: line["event"] == "ended") == running.logs[-1:]


def _until_refused(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)
    raise AssertionError("it still takes new connections")


def test_a_port_that_is_taken_is_named(service: Running, store: str):
    done = subprocess.run(
        [*PROGRAM, "serve", "--port", str(service.port), "--store", store],
        capture_output=True,
        env=environment(),
        check=False,
        timeout=30,
    )
    assert done.returncode == 2
    assert b"cannot be listened on" in done.stderr
    assert b"--port" in done.stderr


def test_without_the_extra_it_says_what_brings_it(store: str):
    code = "import sys; sys.modules['fastapi'] = None; from sameas.cli import main; main()"
    done = subprocess.run(
        [PROGRAM[0], "-c", code, "serve", "--store", store],
        capture_output=True,
        env=environment(),
        check=False,
        timeout=30,
    )
    assert done.returncode == 2
    assert b"pip install 'sameas[web]'" in done.stderr


def test_a_store_that_is_gone_is_told_by_healthz_and_by_every_page(store: str):
    with serving(*FAST, "--store", store) as running:
        assert running.get("/healthz").status == 200
        Path(store).unlink()
        got = running.get("/healthz")
        assert (got.status, got.data) == (503, {"status": "unwell", "store": "gone"})
        assert running.get("/v1/reviews").problem == (503, "store_gone")
        assert running.get("/v1/canonicalize", url="http://h/").status == 200
        page = running.ask("/reviews", headers={"Accept": "text/html"})
        assert page.status == 503
        assert store not in page.text


def test_a_policy_of_the_user_s_own_is_served_beside_the_others(store: str, tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nversion = 3\nextends = "news"\n')
    with serving(*FAST, "--store", store, "--policy", str(file)) as running:
        names = [one["name"] for one in running.get("/v1/policies").data["policies"]]
        assert "mine" in names
        got = running.get("/v1/canonicalize", url="http://www.example.com/", policy="mine")
        assert (got.data["url"], got.data["policy"]) == ("http://example.com", "mine")


def test_people_sign_in_with_the_token_and_out_again(browser: Browser, store: str):
    with (
        serving(*FAST, "--store", store, env={"SAMEAS_TOKEN": TOKEN}) as running,
        visiting(browser, running.url) as visitor,
    ):
        page = visitor.page
        visitor.goto("/policies?a=news&b=feed")
        assert visitor.violations() == []
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_have_text("That is not the token.")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Policies")
        assert page.url.endswith("/policies?a=news&b=feed")
        (kept,) = [one for one in page.context.cookies() if one["name"] == "sameas_session"]
        assert (kept["httpOnly"], kept["sameSite"]) == (True, "Strict")
        assert TOKEN not in kept["value"]
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Token")).to_be_visible()
        assert TOKEN not in json.dumps(running.logs)


def test_signing_in_never_leads_to_another_site(store: str):
    media = {"Content-Type": "application/x-www-form-urlencoded"}
    with serving(*FAST, "--store", store, env={"SAMEAS_TOKEN": TOKEN}) as running:
        for to in ("//evil.example", "https://evil.example", "/\\evil.example", "x", "/%0d%0ax"):
            got = running.ask("/login", "POST", f"token={TOKEN}&next={to}".encode(), media)
            assert (got.status, got.headers["location"]) == (303, "/")
