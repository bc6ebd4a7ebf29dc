"""How an input is written where it has to be: as text, with what might be a password hidden."""

from __future__ import annotations

import pytest

from sameas.engine.parse import masked, shown

ACCEPTED = {
    "http://u:p@h/": "http://***@h/",
    "http://u:p@h/a@b?c@d": "http://***@h/a@b?c@d",
    "HTTP:\\\\u:p@h\\a": "HTTP:\\\\***@h\\a",
    "http:u:p@h": "http:***@h",
    " ht\ttp://u:p@h": " ht\ttp://***@h",
    "http://a@b@h/": "http://***@h/",
    "http://h/@u": "http://h/@u",
    "u:p@h.example/a": "***@h.example/a",
    "//u:p@h": "//***@h",
    "\u3000http://u:p@h.example/": "\u3000http://***@h.example/",
    "h.example/a//b@c": "h.example/a//b@c",
    "http://h/?u=http://u:p@i/": "http://h/?u=http://***@i/",
    "http://h/?u=http%3A%2F%2Fu%3Ap%40i%2F": "http://h/?u=http%3A%2F%2F***%40i%2F",
    "http://h/?u=https%253A%252F%252Fu:p%2540i%252F@": "http://h/?u=https%253A%252F%252F***%2540i%252F@",
    "http://h/?u=http://i/@p": "http://h/?u=http://i/@p",
}  # fmt: skip


@pytest.mark.parametrize(("url", "text"), ACCEPTED.items())
def test_of_what_is_accepted_the_credentials_are_hidden_and_nothing_else(
    url: str, text: str
) -> None:
    assert shown(url) == shown(url.encode()) == text


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://u:pa/ss@h/", "http://***@h/"),
        ("http://u:pa?ss@h/", "http://***@h/"),
        ("http://u r:pa#ss@h/", "http://***@h/"),
        ("ftp://u:p@h/@a", "ftp://***@a"),
        ("see http://u:p@h", "see http://***@h"),
        ("http//u:p@h", "***@h"),
        ("mailto:a@b", "***@b"),
        ("no credentials at all", "no credentials at all"),
    ],
)
def test_of_what_is_refused_all_up_to_the_last_at_is_hidden(url: str, text: str) -> None:
    assert shown(url, "host") == masked(url, everywhere=True) == text


def test_where_a_backslash_does_not_end_the_host_the_flag_tells() -> None:
    url = "http://u:a\\b@h.example/"
    assert shown(url, flags=["credentials"]) == "http://***@h.example/"
    assert shown("http://h.example\\@evil.example/") == "http://h.example\\@evil.example/"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"http://h/\xe9", "http://h/%E9"),
        ("http://h/\udce9", "http://h/%E9"),
        ("http://h/\udcc3\udca9é", "http://h/éé"),
        ("http://h/\ud800", "http://h/%ED%A0%80"),
        ("http://h/\ud83d\ude00", "http://h/%ED%A0%BD%ED%B8%80"),
    ],
)
def test_what_is_no_text_is_shown_as_triplets(raw: str | bytes, text: str) -> None:
    assert shown(raw) == text
