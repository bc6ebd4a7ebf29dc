"""What `sameas dedupe` says at its end, for a person: the same words however it was done."""

from __future__ import annotations


def summary(total: int, duplicates: int, groups: int, by_url: int, by_title: int) -> str:
    return (
        f"articles {total:,} · stay {total - duplicates:,} · duplicates {duplicates:,} · "
        f"groups {groups:,} · by URL {by_url:,} · by title {by_title:,}"
    )


def not_compared(without_url: int, refused: int, without_title: int) -> str:
    """Empty where everything was."""
    without = (
        (without_url, "without a URL"),
        (refused, "with a URL that is refused"),
        (without_title, "without a title"),
    )
    stayed = ", ".join(f"{count:,} {what}" for count, what in without if count)
    return stayed and f"not compared, so they stay: {stayed}"


def left_out(unreadable: int) -> str:
    return f"left out: {unreadable:,} that could not be read"
