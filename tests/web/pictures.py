"""`make pictures`: the pictures of the documentation, taken of the real pages."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.web.browser import PHONE, Visitor, chromium, visiting
from tests.web.filled import filling
from tests.web.running import FAST, serving

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
_WINDOW = {"width": 1000, "height": 860}
_TWO = (
    "/?a=http%3A%2F%2Fwww.example.com%2Fstory%2F%3Fgclid%3D1"
    "&b=https%3A%2F%2Fexample.com%2Fstory%23comments"
)


_RENAMED = """folder => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data.replaceAll(folder, "/srv/data");
}"""


def _take(visitor: Visitor, path: str, name: str, folder: str) -> None:
    visitor.goto(path)
    visitor.page.evaluate(_RENAMED, folder)
    IMAGES.mkdir(exist_ok=True)
    visitor.page.screenshot(path=IMAGES / f"{name}.png")


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        filling(Path(folder).resolve()) as filled,
        serving(*FAST, "--store", str(filled.store)) as running,
        chromium() as browser,
    ):
        with visiting(browser, running.url, viewport=_WINDOW) as visitor:
            visitor.goto("/reviews")
            visitor.page.get_by_label("You decide as").fill("Ana")
            visitor.page.get_by_role("button", name="Begin").click()
            _take(visitor, "/reviews?kind=homepage", "reviews", folder)
            _take(visitor, "/links", "links", folder)
        with visiting(browser, running.url, "dark", viewport=PHONE) as visitor:
            _take(visitor, _TWO, "explain-dark", folder)


if __name__ == "__main__":
    main()
