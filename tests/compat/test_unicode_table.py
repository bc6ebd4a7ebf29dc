"""The pinned Unicode table: what Python 3.11 does, and a part of tk's fingerprint."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator

import pytest

from sameas import Policy
from sameas.engine.tk_parse import lower
from sameas.plan import unicode14

CHARACTERS = [chr(i) for i in range(sys.maxunicode + 1) if not 0xD800 <= i <= 0xDFFF]
IS_THE_SAME_UNICODE = unicodedata.unidata_version == "14.0.0"


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    unicode14.fingerprint.cache_clear()
    yield
    unicode14.fingerprint.cache_clear()


def test_a_small_letter_is_what_python_makes_of_its_capital() -> None:
    capitals = [char for char in CHARACTERS if ord(char) in unicode14.SMALL]
    assert len(capitals) > 1_300
    assert [char for char in capitals if lower(char) != char.lower()] == []


def test_no_letter_is_missing_that_this_unicode_has() -> None:
    """A later Unicode has letters that the table, on purpose, has not."""
    missing = [char for char in CHARACTERS if lower(char) != char.lower()]
    assert bool(missing) != IS_THE_SAME_UNICODE


@pytest.mark.parametrize("name", ["space", "digit"])
def test_blanks_and_digits_are_those_of_the_standard_library(name: str) -> None:
    test = {"space": str.isspace, "digit": str.isdecimal}[name]
    assert all(test(char) for char in unicode14.CLASSES[name])
    if IS_THE_SAME_UNICODE:
        assert "".join(filter(test, CHARACTERS)) == "".join(sorted(unicode14.CLASSES[name]))


@pytest.mark.parametrize(
    "text",
    [
        "Σ", "ΑΣ", "ΣΑ", "ΑΣΑ", "ΑΣ ", "ΑΣ.Α", "ΑΣ. Α", "Α\u0301Σ", "ΑΣ\u0301", "ΑΣ\u0301Α",
        "1Σ", "ΑΣ1", "ΣΣ", "ΑΣΣ", "Α.Σ",
        ".Σ", "\u02b0Σ", "Α\u00adΣ:", "ΑΣ'Σ", "AΣ-a", "aΣ\u200b", "İ", "İΣ", "I\u0307",
        "ı", "ſ", "K", "Å", "ẞ", "ǅ", "Ⅷ", "Ⓐ", "𐐀Σ", "😀Σ",
    ],
)  # fmt: skip
def test_a_text_in_small_letters_is_what_python_makes_of_it(text: str) -> None:
    assert lower(text) == text.lower()


def test_another_table_is_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    tk, news = Policy.load("tk").fingerprint, Policy.load("news").fingerprint
    rules = [*unicode14._RULES]
    rules[0] = rules[0].replace("space ", "space 180e ")
    monkeypatch.setattr(unicode14, "_RULES", rules)
    unicode14.fingerprint.cache_clear()
    assert Policy.load("tk").fingerprint != tk
    assert Policy.load("news").fingerprint == news


def test_the_table_is_read_without_its_comments() -> None:
    assert unicode14._TABLE.startswith("#")
    assert not any(rule.startswith("#") for rule in unicode14._RULES)
