"""What somebody may try: foreign names, foreign pages, too much, too deep, too slow, guessed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from sameas.errors import SettingError
from sameas.policy import named
from sameas.web.buckets import Buckets
from sameas.web.settings import Settings
from tests.cli.program import PROGRAM, environment
from tests.web.running import FAST, Running, serving

JSON = {"Content-Type": "application/json"}
URLS = "/v1/canonicalize"
TOKEN = "correct-horse-battery-staple"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that wants a token."""
    store = str(tmp_path_factory.mktemp("guarded") / "sameas.db")
    with serving(*FAST, "--store", store, env={"SAMEAS_TOKEN": TOKEN}) as running:
        yield running


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "127.0.0.1:x", "", "[::1"],
)
def test_a_name_that_is_not_ours_is_refused(service: Running, host: str):
    assert service.ask("/healthz", headers={"Host": host}).problem == (421, "host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:1", "[::1]:8321"])
def test_the_names_of_loopback_are_ours_on_every_port(service: Running, host: str):
    assert service.ask("/healthz", headers={"Host": host}).status == 200


def test_two_hosts_or_none_are_refused(service: Running):
    two = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
    for sent in (two, b"GET /healthz HTTP/1.0\r\n\r\n"):
        assert service.raw(sent).split()[1] in (b"400", b"421")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_changes_nothing(service: Running, headers: dict[str, str]):
    for method, path in (("PUT", "/v1/reviews/x/decision"), ("POST", URLS), ("POST", "/reviews")):
        got = service.ask(path, method, b"{}", {**JSON, **headers})
        assert got.problem == (403, "foreign_origin")


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_a_foreign_page_could_send_unasked_is_not_read(service: Running, media: str):
    got = service.ask(URLS, "POST", b'{"urls": []}', {"Content-Type": media})
    assert got.problem == (415, "media_type")


def test_a_body_that_is_too_large_is_refused_by_its_length_and_by_its_size(service: Running):
    head = f"POST {URLS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    told = service.raw(f"{head}Content-Length: 99999999999\r\n\r\n".encode())
    assert told.split()[1] == b"413"
    piece = b"100000\r\n" + b" " * 2**20 + b"\r\n"
    with pytest.raises(ConnectionError):
        service.raw(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + piece * 40)
    assert len(service.told(lambda line: line.get("status") == 413, 2)) >= 2


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b'{"urls":' + b"[" * 500_000 + b"]" * 500_000 + b"}",
        b'{"a":' * 200_000,
        b"\xff\xfe",
        b"",
        b"NaN",
        b'"text"',
        b'{"urls": "http://a"}',
        b'{"urls": [1]}',
        b'{"urls": [["x"]]}',
        b'{"urls": [], "more": 1}',
        b'{"urls": [], "policy": 5}',
    ],
)
def test_json_that_is_deep_or_torn_or_of_another_shape_is_refused(service: Running, body: bytes):
    status, code = service.ask(URLS, "POST", body, JSON).problem
    assert (status, code) in ((400, "no_json"), (422, "wrong_input"))


def test_only_where_lines_are_read_one_by_one_may_a_body_be_a_stream(service: Running):
    for path in ("/v1/dedupe", "/v1/resolve", "/reviews", "/v1/canonicalize/"):
        got = service.ask(path, "POST", b'"x"', {"Content-Type": "application/x-ndjson"})
        assert got.problem == (415, "media_type")


def test_a_compressed_body_is_not_inflated(service: Running):
    got = service.ask(URLS, "POST", b"x", {**JSON, "Content-Encoding": "gzip"})
    assert got.problem == (415, "content_encoding")


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HT", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "]
)
def test_a_head_that_does_not_come_to_its_end_is_not_waited_for(hasty: Running, sent: bytes):
    assert hasty.raw(sent) == b""


@pytest.mark.parametrize("media", ["application/json", "application/x-ndjson"])
def test_a_body_that_does_not_come_to_its_end_is_not_waited_for(hasty: Running, media: str):
    head = f"POST {URLS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media}\r\n"
    told = hasty.raw(f'{head}Content-Length: 100\r\n\r\n"http://a"'.encode())
    assert told.split()[1] in (b"408", b"200")
    assert not told.endswith(b"0\r\n\r\n")


def test_a_head_that_has_no_end_is_refused(service: Running):
    told = service.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 400_000)
    assert told.split()[1] == b"400"


_HASTY = """
import sys
from dataclasses import replace
from sameas.web import settings
class Hasty(settings.Limits):
    def __init__(self, **given):
        super().__init__(head_seconds=0.3, pause_seconds=0.3, body_seconds=0.5, **given)
settings.Limits = Hasty
from sameas.cli import main
main()
"""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that waits as long as a test can."""
    store = str(tmp_path_factory.mktemp("hasty") / "sameas.db")
    with serving(*FAST, "--store", store, program=[PROGRAM[0], "-c", _HASTY]) as running:
        yield running


def test_who_comes_too_often_is_told_when_to_come_again(store: str):
    with serving("--rate", "0.5", "--store", store) as running:
        got = [running.ask("/healthz") for _ in range(6)]
    assert [one.status for one in got] == [200] * 5 + [429]
    assert got[5].problem == (429, "too_often")
    assert 1 <= int(got[5].headers["retry-after"]) <= 2


def test_a_bucket_fills_again_and_the_oldest_addresses_are_forgotten():
    now = [0.0]
    buckets = Buckets(1.0, 2.0, lambda: now[0])
    for _ in range(2):
        assert buckets.wait("a") == 0
        buckets.take("a")
    assert buckets.wait("a") == 1
    now[0] = 1.0
    assert buckets.wait("a") == 0
    for i in range(10_001):
        buckets.take(str(i))
    assert len(buckets._held) == 10_000


def test_without_the_token_there_is_only_whether_all_is_well(guarded: Running):
    assert guarded.ask("/healthz").status == 200
    for path in ("/v1/policies", "/metrics", "/openapi.json", "/docs", "/", "/none"):
        got = guarded.ask(path)
        assert got.problem == (401, "token")
        assert got.headers["www-authenticate"] == "Bearer"
    assert guarded.ask("/v1/policies", headers=BEARER).status == 200


def test_a_person_without_the_token_is_led_to_where_it_is_asked_for(guarded: Running):
    got = guarded.ask("/reviews?kind=dead", headers={"Accept": "text/html"})
    assert (got.status, got.headers["location"]) == (303, "/login?next=%2Freviews%3Fkind%3Ddead")


def test_a_token_cannot_be_guessed_at_leisure(store: str):
    with serving(*FAST, "--store", store, env={"SAMEAS_TOKEN": TOKEN}) as running:
        got = []
        for i in range(12):
            wrong = {"Authorization": f"Bearer {TOKEN[:-1]}{i:x}"}
            got.append(running.ask("/v1/policies", headers=wrong).status)
        assert got == [401] * 10 + [429] * 2
        assert running.ask("/v1/policies", headers=BEARER).status == 429
        assert running.ask("/v1/policies").status == 401


@pytest.mark.parametrize(
    "given", ["Bearer", "Bearer ", "Basic YTpi", f"Bearer {TOKEN} x", "Bearer \xff", TOKEN]
)
def test_what_is_not_the_token_is_not_the_token(guarded: Running, given: str):
    got = guarded.ask("/v1/policies", headers={"Authorization": given})
    assert got.status == 401


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"host": "0.0.0.0"}, "there is no token"),
        ({"host": "192.0.2.1"}, "there is no token"),
        ({"host": "sameas.example.org"}, "there is no token"),
        ({"host": "0.0.0.0", "token": TOKEN}, "by which name"),
        ({"host": "::", "token": TOKEN}, "by which name"),
        ({"token": "short"}, "16 characters"),
        ({"token": "ä" * 20}, "ASCII"),
        ({"hosts": ("http://a/",)}, "is no host"),
        ({"policies": (named("news"),)}, "built-in"),
    ],
)
def test_what_would_leave_a_door_open_is_refused(settings: dict[str, Any], said: str):
    with pytest.raises(SettingError, match=said):
        Settings(**settings)


def test_another_address_with_a_token_and_a_name_is_served():
    made = Settings(host="0.0.0.0", token=TOKEN, hosts=("Sameas.example.org",))
    assert made.names == {"sameas.example.org"}


def test_the_program_refuses_to_start_so():
    done = subprocess.run(
        [*PROGRAM, "serve", "--host", "0.0.0.0", "--port", "0"],
        capture_output=True,
        env=environment(),
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"set SAMEAS_TOKEN, or listen on 127.0.0.1" in done.stderr


def test_no_secret_is_in_the_log(guarded: Running):
    guarded.ask(f"/v1/policies?token={TOKEN}", headers=BEARER)
    assert TOKEN not in json.dumps(guarded.logs)


def test_every_answer_says_what_a_page_may_do(service: Running):
    for path in ("/healthz", "/none", "/v1/policies", "/static/pages.css"):
        headers = service.ask(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
