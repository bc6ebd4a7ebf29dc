"""Every page in a real browser: with data, empty and in error, light and dark, large and small."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import DESK, PHONE, SCHEMES, visiting
from tests.web.filled import EVIL, Filled
from tests.web.running import FAST, Running, serving

A, B = "http://www.example.com/story/", "https://example.com/story?utm_source=mail#comments"
TWO = f"/?a={quote(A, safe='')}&b={quote(B, safe='')}&beside=curious-now"
WITH_DATA = (
    TWO,
    "/?a=nope",
    "/reviews",
    "/links",
    "/links?host=tres.gob.es&kind=dead",
    "/feeds",
    "/feeds/1",
    "/duplicates",
    "/policies?a=default&b=clara",
    "/policies/default",
    "/docs",
)
EMPTY = ("/", "/reviews", "/reviews?state=decided", "/links", "/feeds", "/duplicates")
_OPEN = "document.querySelectorAll('details').forEach(one => one.open = true)"
WRONG = ("/none", "/feeds/99", "/policies/none", "/?a=x&policy=none")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_page_is_sound_in_the_eyes_of_axe_and_asks_nobody_else(
    browser: Browser, pages: Running, scheme: str
):
    with visiting(browser, pages.url, scheme) as visitor:
        for path in WITH_DATA:
            assert visitor.goto(path) == 200
            visitor.page.evaluate(_OPEN)
            assert (path, visitor.violations()) == (path, [])
        assert visitor.troubles == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_page_is_wider_than_the_screen(browser: Browser, pages: Running, size: dict[str, int]):
    with visiting(browser, pages.url, viewport=size) as visitor:
        for path in WITH_DATA:
            visitor.goto(path)
            visitor.page.evaluate(_OPEN)
            width = visitor.page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], path


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_with_nothing_on_them_and_errors_are_sound_too(
    browser: Browser, empty: Running, scheme: str
):
    with visiting(browser, empty.url, scheme) as visitor:
        for path in EMPTY:
            assert visitor.goto(path) == 200
            assert (path, visitor.violations()) == (path, [])
        assert visitor.troubles == []
        for path in WRONG:
            assert visitor.goto(path) in (404, 422)
            assert (path, visitor.violations()) == (path, [])
            expect(visitor.page.get_by_role("link", name="Back to the beginning")).to_be_visible()
        assert all("the server responded with" in trouble for trouble in visitor.troubles)


def test_what_axe_should_find_is_found(browser: Browser, empty: Running):
    with visiting(browser, empty.url) as visitor:
        visitor.goto("/")
        planted = "<img src='/static/icon.svg'><p style='color: #ccc; background: #fff'>pale</p>"
        visitor.page.evaluate("html => document.querySelector('main').innerHTML += html", planted)
        found = {one.partition(":")[0] for one in visitor.violations()}
        assert "image-alt" in found
        assert any("style" in trouble for trouble in visitor.troubles)


def test_html_in_titles_and_links_is_text_and_a_script_is_no_link(browser: Browser, pages: Running):
    with visiting(browser, pages.url) as visitor:
        for path in ("/feeds/1", "/reviews", "/duplicates", f"/?a={quote(EVIL, safe='')}"):
            visitor.goto(path)
            assert "taken" not in visitor.page.title()
            assert visitor.page.locator("main script").count() == 0
            hrefs = visitor.page.locator("a").evaluate_all("all => all.map(a => a.href)")
            assert all(href.startswith(("http://", "https://")) for href in hrefs)
        visitor.goto("/feeds/1")
        expect(visitor.page.get_by_text(f"{EVIL} in the headline")).to_be_visible()
        assert visitor.troubles == []


def test_two_urls_are_explained_with_what_each_rule_changed(browser: Browser, pages: Running):
    with visiting(browser, pages.url) as visitor:
        page = visitor.page
        visitor.goto("/")
        page.get_by_label("URL", exact=True).fill(A)
        page.get_by_label("Another one, to compare").fill(B)
        page.get_by_role("combobox", name="Beside it").select_option("curious-now")
        page.get_by_role("button", name="Explain").click()
        expect(page.locator(".verdict.yes")).to_contain_text("They meet at")
        expect(page.locator(".verdict.no")).to_contain_text("They part at")
        assert page.locator("del").all_inner_texts()[:1] == ["http://"]
        assert page.locator("tr.here").count() >= 1
        for label in page.locator("main input, main select").all():
            assert label.evaluate("e => e.labels.length") == 1


def test_credentials_are_on_no_page_and_in_no_address_of_one(pages: Running):
    text = pages.get("/", a="https://ann:s3cret@example.com/a").text
    assert "s3cret" not in text
    assert "https://***@example.com/a" in text


def _decide_as(visitor, name: str) -> None:
    visitor.goto("/reviews")
    visitor.page.get_by_label("You decide as").fill(name)
    visitor.page.get_by_role("button", name="Begin").click()
    expect(visitor.page.get_by_role("button", name="Change")).to_be_visible()


def _homepage(own: Filled) -> list[str]:
    rows = map(json.loads, own.check().lines)
    return [row["url"] for row in rows if "homepage" in row["problems"]]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_question_goes_from_the_queue_to_the_next_run_and_back(
    browser: Browser, own: Filled, scripts: bool
):
    assert "https://sede.uno.gob.es/" in _homepage(own)
    with (
        serving(*FAST, "--store", str(own.store)) as running,
        visiting(browser, running.url, java_script_enabled=scripts) as visitor,
    ):
        page = visitor.page
        _decide_as(visitor, "Ana <b>")
        page.get_by_role("combobox", name="Host").select_option("sede.uno.gob.es")
        page.get_by_role("button", name="Show").click()
        question = page.get_by_role("article").filter(has_text="homepage")
        expect(question).to_contain_text("it is a home page: it says nothing particular")
        question.get_by_role("button", name="accept home").click()
        expect(page.get_by_role("status")).to_contain_text("accept_home, by Ana <b>")
        expect(page.get_by_role("article").filter(has_text="homepage")).to_have_count(0)
        assert "https://sede.uno.gob.es/" not in _homepage(own)

        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status")).to_contain_text("taken back: 1")
        assert "https://sede.uno.gob.es/" in _homepage(own)
        assert visitor.troubles == []


def test_a_replacement_is_typed_in_and_written_by_the_next_run(browser: Browser, own: Filled):
    with (
        serving(*FAST, "--store", str(own.store)) as running,
        visiting(browser, running.url) as visitor,
    ):
        page = visitor.page
        _decide_as(visitor, "Ana")
        question = page.get_by_role("article").filter(has_text="licencia-de-obra")
        question.get_by_label("URL to write instead").fill("nope")
        question.get_by_role("button", name="replace").click()
        expect(page.get_by_role("status")).to_contain_text("has no scheme")
        question.get_by_label("URL to write instead").fill("https://dos.gob.es/c/d/obras-2026/")
        question.get_by_role("button", name="replace").click()
        expect(page.get_by_role("status")).to_contain_text("https://dos.gob.es/c/d/obras-2026")
        page.get_by_role("combobox", name="State").select_option("decided")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".decided")).to_contain_text(
            "replace https://dos.gob.es/c/d/obras-2026"
        )
        expect(page.locator(".decided")).to_contain_text("by Ana, 20")
    rows = map(json.loads, own.check().lines)
    found = [row["suggestion"] for row in rows if "licencia" in row["url"]]
    assert found == ["https://dos.gob.es/c/d/obras-2026"]


def test_the_queue_is_decided_with_keys_alone(browser: Browser, own: Filled):
    with (
        serving(*FAST, "--store", str(own.store)) as running,
        visiting(browser, running.url) as visitor,
    ):
        page = visitor.page
        _decide_as(visitor, "Ana")
        before = page.get_by_role("article").count()
        for key in "jjk":
            page.keyboard.press(key)
        expect(page.get_by_role("article").nth(0)).to_be_focused()
        page.keyboard.press("1")
        expect(page.get_by_role("article")).to_have_count(before - 1)
        page.keyboard.press("u")
        expect(page.get_by_role("article")).to_have_count(before)
        page.get_by_role("button", name="Keys are on").click()
        page.keyboard.press("j")
        assert page.locator("article:focus").count() == 0
        assert visitor.troubles == []


def test_all_questions_of_a_host_are_decided_and_taken_back_at_once(browser: Browser, own: Filled):
    with (
        serving(*FAST, "--store", str(own.store)) as running,
        visiting(browser, running.url) as visitor,
    ):
        page = visitor.page
        _decide_as(visitor, "Ana")
        visitor.goto("/reviews?kind=dead&host=tres.gob.es")
        expect(page.get_by_role("article")).to_have_count(2)
        page.locator(".bulk").get_by_role("button", name="keep").click()
        expect(page.get_by_role("status")).to_contain_text("keep, 2 questions, by Ana")
        expect(page.get_by_role("article")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status")).to_contain_text("taken back: 2")


def test_a_parameter_goes_only_into_an_overrides_file(
    browser: Browser, own: Filled, tmp_path: Path
):
    overrides = tmp_path / "overrides.json"
    with (
        serving(*FAST, "--store", str(own.store), "--overrides", str(overrides)) as running,
        visiting(browser, running.url) as visitor,
    ):
        _decide_as(visitor, "Ana")
        question = visitor.page.get_by_role("article").filter(has_text="tres.gob.es?ver")
        question.get_by_role("button", name="drop").click()
        expect(visitor.page.get_by_role("status")).to_contain_text("drop")
    written = json.loads(overrides.read_text())["overrides"]
    assert written[0]["drop_query_params"] == ["ver"]
    assert own.check().status == 2
    assert own.check("--overrides", str(overrides)).status == 1


def test_the_chain_of_a_link_is_drawn_and_the_health_follows_host_and_kind(
    browser: Browser, pages: Running
):
    with visiting(browser, pages.url) as visitor:
        page = visitor.page
        visitor.goto("/links?host=sede.uno.gob.es")
        moved = page.locator("details").filter(has_text="→")
        moved.locator("summary").click()
        hops = moved.locator(".hop").all_inner_texts()
        assert hops[-2:] == ["301", "200"]
        assert page.locator("main svg").count() == 3
        for svg in page.locator("main svg").all():
            assert svg.locator("title").text_content()
            assert svg.locator("desc").text_content()
        visitor.goto("/links?kind=dead&host=tres.gob.es")
        title = page.locator("svg.history title").text_content()
        assert title == "Links of tres.gob.es that are dead by day"
        visitor.goto("/links?status=dead")
        assert set(page.locator("summary .tag").all_inner_texts()) == {"dead"}


def test_feeds_show_their_state_and_entries_what_identified_them(browser: Browser, pages: Running):
    with visiting(browser, pages.url) as visitor:
        page = visitor.page
        visitor.goto("/feeds")
        rows = page.locator("tbody tr").all_inner_texts()
        assert ["ok" in rows[0], "ok" in rows[1], "failing" in rows[2]] == [True] * 3
        assert "status 404" in rows[2]
        visitor.goto("/feeds?state=failing")
        assert page.locator("tbody tr").count() == 1
        visitor.goto("/feeds/1")
        page.locator("summary").first.click()
        expect(page.locator("article").first).to_contain_text("canonical_url")
        expect(page.locator("article").first).to_contain_text("with high confidence")


def test_duplicates_stand_side_by_side_and_can_be_pasted(browser: Browser, pages: Running):
    with visiting(browser, pages.url) as visitor:
        page = visitor.page
        visitor.goto("/duplicates")
        expect(page.locator("section.card")).to_contain_text("title alike to that of")
        page.get_by_text("Or paste articles").click()
        rows = [
            "url,title",
            "http://a.example/x?ref=1,One",
            "http://www.a.example/x/,Other",
            '"torn',
        ]
        page.locator("textarea").fill("\n".join(rows))
        page.get_by_role("button", name="Find duplicates").click()
        expect(page.locator("section.card")).to_contain_text("same URL as")
        page.locator("textarea").fill('{"url": "http://a/x", "title": "A"}\n{torn\n[]\n')
        page.get_by_role("button", name="Find duplicates").click()
        assert page.locator(".notice").all_inner_texts() == [
            "row 2 cannot be read",
            "row 3 cannot be read",
        ]


def test_what_differs_between_two_policies_is_told_rule_by_rule(browser: Browser, pages: Running):
    with visiting(browser, pages.url) as visitor:
        page = visitor.page
        visitor.goto("/policies?a=news&b=feed")
        drop = page.locator("tbody tr").filter(has_text="query.drop")
        assert "yclid" in drop.locator("td").nth(1).inner_text()
        assert "utm_*" in drop.locator("td").nth(2).inner_text()
        visitor.goto("/policies?a=news&b=news")
        expect(page.get_by_text("Nothing differs.")).to_be_visible()
        page.get_by_role("link", name="news").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("The policy news")


def test_the_api_is_shown_without_asking_anybody_else(browser: Browser, pages: Running):
    with visiting(browser, pages.url) as visitor:
        visitor.goto("/docs")
        expect(visitor.page.get_by_text("/v1/canonicalize").first).to_be_visible()
        visitor.page.get_by_text("/v1/same").first.click()
        visitor.page.get_by_role("button", name="Try it out").click()
        for name, url in (("a", "http://h/x"), ("b", "http://h/x?utm_source=y")):
            visitor.page.locator(f'tr[data-param-name="{name}"] input').fill(url)
        visitor.page.get_by_role("button", name="Execute").click()
        expect(visitor.page.locator(".live-responses-table")).to_contain_text('"same": true')
        assert visitor.troubles == []


def test_every_page_is_reached_and_left_by_keyboard(browser: Browser, pages: Running):
    with visiting(browser, pages.url) as visitor:
        page = visitor.page
        visitor.goto("/reviews")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()
        visitor.goto("/")
        for _ in range(4):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Reviews")
