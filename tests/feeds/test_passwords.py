"""Passwords: read from lines, sent to the host they are for, shown nowhere."""

from __future__ import annotations

from base64 import b64decode

import pytest

from sameas.errors import SettingError
from sameas.feeds.passwords import read_passwords

LINES = """# feeds of the library
machine example.org login ann password s3cret
machine other.org:8443
  login bob password "two words \\" and # more" account x
"""
FEED = "https://example.org/feed"


def sent(feed_url: str, url: str, text: str = LINES) -> str:
    header = read_passwords(text, "pw").header(feed_url, url)
    return b64decode(header["Authorization"].removeprefix("Basic ")).decode() if header else ""


def test_a_feed_gets_the_password_of_its_host():
    assert sent(FEED, FEED) == "ann:s3cret"
    bobs = "https://other.org:8443/feed"
    assert sent(bobs, bobs) == 'bob:two words " and # more'


@pytest.mark.parametrize(
    ("feed_url", "url"),
    [
        (FEED, "https://evil.example/feed"),
        (FEED, "https://www.example.org/feed"),
        (FEED, "http://example.org/feed"),
        (FEED, "https://example.org:8443/feed"),
        ("https://evil.example/", FEED),
        ("https://other.org/", "https://other.org/"),
        ("https://other.org:8443/", "https://example.org/"),
    ],
)
def test_no_password_goes_anywhere_else(feed_url: str, url: str):
    assert sent(feed_url, url) == ""


def test_a_password_goes_along_from_plain_http_to_https():
    assert sent("http://example.org/feed", FEED) == "ann:s3cret"
    assert sent("http://example.org/feed", "http://example.org/other") == "ann:s3cret"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("machine a.org login x", "pw:1: a.org has no login or no password"),
        ("\nmachine a.org password x\n", "pw:2: a.org has no login or no password"),
        ("machine", "pw:1: ends in the middle of an entry"),
        ("login x password y", "pw:1: a word that is not known, or before any machine"),
        ("machine a login x\nhunter2 y", "pw:2: a word that is not known, or before any machine"),
        ("default login x password hunter2", "pw:1: default is not used here: name each host"),
        ("machine a login x:y password z", "pw:1: the login of a holds a colon"),
    ],
)
def test_a_bad_line_is_named_and_not_shown(text: str, said: str):
    with pytest.raises(SettingError) as caught:
        read_passwords(text, "pw")
    assert str(caught.value).startswith(said)
    assert "hunter2" not in str(caught.value)


def test_no_password_is_in_what_is_printed_of_it():
    assert "s3cret" not in repr(read_passwords(LINES, "pw"))
