"""What is said about two URLs that part: the rule that is named, and that it is true."""

from __future__ import annotations

import pytest
from hypothesis import given

from sameas import InvalidURL, compare
from sameas.engine.parse import parse, read
from tests.laws import strategies

WRAPPED = "https://www.google.com/url?q=https://e.example/a"


@pytest.mark.parametrize(
    ("policy", "a", "b", "said"),
    [
        ("default", "http://a.example/x", "http://a.example/y", "parse (C2): from the start"),
        ("default", WRAPPED, "https://e.example/b", "unwrap (C24): after it the path is /a in one"),
        ("default", "http://a.example/?a&fbclid", "http://a.example/?b", "query.drop (C15): after"),
        ("default", "http://a.example/#!a", "http://a.example/#!b", "fragment.drop (C16): after"),
        ("clara", "http://boe.es/", "http://sepe.es/", "host.map (C19): after it the host is www."),
        ("clara", "http://a.es:443/", "https://a.es:81/", "scheme.https (C8): after it"),
        ("news", "http://a.example/", "https://a.example/", "parse (C2): from the start the"),
        ("tk", "http://a.example/b%41", "http://a.example/c", "tk.decode_path (T4): after it"),
    ],
)  # fmt: skip
def test_two_urls_part_at_the_last_rule_that_had_to_do_with_it(
    policy: str, a: str, b: str, said: str
) -> None:
    assert compare(a, b, policy).sentence.startswith(f"They part at {said}")


@given(a=strategies.texts, b=strategies.texts)
def test_what_is_from_the_start_is_from_the_start(a: str, b: str) -> None:
    try:
        one, two = parse(read(a)), parse(read(b))
    except InvalidURL:
        return
    told = compare(a, b)
    if ": from the start the " in told.sentence:
        part = told.sentence.partition(": from the start the ")[2].partition(" ")[0]
        name = "query" if part == "parameter" else part
        assert getattr(one, name) != getattr(two, name)
