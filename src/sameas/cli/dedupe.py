"""`sameas dedupe`: a file of articles without its duplicates, and the evidence for each.

Which articles are one is the business of `sameas.dedupe`; this file reads, names and writes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from enum import StrEnum
from typing import Annotated, Any, BinaryIO, NamedTuple

import typer

from sameas.cli.canon import Format
from sameas.cli.dedupe_large import Large, write_survivors
from sameas.cli.dedupe_said import left_out, not_compared, summary
from sameas.cli.dedupe_spark import SparkMaster, spooled
from sameas.cli.options import Json, MemoryLimit, Overrides, PolicyName, examples, loaded
from sameas.cli.outputs import STDOUT, check_apart, opened
from sameas.cli.progress import counted, watched
from sameas.cli.terminal import json_line, results, say, show_json
from sameas.dedupe import Duplicates, find_duplicates, plain
from sameas.dedupe.by_title import Progress, tools, unwatched
from sameas.dedupe.page import report_page
from sameas.dedupe.shown import SHOWN, Article, Articles, article, duplicates_object
from sameas.errors import RecordsError
from sameas.policy import Policy
from sameas.records.read import STDIN, format_of
from sameas.records.source import Refused
from sameas.records.tables import Table, reading_table


class By(StrEnum):
    URL = "url"
    TITLE = "title"
    BOTH = "both"


HELP = """Write a file of articles without its duplicates.

FILE is CSV, JSON Lines or Parquet, or lines: of URLs with --by url, of titles with --by title. - is
standard input. The articles that stay are written as they stand, in their order and in the file's
own format; -o - writes them to standard output, as does no -o at all.
By URL, articles are one where their canonical URLs are. By title, where they are in one language
and their titles, without the source behind the last " - ", are alike at a ratio of 0.85. Of those
that are one the best stays: the longest full text, then a known district, then a known source.
The exit status is 1 where a row could not be read or a URL is refused, each named."""

EXAMPLES = examples(
    "sameas dedupe articles.csv -o unique.csv",
    "sameas dedupe articles.jsonl --by title --groups groups.jsonl > unique.jsonl",
    "sameas dedupe articles.parquet -o unique.parquet --report report.html",
    "sameas dedupe links.txt --by url > unique.txt",
    "sameas dedupe articles.csv -o unique.csv --spark 'local[2]'",
    "sameas dedupe links.txt --by url -o unique.txt --memory-limit 1GB",
    "sameas dedupe articles.csv --json | jq '.groups[].members[].row'",
)

_MANY = 1000
"""So many titles take a second without the extra `titles`, and ten times as many a hundred."""


def dedupe(  # noqa: PLR0913, PLR0917 (its options)
    file: Annotated[str, typer.Argument(metavar="FILE", hidden=True)],
    by: Annotated[By, typer.Option(help="What makes two articles one.")] = By.BOTH,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where the articles that stay go."),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the groups with their evidence, a line each."),
    ] = None,
    report: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the groups as an HTML page.")
    ] = None,
    policy: PolicyName = "news",
    overrides: Overrides = None,
    format: Annotated[
        Format | None, typer.Option(help="How to read FILE; without it its ending decides.")
    ] = None,
    url_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column with the URLs.")
    ] = "url",
    title_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column with the titles.")
    ] = "title",
    language_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="The column with the languages. [language]")
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="One language for all, whatever the rows say."),
    ] = None,
    memory: MemoryLimit = None,
    spark: SparkMaster = None,
    as_json: Json = False,
) -> None:
    if language is not None and language_column is not None:
        raise typer.BadParameter("give --language or --language-column, not both")
    _check_apart(file, output, groups, report, as_json)
    chosen = loaded(policy, overrides)
    if memory is not None:
        _check_large(by, {"--groups": groups, "--report": report, "--json": as_json or None})
        if spark is not None:
            raise typer.BadParameter("--spark has its own limits: leave --memory-limit out")
        ended = _large(file, format, url_column, chosen, memory, output or STDOUT)
        raise typer.Exit(1 if ended else 0)
    columns = _columns(by, url_column, title_column, language_column)
    with reading_table(file, format.value if format else "") as table, ExitStack() as outputs:
        _check_output(table, output, as_json)
        stays, proofs, shown_on = (
            outputs.enter_context(opened(path)) if path is not None else None
            for path in (output, groups, report)
        )
        spool = outputs.enter_context(spooled(spark, Article, language)) if spark else None
        articles = _read(table, columns, spool.articles if spool else [])
        found = spool.find(by, chosen) if spool else _find(articles.all, by, chosen, language)
        wanted = as_json or groups is not None or report is not None
        data = duplicates_object(found, articles, chosen) if wanted else {}
        if stays is not None or not as_json:
            _copy(table, found, articles, stays or results())
        if proofs is not None:
            proofs.writelines(json_line(group).encode() + b"\n" for group in data["groups"])
        if shown_on is not None:
            shown_on.write(report_page(file, data).encode())
    if as_json:
        show_json(data)
    bad = _tell(found, articles)
    raise typer.Exit(1 if bad else 0)


def _find(articles: Sequence[Any], by: By, policy: Policy, language: str | None) -> Duplicates:
    comparing = nullcontext(unwatched) if by == By.URL else _comparing(len(articles))
    with comparing as progress:
        return find_duplicates(
            articles,
            by.value,
            quality=lambda article: article.rank,
            policy=policy,
            language=language,
            progress=progress,
        )


def _check_large(by: By, kept: Mapping[str, object]) -> None:
    if by != By.URL:
        hint = "titles are compared in memory: leave it out, or add --by url"
        raise typer.BadParameter(f"--memory-limit goes with --by url; {hint}")
    for name, asked in kept.items():
        if asked is not None:
            told = f"{name} needs all groups in memory: leave it out, or --memory-limit"
            raise typer.BadParameter(told)


def _large(
    file: str, format: Format | None, column: str, policy: Policy, memory: int, output: str
) -> bool:
    with reading_table(file, format.value if format else "") as table:
        _check_output(table, output, False)
        with opened(output) as stream:
            return write_survivors(Large(file, table, column, policy, memory, output), stream)


def _comparing(titles: int) -> AbstractContextManager[Progress]:
    _, kernel = tools()
    if kernel is plain and titles > _MANY:
        say(f"{titles:,} titles are compared much faster with: pip install 'sameas[titles]'")
    return counted("comparing titles")


class Columns(NamedTuple):
    """The columns of the file by what they mean to us, those that must be there first."""

    needed: dict[str, str]
    optional: dict[str, str]


def _columns(by: By, url: str, title: str, language: str | None) -> Columns:
    needed = {"url": url} if by != By.TITLE else {}
    needed |= {"title": title} if by != By.URL else {}
    needed |= {"language": language} if language is not None else {}
    names = ("url", "title", "language", "full_text", "district", *SHOWN)
    return Columns(needed, {name: name for name in names if name not in needed})


def _check_apart(  # each is an option
    file: str, output: str | None, groups: str | None, report: str | None, as_json: bool
) -> None:
    """Only the articles that stay may take the place of the articles."""
    apart = {"--groups": groups, "--report": report}
    apart["standard output"] = STDOUT if as_json or output is None else None
    check_apart({"FILE": None if file == STDIN else file, **apart})
    check_apart({"--output": output, **apart})


def _check_output(table: Table, output: str | None, as_json: bool) -> None:
    if output in (None, STDOUT):
        if table.format == "parquet" and not as_json and sys.stdout.isatty():
            raise RecordsError("the output", "is Parquet, nothing for a terminal", "give -o FILE")
        return
    ending = format_of(output)
    if ending not in ("lines", table.format):
        hint = f"the rows are written as they are read: as {table.format}"
        raise RecordsError(output, f"has the ending of {ending}", hint)


def _read(table: Table, columns: Columns, into: Any) -> Articles:
    source = table.rows([*columns.needed.values()], [*columns.optional.values()])
    articles = Articles(source.unit, source.place, into)
    named = {**columns.optional, **columns.needed}
    with watched(source) as (rows, tell):
        for number, row in rows:
            if isinstance(row, Refused):
                articles.unreadable.append((number, row))
                tell(f"{source.place(number)}: {row.code}: {row.message}; left out")
            else:
                articles.add(number, article({key: row.get(name) for key, name in named.items()}))
            articles.rows += 1
    return articles


def _copy(table: Table, found: Duplicates, articles: Articles, stream: BinaryIO) -> None:
    keep = bytearray(articles.rows)
    for i in found.survivors:
        keep[articles.places[i]] = 1
    table.copy(keep, stream)


def _tell(found: Duplicates, articles: Articles) -> bool:
    """What was done, for a person; what was wrong, by name."""
    for i, error in found.refused_urls.items():
        say(f"{articles.place(articles.numbers[i])}: {error.code}: {error.message}; kept")
    rules = Counter(e.rule for group in found.groups for e in group.evidence)
    duplicates = found.total - len(found.survivors)
    say(summary(found.total, duplicates, len(found.groups), rules["url"], rules["title"]))
    without = len(found.without_url), len(found.refused_urls), len(found.without_title)
    if stayed := not_compared(*without):
        say(stayed)
    if articles.unreadable:
        say(left_out(len(articles.unreadable)))
    return bool(found.refused_urls or articles.unreadable)
