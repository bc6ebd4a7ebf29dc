"""A resolution as an object: the names that scripts rely on, in every form it is written in.

What is written where is the caller's business.
"""

from __future__ import annotations

from typing import Any

from sameas.engine.parse import masked
from sameas.resolve.types import Resolution


def resolution_object(found: Resolution) -> dict[str, Any]:
    return {
        "input": found.input,
        "url": found.url,
        "key": found.key,
        "chain": [{"url": masked(hop.url), "status": hop.status} for hop in found.chain],
        "status": found.status,
        "flags": found.flags,
        "notes": found.notes,
        "evidence": [one._asdict() for one in found.evidence],
    }
