"""The fragment: dropped, and noted where a policy says so; a route may stay (C16)."""

from __future__ import annotations

from sameas.engine.parts import Operation, Parts


def drop(routes: bool, note: str) -> Operation:
    """`routes`: fragments that begin with `!` or `/` name a page and stay."""

    def run(u: Parts) -> None:
        fragment = u.fragment
        if not fragment:
            if note:
                u.notes.setdefault(note, None)
            return
        if routes and fragment[0] in "!/":
            if note:
                u.notes.setdefault(note, None)
            if u.why is not None:
                u.why.append(f"#{fragment[0]}… is a route: it names a page")
            return
        if note:
            u.notes[note] = fragment
        if u.why is not None:
            u.why.append("the fragment is a place on the page, not another page")
        u.fragment = ""

    return run
