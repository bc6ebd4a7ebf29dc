"""How much is taken: bodies that are too large, too slow, torn, or not what they are said to be."""

from __future__ import annotations

import gzip
import itertools
import zlib

import pytest

from sameas.errors import NetError
from tests.net.ask import ask, follow, loopback, refused
from tests.net.servers import Answer, HangUp, Pause, Server, reply

PAGE = b"<rss>" + b"entry " * 500 + b"</rss>"
LIMIT = 100_000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def chunked(*chunks: bytes) -> tuple[bytes, ...]:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return (head, *(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in (*chunks, b"")))


ANSWERED = {
    "plain": reply(PAGE),
    "until the server hangs up": (*reply(PAGE, length=False), HangUp()),
    "chunked": chunked(PAGE[:7], PAGE[7:]),
    "gzip": reply(gzip.compress(PAGE), content_encoding="gzip"),
    "gzip by its old name": reply(gzip.compress(PAGE), content_encoding="X-GZip"),
    "gzip, chunked": (
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n",
        chunked(gzip.compress(PAGE)[:9], gzip.compress(PAGE)[9:])[0].partition(b"\r\n")[2],
        *chunked(gzip.compress(PAGE)[:9], gzip.compress(PAGE)[9:])[1:],
    ),
    "gzip twice": reply(gzip.compress(gzip.compress(PAGE)), content_encoding="gzip, gzip"),
    "gzip in members": reply(
        gzip.compress(PAGE[:9]) + gzip.compress(b"") + gzip.compress(PAGE[9:]),
        content_encoding="gzip",
    ),
    "gzip with something behind it": reply(
        gzip.compress(PAGE) + b"\0\0<!---->", content_encoding="gzip"
    ),
    "deflate": reply(zlib.compress(PAGE), content_encoding="deflate"),
    "deflate without its frame": reply(raw_deflate(PAGE), content_encoding="deflate"),
    "identity": reply(PAGE, content_encoding="identity"),
}


@pytest.mark.parametrize("answer", ANSWERED.values(), ids=ANSWERED)
def test_a_body_arrives_whole(answer: Answer):
    with Server(answer) as server:
        assert ask(server.url()).body == PAGE
        asked = server.asked[0].headers
    assert asked["accept-encoding"] == "gzip, deflate"


BOMB = gzip.compress(b"\0" * 50_000_000)
FLOOD = (*reply(length=False), *itertools.repeat(b"x" * 9_999, 1_000))

TOO_LARGE = {
    "a length that says so": (b"HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n", Pause(9)),
    "no length, and it goes on": FLOOD,
    "chunks that go on": chunked(*[b"x" * 9_999] * 20),
    "a bomb": reply(BOMB, content_encoding="gzip"),
    "a bomb in a bomb": reply(gzip.compress(BOMB), content_encoding="gzip, gzip"),
    "a deflate bomb": reply(zlib.compress(b"\0" * 50_000_000), content_encoding="deflate"),
    "a bomb in members": reply(gzip.compress(b"\0" * 9_999) * 11, content_encoding="gzip"),
}


@pytest.mark.parametrize("answer", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_body_over_the_limit_is_refused(answer: Answer):
    with Server(answer) as server:
        error = refused(server.url(), loopback(body_bytes=LIMIT))
    assert error.code == "body_too_large"
    assert "100000 bytes" in error.message


@pytest.mark.parametrize("status", [200, 302, 404])
@pytest.mark.parametrize("answer", TOO_LARGE)
def test_where_the_first_bytes_are_enough_a_body_may_be_as_long_as_it_likes(
    answer: str, status: int
):
    if answer == "a length that says so":
        sent: Answer = (b"HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n", b"x" * 9_999)
    else:
        sent = TOO_LARGE[answer]
    head, *rest = sent
    head = head.replace(b"HTTP/1.1 200", b"HTTP/1.1 %d" % status)
    with Server((head, *rest)) as server:
        got = ask(server.url(), loopback(body_bytes=LIMIT), first=500)
    assert (got.status, len(got.body)) == (status, 500)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
def test_the_first_bytes_are_those_of_the_whole(coding: str):
    whole = body = b"".join(b"<p>%d" % number for number in range(10_000))
    for name in coding.split(", "):
        body = gzip.compress(body) if name == "gzip" else zlib.compress(body)
    with Server(reply(body, content_encoding=coding)) as server:
        assert ask(server.url(), first=1_000).body == whole[:1_000]
        assert ask(server.url(), first=len(whole)).body == whole


@pytest.mark.parametrize("coding", ["", "gzip"])
def test_the_limit_is_exact(coding: str):
    whole, more = b"x" * LIMIT, b"x" * (LIMIT + 1)
    for body, fits in ((whole, True), (more, False)):
        sent = reply(gzip.compress(body), content_encoding=coding) if coding else reply(body)
        with Server(sent) as server:
            if fits:
                assert ask(server.url(), loopback(body_bytes=LIMIT)).body == body
            else:
                assert refused(server.url(), loopback(body_bytes=LIMIT)).code == "body_too_large"


@pytest.mark.parametrize(
    ("head", "code"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", "body_too_large"),
        (b"HTTP/1.1 200 OK\r\nX-A: ", "headers_too_large"),
        (b"HTTP/1.1 200 ", "headers_too_large"),
    ],
)
def test_a_flood_is_cut_off_and_not_swallowed(head: bytes, code: str):
    sent = 0

    def flood() -> Answer:
        nonlocal sent
        yield head
        for _ in range(10_000):
            yield b"x" * 10_000
            sent += 10_000

    with Server(lambda _: flood()) as server:
        assert refused(server.url(), loopback(body_bytes=LIMIT)).code == code
    assert sent < 50_000_000, "what the system's buffers hold, and no more"


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
NO_CHUNK = {
    "a chunk's size that is none": (CHUNKED, b"zz\r\nhello\r\n0\r\n\r\n"),
    "a chunk longer than it says": (CHUNKED, b"2\r\nhello\r\n0\r\n\r\n"),
    "a size without an end": (CHUNKED, b"f" * 99),
}
TORN = NO_CHUNK | {
    "shorter than its length": (OK + b"Content-Length: 50\r\n\r\n", b"hello"),
    "no last chunk": (CHUNKED, b"5\r\nhello\r\n"),
    "a chunk that is cut": (CHUNKED, b"ff\r\nhello"),
    "two lengths": (OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", b"hello"),
    "a length that is none": (OK + b"Content-Length: five\r\n\r\n", b"hello"),
    "a negative length": (OK + b"Content-Length: -5\r\n\r\n", b"hello"),
}


@pytest.mark.parametrize(("head", "body"), TORN.values(), ids=TORN)
def test_a_torn_body_is_no_body(head: bytes, body: bytes):
    for answer in ((head + body, HangUp()), (head, Pause(0.02), body, HangUp())):
        with Server(answer) as server:
            assert refused(server.url()).code == "protocol"


@pytest.mark.parametrize(("head", "body"), NO_CHUNK.values(), ids=NO_CHUNK)
def test_what_is_no_chunk_is_told_at_once_though_the_server_waits(head: bytes, body: bytes):
    for answer in ((head + body, Pause(99)), (head, Pause(0.02), body, Pause(99))):
        with Server(answer) as server:
            assert refused(server.url(), loopback(seconds=60)).code == "protocol"


def test_a_reset_in_the_middle_is_told():
    answer = (
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
        Pause(0.05),
        HangUp(reset=True),
    )
    with Server(answer) as server:
        assert refused(server.url()).code in ("protocol", "connection")


BROKEN = {
    "cut": (gzip.compress(PAGE)[:-9], "gzip", "ends too early"),
    "no checksum": (gzip.compress(PAGE)[:-4], "gzip", "ends too early"),
    "a wrong checksum": (gzip.compress(PAGE)[:-8] + b"\1\2\3\4\5\6\7\10", "gzip", "no whole gzip"),
    "a wrong bit": (gzip.compress(PAGE)[:20] + b"\xff" * 9 + gzip.compress(PAGE)[29:], "gzip", ""),
    "no gzip at all": (PAGE, "gzip", "no whole gzip"),
    "no deflate at all": (PAGE, "deflate", "no whole deflate"),
    "deflate, cut": (zlib.compress(PAGE)[:-5], "deflate", "ends too early"),
    "the second member cut": (gzip.compress(PAGE) + gzip.compress(PAGE)[:-2], "gzip", "too early"),
    "once where twice is said": (gzip.compress(PAGE), "gzip, gzip", "no whole gzip"),
    "what was not asked for": (PAGE, "br", "'br' was not asked for"),
    "what nobody knows": (PAGE, "rot13", "'rot13' was not asked for"),
    "too many layers": (PAGE, ", ".join(["gzip"] * 5), "5 times over"),
    "too many members": (gzip.compress(b"") * 10_001, "gzip", "more than 10000 members"),
}


@pytest.mark.parametrize(("body", "coding", "told"), BROKEN.values(), ids=BROKEN)
def test_an_encoding_that_is_broken_is_told(body: bytes, coding: str, told: str):
    with Server(reply(body, content_encoding=coding)) as server:
        error = refused(server.url())
    assert error.code == "encoding"
    assert told in error.message


def drip(step: bytes = b"x") -> Answer:
    for _ in range(10_000):
        yield step
        yield Pause(0.01)


DRIPS = {
    "a body": (*reply(length=False), *drip()),
    "chunks": (chunked()[0], *drip(b"1\r\nx\r\n")),
    "headers": (b"HTTP/1.1 200 OK\r\n", *drip(b"X-A: b\r\n")),
    "a status line": (b"HTTP/1.1 200 ", *drip()),
    "promises": tuple(drip(b"HTTP/1.1 103 Early Hints\r\n\r\n")),
    "nothing": (Pause(9),),
}


@pytest.mark.parametrize("answer", DRIPS.values(), ids=DRIPS)
def test_a_drip_ends_at_the_deadline(answer: Answer):
    with Server(answer) as server:
        error = refused(server.url(), loopback(seconds=0.2))
    assert error.code == "timeout"
    assert "0.2 seconds" in error.message


NO_BODY = {
    "HEAD": (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\nContent-Encoding: gzip\r\n\r\n",),
    "304": (b'HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\nETag: "1"\r\n\r\n',),
    "204": (b"HTTP/1.1 204 Nothing\r\nContent-Encoding: br\r\n\r\n",),
}


@pytest.mark.parametrize(("kind", "answer"), NO_BODY.items())
def test_an_answer_without_a_body_is_read_as_one(kind: str, answer: Answer):
    method = "HEAD" if kind == "HEAD" else "GET"
    with Server(answer) as server:
        got = follow(server.url(), method=method)
        assert got.body == b""
        assert server.asked[0].method == method


def test_a_body_nobody_wants_is_not_read():
    with Server((b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n", Pause(9))) as server:
        got = ask(server.url(), loopback(body_bytes=10), body=False)
    assert (got.status, got.body, got.headers["content-length"]) == (200, b"", "50")


def test_the_settings_that_hold_let_the_same_pages_through():
    """The limits decide, and nothing else about these answers."""
    with Server(reply(gzip.compress(b"\0" * 200_000), content_encoding="gzip")) as server:
        assert len(ask(server.url(), loopback(body_bytes=200_000)).body) == 200_000
        with pytest.raises(NetError):
            ask(server.url(), loopback(body_bytes=199_999))
