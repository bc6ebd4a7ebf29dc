"""The overrides file: read, checked, and proven to end before anything is rewritten (C14).

How a URL is rewritten is the engine's business; that the prefixes are spelled as the policy spells
URLs is checked by the facade, which has the policy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from sameas.errors import PolicyError
from sameas.plan import schema

_KEYS = {"match", "drop_query_params", "rewrite_rules"}

Override = dict[str, Any]
Rule = tuple[str, str, str]
"""Where a rewrite stands in the file, its from_prefix and its to_prefix."""


def load(path: str | Path, normal_host: Callable[[str], str | None]) -> list[Override]:
    """The overrides of a file. `normal_host` gives a host's normal spelling, None for no host."""
    place = str(path) or '""'
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise PolicyError(place, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PolicyError(place, "is not UTF-8 text") from None
    except ValueError:
        raise PolicyError(place, "is no path") from None
    try:
        data = json.loads(text, object_pairs_hook=_once)
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise PolicyError(place, "holds half of a surrogate pair, which is no text") from None
    except json.JSONDecodeError as error:
        raise PolicyError(f"{place}:{error.lineno}", f"is not JSON: {error.msg}") from None
    except ValueError as error:
        raise PolicyError(place, str(error)) from None
    except RecursionError:
        raise PolicyError(place, "is nested too deep") from None
    if not isinstance(data, dict) or not isinstance(data.get("overrides"), list):
        raise PolicyError(place, 'must be an object with a list "overrides"')
    _check_keys(data, {"overrides"}, place)
    overrides = [
        _checked(row, f"{place}: overrides[{i}]", normal_host)
        for i, row in enumerate(data["overrides"])
    ]
    check_ends(overrides, place)
    return overrides


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise ValueError(f'holds "{key}" twice in one object')
        seen[key] = value
    return seen


def _check_keys(row: Any, known: Collection[str], place: str) -> None:
    if not isinstance(row, dict):
        raise PolicyError(place, "must be an object", f"it knows {', '.join(sorted(known))}")
    for key in row:
        if key not in known:
            near = get_close_matches(key, known, 1, 0.5)
            hint = f'did you mean "{near[0]}"?' if near else f"it knows {', '.join(sorted(known))}"
            raise PolicyError(place, f'knows no "{key}"', hint)


def _checked(row: Any, place: str, normal_host: Callable[[str], str | None]) -> Override:
    _check_keys(row, _KEYS, place)
    match = row.get("match")
    if not isinstance(match, dict) or set(match) != {"host"} or not isinstance(match["host"], str):
        raise PolicyError(place, 'needs "match": {"host": "…"}')
    host = normal_host(match["host"])
    if host is None or "*" in host:
        raise PolicyError(f"{place}.match", f'"{match["host"]}" is no host', "one exact host name")
    drop = row.get("drop_query_params", [])
    if reason := schema.names(drop):
        raise PolicyError(f"{place}.drop_query_params", reason)
    rules = row.get("rewrite_rules", [])
    if not isinstance(rules, list):
        raise PolicyError(f"{place}.rewrite_rules", "must be a list")
    rules = [_rule(rule, f"{place}.rewrite_rules[{i}]") for i, rule in enumerate(rules)]
    return {"match": {"host": host}, "drop_query_params": drop, "rewrite_rules": rules}


def _rule(rule: Any, place: str) -> dict[str, str]:
    """A rewrite rule; a prefix that ends with its host gets the slash every URL has there."""
    keys = ("from_prefix", "to_prefix")
    _check_keys(rule, keys, place)
    for key in keys:
        prefix = rule.get(key)
        if not isinstance(prefix, str) or not prefix.startswith(("http://", "https://")):
            raise PolicyError(f"{place}.{key}", "must be text that begins with http:// or https://")
        if "?" in prefix or "#" in prefix:
            hint = "a prefix ends before the query; drop_query_params is for parameters"
            raise PolicyError(f"{place}.{key}", "holds a ? or #", hint)
    whole = {key: p if "/" in p[8:] else p + "/" for key, p in rule.items()}
    if whole["from_prefix"] == whole["to_prefix"]:
        raise PolicyError(place, "rewrites a prefix to itself")
    return whole


def rules_of(overrides: Sequence[Override], place: str) -> Iterator[Rule]:
    for i, override in enumerate(overrides):
        for k, rule in enumerate(override["rewrite_rules"]):
            where = f"{place}: overrides[{i}].rewrite_rules[{k}]"
            yield where, rule["from_prefix"], rule["to_prefix"]


def check_ends(overrides: Sequence[Override], place: str) -> None:
    """Refuse a cycle of rules that leaves a URL as long as it was: rewriting might never end.

    A rule may be followed by another where what it writes and what the other looks for could be
    the beginning of one text. Weights are what a rule adds to the length, scaled so that a cycle
    that adds nothing counts as growing; Bellman and Ford find a cycle that grows.
    """
    rules = list(rules_of(overrides, place))
    scale = len(rules) + 1
    gains = [(len(to) - len(start)) * scale + 1 for _, start, to in rules]
    follows = [
        [k for k, (_, start, _) in enumerate(rules) if any(_meet(t, start) for t in _written(rule))]
        for rule in rules
    ]
    longest = [0] * len(rules)
    for _ in range(len(rules) + 1):
        grown = None
        for i, after in enumerate(follows):
            for k in after:
                if longest[i] + gains[i] > longest[k]:
                    longest[k], grown = longest[i] + gains[i], i
        if grown is None:
            return
    where, start, to = rules[grown if grown is not None else 0]
    reason = f"rewriting might never end: {start} becomes {to}, and comes back no shorter"
    raise PolicyError(where, reason, "let every way back to a rule make the URL shorter")


def _written(rule: Rule) -> list[str]:
    """What may stand at the beginning after a rewrite: `..` at the joint can take one segment."""
    _, start, to = rule
    if start.endswith("/") or not to.endswith("/"):
        return [to]
    return [to, to[: to.rstrip("/").rfind("/") + 1]]


def _meet(a: str, b: str) -> bool:
    return a.startswith(b) or b.startswith(a)
