"""In Scrapy a page is fetched once, however many links lead to it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from scrapy import FormRequest, Request
from scrapy.utils.request import fingerprint

from sameas import Policy
from sameas.adapters.scrapy import RequestFingerprinter
from tests.adapters.engines import each_engine, policy

OURS = "sameas.adapters.scrapy.RequestFingerprinter"
LINKS = ["/a?utm_source=mail", "/a?utm_source=feed", "/a#top", "/a", "/b?ref=x", "/b?ref=y&gclid=1"]


@contextmanager
def site() -> Iterator[tuple[str, Counter[str]]]:
    """A page of links on loopback, and what is asked for."""
    asked = Counter[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked[self.path] += 1
            page = "".join(f'<a href="{link}">x</a>' for link in LINKS).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", asked
        finally:
            server.shutdown()
            thread.join()


def crawled(**settings: str) -> Counter[str]:
    script = Path(__file__).with_name("crawl.py")
    with site() as (start, asked):
        command = [sys.executable, str(script), start, json.dumps(settings)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    asked.pop("/robots.txt", None)
    return asked


def test_a_crawl_fetches_each_page_once() -> None:
    found = crawled(REQUEST_FINGERPRINTER_CLASS=OURS)
    assert set(found.values()) == {1}
    assert Counter(path.partition("?")[0] for path in found) == {"/": 1, "/a": 1, "/b": 2}


def test_a_crawl_goes_by_the_policy_of_the_settings() -> None:
    found = crawled(REQUEST_FINGERPRINTER_CLASS=OURS, SAMEAS_POLICY="news")
    assert Counter(path.partition("?")[0] for path in found) == {"/": 1, "/a": 1, "/b": 1}


def test_without_it_the_same_crawl_fetches_pages_again() -> None:
    found = crawled()
    assert Counter(path.partition("?")[0] for path in found) == {"/": 1, "/a": 3, "/b": 2}


@each_engine
def test_requests_are_the_same_where_method_key_and_body_are(engine: str) -> None:
    made = RequestFingerprinter(policy(engine)).fingerprint
    url, same = "http://www.example.com/a/", "https://example.com/a?utm_source=x"
    assert made(Request(url)) == made(Request(same))
    assert made(Request(url)) != made(Request("https://example.com/b"))
    assert made(Request(url)) != made(Request(same, method="HEAD"))
    one, two = (FormRequest(url, formdata={"page": page}) for page in "12")
    assert made(one) != made(two)
    assert made(one) == made(FormRequest(same, formdata={"page": "1"}))


def test_a_request_that_is_asked_for_again_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, chosen = [], Policy.load()
    key = chosen.key
    monkeypatch.setattr(chosen, "key", lambda url: asked.append(url) or key(url))
    made, request = RequestFingerprinter(chosen).fingerprint, Request("http://h/")
    assert made(request) == made(request)
    assert asked == ["http://h/"]


@pytest.mark.parametrize("url", ["data:,x", "ftp://example.com/a"])
def test_a_request_that_is_for_no_page_has_the_fingerprint_of_scrapy(url: str) -> None:
    request = Request(url)
    assert RequestFingerprinter().fingerprint(request) == fingerprint(request)
