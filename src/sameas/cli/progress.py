"""A progress bar on standard error, where there is somebody to see it and an end to be seen.

It never decides what is done: rows pass through it unchanged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from time import perf_counter
from typing import TYPE_CHECKING

from sameas.cli.terminal import on_terminal, plain, say
from sameas.records.source import Block, Source, V

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_EVERY = 512

_LONGEST_NAME = 24

Watched = tuple[Iterator[tuple[int, V]], Callable[[str], None]]
"""The rows, and how to say something without tearing the bar."""


@contextmanager
def watched(source: Source[V], on_results: bool | None = None) -> Iterator[Watched[V]]:
    """`on_results`: whether the bar would stand among results, which standard output tells if
    nobody else does."""
    among = on_terminal() if on_results is None else on_results
    if not _comes_by_itself(source) or among or not sys.stderr.isatty():
        yield source.rows, say
        return
    bar, console = _bar(rows=True)
    task = bar.add_task(_brief(source.label), total=source.total or None, rows="")
    waiting: list[str] = []
    count, start = 0, perf_counter()

    def drawn() -> None:
        """All that was said, above the bar in one go: drawing it anew for each line is slow."""
        if waiting:
            console.print("\n".join(waiting), soft_wrap=True)
            waiting.clear()
        rate = count / max(perf_counter() - start, 1e-9)
        rows = f"{count:,} {source.unit}s · {rate:,.0f}/s"
        bar.update(task, completed=source.done(), rows=rows)

    def rows() -> Iterator[tuple[int, V]]:
        nonlocal count
        for i, (number, row) in enumerate(source.rows):
            many = len(row.numbers) if isinstance(row, Block) else 0
            if many or i % _EVERY == 0:
                drawn()
            yield number, row
            count += many or 1

    with bar:
        try:
            yield rows(), lambda text: waiting.append(plain(text))
        finally:
            drawn()


@contextmanager
def counted(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for work that tells itself how far it is: done, of how many."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    bar, _ = _bar()
    task = bar.add_task(name)
    with bar:
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _comes_by_itself(source: Source[V]) -> bool:
    """What is typed shows for itself how far it is."""
    if source.total:
        return True
    return source.unit != "argument" and not (sys.stdin is not None and sys.stdin.isatty())


def _bar(*, rows: bool = False) -> tuple[Progress, Console]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    counts = [TextColumn("{task.fields[rows]}", markup=False)] if rows else []
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        *counts,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    return bar, console


def _brief(label: str) -> str:
    name = plain(PurePath(label).name)
    return name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}"
