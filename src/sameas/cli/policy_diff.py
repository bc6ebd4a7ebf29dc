"""`sameas policy diff`: what a change of the rules does to real data, before anybody lives with it.

It reads, and shows what `sameas.change.diff` finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from sameas.change.because import Reason
from sameas.change.diff import compared
from sameas.change.types import Changed, Diff, Group, Grouped
from sameas.cli.canon import Format
from sameas.cli.options import Json, complete_policy, examples
from sameas.cli.progress import watched
from sameas.cli.terminal import show, show_json, show_words
from sameas.engine.parse import shown
from sameas.policy import Policy
from sameas.records.read import reading

HELP = """Show what changes on real data between two policies.

Rows whose key changes, groups of rows that become one, groups that become
several, and which rule does each. OLD and NEW are names, NAME@VERSION or files.
It reads the rows once; what it keeps on disk meanwhile takes as much room as
the input."""

EXAMPLES = examples(
    "sameas policy diff default@1 mine.toml --input links.txt",
    "sameas policy diff news feed --input articles.csv --column url",
    "sameas policy diff default default --overrides overrides.json -i links.txt",
    "sameas policy diff news mine.toml --input links.txt --html diff.html",
    "sameas policy diff news feed --json -i links.txt | jq '.merged, .split'",
)

_SAMPLES = 10
_SHORT = 12


def diff(  # noqa: PLR0913, PLR0917 (its options)
    old: Annotated[str, typer.Argument(metavar="OLD", hidden=True, autocompletion=complete_policy)],
    new: Annotated[str, typer.Argument(metavar="NEW", hidden=True, autocompletion=complete_policy)],
    input: Annotated[
        str,
        typer.Option("--input", "-i", metavar="FILE", help="The URLs; - is standard input."),
    ],
    column: Annotated[
        str,
        typer.Option("--column", "-c", metavar="NAME", help="The column (or key) with the URLs."),
    ] = "",
    format: Annotated[
        Format | None,
        typer.Option(help="How to read --input. Without it the ending of the name decides."),
    ] = None,
    overrides: Annotated[
        str | None, typer.Option(metavar="FILE", help="An overrides file that goes with NEW.")
    ] = None,
    old_overrides: Annotated[
        str | None, typer.Option(metavar="FILE", help="An overrides file that goes with OLD.")
    ] = None,
    samples: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=10_000, help="How many of each kind are shown."),
    ] = _SAMPLES,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a report with charts, too.")
    ] = None,
    as_json: Json = False,
) -> None:
    before, after = Policy.load(old, old_overrides), Policy.load(new, overrides)
    with (
        reading(input, format.value if format else "", column) as source,
        watched(source) as (blocks, tell),
    ):
        found = compared(
            before,
            after,
            (row for _, block in blocks for row in block.rows()),
            samples,
            lambda number, why: tell(f"{source.place(number)}: {why.code}: {why.message}"),
        )
    data = _object(before, after, found)
    if html is not None:
        from sameas.cli.policy_diff_report import report_page
        from sameas.records.aside import written

        with written(html) as stream:
            stream.write(report_page(data).encode())
    if as_json:
        show_json(data)
    else:
        _show(data)
    raise typer.Exit(1 if found.refused else 0)


def _object(old: Policy, new: Policy, found: Diff) -> dict[str, Any]:
    return {
        "old": _identity(old),
        "new": _identity(new),
        "rows": found.rows,
        "refused": found.refused,
        "changed": found.changed,
        "newly_refused": found.newly_refused,
        "no_longer_refused": found.no_longer_refused,
        "merged": found.merged.groups,
        "merged_keys": found.merged.keys,
        "merged_rows": found.merged.rows,
        "split": found.split.groups,
        "split_keys": found.split.keys,
        "split_rows": found.split.rows,
        "rules": list(_rules(found)),
        "samples": {
            "changed": list(map(_changed, found.samples)),
            "merged": list(_groups(found.merged)),
            "split": list(_groups(found.split)),
        },
    }


def _identity(policy: Policy) -> dict[str, str]:
    return {"policy": f"{policy.name}@{policy.version}", "fingerprint": policy.fingerprint}


def _rules(found: Diff) -> Iterator[dict[str, Any]]:
    for rule, count in found.rules.most_common():
        yield {
            "rule": rule,
            "clause": found.clauses[rule],
            "changed": count,
            "merged": found.merged.rules[rule],
            "split": found.split.rules[rule],
        }


def _changed(row: Changed) -> dict[str, Any]:
    forms = {"before": shown(row.before), "after": shown(row.after)}
    return {"row": row.number, "url": row.url, **forms, **_reason(row.reason)}


def _reason(reason: Reason) -> dict[str, str]:
    return reason._asdict()


def _groups(grouped: Grouped) -> Iterator[dict[str, Any]]:
    for group in grouped.samples:
        yield _group(group)


def _group(group: Group) -> dict[str, Any]:
    members = [{"url": one.url, "form": shown(one.form), "rows": one.rows} for one in group.members]
    counts = {"rows": group.rows, "keys": group.count}
    return {"form": shown(group.form), **counts, **_reason(group.reason), "members": members}


def _show(data: dict[str, Any]) -> None:
    names = [
        f"{one['policy']} ({one['fingerprint'][:_SHORT]})" for one in (data["old"], data["new"])
    ]
    show(" to ".join(names))
    show(f"rows {data['rows']:,} · keys that change {data['changed']:,}")
    for name in ("refused", "newly_refused", "no_longer_refused"):
        if data[name]:
            show(f"{name.replace('_', ' ')} {data[name]:,}")
    for name, many, few in (("merged", "merged_keys", "merged"), ("split", "split", "split_keys")):
        said = f"{data[many]:,} groups become {data[few]:,}"
        show(f"{name}: {said}, in {data[f'{name}_rows']:,} rows")
    if data["rules"]:
        show()
        show("By rule: rows that change, groups that merge, groups that split")
    for one in data["rules"]:
        counts = f"{one['changed']:,} · {one['merged']:,} · {one['split']:,}"
        show(f"  {one['rule']} ({one['clause']}): {counts}")
    for row in data["samples"]["changed"]:
        show()
        show(f"row {row['row']:,}: {row['url']}")
        show_words(f"  {row['rule']} ({row['clause']}), {row['why']}")
        show(f"  before  {row['before'] or '(refused)'}")
        show(f"  after   {row['after'] or '(refused)'}")
    for name, said in (("merged", "become one"), ("split", "are no longer one")):
        for group in data["samples"][name]:
            _show_group(group, said)


def _show_group(group: dict[str, Any], said: str) -> None:
    show()
    show(f"{group['keys']:,} groups, {group['rows']:,} rows, {said}: {group['form']}")
    show_words(f"  {group['rule']} ({group['clause']}), {group['why']}")
    for one in group["members"]:
        show(f"  {one['url']}")
    if group["keys"] > len(group["members"]):
        show(f"  and {group['keys'] - len(group['members']):,} more")
