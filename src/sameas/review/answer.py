"""One answer on its way into the store, whoever gives it: checked, written, its policy moved along.

Which answers there are is for `kinds`, what each does for `decide`, `overrides` and `rekey`.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from sameas.errors import SettingError
from sameas.policy import Policy
from sameas.review.decide import decide, take_back, wanted
from sameas.review.overrides import add_drop, take_drop_back
from sameas.review.rekey import rekey, stamp
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Review


class Answer:
    """One answer on its way into the store."""

    def __init__(
        self,
        store: LinkStore,
        review: Review,
        by: str,
        policy: str,
        overrides: str | None,
        now: datetime | None = None,
    ) -> None:
        self._store, self._review, self._by = store, review, by
        self._policy, self._overrides = policy, overrides
        self._now = now or datetime.now(UTC)
        self.rewrote = False

    def give(self, decision: str, value: str) -> None:
        decision, value = wanted(self._review, decision, value, self._loaded())
        if decision == "drop":
            self._rewrite(drops=True)
        decide(self._store, self._review, decision, value, self._by, self._now)

    def take_back(self) -> None:
        if self._review.decision == "drop":
            self._rewrite(drops=False)
        take_back(self._store, self._review, self._by, self._now)

    def _loaded(self) -> Policy:
        """A file that is not there yet overrides nothing."""
        file = self._overrides if self._overrides and os.path.exists(self._overrides) else None
        return Policy.load(self._policy, file)

    def _rewrite(self, drops: bool) -> None:
        """What is stored moves along: the file has made the policy another one. Under a policy that
        is not the store's, every link and question would move to it."""
        if self._overrides is None:
            hint = "give --overrides FILE; it is made where there is none"
            raise SettingError(
                f"review {self._review.review_id}", "only a policy may drop it", hint
            )
        self._store.claim_links(*stamp(self._loaded()), self._now)
        host, _, name = self._review.key.partition("?")
        change = add_drop if drops else take_drop_back
        self.rewrote = True
        policy = change(self._overrides, self._policy, host, name)
        rekey(self._store, policy, self._now)
