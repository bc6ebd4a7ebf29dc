"""The same article once: duplicates by URL and by title, with the evidence.

Pure functions on records: nothing is read, written or mutated here. Files are the business of
`records`, addresses that of the policy.
"""

from sameas.dedupe.articles import Quality, quality
from sameas.dedupe.find import (
    By,
    deduplicate,
    deduplicate_by_title,
    deduplicate_by_url,
    find_duplicates,
    normalize_url,
)
from sameas.dedupe.groups import Duplicates, Evidence, Group

__all__ = [
    "By",
    "Duplicates",
    "Evidence",
    "Group",
    "Quality",
    "deduplicate",
    "deduplicate_by_title",
    "deduplicate_by_url",
    "find_duplicates",
    "normalize_url",
    "quality",
]
