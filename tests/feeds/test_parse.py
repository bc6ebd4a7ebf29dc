"""Documents as they are found: what is read of each, and what is refused with which word."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sameas.feeds import xml_feed
from sameas.feeds.types import Item
from tests.feeds.reading import ATOM, CONTENT, only, read, refused, rss

WANTED = Item(
    guid="a-1",
    link="https://example.org/a",
    title="One",
    author="Ann",
    published="2026-11-19T20:00:00Z",
    updated="",
    summary="Short.",
)
RSS_ITEM = (
    "<item><title>One</title><link>/a</link><guid isPermaLink='false'>a-1</guid>"
    "<author>Ann</author><pubDate>Thu, 19 Nov 2026 21:00:00 +0100</pubDate>"
    "<description>Short.</description></item>"
)
RDF_ITEM = (
    '<item rdf:about="a-1"><title>One</title><link>/a</link><dc:creator>Ann</dc:creator>'
    "<dcterms:issued>2026-11-19T20:00:00Z</dcterms:issued><description>Short.</description></item>"
)
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    f'xmlns:dcterms="http://purl.org/dc/terms/"><channel><title>News</title></channel>{RDF_ITEM}'
    "</rdf:RDF>"
)
ENTRY = (
    '<entry><title>One</title><link href="/a"/><id>a-1</id><author><name>Ann</name>'
    "<email>ann@example.org</email></author><published>2026-11-19T20:00:00Z</published>"
    "<summary>Short.</summary></entry>"
)
JSON = (
    '{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [{"id": "a-1", '
    '"url": "/a", "title": "One", "summary": "Short.", "authors": [{"name": "Ann"}], '
    '"date_published": "2026-11-19T15:00:00-05:00", "content_text": "All of it."}]}'
)
NETSCAPE = (
    '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" '
    '"http://my.netscape.com/publish/formats/rss-0.91.dtd">'
)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(rss(RSS_ITEM), id="RSS 2.0"),
        pytest.param(NETSCAPE + rss(RSS_ITEM).replace("2.0", "0.91"), id="RSS 0.91"),
        pytest.param(RDF, id="RDF"),
        pytest.param(f"<feed {ATOM}><title>News</title>{ENTRY}</feed>", id="Atom"),
        pytest.param(
            f"<a:feed {ATOM.replace('xmlns', 'xmlns:a')}><a:title>News</a:title>"
            + ENTRY.replace("</", "</a:").replace("<", "<a:").replace("<a:/a:", "</a:")
            + "</a:feed>",
            id="Atom with a prefix",
        ),
        pytest.param(JSON, id="JSON Feed"),
        pytest.param(JSON.replace("/1.1", "/1").replace("authors", "x"), id="JSON Feed 1"),
    ],
)
def test_every_format_gives_the_same_entry(body: str):
    document = read(body)
    assert (document.title, document.whole) == ("News", True)
    wanted = WANTED if "authors" in body or "{" not in body else None
    assert document.items == (wanted or Item(**{**vars(WANTED), "author": ""}),)


def test_the_label_a_server_gives_does_not_decide():
    for label in ("text/html", "text/plain", "application/octet-stream", "image/png", ""):
        assert only(rss(RSS_ITEM), label) == WANTED
        assert only(JSON, label) == WANTED


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \r\n\0", "empty"),
        (b"hello", "format"),
        (b"<urlset><url/></urlset>", "format"),
        (b"<opml version='2.0'><body/></opml>", "format"),
        (b'{"version": "2"}', "format"),
        (b"[1]", "format"),
        (b'{"version": "https://jsonfeed.org/version/1"}', "format"),
        (b'{"version":', "json"),
        (b"[" * 200_000, "json"),
        (b"<!DOCTYPE html><html></html>", "html"),
        (b"<html xmlns='http://www.w3.org/1999/xhtml'><rss/></html>", "html"),
        (b"<html><title>Just a moment...</title></html>", "challenge"),
        (b"<html><body>Please complete the CAPTCHA</body></html>", "challenge"),
        (b'<!DOCTYPE lolz [<!ENTITY lol "lol">]><rss/>', "doctype"),
        (b'<!doctype rss SYSTEM "x" [ ]><rss/>', "doctype"),
        (b'<?xml version="1.0"?><!-- c --><!DOCTYPE r [<!ENTITY % p "x">]><rss/>', "doctype"),
        (b"<!ENTITY a 'b'><rss/>", "doctype"),
        (b"<rss><channel>" + b"<item/>" * 50_002 + b"</channel></rss>", "too_much"),
        (b"<rss>" + b"<x>" * 100_002, "too_much"),
        (b"<rss>" + b"< " * 1_100_000, "xml"),
    ],
)
def test_what_is_no_feed_is_refused_with_its_word(body: bytes, code: str):
    assert refused(body).code == code


def test_a_document_of_nothing_but_elements_is_refused(monkeypatch: pytest.MonkeyPatch):
    assert read(rss("<x/>" * 1_000)).items == ()
    monkeypatch.setattr(xml_feed, "MOST_ELEMENTS", 1_000)
    assert refused(rss("<x/>" * 1_000).encode()).code == "too_much"


def test_what_would_cost_the_square_of_its_length_is_refused_or_left_out():
    attributes = " ".join(f'a{n}="1"' for n in range(501))
    assert refused(f"<rss><x {attributes}/></rss>".encode()).code == "too_much"
    spaces = "".join(f'<x xmlns:a{n}="u{n}"/>' for n in range(300))
    assert refused(f"<rss>{spaces}</rss>".encode()).code == "too_much"
    base = "https://b.example/" + "b/" * 2_500
    body = f'<rss xml:base="{base}"><channel><item><link>x</link></item></channel></rss>'
    assert only(body).link == "https://example.org/feeds/x"
    deep = '<x xml:base="b/">' * 5_000 + "<link>y</link>"
    link = only(f"<rss><channel><item>{deep}</item></channel></rss>").link
    assert len(link) < xml_feed.LONGEST_BASE + 10


def test_other_vocabularies_neither_stop_the_reading_nor_lend_their_words():
    """feedparser raises at a position that stands in no place."""
    gml = '<gml:pos xmlns:gml="http://www.opengis.net/gml">1 2</gml:pos>'
    media = '<media:title xmlns:media="http://search.yahoo.com/mrss/">Other</media:title>'
    assert only(rss(f"<item>{gml}{media}<guid>1</guid></item>")) == Item(guid="1")


def test_a_web_page_is_told_with_the_feed_it_names():
    page = (
        b"<html><head><link rel='stylesheet' href='s.css'>"
        b"<link rel='alternate' type='application/rss+xml' href='/all.xml'></head></html>"
    )
    error = refused(page, "application/rss+xml")
    assert str(error) == (
        "the answer is a web page, not a feed "
        "(the page names https://example.org/all.xml as its feed)"
    )


def test_a_document_within_a_comment_is_none():
    assert refused(b"<!-- <rss><channel/></rss> --><html/>").code == "html"
    assert refused(b"<!-- <rss>").code == "format"


@pytest.mark.parametrize(
    ("markup", "guid", "link"),
    [
        ("<guid>17</guid>", "17", ""),
        ("<guid>https://example.org/1</guid>", "https://example.org/1", "https://example.org/1"),
        ("<guid isPermaLink='false'>https://x.org/1</guid>", "https://x.org/1", ""),
        ("<guid> </guid>", "", ""),
        ("<guid/>", "", ""),
        ("", "", ""),
        ("<link>/only/a/link</link>", "", "https://example.org/only/a/link"),
        ("<guid>ÃƒÂ©</guid>", "ÃƒÂ©", ""),
        ("<guid>a&amp;amp;b</guid>", "a&amp;b", ""),
        ("<guid><![CDATA[a&amp;b]]></guid>", "a&amp;b", ""),
        ("<guid>http:////example.org/1</guid>", *["http:////example.org/1"] * 2),
    ],
)
def test_a_guid_is_what_the_document_has_and_a_link_makes_none(markup: str, guid: str, link: str):
    item = only(rss(f"<item>{markup}</item>"))
    assert (item.guid, item.link) == (guid, link)


def test_an_atom_id_is_not_resolved_and_makes_no_link():
    body = f'<feed {ATOM} xml:base="http://b.org/q/"><entry><id>tag:b.org,1</id></entry></feed>'
    assert only(body) == Item(guid="tag:b.org,1")
    assert only(body.replace("tag:b.org,1", "1")) == Item(guid="1")


def test_links_are_resolved_against_the_base_that_holds_where_they_stand():
    body = (
        f'<feed {ATOM} xml:base="http://b.org/q/"><entry xml:base="sub/"><id>1</id>'
        '<link rel="self" href="self"/><link href="p?a=1&amp;b=2"/></entry>'
        '<entry><id>2</id><link xml:base="//c.org/" href="p"/></entry>'
        '<entry><id>3</id><link href="HTTP://D.org/P#x"/></entry>'
        '<entry><id>4</id><link href="mailto:a@b.org"/></entry></feed>'
    )
    assert [item.link for item in read(body).items] == [
        "http://b.org/q/sub/p?a=1&b=2",
        "http://c.org/p",
        "HTTP://D.org/P#x",
        "mailto:a@b.org",
    ]


def test_the_first_alternate_is_the_link_and_a_page_goes_before_other_files():
    links = (
        '<link rel="enclosure" href="/e.mp3"/><link rel="alternate" type="text/plain" href="/t"/>'
        '<link rel="alternate" href="/first"/><link rel="alternate" href="/second"/>'
    )
    assert only(f"<feed {ATOM}><entry>{links}</entry></feed>").link == "https://example.org/first"
    text = '<link rel="alternate" type="text/plain" href="/t"/>'
    assert only(f"<feed {ATOM}><entry>{text}</entry></feed>").link == "https://example.org/t"


def test_nothing_of_another_feed_or_of_a_picture_is_the_entrys():
    source = (
        "<source><id>other</id><title>Other</title><link href='http://o.org/'/>"
        "<updated>2020-01-01T00:00:00Z</updated></source>"
    )
    item = only(f"<feed {ATOM}><entry><id>1</id>{source}<title>Mine</title></entry></feed>")
    assert item == Item(guid="1", title="Mine")
    media = 'xmlns:media="http://search.yahoo.com/mrss/"'
    inner = (
        f"<title>Mine</title><media:content {media}><media:title>P</media:title></media:content>"
    )
    assert only(rss(f"<item>{inner}<image><title>I</title></image></item>")).title == "Mine"


def test_an_entry_without_a_date_has_none_and_an_odd_one_is_none():
    head = "<title>News</title><pubDate>Thu, 19 Nov 2026 20:00:00 GMT</pubDate>"
    assert only(rss("<item><guid>1</guid></item>", head)) == Item(guid="1")
    for date in (
        "yesterday",
        "2026-13-45",
        "0000-00-00T00:00:00Z",
        "9" * 400,
        "-1",
        "--11-19",
        "26",
    ):
        item = only(rss(f"<item><guid>1</guid><pubDate>{date}</pubDate></item>"))
        assert (date, item.published) == (date, "")


def test_updated_is_not_filled_from_published():
    date = "<pubDate>Thu, 19 Nov 2026 20:00:00 GMT</pubDate>"
    item = only(rss(f"<item><guid>1</guid>{date}</item>"))
    assert (item.published, item.updated) == ("2026-11-19T20:00:00Z", "")


def test_full_text_does_not_stand_in_for_a_summary():
    full = f"<content:encoded {CONTENT}>All of it.</content:encoded>"
    assert only(rss(f"<item>{full}</item>")).summary == ""
    short = "<description>Short.</description>"
    assert only(rss(f"<item>{short}{full}</item>")).summary == "Short."
    assert only(rss(f"<item>{full}{short}</item>")).summary == "Short."
    entry = '<entry><content type="html">All of it.</content></entry>'
    assert only(f"<feed {ATOM}>{entry}</feed>").summary == ""


def test_every_author_is_named_once():
    dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
    three = "".join(f"<dc:creator {dc}>{name}</dc:creator>" for name in ("Ann", "Bob", "Ann"))
    assert only(rss(f"<item>{three}</item>")).author == "Ann, Bob"
    mail = "<author>ann@example.org (Ann)</author>"
    assert only(rss(f"<item>{mail}</item>")).author == "ann@example.org (Ann)"


@pytest.mark.parametrize(
    ("head", "minutes"),
    [
        ("<ttl>90</ttl>", 90),
        ("<ttl>-1</ttl>", 0),
        ("<ttl>soon</ttl>", 0),
        ("<sy:updatePeriod>daily</sy:updatePeriod>", 1440),
        (
            "<sy:updatePeriod> hourly </sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>",
            30,
        ),
        ("<sy:updatePeriod>never</sy:updatePeriod>", 0),
    ],
)
def test_how_long_a_document_is_good_for(head: str, minutes: int):
    sy = 'version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
    body = rss("", head).replace('version="2.0"', sy)
    assert read(body).ttl == (timedelta(minutes=minutes) if minutes else None)
