"""Lists of feeds: read from what other readers write, written so that they can be read again."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.errors import OPMLError
from sameas.feeds import opml
from sameas.feeds.opml import Outline, read_opml


def read(text: str | bytes) -> list[Outline]:
    return read_opml(BytesIO(text.encode() if isinstance(text, str) else text), "feeds.opml")


def refused(text: str | bytes) -> str:
    with pytest.raises(OPMLError) as caught:
        read(text)
    return str(caught.value)


def test_nested_outlines_are_read_with_their_lines():
    text = (
        '<?xml version="1.0"?>\n<opml version="1.0"><head><title>x</title></head><body>\n'
        '<outline text="News">\n<outline text="Inner"><outline type="rss" text="A"\n'
        ' xmlUrl="https://a.org/feed?x=1&amp;y=2"/></outline>\n</outline>\n'
        '<OUTLINE TITLE="B" text="b" XMLURL=" https://b.org/ "/>\n'
        '<outline text="a folder"/><outline text="empty" xmlUrl=""/></body></opml>'
    )
    assert read(text) == [
        Outline(4, "https://a.org/feed?x=1&y=2", "A"),
        Outline(7, "https://b.org/", "B"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<opml>\n<body>\n</opml>", "feeds.opml:3: is broken XML: mismatched tag"),
        ("<opml>\n<outline xmlUrl='a'>\n", "feeds.opml:3: is broken XML: no element found"),
        ("", "feeds.opml:1: is broken XML: no element found"),
        ("not XML", "feeds.opml:1: is broken XML: syntax error"),
        ("\n<rss/>", "feeds.opml:2: is not OPML but <rss>"),
        ('<!DOCTYPE o [<!ENTITY a "b">]><opml/>', "feeds.opml:1: has a document type"),
        ("\n<!DOCTYPE opml SYSTEM 'x'><opml/>", "feeds.opml:2: has a document type"),
    ],
)
def test_a_bad_list_names_the_line(text: str, said: str):
    assert refused(text).startswith(said)


def test_a_list_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opml, "LARGEST", 20)
    assert read("<opml></opml>") == []
    assert refused("<opml></opml>" + " " * 20).startswith("feeds.opml: has more than 20 bytes")


def test_encodings_are_read_as_those_of_feeds():
    text = '<?xml version="1.0" encoding="{}"?><opml><outline title="é" xmlUrl="x"/></opml>'
    for name in ("utf-8", "utf-16", "latin-1"):
        assert read(text.format(name).encode(name)) == [Outline(1, "x", "é")]


@given(st.lists(st.tuples(st.just("https://a.org/?a=1&b='\"<>"), st.text())))
def test_what_is_written_can_be_read_again(feeds: list[tuple[str, str]]):
    text = "\n".join(opml.opml(feeds))
    found = read(text.encode("utf-8", "strict"))
    assert [outline.url for outline in found] == [url for url, _ in feeds]
    assert all("\n" not in outline.title for outline in found)
