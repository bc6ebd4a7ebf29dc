"""Real Chromium through Playwright: its pages tell of every console message and foreign request."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCHEMES = ("light", "dark")
DESK, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Where there is none, the tests that need one are named as not run; with CI they fail."""
    if CHROMIUM is None:
        said = "NOT RUN: the pages in a browser (there is no Chromium here)"
        pytest.fail(said) if os.environ.get("CI") else pytest.skip(said)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody in front of the pages. `troubles` is what a browser complained of."""

    def __init__(self, browser: Browser, url: str, scheme: str = "light", **options: Any) -> None:
        self.url, self.troubles = url, list[str]()
        options.setdefault("viewport", DESK)
        self._context = browser.new_context(color_scheme=scheme, base_url=url, **options)
        self._context.set_default_timeout(5000)
        self.page: Page = self._context.new_page()
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", self._asked)
        self.page.on("dialog", lambda dialog: self.troubles.append(dialog.message))

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((f"{self.url}/", "data:")):
            self.troubles.append(f"asked {request.url}")

    def goto(self, path: str) -> int:
        answer = self.page.goto(path)
        assert answer is not None
        return answer.status

    def violations(self) -> list[str]:
        """What axe finds wrong, each rule with its first place. What Swagger draws is not ours."""
        found = Axe().run(self.page, {"exclude": [["#swagger"]]}).response["violations"]
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]

    def close(self) -> None:
        self._context.close()


@contextmanager
def visiting(
    browser: Browser, url: str, scheme: str = "light", **options: Any
) -> Iterator[Visitor]:
    visitor = Visitor(browser, url, scheme, **options)
    try:
        yield visitor
    finally:
        visitor.close()
