"""Policies nobody has written: tables, site rules and overrides at random, and plans whose
operations stand in another order.

It decides what is compiled; a document that Python refuses is thrown away here.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sameas import Policy, PolicyError
from sameas.plan.plan import Op, Plan

_LIST = [
    "utm_*", "fbclid", "ref", "*id", "*ess*", "{letters}session{letters}", "a", "b*", "q", "page",
    "p", "x[]", "é", "É*", "UTM_Source", "id", "*", "jsessionid", "sid", "lang", "cfid", "_ga",
]  # fmt: skip
_CHOICES: dict[str, dict[str, Sequence[Any]]] = {
    "scheme": {"write": ["keep", "https"]},
    "host": {
        "www": ["keep", "drop"],
        "map": [{"example.com": "www.example.com", "h": "h.example"}],
    },
    "path": {
        "encoding": ["keep", "capitals", "rfc3986"],
        "slashes": ["keep", "collapse"],
        "trailing_slash": ["keep", "drop", "drop-below-root"],
        "session": [_LIST],
    },
    "query": {
        "encoding": ["keep", "capitals", "rfc3986"],
        "drop": [_LIST],
        "session": [_LIST],
        "together": [[["cfid", "cftoken"]], [["a", "b"], ["b", "q", "id"]]],
        "keep": [_LIST],
        "order": ["keep", "sort"],
        "repeats": ["keep", "drop"],
        "pagination": [_LIST],
        "pagination_below_root": [_LIST],
        "unknown": ["keep", "flag"],
    },
    "fragment": {"routes": ["drop", "keep"], "note": ["fragment_note"]},
    "form": {
        "scheme": ["keep", "drop"],
        "www": ["keep", "drop"],
        "slashes": ["keep", "collapse"],
        "trailing_slash": ["keep", "drop", "drop-below-root"],
        "order": ["keep", "sort"],
        "repeats": ["keep", "drop"],
    },
    "notes": {
        "url": ["the_url"],
        "key": ["a_key"],
        "flags": [["seen", "credentials"]],
        "language": [
            {"codes": ["es", "ca", "a"], "aliases": {"ca": "cat"}, "parameters": ["lang", "a"]}
        ],
        "link_type": [
            {"languages": ["es", "ca"], "documents": ["pdf", "html"], "identifiers": ["id", "q"]}
        ],
    },
}
_TK_DROP = ["utm_*", "fbclid", "a", "q*", "*id", "x[ab]", "ref", "p?ge", "é", "ж*"]
_PREFIXES = [
    "https://example.com/amp/", "https://example.com/", "http://h/", "https://m.example.com/a/",
    "http://h/x/y/", "http://example.org:8080/", "https://www.example.com/news/", "http://h/x",
]  # fmt: skip
_HOSTS = ["example.com", "h", "m.example.com", "www.example.com", "example.org"]


def at_random(chance: random.Random, sites: Sequence[Mapping[str, Any]]) -> Policy:
    """One policy that can be loaded; about every third with its operations in another order."""
    while True:
        try:
            with TemporaryDirectory() as folder:
                policy = _written(chance, Path(folder), sites)
        except PolicyError:
            continue
        if policy.plan.parser.startswith("tk") or chance.random() < 0.7:
            return policy
        return Policy(_shuffled(chance, policy.plan), "shuffled", "1", "python")


def _written(chance: random.Random, folder: Path, sites: Sequence[Mapping[str, Any]]) -> Policy:
    file = folder / "random.toml"
    file.write_text(_tk(chance) if chance.random() < 0.1 else _document(chance, sites), "utf-8")
    overrides = None
    if chance.random() < 0.3:
        overrides = folder / "overrides.json"
        overrides.write_text(json.dumps({"overrides": _overrides(chance)}))
    return Policy.load(file, overrides, "python")


def _tk(chance: random.Random) -> str:
    root = chance.choice(["registrable", "last-two-labels"])
    drop = chance.sample(_TK_DROP, chance.randint(0, 4))
    head = 'name = "random"\nversion = 1\nparser = "tk"\n'
    return f"{head}[host]\nroot = {_toml(root)}\n[query]\ndrop = {_toml(drop)}\n"


def _document(chance: random.Random, sites: Sequence[Mapping[str, Any]]) -> str:
    lines = ['name = "random"', "version = 1"]
    for table, keys in _CHOICES.items():
        lines.append(f"[{table}]")
        for key, values in keys.items():
            if chance.random() < 0.5:
                value = chance.choice(values)
                if value is _LIST:
                    value = chance.sample(_LIST, chance.randint(0, 5))
                lines.append(f"{key} = {_toml(value)}")
    for site in chance.sample(sites, min(len(sites), chance.choice([0, 0, 3, 30]))):
        lines.append("[[site]]")
        lines += [f"{key} = {_toml(value)}" for key, value in site.items()]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {_toml(one)}' for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _overrides(chance: random.Random) -> list[dict[str, Any]]:
    def rules() -> list[dict[str, str]]:
        pairs = [chance.sample(_PREFIXES, 2) for _ in range(chance.randint(0, 3))]
        return [{"from_prefix": start, "to_prefix": to} for start, to in pairs]

    return [
        {
            "match": {"host": host},
            "drop_query_params": chance.sample(_LIST, chance.randint(0, 2)),
            "rewrite_rules": rules(),
        }
        for host in chance.sample(_HOSTS, chance.randint(1, 3))
    ]


def _shuffled(chance: random.Random, plan: Plan) -> Plan:
    """Another order, and some operations missing: a plan that nothing compiles to, and that both
    engines have to run all the same."""

    def some(ops: Sequence[Op]) -> tuple[Op, ...]:
        return tuple(chance.sample(ops, max(0, len(ops) - chance.choice([0, 0, 1, 3]))))

    return replace(plan, rules=some(plan.rules), form=some(plan.form))
