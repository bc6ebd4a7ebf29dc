"""A policy file read and checked: every word known, every type right, parents merged in.

What the tables mean is the compiler's business; whether the examples hold, the facade's.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from sameas.errors import PolicyError
from sameas.plan import schema
from sameas.plan.source import Source, builtin_files, released_files

_NAME = re.compile(r"[a-z0-9][a-z0-9_\-]*")
_MOST_PARENTS = 16


@dataclass(frozen=True)
class Example:
    """One `[[example]]`, or one line of a site's `goes` and `stays`; `place` is where it stands."""

    url: str
    place: str
    gives: str | None = None
    form: str | None = None
    refused: str | None = None
    flags: tuple[str, ...] | None = None


@dataclass
class Document:
    """A policy file with its parents merged in."""

    name: str
    version: str
    parser: str = "whatwg"
    words: dict[str, Any] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    sites: list[dict[str, Any]] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    """Where each key of a table stands, in this file or a parent's."""


def builtin_names() -> list[str]:
    """The newest version of each built-in policy, the way a command lists them."""
    found = (name.removesuffix(".toml") for name in builtin_files() if name.endswith(".toml"))
    return sorted(name for name in found if name != "sites")


def load(name_or_path: str | Path) -> Document:
    """A policy by name, `NAME@VERSION` or path."""
    return _read(_find(str(name_or_path), None), ())


def _find(wanted: str, beside: Traversable | None) -> Traversable:
    name, at, version = wanted.partition("@")
    if _NAME.fullmatch(name):
        builtin = builtin_files()
        newest = builtin.get(f"{name}.toml") if name in builtin_names() else None
        if at:
            kept = released_files().get(f"{name}@{version}.toml")
            if kept is None and newest is not None:
                if str(tomllib.loads(newest.read_text("utf-8"))["version"]) == version:
                    return newest
                wrong = (
                    f"there is no version {version} of {name}" if version else "names no version"
                )
                raise PolicyError(wanted, wrong)
            newest = kept
        if newest is not None:
            return newest
    path = Path(wanted)
    if isinstance(beside, Path) and not path.is_absolute():
        path = beside.parent / path
    if _is_file(path):
        return path
    near = get_close_matches(name, builtin_names(), 1)
    hint = f"did you mean {near[0]}?" if near else f"built in are {', '.join(builtin_names())}"
    raise PolicyError(wanted or '""', "is neither a policy's name nor a file", hint)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name longer than any file's
        return False


def _read(file: Traversable, children: tuple[str, ...]) -> Document:
    source = Source(file)
    data = source.data
    _check_keys(source, data)
    for key in ("name", "version"):
        if key not in data:
            raise PolicyError(source.label, f"`{key}` is missing", f"every policy has a {key}")
    if not _NAME.fullmatch(data["name"]):
        reason = f'"{data["name"]}" is no name for a policy'
        raise PolicyError(source.place("name"), reason, "small letters, digits, - and _")
    document = Document(data["name"], str(data["version"]))
    if "extends" in data:
        parent = _parent(source, (*children, str(file)))
        document.parser, document.tables = parent.parser, parent.tables
        document.sites, document.places = parent.sites, parent.places
    document.parser = data.get("parser", document.parser)
    document.words = {
        key: data[key] for key in ("summary", "audience", "deviations") if key in data
    }
    for table in schema.TABLES:
        for key, value in data.get(table, {}).items():
            merged = document.tables.setdefault(table, {})
            merged[key] = _merged(source, table, key, merged.get(key), value)
            document.places[table, key] = source.place(table, key)
    _add_sites(source, document)
    for included in data.get("include", ()):
        _add_sites(_included(source, included), document)
    document.examples += _examples(source)
    _check_parser(source, document)
    return document


def _parent(source: Source, children: tuple[str, ...]) -> Document:
    """`children` are the files on the way here, the last of which extends this one."""
    place = source.place("extends")
    try:
        file = _find(source.data["extends"], source.file)
    except PolicyError as error:
        raise PolicyError(place, str(error)) from None
    if str(file) in children:
        raise PolicyError(place, "extends itself, by way of its parents")
    if len(children) > _MOST_PARENTS:
        reason = f"is the end of a chain of more than {_MOST_PARENTS} parents"
        raise PolicyError(place, reason, "put some of these files into one")
    return _read(file, children)


def _examples(source: Source) -> Iterator[Example]:
    for i, example in enumerate(source.data.get("example", ())):
        flags = tuple(sorted(example["flags"])) if "flags" in example else None
        given = {key: example.get(key) for key in ("gives", "form", "refused")}
        place = source.place("example", i)
        if set(example) <= {"url", "why"}:
            raise PolicyError(place, "the example says nothing", "gives, form, flags or refused")
        if "refused" in example and {"gives", "form", "flags"} & set(example):
            raise PolicyError(place, "the example is refused, so it has no result")
        yield Example(example["url"], place, flags=flags, **given)


def _included(source: Source, name: str) -> Source:
    file = builtin_files().get(name)
    if isinstance(source.file, Path) and _is_file(source.file.parent / name):
        file = source.file.parent / name
    if file is None:
        raise PolicyError(source.place("include"), f"there is no file {name} beside it")
    included = Source(file)
    for key in included.data:
        if key != "site":
            reason = f"`{key}` has no place in an included file"
            raise PolicyError(included.place(key), reason, "it holds [[site]] tables alone")
    _check_rows(included, "site", included.data, schema.SITE, ("host",))
    return included


def _check_keys(source: Source, data: Mapping[str, Any]) -> None:
    known = [*schema.TOP, *schema.TABLES, "site", "example"]
    for key, value in data.items():
        if key in schema.TOP:
            _check(source, schema.TOP[key], value, key)
        elif key in schema.TABLES:
            if not isinstance(value, dict):
                raise PolicyError(source.place(key), f"`{key}` must be a table: [{key}]")
            for name, item in value.items():
                if name not in schema.TABLES[key]:
                    raise _unknown(source.place(key, name), name, schema.TABLES[key], f"[{key}]")
                _check(source, schema.TABLES[key][name], item, key, name)
        elif key not in ("site", "example"):
            raise _unknown(source.place(key), key, known, "a policy")
    _check_rows(source, "site", data, schema.SITE, ("host",))
    _check_rows(source, "example", data, schema.EXAMPLE, ("url",))


def _check_rows(
    source: Source,
    table: str,
    data: Mapping[str, Any],
    kinds: Mapping[str, schema.Kind],
    required: tuple[str, ...],
) -> None:
    rows = data.get(table, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise PolicyError(source.place(table), f"`{table}` is written [[{table}]]")
    for i, row in enumerate(rows):
        for key, value in row.items():
            if key not in kinds:
                raise _unknown(source.place(table, i, key), key, kinds, f"[[{table}]]")
            _check(source, kinds[key], value, table, i, key)
        for key in required:
            if row.get(key, []) == []:
                raise PolicyError(source.place(table, i), f"[[{table}]] lacks `{key}`")
        if ("target_path" in row) != ("target_scheme" in row):
            reason = "`target_path` and `target_scheme` need each other"
            raise PolicyError(source.place(table, i), reason)


def _check(source: Source, kind: schema.Kind, value: Any, *path: str | int) -> None:
    reason = kind(value)
    if reason:
        quoted = re.match('"[^"]*"', reason)
        place = source.place(*path, value=quoted.group() if quoted else "")
        raise PolicyError(place, f"`{path[-1]}` {reason}" if not quoted else reason)


def _unknown(place: str, key: str, known: Any, where: str) -> PolicyError:
    near = get_close_matches(key, list(known), 1, 0.5)
    hint = f"did you mean `{near[0]}`?" if near else f"it knows {', '.join(known)}"
    return PolicyError(place, f"{where} knows no `{key}`", hint)


def _merged(source: Source, table: str, key: str, before: Any, value: Any) -> Any:
    if schema.TABLES[table][key] is schema.text_table:
        return {**(before or {}), **value}
    if schema.TABLES[table][key] is not schema.changed_names or not isinstance(value, dict):
        return value
    kept = list(before or ())
    for entry in value.get("remove", ()):
        if entry not in kept:
            near = get_close_matches(entry, kept, 1)
            hint = f'did you mean "{near[0]}"?' if near else ""
            place = source.place(table, key, value=f'"{entry}"')
            raise PolicyError(place, f'"{entry}" is not on the parent\'s list', hint)
        kept.remove(entry)
    return kept + [entry for entry in value.get("add", ()) if entry not in kept]


def _add_sites(source: Source, document: Document) -> None:
    for i, row in enumerate(source.data.get("site", ())):
        stays = ((url, url) for url in row.get("stays", ()))
        for url, gives in (*row.get("goes", {}).items(), *stays):
            place = source.place("site", i, value=url)
            document.examples.append(Example(url, place, gives=gives))
        rules = {key: row[key] for key in row if key not in ("goes", "stays")}
        hosts = [row["host"]] if isinstance(row["host"], str) else row["host"]
        document.sites.append({**rules, "host": hosts, "place": source.place("site", i)})


def _check_parser(source: Source, document: Document) -> None:
    tables = document.tables
    if document.parser == "tk":
        for table, wanted in schema.TK_NEEDS.items():
            for key, value in wanted.items():
                if tables.setdefault(table, {}).setdefault(key, value) != value:
                    reason = f'`{key}` is always "{value}" in parser = "tk"'
                    raise PolicyError(source.place(table, key), reason)
        return
    for table, key, values in schema.TK_ONLY:
        if tables.get(table, {}).get(key) in values:
            reason = f'`{key} = "{tables[table][key]}"` needs parser = "tk": its result is no URL'
            raise PolicyError(source.place(table, key), reason)
