"""A question as an object: the names that scripts rely on, in every form it is written in.

What is written where is the caller's business.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sameas.review.kinds import KINDS
from sameas.store.link_types import Review

NAMES = (
    "id",
    "kind",
    "about",
    "url",
    "file",
    "line",
    "field",
    "question",
    "answers",
    "suggestion",
    "reason",
    "evidence",
    "asked_at",
    "decision",
    "value",
    "decided_by",
    "decided_at",
)


def about(review: Review) -> str:
    """What it asks about, as people know it: keys of links and pages are for programs."""
    return review.key if KINDS[review.kind].about in ("host", "parameter") else review.url


def review_object(review: Review) -> dict[str, Any]:
    kind = KINDS[review.kind]
    return {
        "id": review.review_id,
        "kind": review.kind,
        "about": about(review),
        "url": review.url,
        "file": review.file,
        "line": review.line,
        "field": review.field,
        "question": kind.asks,
        "answers": list(kind.decisions),
        "suggestion": review.suggestion,
        "reason": review.reason,
        "evidence": list(review.evidence),
        "asked_at": _written(review.asked_at),
        "decision": review.decision,
        "value": review.value,
        "decided_by": review.decided_by,
        "decided_at": _written(review.decided_at),
    }


def _written(time: datetime | None) -> str | None:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}" if time else None
