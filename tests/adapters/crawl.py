"""A spider that follows every link of one site: `crawl.py START SETTINGS`, settings as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response


class Spider(scrapy.Spider):
    name = "links"

    def parse(self, response: Response, **_: Any) -> Iterator[scrapy.Request]:
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)


if __name__ == "__main__":
    start, settings = sys.argv[1], json.loads(sys.argv[2])
    process = CrawlerProcess({"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, **settings})
    process.crawl(Spider, start_urls=[start])
    process.start()
