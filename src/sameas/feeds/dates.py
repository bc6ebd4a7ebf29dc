"""Dates as a store compares them: UTC, to the second, in one spelling.

A date that cannot be read is missing; nothing stands in for it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from time import struct_time

from sameas.feeds.feedparsers import DATES

_LONGEST = 100


def from_feed(text: str) -> str:
    """A date in one of the ways that feeds write them; without a zone it is taken as UTC."""
    if len(text) > _LONGEST:
        return ""
    for reader in DATES:
        try:
            parts: struct_time | None = reader(text)
            if parts:
                return spelled(datetime(*parts[:5], min(parts[5], 59), tzinfo=UTC))
        except (ValueError, OverflowError, LookupError, AttributeError):
            pass  # what is no such date may fail in its reader in any of these ways
    return from_iso(text)


def from_iso(text: str) -> str:
    """RFC 3339, as JSON Feed has it, and the other spellings of ISO 8601."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return spelled(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return ""


def spelled(moment: datetime) -> str:
    """Always four digits of year: strftime has fewer on some systems."""
    utc = moment.astimezone(UTC)
    return f"{utc.year:04}-{utc:%m-%dT%H:%M:%SZ}"
