"""Scrapy: requests are the same where method, body and the key of their URL are.

`REQUEST_FINGERPRINTER_CLASS = "sameas.adapters.scrapy.RequestFingerprinter"` in the settings;
`SAMEAS_POLICY` names the policy. A URL that is refused is left to Scrapy's own fingerprint.
"""

from __future__ import annotations

from hashlib import sha256
from weakref import WeakKeyDictionary

from sameas.errors import InvalidURL, MissingExtra
from sameas.policy import Policy, loaded

try:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.utils.request import fingerprint
except ImportError:
    raise MissingExtra("a fingerprint of Scrapy's requests", "scrapy") from None


class RequestFingerprinter:
    def __init__(self, policy: str | Policy = "default") -> None:
        self.policy = loaded(policy)
        self._known: WeakKeyDictionary[Request, bytes] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequestFingerprinter:
        return cls(crawler.settings.get("SAMEAS_POLICY", "default"))

    def fingerprint(self, request: Request) -> bytes:
        """Scrapy asks several times for each request."""
        if request not in self._known:
            self._known[request] = self._made(request)
        return self._known[request]

    def _made(self, request: Request) -> bytes:
        try:
            key = self.policy.key(request.url)
        except InvalidURL:
            return fingerprint(request)
        return sha256(f"{request.method} {key}\n".encode() + request.body).digest()
