"""What is counted for Prometheus: requests with their latency, and URLs by what became of them.

Labels are names of ours alone, so that nobody can make them grow.
"""

from __future__ import annotations

from collections import Counter as Tally

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE"})
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            "sameas_request_seconds",
            "How long requests took, by route, method and status.",
            ("route", "method", "status"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._urls = Counter(
            "sameas_urls_total",
            "URLs canonicalized, by policy and outcome: ok, or the code of the refusal.",
            ("policy", "outcome"),
            registry=self._registry,
        )
        self.under_way = Gauge(
            "sameas_requests_under_way", "Requests being answered.", registry=self._registry
        )

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        known = method if method in _METHODS else "other"
        self._requests.labels(route, known, str(status)).observe(seconds)

    def url(self, policy: str, outcome: str) -> None:
        self._urls.labels(policy, outcome).inc()

    def urls(self, policy: str, outcomes: Tally[str]) -> None:
        for outcome, count in outcomes.items():
            self._urls.labels(policy, outcome).inc(count)

    def written(self) -> bytes:
        return generate_latest(self._registry)
