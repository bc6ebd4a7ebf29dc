"""Are these two the same thing? Canonical URLs and keys under named, versioned policies."""

from sameas.errors import (
    EngineUnavailable,
    FeedError,
    InvalidURL,
    MissingExtra,
    NetError,
    PolicyError,
    RecordsError,
    SameasError,
    SettingError,
)
from sameas.policy import Policy, canonicalize, compare, explain, key, same
from sameas.types import Canonical, Comparison, Explanation, Step

__version__ = "0.1.0"

__all__ = [
    "Canonical",
    "Comparison",
    "EngineUnavailable",
    "Explanation",
    "FeedError",
    "InvalidURL",
    "MissingExtra",
    "NetError",
    "Policy",
    "PolicyError",
    "RecordsError",
    "SameasError",
    "SettingError",
    "Step",
    "__version__",
    "canonicalize",
    "compare",
    "explain",
    "key",
    "same",
]
