"""Whether the keys of a store can be made under a policy at all.

Which of its links a policy refuses is found out while they are read.
"""

from __future__ import annotations

from sameas.errors import PolicyError
from sameas.policy import Policy


def check_applicable(policy: Policy, place: str) -> None:
    if policy.plan.parser.startswith("tk"):
        reason = f"{policy.name}@{policy.version} makes no URLs, and an entry needs one"
        raise PolicyError(place, reason, "use a policy whose parser is whatwg")
