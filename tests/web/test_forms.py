"""Forms: a decision is taken only from a page of ours, and in somebody's name."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from sameas.web.session import Sessions
from tests.web.filled import Filled
from tests.web.running import FAST, Answer, Running, serving

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def asked(filled: Filled) -> Iterator[Running]:
    with serving(*FAST, "--store", str(filled.store)) as running:
        yield running


def _open(running: Running) -> str:
    return str(running.get("/v1/reviews?decided=false").data["reviews"][0]["id"])


def _sent(running: Running, fields: dict[str, str], cookie: str = "") -> Answer:
    headers = FORM | ({"Cookie": cookie} if cookie else {})
    return running.ask("/reviews", "POST", urlencode(fields).encode(), headers)


def _page(running: Running) -> tuple[str, str]:
    """The cookie of a visitor, and the word in a form of the page it was given with."""
    got = running.ask("/reviews")
    cookie = got.headers["set-cookie"].partition(";")[0]
    return cookie, got.text.partition('name="form_word" value="')[2].partition('"')[0]


def test_a_form_without_the_word_or_with_another_visitor_s_changes_nothing(asked: Running):
    (cookie, word), (other, _) = _page(asked), _page(asked)
    fields = {"id": _open(asked), "decision": "keep", "by": "eve"}
    for sent in (
        _sent(asked, fields),
        _sent(asked, fields, cookie),
        _sent(asked, {**fields, "form_word": word}),
        _sent(asked, {**fields, "form_word": word}, other),
        _sent(asked, {**fields, "form_word": "x" * 64}, cookie),
    ):
        assert sent.problem == (403, "form")
    assert asked.get("/v1/reviews?decided=true").data["reviews"] == []


def test_the_word_with_its_visitor_is_taken_but_not_without_a_name(asked: Running):
    cookie, word = _page(asked)
    fields = {"id": _open(asked), "decision": "keep", "form_word": word}
    got = _sent(asked, fields, cookie)
    assert (got.status, "say+who" in got.headers["location"]) == (303, True)
    assert asked.get("/v1/reviews?decided=true").data["reviews"] == []


@pytest.mark.parametrize("which", [{}, {"kind": "dead"}, {"host": "tres.gob.es"}])
def test_nobody_decides_everything_at_once(asked: Running, which: dict[str, str]):
    cookie, word = _page(asked)
    fields = {**which, "decision": "keep", "by": "eve", "form_word": word}
    got = _sent(asked, fields, cookie)
    assert "choose+one+question" in got.headers["location"]
    assert asked.get("/v1/reviews?decided=true").data["reviews"] == []


@pytest.mark.parametrize(
    "body", [b"\xff=1", b"&" * 10_000, b"=&=&=", b"id", b"form_word=%00&id=%ff"]
)
def test_a_form_that_is_none_is_refused(asked: Running, body: bytes):
    got = asked.ask("/reviews", "POST", body, FORM)
    assert got.problem in ((400, "form"), (403, "form"))


def test_a_session_is_worth_nothing_under_another_token_or_after_its_time():
    one, other = Sessions("a" * 20), Sessions("b" * 20)
    name, _, value = one.signed_in().partition(";")[0].partition("=")
    assert one.is_signed_in({name: value})
    assert not other.is_signed_in({name: value})
    until, _, mark = value.partition(".")
    for forged in ("", "1", f"{int(until) + 1}.{mark}", f"{until}.", f"1.{mark}", f"-1.{mark}"):
        assert not one.is_signed_in({name: forged})
    assert one.form_word("x") != one.form_word("y")
    assert not one.is_form_word("", one.form_word(""))
