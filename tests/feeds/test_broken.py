"""Documents that are mislabelled, torn or made to hurt: read as far as they can be."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.errors import FeedError
from sameas.feeds import xml_feed
from sameas.feeds.parse import parse
from sameas.feeds.types import Item
from tests.feeds.reading import URL, only, read, rss

E_ACUTE = '<?xml version="1.0" encoding="{}"?>' + rss("<item><guid>é</guid></item>")


@pytest.mark.parametrize(
    ("declared", "encoding", "content_type"),
    [
        ("utf-8", "utf-8", "application/xml"),
        ("utf-8", "utf-8-sig", "application/xml; charset=iso-8859-1"),
        ("iso-8859-1", "utf-8", "text/xml; charset=us-ascii"),
        ("utf-8", "latin-1", "text/xml"),
        ("iso-8859-1", "latin-1", "text/xml; charset=utf-8"),
        ("koi8-r", "latin-1", "text/xml; charset=iso-8859-1"),
        ("utf-16", "utf-16", ""),
        ("utf-16", "utf-16-le", "text/xml; charset=utf-8"),
        ("utf-16", "utf-16-be", ""),
        ("utf-32", "utf-32", ""),
        ("utf-32", "utf-32-be", ""),
        ("unicode_escape", "utf-8", "text/xml; charset=zlib"),
        ("x-unheard-of", "utf-8", 'text/xml; charset="nonsense"'),
    ],
)
def test_a_document_is_read_in_the_encoding_it_is_in(
    declared: str, encoding: str, content_type: str
):
    body = E_ACUTE.format(declared).encode(encoding)
    wanted = "И" if declared == "koi8-r" else "é"
    assert only(body, content_type).guid == wanted


def test_other_encodings_are_read_where_a_label_names_them():
    for encoding in ("shift_jis", "euc-jp", "iso-2022-jp", "gb2312", "big5", "euc-kr", "utf-16"):
        body = rss("<item><guid>日</guid></item>").encode(encoding)
        assert only(body, f"text/xml; charset={encoding}").guid == "日"


def test_characters_no_feed_may_hold_are_left_out():
    guid = "a\0b\x1fc&#0;d&#xD800;e&#xFFFF;f&#99999999999;g&#" + "1" * 6_000 + ";h"
    assert only(rss(f"<item><guid>{guid}</guid></item>")).guid == "abcdefgh"
    body = '{"version": "https://jsonfeed.org/version/1", "items": [{"id": "a\\u0000b\\ud800"}]}'
    assert only(body).guid == "ab\ufffd"


def test_names_of_html_are_read_and_unknown_ones_stay():
    item = only(
        rss("<item><title>a&nbsp;&eacute;&nosuch;&amp;lt;<![CDATA[&nbsp;]]></title></item>")
    )
    assert item.title == "a\xa0é&nosuch;&lt;&nbsp;"


def test_broken_xml_is_read_all_the_same():
    body = rss(
        "<item><guid>1&amp;2</guid><title>a & <br> b</title><link>/x?a=1&b=2</link></item>"
        "<item><guid>2</guid><oops:x>y</oops:x></item>"
    )
    document = read(body)
    assert document.whole
    assert document.items == (
        Item(guid="1&2", link="https://example.org/x?a=1&b=2", title="a & <br> b"),
        Item(guid="2"),
    )


def test_a_document_that_ends_in_the_middle_gives_the_entries_that_are_whole():
    whole = rss("<item><guid>1</guid></item><item><guid>long-guid</guid></item>")
    document = read(whole[: whole.index("-guid")])
    assert not document.whole
    assert document.items == (Item(guid="1"),)


def test_what_a_script_said_before_the_feed_is_passed_over():
    said = "\n\nWarning: mkdir() failed<br />\n"
    assert only(said + rss("<item><guid>1</guid></item>")) == Item(guid="1")


TEXT = st.text(st.sampled_from("ab1 &<>\"';#é\xa0日\u2028]"), max_size=8)
FIELDS = st.tuples(TEXT, TEXT, TEXT, TEXT)


@given(st.lists(FIELDS, max_size=3))
def test_a_feed_that_breaks_keeps_its_identities(entries: list[tuple[str, str, str, str]]):
    """Both readers, on what only one of them is needed for."""
    items = "".join(
        f"<item><guid isPermaLink='false'>{escape(guid)}</guid><link>{escape('/l' + link)}</link>"
        f"<title>{escape(title)}</title><author>{escape(author)}</author></item>"
        for guid, link, title, author in entries
    )
    body = rss(items)
    one, other = xml_feed._strictly(body, URL), xml_feed._leniently(body, URL)
    assert xml_feed._document(one) == xml_feed._document(other)


@given(st.binary(max_size=200), st.sampled_from([b"", b"<rss>", b"<feed>", b'{"a":', b"<?xml"]))
def test_any_bytes_give_a_document_or_the_one_error(body: bytes, start: bytes):
    code, items = _outcome(start + body)
    assert code in CODES
    assert all("\0" not in text for item in items for text in vars(item).values())


def _outcome(body: bytes) -> tuple[str, tuple[Item, ...]]:
    try:
        return "", parse(body, "text/xml; charset=utf-16", URL).items
    except FeedError as error:
        return error.code, ()


CODES = {"", "empty", "format", "html", "challenge", "doctype", "xml", "json", "too_much"}


def test_no_address_is_sought_in_a_name(monkeypatch: pytest.MonkeyPatch):
    """feedparser seeks one with an expression whose cost grows with the square of the name."""
    met: list[str] = []
    search = re.search
    monkeypatch.setattr(re, "search", lambda *given: met.append(given[0]) or search(*given))
    read(rss("<item><author>ann@example.org</author></item>"))
    assert met
    assert not [one for one in met if isinstance(one, str) and "@" in one]
