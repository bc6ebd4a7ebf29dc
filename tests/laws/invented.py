"""Policies and overrides nobody has written, drawn at random from all that a file may say.

What a file that is refused looks like is tests/plan's business: these are meant to be accepted.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from sameas import Policy, PolicyError

_NAMES = ["a", "b", "utm_*", "*sid", "*ses*", "{letters}session{letters}", "jsessionid", "é", "x[]"]
_lists = st.lists(st.sampled_from(_NAMES), max_size=3)
_hosts = ["example.com", "www.example.com", "h", "a.example.co.uk", "example.*", "boe.es"]
_slash = st.sampled_from(["keep", "drop", "drop-below-root"])


def _some(**keys: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=keys)


_site = st.fixed_dictionaries(
    {"host": st.lists(st.sampled_from(_hosts), min_size=1, max_size=2)},
    optional={
        "path": st.sampled_from(["/", "/a", "/amp/"]),
        "drop": _lists,
        "keep": _lists,
        "path_drop": st.lists(
            st.sampled_from(["ref=", ".", "a", ";", "%"]), min_size=1, max_size=2
        ),
        "target": st.lists(st.sampled_from(["url", "a", "q"]), min_size=1, max_size=2),
    },
)
_tables = st.fixed_dictionaries(
    {},
    optional={
        "scheme": _some(write=st.sampled_from(["keep", "https"])),
        "host": _some(
            www=st.sampled_from(["keep", "drop"]),
            map=st.sampled_from([{"boe.es": "www.boe.es"}, {"h": "example.com", "boe.es": "h.es"}]),
        ),
        "path": _some(
            encoding=st.sampled_from(["keep", "capitals", "rfc3986"]),
            slashes=st.sampled_from(["keep", "collapse"]),
            trailing_slash=_slash,
            session=_lists,
        ),
        "query": _some(
            encoding=st.sampled_from(["keep", "capitals", "rfc3986"]),
            drop=_lists,
            session=_lists,
            keep=_lists,
            together=st.just([["a", "b"]]),
            order=st.sampled_from(["keep", "sort"]),
            repeats=st.sampled_from(["keep", "drop"]),
            pagination=_lists,
            unknown=st.sampled_from(["keep", "flag"]),
        ),
        "fragment": _some(
            routes=st.sampled_from(["drop", "keep"]), note=st.sampled_from(["", "f"])
        ),
        "form": _some(
            scheme=st.sampled_from(["keep", "drop"]),
            www=st.sampled_from(["keep", "drop"]),
            slashes=st.sampled_from(["keep", "collapse"]),
            trailing_slash=_slash,
            order=st.sampled_from(["keep", "sort"]),
            repeats=st.sampled_from(["keep", "drop"]),
        ),
    },
)  # fmt: skip
documents = st.builds(
    lambda tables, sites: {"name": "invented", "version": "1", **tables, "site": sites},
    _tables,
    st.lists(_site, max_size=3),
)


def toml(document: dict[str, Any]) -> str:
    """A document as TOML: every value written on the line of its key."""
    lines, below = [], []
    for key, value in document.items():
        rows = value if isinstance(value, list) else [value]
        if not rows or not all(isinstance(row, dict) for row in rows):
            lines.append(f"{key} = {_value(value)}")
            continue
        for row in rows:
            below.append(f"[[{key}]]" if isinstance(value, list) else f"[{key}]")
            below += [f"{name} = {_value(item)}" for name, item in row.items()]
    return "\n".join([*lines, *below]) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def loaded(document: dict[str, Any]) -> Policy:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "invented.toml")
        file.write_text(toml(document), "utf-8")
        return Policy.load(file)


_prefix_hosts = st.sampled_from(["example.com", "m.example.com", "h"])
_prefix_pieces = st.sampled_from(
    ["/", "/", "a", "amp", "x", "a.", ".a", "..", "%2e", ";s", ";sid=1"]
)
tails = st.lists(_prefix_pieces, max_size=3).map("".join)
prefixes = st.builds("https://{}/{}".format, _prefix_hosts, tails)
_shorter = st.builds(
    lambda prefix, more: {"from_prefix": prefix + more, "to_prefix": prefix}, prefixes, tails
)
_free = st.fixed_dictionaries({"from_prefix": prefixes, "to_prefix": prefixes})
_rules = st.lists(st.one_of(_shorter, _shorter, _free), min_size=1, max_size=3)
overrides = st.lists(
    st.fixed_dictionaries(
        {"match": st.fixed_dictionaries({"host": _prefix_hosts}), "rewrite_rules": _rules},
        optional={"drop_query_params": st.lists(st.sampled_from(["a", "src", "b*"]), max_size=2)},
    ),
    min_size=1,
    max_size=3,
)


def overridden(rows: list[dict[str, Any]], policy: str = "curious-now") -> Policy | PolicyError:
    """A policy with these overrides, or why they are refused."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "overrides.json")
        file.write_text(json.dumps({"overrides": rows}), "utf-8")
        try:
            return Policy.load(policy, overrides=file)
        except PolicyError as error:
            return error
