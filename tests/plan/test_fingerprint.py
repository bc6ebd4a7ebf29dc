"""The fingerprint: all that can change an output is in it, and nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sameas import Policy
from tests.laws.invented import toml

Change = Callable[[dict[str, Any]], object]


def document() -> dict[str, Any]:
    """A policy with everything in it."""
    return {
        "name": "whole",
        "version": "1",
        "scheme": {"write": "https"},
        "host": {"www": "drop", "map": {"a.com": "b.com"}},
        "path": {
            "encoding": "capitals",
            "slashes": "collapse",
            "trailing_slash": "drop",
            "session": ["sid", "jsessionid"],
        },
        "query": {
            "encoding": "capitals",
            "drop": ["utm_*", "ref"],
            "session": ["sid", "sess*"],
            "keep": ["id", "lang"],
            "together": [["cfid", "cftoken"], ["x", "y"]],
            "order": "sort",
            "repeats": "drop",
            "pagination": ["page", "p"],
            "pagination_below_root": ["p"],
            "unknown": "flag",
        },
        "fragment": {"routes": "keep", "note": "fragment_note"},
        "form": {
            "scheme": "drop",
            "www": "drop",
            "slashes": "collapse",
            "trailing_slash": "drop",
            "order": "sort",
            "repeats": "drop",
        },
        "notes": {
            "url": "canonical",
            "key": "hash",
            "flags": ["unresolved", "b"],
            "language": {"codes": ["es", "en"], "aliases": {"cas": "es"}, "parameters": ["l", "m"]},
            "link_type": {"languages": ["es", "en"], "documents": ["pdf"], "identifiers": ["id"]},
        },
        "site": [
            {
                "host": ["h", "i"],
                "path": "/a",
                "drop": ["a", "b"],
                "keep": ["c"],
                "path_drop": ["r="],
            },
            {"host": ["j"], "target": ["url", "u"]},
            {"host": ["k"], "target_path": "/amp/", "target_scheme": "https"},
        ],
    }


def fingerprint(folder: Path, data: dict[str, Any], before: str = "") -> str:
    file = folder / "whole.toml"
    file.write_text(before + toml(data), "utf-8")
    return Policy.load(file).fingerprint


@pytest.fixture
def original(tmp_path: Path) -> str:
    return fingerprint(tmp_path, document())


WORDS: dict[str, Change] = {
    "name": lambda data: data.update(name="other"),
    "version": lambda data: data.update(version="2"),
    "version as a number": lambda data: data.update(version=1),
    "summary": lambda data: data.update(summary="words"),
    "audience": lambda data: data.update(audience="words"),
    "deviations": lambda data: data.update(deviations=["words"]),
    "example": lambda data: data.update(example=[{"url": "h", "refused": "relative"}]),
    "goes and stays": lambda data: data["site"][0].update(
        goes={"https://h/a?a=1": "https://h/a"}, stays=["https://h/a?c=1"]
    ),
}


@pytest.mark.parametrize("change", WORDS.values(), ids=WORDS)
def test_words_and_examples_change_no_fingerprint(
    tmp_path: Path, original: str, change: Change
) -> None:
    data = document()
    change(data)
    assert fingerprint(tmp_path, data, "# a comment\n\n") == original


ORDERED = {("notes", "language", "parameters"), ("site", 1, "target")}
"""Lists of which the first that is there counts."""


def lists(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where in a document there are lists of texts."""
    found = []
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            found.append((*path, key))
        elif isinstance(value, dict | list):
            found += lists(value, (*path, key))
    return found


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def test_the_order_of_a_list_and_what_it_says_twice_change_no_fingerprint(
    tmp_path: Path, original: str
) -> None:
    data = document()
    places = [path for path in lists(data) if path not in ORDERED]
    assert len(places) > 15
    for path in places:
        names = at(data, path)
        names.reverse()
        if "together" not in path:
            names.append(names[0])
    data["query"]["together"].reverse()
    assert fingerprint(tmp_path, data) == original


def test_the_order_of_keys_and_tables_changes_no_fingerprint(tmp_path: Path, original: str) -> None:
    data = document()
    chance = random.Random(1)
    for table in (data["query"], data["form"], data["site"][0]):
        keys = [*table]
        chance.shuffle(keys)
        table.update({key: table.pop(key) for key in keys})
    tables = {key: data.pop(key) for key in ("path", "query", "form")}
    assert fingerprint(tmp_path, {**data, **tables}) == original


@pytest.mark.parametrize("path", [path for path in lists(document()) if path[0] != "deviations"])
def test_one_entry_less_changes_the_fingerprint(
    tmp_path: Path, original: str, path: tuple[Any, ...]
) -> None:
    data = document()
    names = at(data, path)
    if "together" in path:
        names.append("z")
    elif path == ("site", 1, "host"):
        names[0] = "z"
    else:
        del names[-1]
        if path == ("site", 0, "path_drop") or len(names) == 0:
            names.append("other")
    assert fingerprint(tmp_path, data) != original


@pytest.mark.parametrize("path", sorted(ORDERED, key=str))
def test_the_order_counts_where_the_first_that_is_there_counts(
    tmp_path: Path, original: str, path: tuple[Any, ...]
) -> None:
    data = document()
    at(data, path).reverse()
    assert fingerprint(tmp_path, data) != original


def rules() -> list[tuple[str, str]]:
    data = document()
    tables = ("scheme", "host", "path", "query", "fragment", "form", "notes")
    return [(table, key) for table in tables for key in data[table]]


@pytest.mark.parametrize(("table", "key"), rules())
def test_each_rule_left_out_changes_the_fingerprint(
    tmp_path: Path, original: str, table: str, key: str
) -> None:
    data = document()
    del data[table][key]
    assert fingerprint(tmp_path, data) != original


@pytest.mark.parametrize("key", ["path", "drop", "keep", "path_drop"])
def test_each_rule_of_a_site_left_out_changes_the_fingerprint(
    tmp_path: Path, original: str, key: str
) -> None:
    data = document()
    del data["site"][0][key]
    assert fingerprint(tmp_path, data) != original


def test_what_is_written_and_what_is_kept_anyway_have_one_fingerprint(tmp_path: Path) -> None:
    data = {"name": "bare", "version": "1"}
    kept = {"path": {"slashes": "keep", "trailing_slash": "keep"}, "query": {"order": "keep"}}
    assert fingerprint(tmp_path, data | kept) == fingerprint(tmp_path, data)


def test_overrides_are_part_of_the_fingerprint_and_their_layout_is_not(tmp_path: Path) -> None:
    file = tmp_path / "overrides.json"

    def overridden(rows: list[dict[str, Any]], indent: int | None = None) -> str:
        file.write_text(json.dumps({"overrides": rows}, indent=indent))
        return Policy.load("curious-now", overrides=file).fingerprint

    row = {"match": {"host": "h"}, "drop_query_params": ["a", "b"]}
    first = overridden([row])
    assert first != Policy.load("curious-now").fingerprint
    assert overridden([row], 4) == first
    assert overridden([{**row, "drop_query_params": ["b", "a", "b"]}]) == first
    assert overridden([{**row, "drop_query_params": ["a"]}]) != first
    rule = {"from_prefix": "http://h/a/", "to_prefix": "http://h/"}
    assert overridden([{**row, "rewrite_rules": [rule]}]) != first
    assert overridden([]) == Policy.load("curious-now").fingerprint


def test_extending_without_changing_anything_keeps_the_fingerprint(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "mine"\nversion = "7"\nextends = "default"\n')
    assert Policy.load(mine).fingerprint == Policy.load("default").fingerprint
