"""Pairs of URL and content, kept in DuckDB for as long as a run lasts: host by host they fit.

What is learned of a host is decided in hosts.py; a URL comes here as the base policy leaves it.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from sameas.change.telling import Fetch
from sameas.engine.parse import shown
from sameas.errors import InvalidURL, MissingExtra
from sameas.policy import Policy
from sameas.types import Canonical

MOST_OF_A_HOST = 200_000
"""Fetches of one host that are looked at: with more, those of some of its paths."""

_BATCH = 50_000
_MEMORY = "256MB"
_TABLE = (
    "CREATE TABLE fetches (host VARCHAR, named VARCHAR, path VARCHAR, query VARCHAR,"
    " content VARCHAR, row_number BIGINT, url VARCHAR)"
)
_COLUMNS = ("host", "named", "path", "query", "content", "row_number", "url")
_LEAST_SHARED = 4


class Fetches:
    """The rows of one run."""

    def __init__(self, policy: Policy) -> None:
        try:
            import duckdb
            import pyarrow
        except ImportError:
            raise MissingExtra("learning", "learn") from None
        self._policy, self._arrow = policy, pyarrow
        self._folder = tempfile.TemporaryDirectory(prefix="sameas-")
        self._db = duckdb.connect(str(Path(self._folder.name, "fetches.duckdb")))
        self._db.execute(f"SET memory_limit = '{_MEMORY}'")
        self._db.execute("SET preserve_insertion_order = false")
        self._db.execute(_TABLE)
        self._waiting: list[tuple[Any, ...]] = []

    def __enter__(self) -> Fetches:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._db.close()
        self._folder.cleanup()

    def add(self, number: int, url: str | bytes, content: str) -> None:
        """`InvalidURL` for what the policy refuses, and for a host with a port: rules have none."""
        result = self._policy.canonicalize(url)
        host, path, query = _pieces(result.form)
        named, *_ = _pieces(result.url)
        if ":" in host:
            raise InvalidURL("port", f"no rule is learned for {host}, a host with a port")
        self._waiting.append((host, named, path, query, content, number, _seen(result)))
        if len(self._waiting) == _BATCH:
            self.flush()

    def flush(self) -> None:
        if self._waiting:
            columns = zip(*self._waiting, strict=True)
            batch = self._arrow.table(dict(zip(_COLUMNS, map(list, columns), strict=True)))
            self._db.register("batch", batch)
            self._db.execute("INSERT INTO fetches SELECT * FROM batch")
            self._db.unregister("batch")
            self._waiting.clear()

    def hosts(self) -> Iterator[tuple[str, list[Fetch]]]:
        """Every host with its fetches, in the order of the input."""
        query = "SELECT host, path, query, content, row_number, url FROM fetches ORDER BY host, 5"
        cursor = self._db.cursor().execute(query)
        held: list[Fetch] = []
        current, share = None, 1
        while rows := cursor.fetchmany(_BATCH // 10):
            for host, *words in rows:
                if host != current:
                    if current is not None:
                        yield current, held
                    current, held, share = host, [], 1
                if _is_taken(words[0], share):
                    held.append(_fetch(*words))
                while len(held) > MOST_OF_A_HOST:
                    share *= 2
                    held = [one for one in held if _is_taken(one.path, share)][:MOST_OF_A_HOST]
        if current is not None:
            yield current, held

    def of(self, host: str) -> list[Fetch]:
        query = (
            "SELECT path, query, content, row_number, url FROM fetches WHERE host = ?"
            " ORDER BY row_number LIMIT ?"
        )
        rows = self._db.cursor().execute(query, [host, MOST_OF_A_HOST]).fetchall()
        return [_fetch(*row) for row in rows]

    def alike(self) -> list[tuple[str, str]]:
        """Hosts that say the same under some paths, those with most of them first."""
        query = """
            WITH said AS (SELECT DISTINCT host, path, content FROM fetches)
            SELECT a.host, b.host FROM said a JOIN said b USING (path, content)
            WHERE a.host < b.host GROUP BY ALL HAVING count(*) >= ?
            ORDER BY count(*) DESC, a.host, b.host"""
        rows = self._db.cursor().execute(query, [_LEAST_SHARED]).fetchall()
        return [(one, other) for one, other in rows]

    def names(self, host: str) -> list[str]:
        """How a host stands in URLs, the usual way first: a policy may compare without its www."""
        query = "SELECT named FROM fetches WHERE host = ? GROUP BY named ORDER BY count(*) DESC, 1"
        return [name for (name,) in self._db.cursor().execute(query, [host]).fetchall()]


def _is_taken(path: str, share: int) -> bool:
    return share == 1 or zlib.crc32(path.encode()) % share == 0


def _pieces(text: str) -> tuple[str, str, str]:
    """Host, path and query of a canonical URL, or of a form without its scheme."""
    text = text.partition("://")[2] if text.startswith(("http://", "https://")) else text
    before, _, query = text.partition("?")
    host, slash, path = before.partition("/")
    return host, slash + path or "/", query


def _seen(result: Canonical) -> str:
    return shown(result.url)


def _fetch(path: str, query: str, content: str, row: int, url: str) -> Fetch:
    from sameas.engine.names import name_of

    pieces: dict[str, str] = {}
    for piece in query.split("&") if query else ():
        name = name_of(piece)
        pieces[name] = f"{pieces[name]}&{piece}" if name in pieces else piece
    return Fetch(path, pieces, content, row, url)
