"""The query: which pairs go, which stay, in what order (C15, C20 to C22, C25).

A kept pair keeps its spelling; the list itself is split and joined elsewhere (C2, C3).
"""

from __future__ import annotations

from collections.abc import Sequence

from sameas.engine.encoding import decoded
from sameas.engine.names import Names, name_of, names_of
from sameas.engine.parts import Operation, Parts
from sameas.engine.sites import Site, Sites

_DIGITS = frozenset("0123456789")


def drop(
    names: Sequence[str],
    session: Sequence[str],
    together: Sequence[Sequence[str]],
    keep: Sequence[str],
    sites: Sites,
) -> Operation:
    """What a site says comes first, the most specific before; then `keep`, then the lists."""
    listed, kept = Names([*session, *names]), Names(keep)
    groups = [frozenset(group) for group in together]
    suspects = Names([*session, *names, *(name for group in groups for name in group)])

    def entry_for(name: str, here: Sequence[Site]) -> tuple[str, str] | None:
        """The list that a name goes by, and its entry there."""
        for site in here:
            if site.keep.match(name) is not None:
                return None
            entry = site.drop.match(name)
            if entry is not None:
                return f"list of {site.name}", entry
        entry = listed.match(name)
        if entry is None or kept.match(name) is not None:
            return None
        return "session list" if entry in session else "drop list", entry

    def is_kept(name: str, here: Sequence[Site]) -> bool:
        return any(names.match(name) is not None for names in (kept, *(s.keep for s in here)))

    def run(u: Parts) -> None:
        if not u.query:
            return
        found = names_of(u.query)
        here = sites.of(u.host, u.path)
        if not here and not suspects.touch(found):
            return
        entries = [entry_for(name, here) for name in found]
        for group in groups:
            if group.issubset(found):
                where = "group that goes where all of it is there", " and ".join(sorted(group))
                going = {name for name in group if not is_kept(name, here)}
                entries = [where if n in going else e for n, e in zip(found, entries, strict=True)]
        if u.why is not None:
            because = zip(found, entries, strict=True)
            u.why += [f"{name} is on the {e[0]} ({e[1]})" for name, e in because if e]
        u.query = [p for p, e in zip(u.query, entries, strict=True) if e is None]

    return run


def pagination(names: Sequence[str], below_root: Sequence[str]) -> Operation:
    """A page's number leaves; `below_root` names mean a page only below the root."""
    listed, deep = Names(names), Names(below_root)

    def run(u: Parts) -> None:
        at_root = u.path in ("", "/")
        param = None
        query = []
        for piece in u.query:
            name = name_of(piece)
            number = decoded(piece.partition("=")[2])
            page = listed.match(name) is not None and number and _DIGITS.issuperset(number)
            if not page or (at_root and deep.match(name) is not None):
                query.append(piece)
                continue
            param = piece.partition("=")[0] if param is None else param
            if u.why is not None:
                u.why.append(f"{piece} is a page's number: the list itself is cited")
        u.query = query
        if param is not None or "pagination" not in u.notes:
            u.notes["pagination"] = {
                "paginated": param is not None,
                "page_param": param,
                "total_pages": None,
            }

    return run


def flag_unknown(known: Sequence[str]) -> Operation:
    listed = Names(known)

    def run(u: Parts) -> None:
        for piece in u.query:
            if listed.match(name_of(piece)) is None:
                u.flags.add("unknown_parameter")
                if u.why is not None:
                    u.why.append(f"{piece.partition('=')[0]} is on no list: kept, for a person")

    return run


def sort() -> Operation:
    """By name, then value, then the whole piece, as spelled bytes."""

    def run(u: Parts) -> None:
        if len(u.query) > 1:
            u.query.sort(key=_spelled)

    return run


def _spelled(piece: str) -> tuple[str, str, str]:
    name, _, value = piece.partition("=")
    return name, value, piece


def drop_repeats() -> Operation:
    def run(u: Parts) -> None:
        if len(u.query) > 1:
            u.query = list(dict.fromkeys(u.query))

    return run
