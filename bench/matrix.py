"""docs/bench/traps.md: the failure matrix, then each trap with the wrong outputs themselves.

What is right is in traps.py; here it is only laid out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.length import FASTER_THAN_LINEAR, LONG, LONG_HOST, NOTICEABLE, SECONDS, SHORT, Growth
from bench.markdown import table
from bench.peers import Peer, version
from bench.trap import FAIL, ON_PURPOSE, PASS, UNCLAIMED, Outcome, Trap

LENGTH = "hostile length"
_LEGEND = (
    f"{PASS} right · {FAIL} wrong · {ON_PURPOSE} the opposite on purpose, and its documentation "
    f"says so · {UNCLAIMED} not right, and its documentation never says that it would be."
)


@dataclass(frozen=True)
class Examined:
    """One library, with all that came of it."""

    peer: Peer
    outcomes: Mapping[str, Outcome]
    growth: Sequence[Growth]


def page(
    groups: Mapping[str, Sequence[Trap]],
    found: Sequence[Examined],
    missing: Sequence[str],
    written: str,
) -> str:
    """`written`: when and by which command."""
    return "\n".join(
        [
            "# The failure matrix\n",
            f"Written {written}: each library is asked about named traps, ours "
            "among them. First all at a glance; below, each trap with what is right, why, and "
            f"what came out instead.\n\n{_LEGEND}\n",
            _who(found),
            *(["## NOT RUN\n", "".join(f"- {who}\n" for who in missing)] * bool(missing)),
            "## At a glance\n",
            _glance(groups, found),
            _ours(groups, found),
            *(
                f"## {group}\n\n" + "\n".join(_trap(trap, found) for trap in traps)
                for group, traps in groups.items()
            ),
            _length(found),
        ]
    )


def _who(found: Sequence[Examined]) -> str:
    rows = [(e.peer.name, version(e.peer.package), e.peer.setting) for e in found]
    return table(("", "version", "called as"), rows)


def _slug(text: str) -> str:
    """The anchor a heading gets: GitHub's, in the one way that needs no guessing."""
    kept = "".join(c for c in text.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _glance(groups: Mapping[str, Sequence[Trap]], found: Sequence[Examined]) -> str:
    rows = []
    for group, traps in groups.items():
        rows.append((f"**{group}**", *("" for _ in found)))
        for trap in traps:
            marks = (e.outcomes[trap.name].mark for e in found)
            rows.append((f"[{trap.name}](#{_slug(trap.name)})", *marks))
    length = (FAIL if any(g.hostile for g in e.growth) else PASS for e in found)
    rows.append((f"[{LENGTH}](#{_slug(LENGTH)})", *length))
    rows.append(("**wrong**", *(f"**{_wrong(e)}**" for e in found)))
    return table(("", *(e.peer.name for e in found)), rows)


def _wrong(examined: Examined) -> int:
    marks = [outcome.mark for outcome in examined.outcomes.values()]
    return marks.count(FAIL) + any(g.hostile for g in examined.growth)


def _ours(groups: Mapping[str, Sequence[Trap]], found: Sequence[Examined]) -> str:
    """What our own policies get wrong or give up, said in words."""
    names = [trap.name for traps in groups.values() for trap in traps]
    lines = []
    for e in found:
        if e.peer.package != "sameas":
            continue
        for mark, words in ((FAIL, "wrong"), (ON_PURPOSE, "on purpose"), (UNCLAIMED, "not done")):
            listed = [name for name in names if e.outcomes[name].mark == mark]
            if listed:
                lines.append(f"- {e.peer.name}, {words}: {'; '.join(listed)}.\n")
    return "Where ours fall short:\n\n" + "".join(lines) if lines else ""


def _trap(trap: Trap, found: Sequence[Examined]) -> str:
    right = [e.peer.name for e in found if e.outcomes[trap.name].mark == PASS]
    rows = [
        (outcome.mark, e.peer.name, outcome.wrong)
        for e in found
        if (outcome := e.outcomes[trap.name]).mark != PASS
    ]
    rows.append((PASS, ", ".join(right) or "nobody", ""))
    return f"### {trap.name}\n\n{trap.right}\n\n{table(('', '', 'what came out'), rows)}"


def _length(found: Sequence[Examined]) -> str:
    about = (
        f"Cost must grow no faster than the URL does. Each shape is given with {SHORT:,} and with "
        f"{LONG:,} characters (hosts: up to {LONG_HOST}), in a process that is killed after "
        f"{SECONDS:g} seconds. Linear cost grows ×4, quadratic ×16; wrong is what grows more than "
        f"×{FASTER_THAN_LINEAR:g} and takes more than {1000 * NOTICEABLE:g} ms. A refusal that "
        "comes quickly is right. What a name in brackets says was raised besides.\n"
    )
    shapes = dict.fromkeys(g.shape for e in found for g in e.growth)
    rows = [(shape, *(_grown(e.growth[i]) for e in found)) for i, shape in enumerate(shapes)]
    head = ("", *(e.peer.name for e in found))
    return f"## {LENGTH}\n\n{about}\n{table(head, rows, right=range(1, len(head)))}"


def _grown(growth: Growth) -> str:
    raised = f" ({growth.raised})" if growth.raised else ""
    if growth.short is None or growth.long is None:
        return f"{FAIL} over {SECONDS:g} s{raised}"
    if growth.hostile:
        return f"{FAIL} grows ×{growth.ratio:.0f}, {1000 * growth.long:.0f} ms{raised}"
    return f"×{growth.ratio:.1f}{raised}"
