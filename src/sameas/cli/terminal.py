"""What is written where: results to standard output, all else to standard error.

It decides what a terminal may be fed: text from outside goes there without control characters.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_HANGING = 4
_AS_JSON = json.JSONEncoder(separators=(",", ":")).encode


def plain(text: str) -> str:
    """Text from outside, harmless: what is no printable character stands as its escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def say(text: str) -> None:
    """A line for people."""
    print(plain(text), file=sys.stderr)


def results() -> BinaryIO:
    """Where results go, as UTF-8 in every locale."""
    return sys.stdout.buffer


def line_writer() -> Callable[[str], object]:
    """Writes lines of results: at once on a terminal, in blocks into a pipe."""
    out = results()
    if not on_terminal():
        return lambda text: out.write(text.encode() + b"\n")

    def write(text: str) -> None:
        out.write(text.encode() + b"\n")
        out.flush()

    return write


def show(text: str = "") -> None:
    """One line of a page for people, on standard output."""
    results().write(plain(text).encode() + b"\n")


def show_words(text: str) -> None:
    """A line of words: whole in a pipe, broken between them on a terminal."""
    if not on_terminal():
        show(text)
        return
    indent = " " * (len(text) - len(text.lstrip()) + _HANGING)
    width = shutil.get_terminal_size().columns
    wrapper = TextWrapper(
        width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    for line in wrapper.wrap(plain(text)):
        show(line)


def show_json(data: Mapping[str, Any]) -> None:
    results().write(json_line(data).encode() + b"\n")


def json_line(data: Mapping[str, Any]) -> str:
    """One object on one line, in ASCII without control characters: safe for every reader."""
    return _AS_JSON(data).replace("\x7f", "\\u007f")


def on_terminal() -> bool:
    return sys.stdout.isatty()


def console() -> Console:
    """Colour and tables. rich is loaded only where there is a terminal to show them on."""
    from rich.console import Console

    return Console(markup=False, emoji=False, highlight=False)


def show_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on a terminal, aligned columns without a head in a pipe."""
    if on_terminal():
        _rich_table(names, rows)
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        show("  ".join(cells).rstrip())


def _rich_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for i, name in enumerate(names):
        table.add_column(name, style="cyan" if i == 0 else "", overflow="fold")
    for row in rows:
        table.add_row(*map(as_text, row))
    console().print(table)


def as_text(cell: str, style: str = "") -> Text:
    """A cell of a table, taken literally."""
    from rich.text import Text

    return Text(plain(cell), style)
