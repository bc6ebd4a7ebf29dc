"""`sameas explain`: every step a URL takes, or where two of them meet or part.

The steps come from the engine while it works; this file only sets them out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from sameas.cli.options import Engine, EngineName, Json, Overrides, PolicyName, examples, loaded
from sameas.cli.terminal import as_text, console, on_terminal, plain, show, show_json
from sameas.policy import Policy
from sameas.report.changed import Marked, changed
from sameas.report.objects import comparison_object, explanation_object
from sameas.types import Comparison, Explanation, Step

if TYPE_CHECKING:
    from rich.text import Text

HELP = """Show every step a URL takes, or where two URLs part or meet.

A step is a rule with its clause, the URL before and after it, and why. With two URLs
the first rule at which they part or meet comes first, in a sentence. The exit status is 1 where
a URL is refused."""

EXAMPLES = examples(
    "sameas explain 'https://Example.com/a;jsessionid=1?utm_source=x&b=2'",
    "sameas explain --policy clara http://boe.es/buscar/?p=7",
    "sameas explain http://example.com/a https://www.example.com/a/",
    "sameas explain --json URL | jq -r '.steps[].rule'",
)

_UNCHANGED = "(unchanged)"


def explain(
    url: Annotated[str, typer.Argument(metavar="URL", hidden=True)],
    other: Annotated[
        str | None,
        typer.Argument(metavar="URL", hidden=True),
    ] = None,
    policy: PolicyName = "default",
    overrides: Overrides = None,
    engine: EngineName = Engine.auto,
    as_json: Json = False,
) -> None:
    chosen = loaded(policy, overrides, engine)
    if other is not None:
        found = chosen.compare(os.fsencode(url), os.fsencode(other))
        if as_json:
            show_json(comparison_object(found))
        else:
            _show_both(found)
        raise typer.Exit(1 if found.a.error or found.b.error else 0)
    explanation = chosen.explain(os.fsencode(url))
    if as_json:
        show_json(explanation_object(explanation))
    else:
        _show_one(explanation, chosen)
    raise typer.Exit(1 if explanation.error else 0)


def _show_one(explanation: Explanation, policy: Policy) -> None:
    show(f"policy   {policy.name}@{policy.version}")
    show(f"input    {explanation.input}")
    if explanation.steps and on_terminal():
        _table(explanation.steps)
    else:
        _list(explanation.steps)
    show()
    for name, value in _outcome(explanation):
        show(f"{name:7}  {value}")


def _list(steps: tuple[Step, ...]) -> None:
    for number, step in enumerate(steps, 1):
        show()
        show(f"{number:2}. {step.rule} ({step.clause}): {step.why}")
        show(f"    before  {step.before}")
        show(f"    after   {step.after if step.after != step.before else _UNCHANGED}")


def _table(steps: tuple[Step, ...]) -> None:
    """Before stands above after: two columns of URLs would leave no room for either."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    table.add_column("rule and clause", overflow="fold", max_width=18)
    table.add_column("before → after", overflow="fold", ratio=3)
    table.add_column("why", overflow="fold", ratio=2)
    for step in steps:
        rule = as_text(step.rule, "cyan").append(f"\n{step.clause}", "dim")
        table.add_row(rule, _before_after(step), as_text(step.why))
        table.add_section()
    console().print(table)


def _before_after(step: Step) -> Text:
    if step.before == step.after:
        return as_text(step.before).append(f"\n{_UNCHANGED}", "dim")
    if step.rule == "key":
        return as_text(step.before).append(f"\n→{step.after}")
    before, after = changed(step.before, step.after)
    text = _marked(as_text(""), before, "red strike").append("\n→", "dim")
    return _marked(text, after, "bold green")


def _marked(text: Text, pieces: Marked, style: str) -> Text:
    for piece, mark in pieces:
        text.append(plain(piece), style if mark else "")
    return text


def _outcome(explanation: Explanation) -> Iterator[tuple[str, str]]:
    result = explanation.result
    if result is None:
        code, message = explanation.error or ("", "")
        yield "refused", f"{code}: {message}"
        return
    yield "url", result.url
    if result.form != result.url:
        yield "form", result.form
    yield "key", result.key
    if result.flags:
        yield "flags", ", ".join(result.flags)
    for name, note in result.notes.items():
        yield "note", f"{name} = {json.dumps(note, ensure_ascii=False)}"


def _show_both(found: Comparison) -> None:
    show(found.sentence)
    for name, one in (("A", found.a), ("B", found.b)):
        show()
        show(f"{name}  {one.input}")
        width = max((len(step.rule) for step in one.steps), default=0)
        for step in one.steps:
            mark = "*" if step.rule == found.rule else " "
            after = step.after if step.after != step.before else _UNCHANGED
            show(f" {mark} {step.rule:{width}}  {step.clause:4} {after}")
        if one.error is not None:
            show(f"   refused: {one.error[0]}: {one.error[1]}")
