"""Links, domains and reviews in a database: see `link_protocol.LinkStore`.

What differs between the two databases is in sqlite.py and postgres.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from sameas.errors import StoreError
from sameas.store.link_types import ORDER, Domain, Link, Review, later, moves
from sameas.store.schema import LINK_KEYED, domains, links, reviews, stamps
from sameas.store.stamping import foreign_links
from sameas.store.text import storable
from sameas.store.writing import SqlWriting

_BATCH = 500
_LINK = tuple(field.name for field in fields(Link))
_DOMAIN = tuple(field.name for field in fields(Domain))
_REVIEW = ("review_id", *(field.name for field in fields(Review)))
_ASKED = tuple(name for name in _REVIEW if not name.startswith("deci") and name != "value")
"""What a run writes of a question: never the decision."""

_JSON = {"flags", "notes", "chain", "evidence"}


class SqlLinks:
    """The half of `SqlStore` that is about links."""

    place: str

    def reading(self) -> AbstractContextManager[sa.Connection]:
        raise NotImplementedError

    def _retried(self, write: Callable[[SqlWriting], int]) -> int:
        raise NotImplementedError

    def claim_links(self, policy: str, fingerprint: str, now: datetime) -> None:
        def claim(writing: SqlWriting) -> int:
            found = {row.table_name: row for row in writing.connection.execute(sa.select(stamps))}
            for table in LINK_KEYED:
                stamp = found.get(table.name)
                if stamp is None:
                    _stamp(writing, table.name, (policy, fingerprint), now)
                elif stamp.fingerprint != fingerprint:
                    held = (stamp.policy, stamp.fingerprint)
                    words = foreign_links(table.name, held, policy, fingerprint)
                    raise StoreError("policy", self.place, *words)
            return 0

        self._retried(claim)

    def links(self, keys: Collection[str]) -> dict[str, Link]:
        return {
            row["key"]: Link(**_read(row, _LINK)) for row in self._by(links.c.key, sorted(keys))
        }

    def each_link(self, status: str = "", host: str = "") -> Iterator[Link]:
        query = sa.select(links).order_by(links.c.url, links.c.key)
        if status:
            query = query.where(links.c.status == status)
        if host:
            roots = [f"{scheme}://{storable(host)}" for scheme in ("http", "https")]
            below = (
                links.c.url.startswith(f"{root}{end}", autoescape=True)
                for root in roots
                for end in "/:?"
            )
            query = query.where(sa.or_(links.c.url.in_(roots), *below))
        with self.reading() as connection:
            batched = connection.execution_options(yield_per=_BATCH)
            with batched.execute(query) as found:
                for row in found.mappings():
                    yield Link(**_read(row, _LINK))

    def _by(self, column: sa.Column[str], keys: Sequence[str]) -> Iterator[Any]:
        with self.reading() as connection:
            for start in range(0, len(keys), _BATCH):
                wanted = column.in_(map(storable, keys[start : start + _BATCH]))
                yield from connection.execute(sa.select(column.table).where(wanted)).mappings()

    def save_links(self, saved: Sequence[Link]) -> None:
        rows = [_row(link, _LINK) for link in {link.key: link for link in saved}.values()]
        if rows:
            self._retried(lambda writing: _put(writing, links, rows, _LINK))

    def domains(self, hosts: Collection[str]) -> dict[str, Domain]:
        return {row["host"]: Domain(**row) for row in self._by(domains.c.host, sorted(hosts))}

    def save_domain(self, domain: Domain) -> None:
        def save(writing: SqlWriting) -> int:
            held = sa.select(domains.c.decided).where(domains.c.host == storable(domain.host))
            if writing.connection.scalar(held) and not domain.decided:
                return 0
            return _put(writing, domains, [_row(domain, _DOMAIN)], _DOMAIN)

        self._retried(save)

    def forget_domain(self, host: str) -> None:
        gone = domains.delete().where(domains.c.host == storable(host))
        self._retried(lambda writing: writing.connection.execute(gone).rowcount)

    def review(self, review_id: str) -> Review | None:
        for row in self._by(reviews.c.review_id, [review_id]):
            return _review(row)
        return None

    def reviews(self, decided: bool | None = None) -> Iterator[Review]:
        query = sa.select(reviews).order_by(*(reviews.c[name] for name in ORDER))
        if decided is not None:
            query = query.where(reviews.c.decision.is_not(None) == decided)
        with self.reading() as connection:
            batched = connection.execution_options(yield_per=_BATCH)
            with batched.execute(query) as found:
                for row in found.mappings():
                    yield _review(row)

    def reviews_of(self, keys: Collection[str]) -> list[Review]:
        return [_review(row) for row in self._by(reviews.c.key, sorted(keys))]

    def ask(self, asked: Sequence[Review]) -> int:
        by_id = {review.review_id: review for review in asked}
        if not by_id:
            return 0

        def put(writing: SqlWriting) -> int:
            query = sa.select(reviews.c.review_id, reviews.c.asked_at)
            known = dict(
                tuple(row)
                for row in writing.connection.execute(query.where(reviews.c.review_id.in_(by_id)))
            )
            rows = [
                _row(replace(review, asked_at=known.get(name, review.asked_at)), _ASKED)
                for name, review in by_id.items()
            ]
            _put(writing, reviews, rows, _ASKED)
            return len(by_id) - len(known)

        return self._retried(put)

    def decide(
        self, review_id: str, decision: str | None, value: str, by: str, now: datetime
    ) -> None:
        statement = (
            reviews.update()
            .where(reviews.c.review_id == review_id)
            .values(
                decision=decision, value=storable(value), decided_by=storable(by), decided_at=now
            )
        )
        self._retried(lambda writing: writing.connection.execute(statement).rowcount)

    def withdraw(self, before: datetime, is_covered: Callable[[str, str], bool]) -> int:
        def forget(writing: SqlWriting) -> int:
            open_ = reviews.c.decision.is_(None) & (reviews.c.seen_at < before)
            found = writing.connection.execute(
                sa.select(reviews.c.review_id, reviews.c.file, reviews.c.field).where(open_)
            )
            ids = [row.review_id for row in found if is_covered(row.file, row.field)]
            for start in range(0, len(ids), _BATCH):
                gone = reviews.c.review_id.in_(ids[start : start + _BATCH])
                writing.connection.execute(reviews.delete().where(gone))
            return len(ids)

        return self._retried(forget)

    def rekey_links(
        self,
        key_of: Callable[[str], str],
        key_of_review: Callable[[Review], str],
        stamp: tuple[str, str],
        now: datetime,
    ) -> int:
        def rekey(writing: SqlWriting) -> int:
            columns = (links.c.key, links.c.url, links.c.final_url, links.c.final_key)
            found = writing.connection.execute(sa.select(*columns))
            moved = [row.key for row in found if moves(row, key_of)]
            for start in range(0, len(moved), _BATCH):
                gone = links.c.key.in_(moved[start : start + _BATCH])
                writing.connection.execute(links.delete().where(gone))
            for table in LINK_KEYED:
                _stamp(writing, table.name, stamp, now)
            return len(moved) + _move_reviews(writing, key_of_review)

        return self._retried(rekey)


def _move_reviews(writing: SqlWriting, key_of: Callable[[Review], str]) -> int:
    found = [_review(row) for row in writing.connection.execute(sa.select(reviews)).mappings()]
    moved = [(old, replace(old, key=key)) for old in found if (key := key_of(old)) != old.key]
    held = {review.review_id: review for review in found}
    for old, new in moved:
        del held[old.review_id]
        other = held.get(new.review_id)
        held[new.review_id] = new if other is None else later(new, other)
        ids = (old.review_id, new.review_id)
        writing.connection.execute(reviews.delete().where(reviews.c.review_id.in_(ids)))
        kept = dict(zip(_REVIEW, _row(held[new.review_id], _REVIEW), strict=True))
        writing.connection.execute(reviews.insert().values(kept))
    return len(moved)


def _stamp(writing: SqlWriting, table: str, stamp: tuple[str, str], now: datetime) -> None:
    names = ("table_name", "policy", "fingerprint", "stamped_at")
    _put(writing, stamps, [(table, *stamp, now)], names)


def _put(
    writing: SqlWriting, table: sa.Table, rows: Sequence[tuple[Any, ...]], names: Sequence[str]
) -> int:
    """Moments go in as the database keeps them."""
    moment = writing.rows.moment
    written = [tuple(moment(v) if isinstance(v, datetime) else v for v in row) for row in rows]
    return writing.rows.upsert(table, written, names)


def _row(value: Any, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(_stored(name, getattr(value, name)) for name in names)


def _stored(name: str, value: Any) -> Any:
    if name in _JSON:
        return json.dumps(value)
    return storable(value) if isinstance(value, str) else value


def _read(row: Any, names: Sequence[str]) -> dict[str, Any]:
    """The values of a row, its JSON as what it was written from."""
    return {name: _whole(name, row[name]) for name in names}


def _whole(name: str, value: Any) -> Any:
    if name not in _JSON:
        return value
    data = json.loads(value)
    if name == "chain":
        return tuple((url, status) for url, status in data)
    return data if name == "notes" else tuple(data)


def _review(row: Any) -> Review:
    return Review(**_read(row, _REVIEW[1:]))
