"""A checked policy document becomes a plan: which operations, in which order, with which tables.

Rules that cannot hold are refused here; what an operation does is the engine's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sameas.errors import PolicyError
from sameas.plan import suffixes, unicode14
from sameas.plan.document import Document
from sameas.plan.plan import Op, Plan
from sameas.plan.schema import TK_NEEDS

CLAUSES: dict[str, tuple[str, str]] = {
    "scheme.https": ("C8", "http is written https, and its default port goes"),
    "path.encoding": ("C9", "percent triplets of the path get their normal spelling"),
    "query.encoding": ("C10", "percent triplets of the query get their normal spelling"),
    "path.session": ("C11", "session ids in the path go"),
    "path.slashes": ("C12", "repeated slashes become one"),
    "path.pieces": ("C13", "path pieces a site tracks with go"),
    "override": ("C14", "the overrides file drops parameters and rewrites prefixes for a host"),
    "query.drop": ("C15", "listed parameters go"),
    "fragment.drop": ("C16", "the fragment goes"),
    "path.trailing_slash": ("C17", "trailing slashes go"),
    "host.www": ("C18", "www. goes"),
    "host.map": ("C19", "a domain gets the form the domain map gives it"),
    "query.pagination": ("C20", "a page's number goes, and is noted"),
    "query.sort": ("C21", "parameters are sorted by name, then value"),
    "query.repeats": ("C22", "exact repeats of a parameter go"),
    "scheme.drop": ("C23", "the scheme is not compared"),
    "unwrap": ("C24", "a redirector that carries its target in the open is replaced by it"),
    "query.unknown": ("C25", "a parameter on no list is flagged"),
    "note.language": ("C26", "the language the URL names is noted"),
    "note.link_type": ("C27", "the kind of page, and whether it may be cited, is noted"),
    "flags": ("C28", "flags every result of the policy carries"),
    "tk.drop_www": ("T3", "one leading www. goes"),
    "tk.decode_path": ("T4", "the path is percent-decoded"),
    "tk.trailing_slash": ("T5", "trailing slashes go"),
    "tk.decode_query": ("T6", "the query is read as a form"),
    "tk.drop_parameters": ("T7", "listed parameters go"),
    "tk.sort_parameters": ("T8", "parameters are sorted by name, then value"),
    "tk.drop_repeats": ("T9", "exact repeats of a parameter go"),
    "tk.encode_query": ("T10", "the query is written as a form"),
    "tk.roots": ("T11", "parent, root and their hashes are noted"),
}
"""Every operation there is: the clause of spec/semantics.md that defines it, and in a sentence
what it does."""

UNWRAP_DEEPEST = 5

_NOTES = {
    "query.pagination": ("pagination",),
    "unwrap": ("unwrapped",),
    "note.language": ("lang_variants",),
    "note.link_type": ("link_type", "citation"),
}
"""The notes that have a name of their own."""

_TK_KEYS = {("host", "root"), ("query", "drop")}


def compile_plan(document: Document, overrides: Sequence[Mapping[str, Any]], parser: str) -> Plan:
    """The plan of a policy. `parser` names the version of the URL parser that is at work."""
    if document.parser == "tk":
        return _tk(document, overrides, parser)
    tables = document.tables
    rules = _rules(tables, document.sites, overrides)
    form = _form(tables.get("form", {}))
    used = {"host.www"} & {op.name for op in (*rules, *form)}
    if used or any(".*" in host for site in document.sites for host in site["host"]):
        pinned = {"public_suffixes": suffixes.fingerprint()}
    else:
        pinned = {}
    sites = [_site(table) for table in document.sites]
    redirectors = any(site.get("target") or site.get("target_path") for site in sites)
    notes = tables.get("notes", {})
    plan = Plan(
        parser=parser,
        sites=tuple(sites),
        rules=tuple(rules),
        unwrap=_op("unwrap", deepest=UNWRAP_DEEPEST) if redirectors else None,
        form=tuple(form),
        notes=tuple(_notes(tables)),
        names={notes[source]: source for source in ("url", "key") if notes.get(source)},
        tables=pinned,
    )
    _check_notes(document, plan)
    return plan


def _check_notes(document: Document, plan: Plan) -> None:
    """Of two notes with one name only one would be told."""
    taken = {note for op in plan.ops() for note in _NOTES.get(op.name, ())}
    for table, key in (("fragment", "note"), ("notes", "url"), ("notes", "key")):
        name = document.tables.get(table, {}).get(key)
        if name in taken:
            reason = f'`{key}`: another note is named "{name}"'
            raise PolicyError(document.places[table, key], reason, "give it a name of its own")
        if name:
            taken.add(name)


def _op(op: str, /, **args: Any) -> Op:
    return Op(op, *CLAUSES[op], args)


def _listed(names: Sequence[str]) -> list[str]:
    """Order and repeats in a list change nothing, so they are no part of the fingerprint."""
    return sorted(set(names))


def _small(names: Sequence[str]) -> list[str]:
    """A list of names (C7), to which capital ASCII letters are small ones."""
    return _listed([name.encode().lower().decode() for name in names])


def _site(table: Mapping[str, Any]) -> dict[str, Any]:
    lists = {"host": _listed, "drop": _small, "keep": _small, "path_drop": _small}
    return {
        key: lists[key](table[key]) if key in lists else table[key]
        for key in table
        if key != "place"
    }


def _rules(
    tables: Mapping[str, Mapping[str, Any]],
    sites: Sequence[Mapping[str, Any]],
    overrides: Sequence[Mapping[str, Any]],
) -> list[Op]:
    scheme, host, path, query, fragment = (
        tables.get(part, {}) for part in ("scheme", "host", "path", "query", "fragment")
    )
    rules = []
    if scheme.get("write") == "https":
        rules.append(_op("scheme.https"))
    for part, table in (("path", path), ("query", query)):
        if table.get("encoding", "keep") != "keep":
            rules.append(_op(f"{part}.encoding", spelling=table["encoding"]))
    if path.get("session"):
        rules.append(_op("path.session", names=_small(path["session"])))
    if path.get("slashes") == "collapse":
        rules.append(_op("path.slashes"))
    if any(site.get("path_drop") for site in sites):
        rules.append(_op("path.pieces"))
    if overrides:
        rules.append(_op("override", overrides=[_override(table) for table in overrides]))
    lists = {
        "names": _small(query.get("drop", ())),
        "session": _small(query.get("session", ())),
        "together": sorted(_listed(group) for group in query.get("together", ())),
    }
    if any(lists.values()) or any(site.get("drop") for site in sites):
        rules.append(_op("query.drop", keep=_small(query.get("keep", ())), **lists))
    routes = fragment.get("routes") == "keep"
    rules.append(_op("fragment.drop", routes=routes, note=fragment.get("note", "")))
    rules += _trailing_slash(path)
    if host.get("www") == "drop":
        rules.append(_op("host.www"))
    if host.get("map"):
        rules.append(_op("host.map", domains=dict(host["map"])))
    if query.get("pagination"):
        deep = _small(query.get("pagination_below_root", ()))
        rules.append(_op("query.pagination", names=_small(query["pagination"]), below_root=deep))
    return rules + _order(query)


def _override(table: Mapping[str, Any]) -> dict[str, Any]:
    return {**table, "drop_query_params": _small(table["drop_query_params"])}


def _trailing_slash(table: Mapping[str, Any]) -> list[Op]:
    if table.get("trailing_slash", "keep") == "keep":
        return []
    return [_op("path.trailing_slash", root=table["trailing_slash"] == "drop")]


def _order(table: Mapping[str, Any]) -> list[Op]:
    sort = [_op("query.sort")] if table.get("order") == "sort" else []
    return sort + ([_op("query.repeats")] if table.get("repeats") == "drop" else [])


def _form(form: Mapping[str, Any]) -> list[Op]:
    ops = [_op("scheme.drop")] if form.get("scheme") == "drop" else []
    if form.get("www") == "drop":
        ops.append(_op("host.www"))
    if form.get("slashes") == "collapse":
        ops.append(_op("path.slashes"))
    return ops + _trailing_slash(form) + _order(form)


def _notes(tables: Mapping[str, Mapping[str, Any]]) -> list[Op]:
    notes, query = tables.get("notes", {}), tables.get("query", {})
    ops = []
    if query.get("unknown") == "flag":
        ops.append(_op("query.unknown", known=_small(query.get("keep", ()))))
    if "language" in notes:
        language = notes["language"]
        ops.append(_op("note.language", **{**language, "codes": _listed(language["codes"])}))
    if "link_type" in notes:
        lists = {key: _listed(names) for key, names in notes["link_type"].items()}
        ops.append(_op("note.link_type", **lists))
    if notes.get("flags"):
        ops.append(_op("flags", names=_listed(notes["flags"])))
    return ops


def _tk(document: Document, overrides: Sequence[Mapping[str, Any]], parser: str) -> Plan:
    if overrides or document.sites:
        what = "overrides file" if overrides else "[[site]] tables"
        raise PolicyError(document.name, f'parser = "tk" takes no {what}: its result is no URL')
    for table, keys in document.tables.items():
        for key in keys:
            needed = key in TK_NEEDS.get(table, {})
            if not needed and (table, key) not in _TK_KEYS:
                reason = f'[{table}] `{key}` has no meaning in parser = "tk"'
                raise PolicyError(document.places[table, key], reason)
    drop = _listed(document.tables.get("query", {}).get("drop", ()))
    for name in drop:
        if any("A" <= char <= "Z" for char in name):
            reason = f'"{name}" can match no name: parser = "tk" makes all letters small first'
            raise PolicyError(document.places["query", "drop"], reason, f'write "{name.lower()}"')
    root = document.tables.get("host", {}).get("root", "registrable")
    return tk_plan(drop, root, parser)


def tk_plan(drop: Sequence[str], root: str, parser: str) -> Plan:
    rules = [
        _op("tk.drop_www"),
        _op("tk.decode_path"),
        _op("tk.trailing_slash"),
        _op("tk.decode_query"),
        _op("tk.drop_parameters", names=list(drop)),
        _op("tk.sort_parameters"),
        _op("tk.drop_repeats"),
        _op("tk.encode_query"),
    ]
    return Plan(
        parser=f"tk 1, {parser}",
        sites=(),
        rules=tuple(rules),
        unwrap=None,
        form=(),
        notes=(_op("tk.roots", root=root),),
        names={},
        tables={
            "public_suffixes": suffixes.fingerprint(),
            "unicode": unicode14.fingerprint(),
        },
    )
