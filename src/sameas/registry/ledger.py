"""The links of one run, kept on disk for as long as it lasts: memory stays the same however many.

It counts and sorts; what is wrong with a link is judge.py's business.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from sameas.registry.types import Found, Span

_TABLES = """
CREATE TABLE files (file_id INTEGER PRIMARY KEY, path BLOB, whole BLOB UNIQUE);
CREATE TABLE links (
  link_id INTEGER PRIMARY KEY, file_id INTEGER, record INTEGER, line INTEGER, field BLOB,
  first INTEGER, last INTEGER, value BLOB, literal BLOB, key TEXT, page TEXT, host TEXT);
CREATE INDEX by_key ON links (key);
CREATE INDEX by_page ON links (page, file_id, record);
CREATE TABLE edits (link_id INTEGER PRIMARY KEY, file_id INTEGER, value BLOB);
CREATE TABLE asked (review_id TEXT PRIMARY KEY);
CREATE TABLE due (key TEXT PRIMARY KEY, link_id INTEGER, host TEXT);
"""
_CACHE_KIB = 4096
_MOST_PLACES = 3
_SURROGATES = "surrogatepass"
"""How text is kept as bytes: what is no text for a database is some here."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A link of the run. `page` is the key of the page it leads to; "" where it is no URL."""

    link_id: int
    path: str
    found: Found
    key: str
    page: str


class Ledger:
    def __init__(self) -> None:
        # An empty name is a database of its own, on disk where memory does not suffice.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._db.executescript(_TABLES)
        self._db.execute("BEGIN")

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._db.close()

    def add_file(self, path: str) -> int | None:
        """None for a file that is there already under another name."""
        done = self._db.execute(
            "INSERT OR IGNORE INTO files (path, whole) VALUES (?, ?)",
            (os.fsencode(path), _whole(path)),
        )
        return done.lastrowid if done.rowcount else None

    def has_file(self, path: str) -> bool:
        query = "SELECT 1 FROM files WHERE whole = ?"
        return self._db.execute(query, (_whole(path),)).fetchone() is not None

    def has_file_in(self, path: str) -> bool:
        """Whether it is a file of the run, or a folder with one somewhere below."""
        query = "SELECT 1 FROM files WHERE substr(whole, 1, length(?1)) = ?1 LIMIT 1"
        inside = _whole(path) + os.fsencode(os.sep)
        return self.has_file(path) or self._db.execute(query, (inside,)).fetchone() is not None

    def add(self, file_id: int, found: Found, key: str, host: str) -> None:
        row = (
            file_id,
            found.record,
            found.line,
            found.field.encode("utf-8", _SURROGATES),
            found.span.start,
            found.span.end,
            None if found.value is None else found.value.encode("utf-8", _SURROGATES),
            found.literal.encode("utf-8", _SURROGATES),
            key,
            key,
            host,
        )
        self._db.execute(
            "INSERT INTO links (file_id, record, line, field, first, last, value, literal, key,"
            " page, host) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )

    def counts(self) -> tuple[int, int]:
        """How many files, and how many links."""
        row = self._db.execute(
            "SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM links)"
        ).fetchone()
        return int(row[0]), int(row[1])

    def keys(self, batch: int) -> Iterator[list[str]]:
        """Every key once, in batches."""
        query = "SELECT DISTINCT key FROM links WHERE key > ? ORDER BY key LIMIT ?"
        last = ""
        while found := [row[0] for row in self._db.execute(query, (last, batch))]:
            yield found
            last = found[-1]

    def leads_to(self, pages: Iterable[tuple[str, str]]) -> None:
        """Key of a link, key of the page it leads to."""
        self._db.executemany(
            "UPDATE links SET page = ? WHERE key = ?", ((page, key) for key, page in pages)
        )

    def mark_due(self, keys: Sequence[str]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO due (key, link_id, host)"
            " SELECT key, link_id, host FROM links WHERE key = ? ORDER BY link_id LIMIT 1",
            ((key,) for key in keys),
        )

    def due(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM due").fetchone()[0])

    def take_turns(self, batch: int) -> Iterator[Entry]:
        """The links that are due, hosts taking turns: no host is asked for long alone."""
        self._db.execute(
            "CREATE TABLE turns AS SELECT link_id, row_number() OVER"
            " (ORDER BY nth, link_id) AS turn FROM (SELECT link_id, row_number() OVER"
            " (PARTITION BY host ORDER BY link_id) AS nth FROM due)"
        )
        yield from self._entries("JOIN turns USING (link_id)", "turn", batch)

    def entries(self, batch: int) -> Iterator[Entry]:
        """Every link, in the order in which it was found."""
        yield from self._entries("", "link_id", batch)

    def _entries(self, joined: str, order: str, batch: int) -> Iterator[Entry]:
        query = (
            f"SELECT {order}, link_id, path, line, field, record, value, first, last, literal, key,"
            f" page FROM links JOIN files USING (file_id) {joined}"
            f" WHERE {order} > ? ORDER BY {order} LIMIT ?"
        )
        last = 0
        while rows := self._db.execute(query, (last, batch)).fetchall():
            for row in rows:
                yield _entry(row[1:])
            last = rows[-1][0]

    def elsewhere(self, entry: Entry) -> list[str]:
        """Other records with a link to the same page: the first few places, and "more"."""
        rows = self._db.execute(
            "SELECT path, line FROM links JOIN files USING (file_id)"
            " WHERE page = ? AND NOT (path = ? AND record = ?) LIMIT ?",
            (entry.page, os.fsencode(entry.path), entry.found.record, _MOST_PLACES + 1),
        ).fetchall()
        places = [f"{os.fsdecode(path)}:{line}" for path, line in rows]
        return [*places[:_MOST_PLACES], "more"] if len(places) > _MOST_PLACES else places

    def asks_first(self, review_id: str) -> bool:
        """Whether this question has not been put in this run yet."""
        return bool(
            self._db.execute("INSERT OR IGNORE INTO asked VALUES (?)", (review_id,)).rowcount
        )

    def add_edit(self, entry: Entry, value: str) -> None:
        self._db.execute(
            "INSERT INTO edits SELECT link_id, file_id, ? FROM links WHERE link_id = ?",
            (value.encode("utf-8", _SURROGATES), entry.link_id),
        )

    def edited_files(self) -> Iterator[str]:
        query = (
            "SELECT path FROM files WHERE file_id IN (SELECT file_id FROM edits) ORDER BY file_id"
        )
        return (os.fsdecode(row[0]) for row in self._db.execute(query))

    def edits(self, path: str) -> Iterator[tuple[Span, str, str]]:
        """Place, old literal and new value of each, in the file's order."""
        rows = self._db.execute(
            "SELECT first, last, literal, e.value FROM edits e JOIN links USING (link_id)"
            " JOIN files f ON f.file_id = links.file_id WHERE path = ? ORDER BY first",
            (os.fsencode(path),),
        )
        for first, last, literal, value in rows:
            yield (
                Span(first, last),
                literal.decode("utf-8", _SURROGATES),
                value.decode("utf-8", _SURROGATES),
            )


def _entry(row: Sequence[Any]) -> Entry:
    link_id, path, line, field, record, value, first, last, literal, key, page = row
    text = None if value is None else value.decode("utf-8", _SURROGATES)
    spelled = literal.decode("utf-8", _SURROGATES)
    name = field.decode("utf-8", _SURROGATES)
    found = Found(line, name, record, text, Span(first, last), spelled)
    return Entry(link_id, os.fsdecode(path), found, key, page)


def _whole(path: str) -> bytes:
    return os.fsencode(os.path.realpath(path))
