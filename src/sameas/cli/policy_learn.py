"""`sameas policy learn`: rules proposed from URLs and what came from them, and why each.

What is learned is decided in `sameas.change`; nothing takes effect by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sameas.change.policy_file import save
from sameas.cli.canon import Format
from sameas.cli.options import Json, StoreTarget, complete_policy, examples, store_target
from sameas.cli.progress import watched
from sameas.cli.terminal import say, show, show_json, show_words
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.records.aside import written
from sameas.records.source import Fields, Refused
from sameas.records.tables import reading_table

if TYPE_CHECKING:
    from sameas.change.hosts import Learned
    from sameas.change.learn import Lesson, Told

HELP = """Propose rules, learned from URLs and what came from them.

FILE has a URL and a hash of its content in each row, in the order of fetching
(CSV, JSON Lines or Parquet); or --from-store takes the links and entries that a
store knows. What could go on a host is told with what speaks for and against it;
a rule with one strong counter-example is not proposed. Judge what is written
with `sameas policy diff` before you use it."""

EXAMPLES = examples(
    "sameas policy learn --input fetched.csv",
    "sameas policy learn -i fetched.csv -o learned.json",
    "sameas policy learn -i fetched.csv -o a.json --policy-file a.toml",
    "sameas policy learn -i fetched.csv --ask --store news.db",
    "sameas policy learn --from-store --json | jq '.rules[]'",
)

_Rows = Iterator[tuple[int, Mapping[str, Any] | Refused]]


def learn(  # noqa: PLR0913, PLR0917 (its options)
    ctx: typer.Context,
    input: Annotated[
        str | None,
        typer.Option("--input", "-i", metavar="FILE", help="The pairs; - is standard input."),
    ] = None,
    from_store: Annotated[
        bool, typer.Option("--from-store", help="The links and entries of --store instead.")
    ] = False,
    url_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column with the URL.")
    ] = "url",
    hash_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column with the hash of its content.")
    ] = "hash",
    format: Annotated[
        Format | None,
        typer.Option(help="How to read --input. Without it the ending of the name decides."),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            "-p",
            metavar="NAME_OR_FILE",
            help="The policy that is to be added to.",
            autocompletion=complete_policy,
        ),
    ] = "default",
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write an overrides file: what is of one host."
        ),
    ] = None,
    policy_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a policy file: what overrides cannot say."),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Put parameters into the review queue of --store.")
    ] = False,
    store: StoreTarget = "",
    as_json: Json = False,
) -> None:
    if (input is None) == (not from_store):
        ctx.fail("give --input FILE, or --from-store")
    base = Policy.load(policy)
    from sameas.change.learn import lesson

    if input is None:
        with _stored(store) as rows:
            found = lesson(base, rows, lambda *_: None)
    else:
        with _read(input, format, (url_column, hash_column)) as (rows, tell):
            found = lesson(base, rows, tell)
    if policy_file is not None:
        _write_policy(found, policy, policy_file)
    if output is not None:
        _write_overrides(found, policy_file or policy, output)
    asked = _ask(found, store) if ask else None
    if as_json:
        show_json({**_object(found), "asked": asked})
    else:
        _show(found, output, policy_file)
        if asked is not None:
            show(f"new questions {asked:,}; `sameas review list --kind parameter` shows them")
    raise typer.Exit(1 if found.skipped else 0)


@contextmanager
def _read(
    path: str, format: Format | None, columns: tuple[str, str]
) -> Iterator[tuple[_Rows, Told]]:
    with reading_table(path, format.value if format else "") as table:
        source = table.rows(columns, ())

        def named(row: Fields) -> Mapping[str, Any] | Refused:
            if isinstance(row, Refused):
                return row
            return {"url": row.get(columns[0]), "content": row.get(columns[1])}

        with watched(source) as (rows, tell):

            def told(number: int, why: InvalidURL | Refused) -> None:
                tell(f"{source.place(number)}: {why.code}: {why.message}; skipped")

            yield ((number, named(row)) for number, row in rows), told


@contextmanager
def _stored(target: str) -> Iterator[_Rows]:
    from sameas.store.opening import open_store

    with closing(open_store(store_target(target), create=False)) as opened:
        from sameas.change.stored import pairs

        yield pairs(opened)


def _write_policy(found: Lesson, base: str, path: str) -> None:
    from sameas.change.proposal import policy_text

    extends = str(Path(base).resolve()) if Path(base).is_file() else base
    save(path, policy_text(found, "learned", extends))


def _write_overrides(found: Lesson, base: str, path: str) -> None:
    """Tried by loading it, before it takes its name."""
    from sameas.change.proposal import overrides

    aside = Path(path).with_name(f".{Path(path).name}.new")
    try:
        with written(aside) as stream:
            stream.write(overrides(found).encode())
        Policy.load(base, aside)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def _ask(found: Lesson, target: str) -> int:
    from sameas.change.proposal import questions
    from sameas.store.opening import open_store

    with closing(open_store(store_target(target))) as opened:
        return opened.ask(questions(found, datetime.now(UTC)))


def _object(found: Lesson) -> dict[str, Any]:
    return {
        "pairs": found.pairs,
        "skipped": found.skipped,
        "hosts": found.hosts,
        "rules": list(map(_rule, found.rules)),
        "rejected": list(map(_rule, found.rejected)),
    }


def _rule(rule: Learned) -> dict[str, Any]:
    held = rule.evidence
    return {
        "kind": rule.kind,
        "host": rule.host,
        "name": rule.name,
        "support": held.support,
        "against": held.against,
        "confidence": round(held.confidence, 4),
        "examples": held.examples,
        "counter_example": held.strong,
    }


def _show(found: Lesson, output: str | None, policy_file: str | None) -> None:
    from sameas.change.proposal import IN_OVERRIDES, said

    show(f"pairs {found.pairs:,} · hosts {found.hosts:,} · rules {len(found.rules):,}")
    for code, count in sorted(found.skipped.items()):
        show(f"skipped {count:,}: {code}")
    for rule in found.rules:
        show_words(f"{_named(rule)}: {said(rule)}")
        for one, other in rule.evidence.examples[:1]:
            show(f"  {one}")
            show(f"  {other}")
    for rule in found.rejected:
        show_words(f"not {_named(rule)}: {said(rule)}")
        if rule.evidence.strong:
            one, other = rule.evidence.strong
            show(f"  {one} is not")
            show(f"  {other}")
    left = sum(rule.kind not in IN_OVERRIDES for rule in found.rules)
    if output and left and not policy_file:
        say(f"sameas: {left:,} rules cannot be said in overrides: --policy-file FILE writes them")


def _named(rule: Learned) -> str:
    kind = rule.kind.replace("_", " ")
    return f"{rule.host}: {kind} {rule.name}".rstrip()
