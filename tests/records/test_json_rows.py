"""JSON Lines: one key of one object a line."""

from __future__ import annotations

import io

import pytest

from sameas.records.json_rows import json_rows
from sameas.records.source import Refused


def rows(data: bytes) -> list[tuple[int, object]]:
    return list(json_rows(io.BytesIO(data), "url", "a.jsonl"))


def test_the_value_of_the_key_is_given():
    data = b'{"url": "http://a/", "x": [1]}\r\n{"x": {}, "url": "http://\\u00e9/"}'
    assert rows(data) == [(1, "http://a/"), (2, "http://\u00e9/")]


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        (b"", "empty", "empty"),
        (b"{", "row", "not JSON"),
        (b"[1]", "row", "a list"),
        (b"3", "row", "a number"),
        (b'{"urls": 1}', "row", 'the nearest is "urls"'),
        (b'{"a": 1, "b": 2}', "row", 'there are "a", "b"'),
        (b"{}", "row", "there are none"),
        (b'{"url": null}', "empty", "null"),
        (b'{"url": true}', "row", "true or false"),
        (b'{"url": ["http://a/"]}', "row", "a list"),
        (b"\x00\xff\xfe", "row", "not JSON"),
        (b"[" * 100_000, "row", "too deep"),
        (b'{"url": ' + b"9" * 10_000 + b"}", "row", "huge number"),
    ],
)
def test_a_bad_line_is_refused_alone(line: bytes, code: str, told: str):
    good = b'{"url": "http://a/"}'
    first, second, third = rows(b"\n".join((good, line, good)) + b"\n")
    assert first == (1, "http://a/")
    assert third == (3, "http://a/")
    assert isinstance(second[1], Refused)
    assert second[1].code == code
    assert told in second[1].message


def test_bytes_that_are_no_utf_8_stay_what_they_are():
    [(_, value)] = rows(b'{"url": "http://a/\xe9"}')
    assert isinstance(value, str)
    assert value.encode("utf-8", "surrogateescape") == b"http://a/\xe9"
