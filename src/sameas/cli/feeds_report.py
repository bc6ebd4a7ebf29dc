"""What a run over feeds shows: an object a feed or a summary, then what failed and what to do.

It counts problems for the exit status; what became of a feed has been decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sameas.cli.progress import counted
from sameas.cli.terminal import on_terminal, results, say, show, show_json

if TYPE_CHECKING:
    from sameas.feeds.sync import Outcome


class Report:
    def __init__(self, as_json: bool) -> None:
        self.problems = 0
        self.store_is_whole = True
        self._as_json = as_json
        self._counts: Counter[str] = Counter()
        self._failed: list[str] = []
        self._waiting: list[str] = []
        self._said: list[str] = []
        self._bar_is_drawn = False
        self._drawn: Callable[[int], None] = lambda _: None

    def done(self, outcome: Outcome) -> None:
        """One feed, as it comes."""
        counts, feed = outcome.counts, outcome.feed
        self._counts[outcome.status] += 1
        for name in ("new", "updated", "seen", "conflicts", "repeated_guids"):
            self._counts[name] += getattr(counts, name)
        line = f"{outcome.asked}: {feed.error}"
        if outcome.status == "failed":
            self.problems += 1
            self._failed.append(line)
        if outcome.status == "waiting":
            self._waiting.append(line)
        if self._as_json:
            self._show(outcome)
        self._drawn(sum(self._counts[status] for status in ("ok", "no_change", "failed")))

    def _show(self, outcome: Outcome) -> None:
        counts, feed = outcome.counts, outcome.feed
        show_json(
            {
                "feed_url": outcome.asked,
                "status": outcome.status,
                "http_status": feed.http_status,
                "new": counts.new,
                "updated": counts.updated,
                "duplicates": counts.duplicates,
                "conflicts": counts.conflicts,
                "error": feed.error,
            }
        )
        results().flush()  # whoever reads along need not wait for the last feed

    def warn(self, text: str) -> None:
        """At once, but never into a bar."""
        if self._bar_is_drawn:
            self._said.append(text)
        else:
            say(f"sameas: {text}")

    def problem(self, text: str) -> None:
        self.problems += 1
        say(text)

    def lost(self, lost: bool) -> None:
        if lost and self.store_is_whole:
            self.store_is_whole = False
            self.problems += 1

    @contextmanager
    def progress(self, total: int) -> Iterator[None]:
        if not total or (self._as_json and on_terminal()):
            yield
            return
        try:
            with counted("feeds") as drawn:
                self._bar_is_drawn = True
                self._drawn = lambda done: drawn(done, total)
                yield
        finally:
            self._bar_is_drawn = False
            self._drawn = lambda _: None
            for text in self._said:
                self.warn(text)
            self._said.clear()

    def summarize(self) -> None:
        if not self._as_json:
            show(" · ".join(self._parts()))
        for line in (*self._failed, *self._waiting):
            say(line)

    def _parts(self) -> Iterator[str]:
        always = ("new", "updated", "seen", "no change", "failed")
        for name in (*always, "waiting", "conflicts", "repeated guids"):
            count = self._counts[name.replace(" ", "_")]
            if count or name in always:
                yield f"{name} {count}"
