"""HTML taken apart: as browsers do where it matters, and never at more than its length's cost."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.resolve import markup
from sameas.resolve.markup import Piece, attributes, pieces, unescaped
from sameas.resolve.page import READ, read


def seen(text: str) -> list[tuple[object, ...]]:
    """Words, start, end, and what quiet tags refer with."""
    return [(words, start, end, quiet) for words, start, _, end, quiet in pieces(text)]


def given_by(tag: str) -> dict[str, str]:
    return next(attributes(inside) for _, _, inside, _, _ in pieces(tag.replace("<a", "<link", 1)))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a<h1>c</h1>d", [("a", "h1", "", None), ("c", "", "h1", None), ("d", "", "", None)]),
        ("a<b>c</b>d", [("a c d", "", "", [])]),
        ("a</b>c", [("a c", "", "", None)]),
        ("<BASE/>", [("", "base", "", None)]),
        ("1 < 2 <3 <<h1>", [("1 < 2 <3 <", "h1", "", None)]),
        ("1 < 2 <3 <<i>", [("1 < 2 <3 < ", "", "", [])]),
        ("<!-- <a> --><h1>", [("", "h1", "", None)]),
        ("<!--><h1>", [("", "h1", "", None)]),
        ("<!doctype html><?x y?><h1>", [("", "h1", "", None)]),
        ("</h1 x='>'", [("", "", "h1", None), ("'", "", "", None)]),
        ("</p x='>'", [(" '", "", "", None)]),
        ("<p title='a>b' c=\"d>e\">x", [(" x", "", "", [])]),
        (
            "<A href=x>y</a><img/src=z><form action='<a>'><article>",
            [(" y    ", "", "", ["A href=x", "img/src=z", "form action='<a>'"])],
        ),
        ("<h1x><header>", [("  ", "", "", [])]),
        (
            "<script>if (a<b) '</scripts>'</SCRIPT ><h1>",
            [
                ("", "script", "", None),
                ("if (a<b) '</scripts>'", "", "", None),
                ("", "", "script", None),
                ("", "h1", "", None),
            ],
        ),
        (
            "<title>a <b> c</title>",
            [("", "title", "", None), ("a <b> c", "", "", None), ("", "", "title", None)],
        ),
        ("x<!-- never closed <p>", [("x", "", "", None)]),
        ("x<h1 title='never closed>", [("x", "h1", "", None)]),
        ("x<p title='never closed>", [("x ", "", "", [])]),
        ("x<p title", [("x", "", "", None)]),
        ("<style>never closed <p>", [("", "style", "", None), ("never closed <p>", "", "", None)]),
    ],
)
def test_text_comes_apart_into_tags_and_text(text: str, wanted: list[tuple[object, ...]]):
    assert [piece for piece in seen(text) if piece != ("", "", "", None)] == wanted


@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ("<a href=/x>", {"href": "/x"}),
        ("<a href=/x/>", {"href": "/x/"}),
        ("<a HREF = '/x' href=/y>", {"href": "/x"}),
        ("<a/b c/d = e>", {"b": "", "c": "", "d": "e"}),
        ('<a href="/x"title="y">', {"href": "/x", "title": "y"}),
        ("<a href='?a=1&amp;b=2&section=3&copy=4&reg'>", {"href": "?a=1&b=2&section=3&copy=4®"}),
        ("<a b='&#x41;&aacute;'>", {"b": "Aá"}),
        ("<a =b>", {"=b": ""}),
    ],
)
def test_attributes_are_read_as_they_are_written(tag: str, wanted: dict[str, str]):
    assert given_by(tag) == wanted


def test_a_number_longer_than_any_characters_stays():
    assert unescaped(f"&#{'9' * 5000};") == f"&#{'9' * 5000};"


TEXT = st.lists(
    st.sampled_from(
        [*"<>/!?-='\" \nas&;x", "script", "h1", "<p>", "</p>", "<a href=x", "<img ", "<h1>", "<!--"]
    )
).map("".join)


@given(TEXT | st.text())
def test_any_text_comes_apart(text: str):
    assert sum(len(piece.words) for piece in pieces(text)) <= len(text)
    read(text.encode("utf-8", "replace"), "", "https://a.test/b?c")


ONE_BY_ONE = re.compile(rf"((?:{markup._TEXT})*+){markup._BEHIND}", re.VERBOSE)


@given(TEXT | st.text())
def test_quiet_tags_are_taken_out_as_if_each_were_read_by_itself(text: str):
    with pytest.MonkeyPatch.context() as patch:
        together = list(_merged(pieces(text)))
        patch.setattr(markup, "_PIECE", ONE_BY_ONE)
        assert together == list(_merged(map(_hushed, pieces(text))))


def _hushed(piece: Piece) -> Piece:
    """A quiet tag by itself, as it is taken out of text."""
    words, start, inside, end, quiet = piece
    assert quiet is None
    if start in markup._LOUD or end in markup._LOUD or not (start or end):
        return piece
    tag = [f"{start}{inside}"] if start in ("a", "img", "form") else []
    return Piece(f"{words} ", quiet=tag if start else None)


def _merged(found: Iterable[Piece]) -> Iterator[Piece]:
    """Without tags between them, two pieces of text are one."""
    words, quiet = "", None
    for piece in found:
        words += piece.words
        if piece.quiet is not None:
            quiet = [*(quiet or ()), *(_small(tag) for tag in piece.quiet)]
        if piece.start or piece.end:
            yield piece._replace(words=words, quiet=quiet)
            words, quiet = "", None
    yield Piece(words, quiet=quiet)


def _small(tag: str) -> str:
    """Its name in small letters, as those of loud tags are."""
    name = re.match("[A-Za-z]+", tag)
    assert name
    return f"{name[0].lower()}{tag[name.end() :]}"


HOSTILE = [
    "<", "<a ", "<a href='", "</", "</a", "<!", "<![", "<!--", "<?", "&", "&#", "<a b=", "<a b=c ",
    "<p>", "</p>", "<p a='", "<a href=x>",
    "<script>", "<title>", "<style></", "<script></s", "<a><", "<a\n", "<a b='\"", "<h1>", "a ",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_eight_times_the_text_costs_about_eight_times_as_much(unit: str):
    """The standard library's reader takes 64 times as long for some of these, or gives up."""
    small, large = ((unit * (size // len(unit) + 1))[:size].encode() for size in (_SMALL, READ))
    assert _cost(large) < 3 * READ / _SMALL * max(_cost(small), _LEAST)


_SMALL = READ // 8
_LEAST = 0.001
"""Seconds: less than that is not told apart."""


def _cost(body: bytes) -> float:
    costs = []
    for _ in range(3):
        began = time.process_time()
        read(body, "text/html", "https://a.test/b")
        costs.append(time.process_time() - began)
    return min(costs)
