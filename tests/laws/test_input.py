"""Law 7: bytes, surrogate escapes, lone surrogates, and the limit to the byte."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sameas import Canonical, InvalidURL
from tests.laws import strategies
from tests.laws.strategies import LIMIT, NOT_TK, POLICIES, Raw
from tests.laws.test_laws import check_idempotent, each_policy, result

START = "http://h/"
LONE = ["\ud800", "\udbff", "\udc00", "\udc7f", "\udd00", "\udfff", "\ud83d\ude00"]


@each_policy
@given(data=st.binary(max_size=30), tail=st.binary(max_size=10))
def test_bytes_are_what_surrogate_escapes_stand_for(name: str, data: bytes, tail: bytes) -> None:
    raw = START.encode() + data + b"?" + tail
    policy = POLICIES[name]
    as_text = raw.decode("utf-8", "surrogateescape")
    one, two = result(policy, raw), result(policy, as_text)
    if isinstance(one, Canonical) and isinstance(two, Canonical):
        assert one == two
    else:
        assert isinstance(one, InvalidURL)
        assert isinstance(two, InvalidURL)
        assert (one.code, one.message) == (two.code, two.message)
    assert policy.explain(raw).input == policy.explain(as_text).input


@pytest.mark.parametrize("name", NOT_TK)
@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"http://h/\xe9", "/%E9"),
        ("http://h/\udce9", "/%E9"),
        (b"http://h/\xc3\xa9", "/%C3%A9"),
        ("http://h/\udcc3\udca9", "/%C3%A9"),
        ("http://h/é", "/%C3%A9"),
        (b"http://h/\xe2\x82", "/%E2%82"),
        (b"http://h/\xed\xa0\x80", "/%ED%A0%80"),
        ("http://h/\udced\udca0\udc80", "/%ED%A0%80"),
        (b"http://h/\xff\xfe\x80", "/%FF%FE%80"),
        ("http://h/😀", "/%F0%9F%98%80"),
        (b"http://h/\xf4\x90\x80\x80", "/%F4%90%80%80"),
        (b"http://h/\xc0\xaf", "/%C0%AF"),
    ],
)
def test_a_byte_that_is_no_utf8_becomes_its_triplet(name: str, raw: Raw, path: str) -> None:
    assert POLICIES[name].canonicalize(raw).url.removeprefix("https").endswith("//h" + path)


@each_policy
@pytest.mark.parametrize(
    "place", ["http://h/{}", "{}", "http://{}/", "http://h/?a={}", "http://h/#{}"]
)
def test_any_other_lone_surrogate_is_refused(name: str, place: str) -> None:
    for char in LONE:
        error = result(POLICIES[name], place.format(char))
        assert isinstance(error, InvalidURL)
        assert error.code == "encoding"
        str(error).encode()
        POLICIES[name].explain(place.format(char)).input.encode()


@each_policy
@pytest.mark.parametrize("raw", ["", b"", " ", "\t\r\n", b" \n", "\x00\x1f "])
def test_blanks_alone_are_empty(name: str, raw: Raw) -> None:
    error = result(POLICIES[name], raw)
    assert isinstance(error, InvalidURL)
    assert error.code == "empty" or (name == "tk" and "\x00" in str(raw))


def _code(name: str, raw: Raw) -> str:
    found = result(POLICIES[name], raw)
    return found.code if isinstance(found, InvalidURL) else "accepted"


HEAD = "https://example.com/"


@each_policy
def test_the_limit_is_64_kib_of_raw_input(name: str) -> None:
    fits = HEAD + "a" * (LIMIT - len(HEAD))
    assert _code(name, fits) == _code(name, fits.encode()) == "accepted"
    for over in (fits + "a", fits + " ", " " + fits, "a" * (LIMIT + 1), "\n" * (LIMIT + 1)):
        assert _code(name, over) == _code(name, over.encode()) == "too_long"


@each_policy
def test_characters_count_as_their_bytes(name: str) -> None:
    fits = HEAD + "?" + "a" * (LIMIT - len(HEAD) - 3) + "é"
    assert len(fits.encode()) == LIMIT
    assert _code(name, fits) == ("accepted" if name == "tk" else "too_long")
    assert _code(name, fits + "a") == _code(name, (fits + "a").encode()) == "too_long"
    escaped = fits[:-1] + "\udcc3\udca9"
    assert _code(name, escaped) == _code(name, fits)
    assert _code(name, escaped + "a") == "too_long"


@pytest.mark.parametrize("name", NOT_TK)
@pytest.mark.parametrize(("char", "size"), [("é", 6), (" ", 3), ('"', 3), ("\udce9", 3), ("<", 3)])
def test_the_percent_encoded_form_has_the_same_limit(name: str, char: str, size: int) -> None:
    many = (LIMIT - len(HEAD)) // size
    fits = HEAD + char * many
    fits += "a" * ((LIMIT - len(HEAD)) % size)
    fits = fits if not fits.endswith(" ") else fits[:-1] + "aaa"
    assert _code(name, fits) == "accepted"
    assert _code(name, fits + "a") == "too_long"


@each_policy
@settings(max_examples=40)
@given(raw=strategies.long_raws)
@example(raw=(HEAD + "a" * LIMIT)[: LIMIT - 10] + "?utm_source=x")
def test_near_the_limit_there_is_still_a_result_or_a_known_error(name: str, raw: Raw) -> None:
    size = len(raw) if isinstance(raw, bytes) else len(raw.encode("utf-8", "surrogateescape"))
    assert (_code(name, raw) == "too_long") or size <= LIMIT
    if name != "tk":
        check_idempotent(POLICIES[name], raw)


@pytest.mark.parametrize("value", [None, 5, [], {}, bytearray(b"http://h/"), memoryview(b"")])
def test_what_is_no_text_and_no_bytes_is_a_type_error_that_says_so(value: object) -> None:
    policy = POLICIES["default"]
    for ask in (policy.canonicalize, policy.key, policy.explain):
        with pytest.raises(TypeError, match=f"text or bytes, not {type(value).__name__}"):
            ask(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("url", ["http://h/", b"http://h/"])
def test_one_url_where_many_belong_is_not_taken_for_a_list_of_letters(url: Raw) -> None:
    with pytest.raises(TypeError, match="a list of URLs"):
        POLICIES["default"].canonicalize_many(url)  # type: ignore[arg-type]
