"""What a check of a registry shows: a link with something wrong, in words, JSON or annotations.

What is wrong has been judged; here it is written and counted for the exit status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from sameas.cli.terminal import json_line, line_writer, plain, say

if TYPE_CHECKING:
    from sameas.registry.check import Judged
    from sameas.registry.mend import Mended
    from sameas.registry.tally import Tally
    from sameas.registry.types import Unread

_MOST_HOSTS = 5


class Form(StrEnum):
    text = "text"
    json = "json"
    github = "github"


class Report:
    def __init__(self, form: Form) -> None:
        self._form, self._write = form, line_writer()
        self.troubles: list[str] = []

    def unread(self, path: str, piece: Unread) -> None:
        """A place that cannot be read: always told, and on standard error."""
        place = f"{path}:{piece.line}" if piece.line else path
        self.troubles.append(f"{place}: {piece.reason}")
        if self._form is Form.github:
            self._write(_annotation(path, piece.line or 1, "cannot be read", piece.reason))
        say(f"{place}: {piece.reason}")

    def link(self, judged: Judged) -> None:
        if judged.verdict.problems:
            for line in _WRITTEN[self._form](judged):
                self._write(line)

    def summarize(self, tally: Tally, files: int, left: Mapping[str, int]) -> None:
        links, named = _counted(tally.links, "link"), _counted(files, "file")
        wrong = ", ".join(f"{name} {count:,}" for name, count in tally.by_problem() if count)
        found = f"{tally.wrong:,} with something wrong ({wrong})" if wrong else "nothing wrong"
        self._sum_up(f"{links} in {named}: {found}")
        if not tally.links:
            say("sameas: is this the right folder, and the right --field?")
        unknown = tally.statuses["unknown"]
        if unknown:
            self._sum_up(f"{_counted(unknown, 'link')} could not be told: a person has to look")
        for host, count in sorted(left.items())[:_MOST_HOSTS]:
            say(f"sameas: {host} did not answer: {_counted(count, 'link')} left for the next run")
        if len(left) > _MOST_HOSTS:
            say(f"sameas: and {len(left) - _MOST_HOSTS:,} hosts more")

    def _sum_up(self, text: str) -> None:
        """For people; whoever reads objects can count."""
        if self._form is Form.text:
            self._write(text)

    def questions(self, count: int, kept: bool) -> None:
        if count:
            how = "see `sameas review list`" if kept else "name a --store to keep them"
            self._sum_up(f"{_counted(count, 'question')} for a person: {how}")

    def mended(self, done: Mended) -> None:
        for error in done.failed:
            self.troubles.append(str(error))
            say(f"sameas: {error}")
        if done.links:
            links, files = _counted(done.links, "link"), _counted(done.files, "file")
            self._sum_up(f"{links} mended in {files}")
        if done.copies:
            more = f" and {len(done.copies) - 1:,} more" if len(done.copies) > 1 else ""
            self._sum_up(f"as it was: {done.copies[0]}{more}")


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def _url(judged: Judged) -> str:
    return "null" if judged.url is None else judged.url


def _text(judged: Judged) -> Iterator[str]:
    entry, verdict = judged.entry, judged.verdict
    yield plain(f"{entry.path}:{entry.found.line}: {', '.join(verdict.problems)}")
    yield plain(f"    {entry.found.field}: {_url(judged)}")
    for said in verdict.said:
        yield plain(f"    {said}")
    if verdict.suggestion is not None:
        sure = "" if verdict.is_sure else "  (if that is meant: see sameas review list)"
        yield plain(f"    write {verdict.suggestion}{sure}")


def _json(judged: Judged) -> Iterator[str]:
    entry, verdict = judged.entry, judged.verdict
    yield json_line(
        {
            "file": entry.path,
            "field": entry.found.field,
            "url": judged.url,
            "problems": verdict.problems,
            "suggestion": verdict.suggestion,
            "line": entry.found.line,
        }
    )


def _github(judged: Judged) -> Iterator[str]:
    entry, verdict = judged.entry, judged.verdict
    said = [_url(judged), *verdict.said]
    if verdict.suggestion is not None:
        said.append(f"write {verdict.suggestion}{'' if verdict.is_sure else ' if that is meant'}")
    title = ", ".join(verdict.problems)
    yield _annotation(entry.path, entry.found.line, title, "\n".join(map(plain, said)))


def _annotation(path: str, line: int, title: str, message: str) -> str:
    """A workflow command, as GitHub reads it from a log."""
    place = f"file={_property(plain(path))},line={line},title={_property(title)}"
    return f"::error {place}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_WRITTEN: dict[Form, Callable[[Judged], Iterator[str]]] = {
    Form.text: _text,
    Form.json: _json,
    Form.github: _github,
}
