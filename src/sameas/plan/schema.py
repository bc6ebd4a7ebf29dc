"""What a policy file may hold: tables, keys and kinds of values. One row a key.

Where in the file something is wrong is the loader's business, what a value does the compiler's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sameas.errors import CODES

Kind = Callable[[Any], str]
"""Gives the reason why a value is refused, or an empty string."""


def choice(*values: str) -> Kind:
    listed = ", ".join(f'"{value}"' for value in values)
    return lambda value: "" if value in values else f"must be one of {listed}"


def text(value: Any) -> str:
    return "" if isinstance(value, str) else "must be text in quotes"


def version(value: Any) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**18
    return "" if whole or (isinstance(value, str) and value) else "must be text or a whole number"


def texts(value: Any) -> str:
    good = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return "" if good else "must be a list of texts"


def text_or_texts(value: Any) -> str:
    return "" if isinstance(value, str) else texts(value) and "must be a text or a list of texts"


def pattern(entry: str) -> str:
    """Why a name of a list cannot be matched (C7)."""
    if entry == "*":
        return ""
    inner = entry
    if entry.startswith("{letters}") and entry.endswith("{letters}") and len(entry) > 17:
        inner = entry[9:-9]
    elif entry.count("*") and entry.strip("*") and not entry.strip("*").count("*"):
        inner = entry.strip("*")
        if entry.startswith("**") or entry.endswith("**"):
            return f'"{entry}": one * is enough'
    if not inner:
        return "a name cannot be empty"
    if "*" in inner:
        return (
            f'"{entry}": a * may stand at the beginning or the end, beside at least one character'
        )
    if set("{}&=#").intersection(inner):
        return f'"{entry}" holds a character that no parameter name can have here'
    return ""


def names(value: Any) -> str:
    reason = texts(value)
    return reason or next((why for entry in value if (why := pattern(entry))), "")


def changed_names(value: Any) -> str:
    """A list, or changes to the parent's: `{ add = […], remove = […] }`."""
    if not isinstance(value, dict):
        return names(value) and names(value).replace(
            "must be a list", "must be a list, or add/remove,"
        )
    if set(value) - {"add", "remove"} or not value:
        return "takes `add` and `remove`, each a list of names"
    return next((reason for part in value.values() if (reason := names(part))), "")


def groups(value: Any) -> str:
    good = isinstance(value, list) and all(isinstance(g, list) and len(g) > 1 for g in value)
    if not good:
        return "must be a list of lists of two or more names"
    if any(small_words(group) for group in value):
        return "takes plain names in small ASCII letters"
    twice = any(len(set(group)) < len(group) for group in value)
    return "names one parameter twice in a group" if twice else ""


def small_words(value: Any) -> str:
    """What is compared with a text in small letters."""
    reason = texts(value)
    plain = not reason and all(
        word and word.isascii() and word == word.lower() and "*" not in word for word in value
    )
    return reason or ("" if plain else "takes plain words in small ASCII letters")


def path(value: Any) -> str:
    """The beginning of a path, as a parsed URL has it."""
    good = isinstance(value, str) and value[:1] == "/"
    return "" if good else "must be text that begins with /"


def path_pieces(value: Any) -> str:
    reason = texts(value)
    whole = not reason and all(item and "/" not in item for item in value)
    return reason or ("" if whole else "takes what a piece begins with, without any /")


def filled_texts(value: Any) -> str:
    return texts(value) or ("" if all(value) else "takes no empty text")


def text_table(value: Any) -> str:
    good = isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
    return "" if good else "must be a table of texts"


def table_of(**keys: Kind) -> Kind:
    def check(value: Any) -> str:
        if not isinstance(value, dict):
            return "must be a table"
        for key, kind in keys.items():
            reason = kind(value[key]) if key in value else "is missing"
            if reason:
                return f"`{key}` {reason}"
        unknown = set(value) - set(keys)
        return f"knows no `{min(unknown)}`" if unknown else ""

    return check


TOP: dict[str, Kind] = {
    "name": text,
    "version": version,
    "extends": text,
    "include": texts,
    "parser": choice("whatwg", "tk"),
    "summary": text,
    "audience": text,
    "deviations": texts,
}

TABLES: dict[str, dict[str, Kind]] = {
    "scheme": {"write": choice("keep", "https", "drop")},
    "host": {
        "www": choice("keep", "drop", "drop-always"),
        "map": text_table,
        "root": choice("registrable", "last-two-labels"),
    },
    "path": {
        "case": choice("keep", "lower"),
        "encoding": choice("keep", "capitals", "rfc3986", "decode"),
        "slashes": choice("keep", "collapse"),
        "trailing_slash": choice("keep", "drop", "drop-below-root"),
        "session": changed_names,
    },
    "query": {
        "encoding": choice("keep", "capitals", "rfc3986", "form"),
        "drop": changed_names,
        "session": changed_names,
        "together": groups,
        "keep": changed_names,
        "order": choice("keep", "sort"),
        "repeats": choice("keep", "drop"),
        "pagination": changed_names,
        "pagination_below_root": changed_names,
        "unknown": choice("keep", "flag"),
    },
    "fragment": {"routes": choice("drop", "keep"), "note": text},
    "form": {
        "scheme": choice("keep", "drop"),
        "www": choice("keep", "drop"),
        "slashes": choice("keep", "collapse"),
        "trailing_slash": choice("keep", "drop", "drop-below-root"),
        "order": choice("keep", "sort"),
        "repeats": choice("keep", "drop"),
    },
    "notes": {
        "url": text,
        "key": text,
        "language": table_of(codes=small_words, aliases=text_table, parameters=small_words),
        "link_type": table_of(
            languages=small_words, documents=small_words, identifiers=small_words
        ),
        "flags": texts,
    },
    "network": {"allow": changed_names},
}

SITE: dict[str, Kind] = {
    "host": text_or_texts,
    "path": path,
    "drop": names,
    "keep": names,
    "path_drop": path_pieces,
    "target": filled_texts,
    "target_path": path,
    "target_scheme": choice("http", "https"),
    "goes": text_table,
    "stays": texts,
}

EXAMPLE: dict[str, Kind] = {
    "url": text,
    "gives": text,
    "form": text,
    "refused": choice(*CODES),
    "flags": texts,
    "why": text,
}

TK_ONLY: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("scheme", "write", ("drop",)),
    ("host", "www", ("drop-always",)),
    ("host", "root", ("registrable", "last-two-labels")),
    ("path", "case", ("lower",)),
    ("path", "encoding", ("decode",)),
    ("query", "encoding", ("form",)),
)
"""Values that make sense only in `parser = "tk"`, whose result is no URL."""

TK_NEEDS: dict[str, dict[str, str]] = {
    "scheme": {"write": "drop"},
    "host": {"www": "drop-always"},
    "path": {"case": "lower", "encoding": "decode", "trailing_slash": "drop"},
    "query": {"encoding": "form", "order": "sort", "repeats": "drop"},
}
"""What `parser = "tk"` always does; a file may say it, and may not say otherwise."""
