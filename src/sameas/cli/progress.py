"""A progress bar on standard error, where there is somebody to see it and an end to be seen.

It never decides what is done: rows pass through it unchanged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING

from sameas.cli.terminal import on_terminal, plain, say
from sameas.records.source import Row, Source

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_EVERY = 512

_LONGEST_NAME = 24

Watched = tuple[Iterator[Row], Callable[[str], None]]
"""The rows, and how to say something without tearing the bar."""


@contextmanager
def watched(source: Source) -> Iterator[Watched]:
    if not source.total or not _is_seen():
        yield source.rows, say
        return
    bar, console = _bar()
    task = bar.add_task(_brief(source.label), total=source.total)
    waiting: list[str] = []

    def drawn() -> None:
        """All that was said, above the bar in one go: drawing it anew for each line is slow."""
        if waiting:
            console.print("\n".join(waiting), soft_wrap=True)
            waiting.clear()
        bar.update(task, completed=source.done())

    def rows() -> Iterator[Row]:
        for i, row in enumerate(source.rows):
            if i % _EVERY == 0:
                drawn()
            yield row

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


def _is_seen() -> bool:
    return sys.stderr.isatty() and not on_terminal()


def _bar() -> tuple[Progress, Console]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
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
