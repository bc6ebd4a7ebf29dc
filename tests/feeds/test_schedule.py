"""When a feed is asked again, from what was said and how often it failed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sameas.feeds import schedule
from sameas.net.reply import Headers
from sameas.store.types import Feed

NOW = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
FEED = Feed(1, "https://example.org/feed", NOW)


def headers(**given: str) -> Headers:
    return Headers((k.replace("_", "-").encode(), v.encode()) for k, v in given.items())


def minutes(moment: datetime) -> float:
    return (moment - NOW) / timedelta(minutes=1)


@pytest.mark.parametrize(
    ("said", "ttl", "wanted"),
    [
        ({}, None, 60),
        ({"Cache_Control": "public, max-age=7200"}, None, 120),
        ({"Cache_Control": 'MAX-AGE="7200"'}, None, 120),
        ({"Cache_Control": "s-maxage=7200"}, None, 60),
        ({"Cache_Control": "no-cache, max-age=7200"}, None, 60),
        ({"Cache_Control": "max-age=0"}, None, 60),
        ({"Cache_Control": "max-age=1"}, None, 15),
        ({"Cache_Control": "max-age=999999999"}, None, 1440),
        ({"Cache_Control": "max-age=99999999999999999999"}, None, 1440),
        ({"Cache_Control": "max-age=60"}, 120, 120),
        ({"Cache_Control": "max-age=7200"}, 30, 120),
        ({}, 5, 15),
        ({}, 10_000_000, 1440),
        ({"Expires": "Thu, 19 Nov 2026 23:00:00 GMT"}, None, 180),
        (
            {"Expires": "Thu, 19 Nov 2026 23:00:00 GMT", "Date": "Thu, 19 Nov 2026 22:00:00 GMT"},
            None,
            60,
        ),
        ({"Expires": "0"}, None, 60),
        ({"Expires": "-1"}, None, 60),
        ({"Expires": "Thu, 01 Jan 1970 00:00:00 GMT"}, None, 60),
        (
            {"Expires": "Thu, 19 Nov 2026 23:00:00 GMT", "Cache_Control": "max-age=1200"},
            None,
            20,
        ),
    ],
)
def test_a_document_is_good_for_as_long_as_was_said(
    said: dict[str, str], ttl: int | None, wanted: int
):
    given = timedelta(minutes=ttl) if ttl else None
    assert minutes(schedule.after_document(NOW, headers(**said), given)) == wanted


def test_without_a_document_the_last_ones_word_holds():
    known = Feed(
        1,
        "u",
        NOW,
        last_checked_at=NOW - timedelta(hours=9),
        next_check_at=NOW - timedelta(hours=1),
    )
    assert minutes(schedule.after_no_change(NOW, headers(), known)) == 8 * 60
    said = headers(Cache_Control="max-age=1800")
    assert minutes(schedule.after_no_change(NOW, said, known)) == 30
    assert minutes(schedule.after_no_change(NOW, headers(), FEED)) == 60


def test_a_wait_is_no_word_of_a_document():
    waited = Feed(
        1,
        "u",
        NOW,
        last_checked_at=NOW - timedelta(hours=9),
        next_check_at=NOW - timedelta(hours=1),
        waiting=True,
    )
    assert minutes(schedule.after_no_change(NOW, headers(), waited)) == 60


def test_a_feed_that_fails_is_asked_less_and_less_often():
    gaps = [minutes(schedule.after_failure(NOW, n)) / 60 for n in (1, 2, 3, 4, 5, 6, 7, 1_000_000)]
    assert gaps == [1, 2, 4, 8, 16, 24, 24, 24]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("120", 2),
        ("0", 0),
        ("Thu, 19 Nov 2026 22:00:00 GMT", 120),
        ("99999999999999", 7 * 1440),
        ("soon", 4 * 60),
    ],
)
def test_retry_after_sets_the_next_check_in_both_forms(said: str, wanted: int):
    assert minutes(schedule.after_refusal(NOW, headers(Retry_After=said), 3)) == wanted


def test_a_refusal_without_a_time_is_like_a_failure():
    assert minutes(schedule.after_refusal(NOW, headers(), 2)) == 120
