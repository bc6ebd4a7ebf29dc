"""Pages: what comes from outside is text, whatever it spells; a chart is as high as its counts."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.report.html import Html, figures, link, page, tag
from sameas.report.svg import columns


class Seen(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text())
def test_text_never_becomes_markup(text: str) -> None:
    seen = Seen(tag("p", text, title=text, class_="x"))
    assert seen.tags == ["p"]


def test_text_is_shown_as_it_is() -> None:
    text = '<script>alert("1")</script> & é 市'
    assert Seen(tag("td", text)).text == text
    assert tag("p", tag("b", "x")) == "<p><b>x</b></p>"


def test_what_no_page_can_carry_is_shown_as_its_escape() -> None:
    written = tag("p", "a\x00b\ud800c\u202ed")
    assert written == "<p>a\\x00b\\ud800c\\u202ed</p>"
    assert written.encode()


def test_what_scripts_are_written_with_is_shown_as_it_is() -> None:
    text = "می\u200cخواهم क्\u200dष 👨\u200d👩\u200d👧 市\u3000长 10\u00a0%"
    assert tag("p", text) == f"<p>{text}</p>"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "JAVASCRIPT:x", " http://a", "//a", ""]
)
def test_only_addresses_a_browser_may_follow_become_links(url: str) -> None:
    assert "a" not in Seen(link(url, "text")).tags


def test_a_link_leads_where_it_says() -> None:
    assert link('http://a/"x') == (
        '<a href="http://a/&quot;x" rel="noreferrer nofollow">http://a/&quot;x</a>'
    )


def test_a_page_is_whole_and_asks_for_nothing() -> None:
    text = page("A <title>", tag("p", "body"), figures([("rows", "1")]))
    seen = Seen(text)
    assert text.startswith("<!doctype html>")
    assert {"html", "head", "title", "style", "body", "main", "h1", "dl"} <= set(seen.tags)
    assert not {"script", "link", "img", "iframe"} & set(seen.tags)
    assert "url(" not in text
    assert "@import" not in text


def test_columns_are_as_high_as_their_counts() -> None:
    drawn = ElementTree.fromstring(columns("Ratios", [("a", 10), ("b", 5), ("c", 0)], "ratio"))
    heights = [float(bar.attrib["height"]) for bar in drawn.iter("rect")]
    assert heights[0] == 2 * heights[1] > heights[2] == 0
    assert drawn.findtext("title") == "Ratios"
    assert drawn.findtext("desc") == "a: 10, b: 5"


def test_a_count_that_is_small_beside_another_is_still_seen() -> None:
    drawn = ElementTree.fromstring(columns("Ratios", [("a", 1_000_000), ("b", 1)], "ratio"))
    assert min(float(bar.attrib["height"]) for bar in drawn.iter("rect")) >= 2


def test_a_chart_of_nothing_says_so() -> None:
    assert "nothing to show" in columns("Ratios", [], "ratio")
    assert isinstance(columns("Ratios", [], "ratio"), Html)
