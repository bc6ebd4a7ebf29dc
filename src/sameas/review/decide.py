"""A decision: checked, written, and made a fact; and the same taken back.

What follows from a fact in a run is the registry's business.
"""

from __future__ import annotations

from datetime import datetime

from sameas.errors import InvalidURL, SettingError
from sameas.policy import Policy
from sameas.review.kinds import DECISIONS, KINDS, WITH_VALUE
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Domain, Review

SUGGESTED = "suggested"
"""The word for "as it is suggested"."""


def wanted(review: Review, decision: str, value: str, policy: Policy) -> tuple[str, str]:
    """The decision and its value, if it is one for this question; `SettingError` if not."""
    decision = decision.replace("-", "_")
    if decision == SUGGESTED:
        if not review.suggestion:
            raise _wrong(review, f"nothing is suggested for it: {review.reason}", review.kind)
        decision, _, value = review.suggestion.partition(" ")
    allowed = KINDS[review.kind].decisions
    if decision not in allowed:
        known = "no answer to this question" if decision in DECISIONS else "no decision"
        raise _wrong(review, f'"{decision}" is {known}', review.kind)
    if decision in WITH_VALUE and not value:
        raise _wrong(review, f'"{decision}" needs a URL', review.kind)
    if decision not in WITH_VALUE and value:
        raise _wrong(review, f'"{decision}" takes no URL', review.kind)
    if value:
        value = _checked(review, decision, value, policy)
    return decision, value


def _wrong(review: Review, reason: str, kind: str) -> SettingError:
    answers = ", ".join(KINDS[kind].decisions)
    return SettingError(f"review {review.review_id}", reason, f"its answers are {answers}")


def _checked(review: Review, decision: str, value: str, policy: Policy) -> str:
    """A replacement is written as the policy writes it; a domain's form is scheme and host."""
    try:
        result = policy.canonicalize(value)
    except InvalidURL as error:
        raise _wrong(review, error.message, review.kind) from None
    if decision == "replace":
        return result.url
    scheme, _, rest = value.strip().lower().partition("://")
    host = rest.rstrip("/")
    bare = {host.removeprefix("www."), review.key}
    if scheme not in ("http", "https") or len(bare) != 1:
        hint = f"http:// or https://, then {review.key} or www.{review.key}"
        raise SettingError(f"review {review.review_id}", f'"{value}" is no form of it', hint)
    return f"{scheme}://{host}"


def decide(
    store: LinkStore, review: Review, decision: str, value: str, by: str, now: datetime
) -> None:
    """`decision` and `value` as `wanted` gives them. `drop` is written elsewhere first: only a
    policy may change an identity."""
    if decision == "domain":
        scheme, _, host = value.partition("://")
        https = None if scheme == "https" else False
        store.save_domain(Domain(review.key, host, https, now, decided=True))
    store.decide(review.review_id, decision, value, by, now)


def take_back(store: LinkStore, review: Review, by: str, now: datetime) -> None:
    if review.decision is None:
        reason = "nothing is decided about it"
        raise SettingError(f"review {review.review_id}", reason, "there is nothing to take back")
    if review.decision == "domain":
        store.forget_domain(review.key)
        # What was found out before it was decided: that is what the question was about.
        store.save_domain(Domain(review.key, None, False, review.asked_at))
    store.decide(review.review_id, None, "", by, now)
