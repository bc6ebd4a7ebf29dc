"""`sameas dedupe --spark`: articles are put on disk in pieces, which the workers of Spark compare.

The file is read and written as without Spark. What comes back from the workers are the pairs that
prove which articles are one; how they find them is the adapters' business.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sameas.dedupe.articles import text_of
from sameas.dedupe.by_title import language_of
from sameas.dedupe.groups import Duplicates, grouped, survivors
from sameas.errors import InvalidURL
from sameas.policy import Policy

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SparkMaster = Annotated[
    str | None,
    typer.Option(
        "--spark",
        metavar="MASTER",
        envvar="SAMEAS_SPARK",
        help="Compare on Spark: local[4], spark://HOST:7077, yarn, k8s://…",
    ),
]

_PIECE = 20_000
_AT_HAND = 32
"""So many pieces are remembered where articles are shown again."""


class Spool(Sequence[Any]):
    """Articles on disk; in memory there are eight bytes of each, which tell how good it is.

    `made` makes an article of its URL, title, language, rank and what else is shown of it."""

    def __init__(self, folder: Path, made: Callable[..., Any], language: str | None) -> None:
        self._folder, self._made, self._language = folder, made, language
        self._waiting: list[dict[str, Any]] = []
        self.ranks = array("q")
        self.without: list[int] = []
        self.torn: list[tuple[int, str]] = []
        """URLs that no bytes stand for: they are refused without being asked."""
        self._piece = lru_cache(_AT_HAND)(self._read)

    def append(self, article: Any) -> None:
        from sameas.adapters.spark_titles import said

        text, district, source = article.rank
        place, rank = len(self.ranks), text << 2 | district << 1 | source
        url = article.url
        if isinstance(url, bytes):
            url = url.decode("utf-8", "surrogateescape")
        shown = (url, article.title, article.language, article.about)
        spoken = language_of(article._asdict()) if self._language is None else self._language
        self.ranks.append(rank)
        self._waiting.append(
            {
                "place": place,
                "rank": rank,
                "url": self._asked(place, url),
                "said": said(text_of(article._asdict(), "title"), spoken),
                "shown": json.dumps(shown, default=str),
            }
        )
        if len(self._waiting) == _PIECE:
            self.flush()

    def _asked(self, place: int, url: Any) -> bytes | None:
        if not isinstance(url, str) or not url.strip():
            self.without.append(place)
            return None
        try:
            return url.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            self.torn.append((place, url))
            return None

    def flush(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from sameas.adapters.spark_titles import SAID

        if self._waiting:
            kinds = (pa.int64(), pa.int64(), pa.binary(), SAID, pa.string())
            schema = pa.schema([*zip(self._waiting[0], kinds, strict=True)])
            first = self._waiting[0]["place"] // _PIECE
            rows = pa.Table.from_pylist(self._waiting, schema)
            pq.write_table(rows, self._folder / f"{first:08}.parquet")
            self._waiting.clear()

    def __len__(self) -> int:
        return len(self.ranks)

    def __getitem__(self, place: Any) -> Any:
        piece, row = divmod(place, _PIECE)
        url, title, language, about = json.loads(self._piece(piece)[row].as_py())
        return self._made(url, title, language, self.ranks[place], about)

    def _read(self, piece: int) -> Any:
        import pyarrow.parquet as pq

        return pq.read_table(self._folder / f"{piece:08}.parquet", columns=["shown"])["shown"]


class Spooled:
    """Where articles go, and what finds the duplicates among them."""

    def __init__(self, master: str, folder: Path, articles: Spool) -> None:
        self._master, self._folder, self.articles = master, folder, articles

    def find(self, by: str, policy: Policy) -> Duplicates:
        from sameas.adapters.spark_session import session

        articles, size = self.articles, len(self.articles)
        articles.flush()
        if not size:
            return Duplicates(0, (), ())
        with session(self._master) as spark:
            return _found(spark.read.parquet(str(self._folder)), by, policy, articles)


def _found(rows: DataFrame, by: str, policy: Policy, articles: Spool) -> Duplicates:
    from sameas.adapters import spark_articles

    size, evidence = len(articles), []
    refused: dict[int, InvalidURL] = {}
    if by != "title":
        urls = spark_articles.by_url(rows, policy)
        evidence += urls.evidence
        asked: list[tuple[int, str | bytes]] = [*urls.refused, *articles.torn]
        refused = {i: _refusal(policy, url) for i, url in sorted(asked)}
        rows = urls.left
    without_title: tuple[int, ...] = ()
    if by != "url":
        titles = spark_articles.by_title(rows)
        evidence += titles.evidence
        without_title = tuple(titles.without)
    groups = grouped(size, evidence, articles.ranks)
    return Duplicates(
        total=size,
        survivors=survivors(size, groups),
        groups=groups,
        without_url=tuple(articles.without) if by != "title" else (),
        refused_urls=refused,
        without_title=without_title,
    )


def _refusal(policy: Policy, url: str | bytes) -> InvalidURL:
    try:
        policy.key(url)
    except InvalidURL as error:
        return error
    raise AssertionError("what a worker refuses is refused here too")


@contextmanager
def spooled(master: str, made: Callable[..., Any], language: str | None) -> Iterator[Spooled]:
    """What is wrong with the master is said before anything is read."""
    from sameas.adapters import spark_session

    spark_session.check(master)
    with tempfile.TemporaryDirectory(prefix="sameas-") as name:
        folder = Path(name)
        yield Spooled(master, folder, Spool(folder, made, language))
