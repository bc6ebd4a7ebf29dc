"""Answers that are odd before their body begins; and what each request says of itself."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sameas
from sameas.errors import NET_CODES, NetError
from sameas.net.client import Client
from sameas.net.reply import Headers
from tests.net.ask import ask, loopback, refused
from tests.net.servers import Answer, HangUp, Pause, Server, in_turn, reply, routes

STATUS = b"HTTP/1.1 200 OK\r\n"

TOO_MANY = {
    "20 MB in one header": (STATUS, b"X-A: ", *[b"a" * 1_000_000] * 20, b"\r\n\r\n"),
    "20 MB in many headers": (STATUS, *[b"X-A: " + b"a" * 1_000 + b"\r\n"] * 20_000, b"\r\n"),
    "20 MB in one name": (STATUS, *[b"A" * 1_000_000] * 20, b": a\r\n\r\n"),
    "many small ones": (STATUS, *[b"A: b\r\n"] * 1_000, b"\r\n"),
    "a little over the limit, together": (STATUS, *[b"A: " + b"b" * 999 + b"\r\n"] * 70, b"\r\n"),
    "a little over the limit, alone": (STATUS, b"A: " + b"b" * 65_537 + b"\r\n\r\n"),
    "a status line without end": (b"HTTP/1.1 200 ", *[b"a" * 1_000_000] * 20, b"\r\n\r\n"),
}


@pytest.mark.parametrize("answer", TOO_MANY.values(), ids=TOO_MANY)
def test_headers_over_the_limit_are_refused(answer: Answer):
    with Server((*answer, HangUp())) as server:
        error = refused(server.url())
    assert error.code == "headers_too_large"
    assert "65536 bytes" in error.message


def test_headers_up_to_the_limit_are_read():
    with Server(
        (STATUS, *[b"A: " + b"b" * 999 + b"\r\n"] * 65, b"Content-Length: 0\r\n\r\n")
    ) as server:
        assert len(ask(server.url()).all("a")) == 65


NO_HTTP = {
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "a page without a head": b"<html></html>",
    "a status that is none": b"HTTP/1.1 abc OK\r\n\r\n",
    "a version that is none": b"HTTP/x.y 200 OK\r\n\r\n",
    "a header without a colon": b"HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
    "a NUL": b"HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n",
    "bytes": bytes(range(256)),
}


@pytest.mark.parametrize("sent", NO_HTTP.values(), ids=NO_HTTP)
def test_what_is_no_http_is_told(sent: bytes):
    with Server((sent, HangUp())) as server:
        error = refused(server.url())
    assert error.code == "protocol"
    assert sent.decode("latin-1")[:9] not in error.message


@pytest.mark.parametrize("answer", [(HangUp(),), (HangUp(reset=True),), (STATUS, HangUp())])
def test_a_server_that_hangs_up_is_told(answer: Answer):
    with Server(answer) as server:
        assert refused(server.url()).code == "connection"


def test_a_port_where_nobody_listens_is_told():
    with Server(()) as server:
        url = server.url()
    error = refused(url)
    assert error.code == "connection"
    assert "Connection refused" in error.message


def test_promises_before_the_answer_are_passed_over():
    hint = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    with Server((hint, hint, *reply(b"end", etag='"1"'))) as server:
        answer = ask(server.url())
    assert (answer.status, answer.body, "link" in answer.headers) == (200, b"end", False)


@pytest.mark.parametrize("status", [200, 404, 410, 429, 500, 503])
def test_a_status_is_an_answer_and_nothing_is_asked_twice(status: int):
    with Server(reply(b"said", status, retry_after="1")) as server:
        answer = ask(server.url())
        assert (answer.status, answer.body) == (status, b"said")
        assert len(server.asked) == 1


def test_header_names_have_any_case_and_repeated_ones_stay_apart():
    sent = b"HTTP/1.1 200 OK\r\nLink: <a>\r\nLINK: <b>, <c>\r\nContent-Length: 0\r\n\r\n"
    with Server((sent,)) as server:
        answer = ask(server.url())
    assert answer.headers["link"] == answer.headers["Link"] == "<a>, <b>, <c>"
    assert answer.all("lInK") == ["<a>", "<b>, <c>"]
    assert answer.all("none") == []
    assert "none" not in answer.headers
    assert set(answer.headers) == {"link", "content-length"}
    assert len(answer.headers) == 2


@pytest.mark.parametrize(
    "etag",
    [b'"1"', b'W/"1"', b'"1-gzip"', b"bare", b'"\xc3\xa9"', b'"a b"', b'"a\tb"', b'""', b'"\\"'],
)
def test_a_validator_goes_back_byte_for_byte(etag: bytes):
    with Server(reply(etag=etag)) as server:
        received = ask(server.url()).headers["etag"]
        assert received.encode("latin-1") == etag
        ask(server.url(), headers={"If-None-Match": received})
        line = next(line for line in server.asked[1].lines if line.startswith("If-None-Match"))
    assert line.encode("latin-1") == b"If-None-Match: " + etag


@pytest.mark.parametrize("value", ['"\xe9"', '"\x01"', "a\r\nX-Evil: 1", "\u20ac", "\ud800"])
def test_a_value_that_cannot_be_sent_as_it_is_is_left_out(value: str):
    with Server(reply()) as server:
        ask(server.url(), headers={"If-None-Match": value, "X-Other": "1"})
    assert "if-none-match" not in server.asked[0].headers
    assert "x-evil" not in server.asked[0].headers
    assert server.asked[0].headers["x-other"] == "1"


def test_each_request_says_who_asks():
    with Server(reply()) as server:
        ask(server.url())
        ask(server.url(), loopback(contact="https://example.com/bot"))
    agents = [asked.headers["user-agent"] for asked in server.asked]
    version = f"sameas/{sameas.__version__}"
    assert agents == [version, f"{version} (+https://example.com/bot)"]


def test_a_connection_is_used_again_and_a_stale_one_is_made_anew():
    async def run(server: Server) -> None:
        async with Client(loopback()) as client:
            for _ in range(3):
                await client.ask(server.url())

    with Server(reply(b"x")) as server:
        asyncio.run(run(server))
        assert (server.accepted, len(server.asked)) == (1, 3)
    with Server((*reply(b"x"), HangUp())) as server:
        asyncio.run(run(server))
        assert (server.accepted, len(server.asked)) == (3, 3)


FORGED = reply(b"forged", etag='"forged"')
LEFT_BEHIND = {
    "with the answer": (reply(b"first")[0] + FORGED[0],),
    "a little later": (*reply(b"first"), Pause(0.05), *FORGED),
    "a little later, and no HTTP": (*reply(b"first"), Pause(0.05), b"<p>forgotten</p>"),
}


@pytest.mark.parametrize("first", LEFT_BEHIND.values(), ids=LEFT_BEHIND)
def test_what_one_answer_leaves_behind_is_no_answer_to_the_next(first: Answer):
    with Server(in_turn([first, reply(b"second")])) as server:

        async def run() -> list[bytes]:
            async with Client(loopback()) as client:
                bodies = [(await client.ask(server.url("/1"))).body]
                await asyncio.sleep(0.15)
                return [*bodies, (await client.ask(server.url("/2"))).body]

        assert asyncio.run(run()) == [b"first", b"second"]
        assert server.accepted == 2


def test_many_hosts_are_asked_at_once_and_one_that_hangs_holds_up_nobody():
    table = {"/slow": (Pause(9),), "/fast": reply(b"x")}
    with Server(routes(table)) as server:

        async def run() -> list[str]:
            ended: list[str] = []

            async def one(path: str) -> None:
                try:
                    await client.ask(server.url(path))
                except NetError as error:
                    ended.append(error.code)
                else:
                    ended.append("answered")

            async with Client(loopback(per_host=20, seconds=0.5)) as client:
                await asyncio.gather(*map(one, ["/slow"] + ["/fast"] * 10))
            return ended

        assert asyncio.run(run()) == ["answered"] * 10 + ["timeout"]


WHOLE = b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: "1"\r\nLocation: /b\r\n\r\nhello'
CHUNKED = (
    b"HTTP/1.1 302 Go\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    b"5\r\nhello\r\n0\r\n\r\n"
)


@st.composite
def torn(draw: st.DrawFn) -> bytes:
    """An answer with pieces of it gone, doubled, or replaced by any bytes."""
    answer = bytearray(draw(st.sampled_from([WHOLE, CHUNKED])))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(answer)))
        end = draw(st.integers(start, min(len(answer), start + 9)))
        answer[start:end] = draw(st.binary(max_size=9) | st.just(bytes(answer[start:end]) * 2))
    return bytes(answer)


def test_any_bytes_are_an_answer_or_a_net_error():
    told: list[NetError] = []
    with Server(()) as server:

        @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
        @given(torn() | st.binary(max_size=64))
        def check(sent: bytes) -> None:
            server.script = (sent, HangUp())
            try:
                ask(server.url(), loopback(seconds=5))
            except NetError as error:
                told.append(error)

        check()
    assert told
    assert {error.code for error in told} <= set(NET_CODES)
    assert all(re.fullmatch(r"[\x20-\x7e]+", str(error)) for error in told)


def test_headers_can_be_made_of_pairs():
    headers = Headers([(b"ETag", b'"\xff"')])
    assert headers["etag"] == '"\xff"'
    assert "etag" in repr(headers)
