"""HTML taken apart: as browsers do where it matters, and never at more than its length's cost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.resolve.markup import attributes, pieces, unescaped
from sameas.resolve.page import READ, read


def seen(text: str) -> list[tuple[str, str]]:
    told = ("text", "start", "", "end")
    return [
        (kind, part)
        for piece in pieces(text)
        for kind, part in zip(told, piece, strict=True)
        if part and kind
    ]


def given_by(text: str) -> dict[str, str]:
    return next(attributes(inside) for _, start, inside, _ in pieces(text) if start)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a<b>c</b>d", [("text", "a"), ("start", "b"), ("text", "c"), ("end", "b"), ("text", "d")]),
        ("<BR/>", [("start", "br")]),
        ("1 < 2 <3 <<i>", [("text", "1 < 2 <3 <"), ("start", "i")]),
        ("<!-- <a> --><p>", [("start", "p")]),
        ("<!--><p>", [("start", "p")]),
        ("<!doctype html><?x y?><p>", [("start", "p")]),
        ("</p x='>'", [("end", "p"), ("text", "'")]),
        ("<p title='a>b' c=\"d>e\">x", [("start", "p"), ("text", "x")]),
        (
            "<script>if (a<b) '</scripts>'</SCRIPT ><p>",
            [
                ("start", "script"),
                ("text", "if (a<b) '</scripts>'"),
                ("end", "script"),
                ("start", "p"),
            ],
        ),
        ("<title>a <b> c</title>", [("start", "title"), ("text", "a <b> c"), ("end", "title")]),
        ("x<!-- never closed <p>", [("text", "x")]),
        ("x<p title='never closed>", [("text", "x"), ("start", "p")]),
        ("x<p title", [("text", "x")]),
        ("<style>never closed <p>", [("start", "style"), ("text", "never closed <p>")]),
    ],
)
def test_text_comes_apart_into_tags_and_text(text: str, wanted: list[tuple[str, str]]):
    assert seen(text) == wanted


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


@given(st.text(alphabet="<>/!?-='\" \nascript&#;x") | st.text())
def test_any_text_comes_apart(text: str):
    assert sum(len(part) for piece in pieces(text) for part in piece) <= len(text)
    read(text.encode("utf-8", "replace"), "", "https://a.test/b?c")


HOSTILE = [
    "<", "<a ", "<a href='", "</", "</a", "<!", "<![", "<!--", "<?", "&", "&#", "<a b=", "<a b=c ",
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
