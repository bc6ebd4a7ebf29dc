"""Redirects, followed one exchange at a time: what goes along, what does not, and where it ends."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sameas.errors import Hop
from sameas.net.settings import Settings
from tests.net.ask import ask, follow, loopback, refused
from tests.net.servers import Server, redirect, reply, routes


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_each_kind_is_followed_and_told(status: int):
    with Server(routes({"/a": redirect("/b", status), "/b": reply(b"end")})) as server:
        answer = follow(server.url("/a"))
    assert (answer.url, answer.status, answer.body) == (server.url("/b"), 200, b"end")
    assert answer.hops == (Hop(server.url("/a"), status, server.url("/b")),)


@pytest.mark.parametrize("status", [300, 304, 305, 306])
def test_other_3xx_are_answers(status: int):
    with Server(redirect("/b", status)) as server:
        assert follow(server.url("/a")).status == status
    assert server.paths == ["/a"]


def test_ask_follows_nothing():
    with Server(redirect("/b", 301)) as server:
        answer = ask(server.url("/a"))
    assert (answer.status, answer.headers["Location"], answer.hops) == (301, "/b", ())
    assert server.paths == ["/a"]


def test_head_stays_head():
    with Server(routes({"/a": redirect("/b", 303), "/b": reply()})) as server:
        follow(server.url("/a"), method="HEAD")
    assert [asked.method for asked in server.asked] == ["HEAD", "HEAD"]


@pytest.mark.parametrize(
    ("location", "asked"),
    [
        ("b", "/dir/b"),
        ("../b", "/b"),
        ("?q=1", "/dir/a?q=1"),
        ("/b c", "/b%20c"),
        (" /b\t", "/b"),
        ("/b#part", "/b"),
        ("/b?x=1&&y", "/b?x=1&&y"),
        ("/%7e%2F", "/%7e%2F"),
        ("/caf\u00e9".encode(), "/caf%C3%A9"),
        (b"/caf\xe9", "/caf%E9"),
        ("\\b", "/b"),
    ],
)
def test_a_location_is_read_as_browsers_read_it(location: str | bytes, asked: str):
    with Server(routes({"/dir/a": redirect(location), asked: reply(b"end")})) as server:
        assert follow(server.url("/dir/a")).body == b"end"
    assert server.paths == ["/dir/a", asked]


def test_the_fragment_goes_along_and_is_never_sent():
    table = {"/a": redirect("/b"), "/b": redirect("/c#new"), "/c": reply()}
    with Server(routes(table)) as server:
        answer = follow(server.url("/a#old"))
    assert [hop.location for hop in answer.hops] == [server.url("/b#old"), server.url("/c#new")]
    assert answer.url == server.url("/c#new")
    assert server.paths == ["/a", "/b", "/c"]


def chain(length: int) -> dict[str, tuple[bytes]]:
    table = {f"/{n}": redirect(f"/{n + 1}") for n in range(length)}
    return table | {f"/{length}": reply(b"end")}


def test_as_many_redirects_as_allowed_are_followed_and_no_more():
    with Server(routes(chain(5))) as server:
        assert len(follow(server.url("/0")).hops) == 5
    with Server(routes(chain(6))) as server:
        error = refused(server.url("/0"))
    assert error.code == "redirect_limit"
    assert [hop.location for hop in error.hops] == [server.url(f"/{n}") for n in range(1, 7)]
    assert server.paths == [f"/{n}" for n in range(6)]


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        ({"/a": redirect("/a")}, ["/a"]),
        ({"/a": redirect("/a#again")}, ["/a"]),
        ({"/a": redirect("/b"), "/b": redirect("/a")}, ["/a", "/b"]),
        ({"/a": redirect("/b"), "/b": redirect("/c"), "/c": redirect("/b")}, ["/a", "/b", "/c"]),
    ],
)
def test_a_circle_ends_where_it_closes(table: dict[str, tuple[bytes]], asked: list[str]):
    with Server(routes(table)) as server:
        error = refused(server.url("/a"))
    assert error.code == "redirect_loop"
    assert server.paths == asked
    assert len(error.hops) == len(asked)


@pytest.mark.parametrize("answer", [reply(status=301), reply(status=301, location="")])
def test_a_redirect_to_nowhere_is_an_error(answer: tuple[bytes]):
    with Server(answer) as server:
        error = refused(server.url())
    assert (error.code, error.hops) == ("protocol", ())
    assert "without saying where to" in error.message


def test_headers_are_made_anew_for_each_hop():
    asked_for: list[str] = []

    def headers_for(url: str) -> Mapping[str, str]:
        asked_for.append(url)
        return {"Authorization": "Basic c2VjcmV0", "If-None-Match": '"1"'} if url == first else {}

    with Server(reply(b"end")) as other, Server(()) as one:
        first = one.url("/a")
        one.script = redirect(other.url("/b"))
        follow(first, headers_for=headers_for)
        assert asked_for == [first, other.url("/b")]
        assert one.asked[0].headers["authorization"] == "Basic c2VjcmV0"
        assert set(other.asked[0].headers) == {"host", "user-agent", "accept", "accept-encoding"}


def test_no_header_goes_along_unless_it_is_made_for_the_hop():
    with Server(routes({"/a": redirect("/b"), "/b": reply()})) as server:
        first = server.url("/a")
        follow(first, headers_for=lambda url: {"X-Key": "1"} if url == first else {})
    assert ["x-key" in asked.headers for asked in server.asked] == [True, False]


def test_cookies_are_neither_kept_nor_sent():
    table = {"/a": redirect("/b", set_cookie="a=1; Path=/"), "/b": reply(set_cookie="b=2")}
    with Server(routes(table)) as server:
        answer = follow(server.url("/a"))
        follow(server.url("/b"))
    assert answer.all("Set-Cookie") == ["b=2"]
    assert all("cookie" not in asked.headers for asked in server.asked)


def test_credentials_in_a_url_are_never_sent_nor_shown():
    with Server(()) as server:
        place = f"{server.address}:{server.port}"
        server.script = routes(
            {"/a": redirect(f"http://me:word@{place}/b"), "/b": redirect(f"http://u:pw@{place}/b")}
        )
        error = refused(f"http://user:secret@{place}/a")
    assert all("authorization" not in asked.headers for asked in server.asked)
    assert server.paths == ["/a", "/b"]
    assert not any(word in f"{error!r}{error}" for word in ("secret", "word", "pw"))


def test_credentials_of_a_url_inside_the_url_are_not_shown():
    url = "http://127.0.0.1/?to=http://user:secret@h/"
    error = refused(url, Settings())
    assert error.code == "private_address"
    assert "secret" not in f"{error!r}"


def test_the_body_of_a_redirect_is_not_read():
    head = b"HTTP/1.1 302 Go\r\nLocation: /b\r\n\r\n"
    with Server(routes({"/a": (head, b"x" * 99_999), "/b": reply(b"end")})) as server:
        assert follow(server.url("/a"), loopback(body_bytes=1000)).body == b"end"
