"""Pairs of titles worth asking, found with NumPy among hundreds of thousands.

Each title gets 192 bits: a bit says whether a character, or a group of rare ones, occurs more often
than a threshold. Two titles' bits differ in at most as many places as their counts, and those by at
most their Indel distance; and `difflib`'s ratio is at most the Indel similarity. So a pair whose
bits differ too much for a ratio of 0.85 need not be asked. What is left is asked of Indel itself.
Pairs that are connected already are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist

_GROUPS, _THRESHOLDS = 64, 128
_BITS = 3 * 64
_ROWS, _COLUMNS = 16, 8192
"""A block of pairs: small enough to stay in a core's cache, and to bound memory."""
_TITLES_AT_ONCE = 2048

Bits = list[NDArray[np.uint64]]


def labels(size: int) -> Any:
    return np.arange(size, dtype=np.int64)


def candidates(
    titles: Sequence[str], label: Any, apart: int = 0
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """How many titles are done, and a block of pairs, each pair once; the shortest come first, and
    the first `apart` are compared with the others only."""
    size = len(titles)
    rows = apart or size
    lengths = np.fromiter(map(len, titles), np.int64, size)
    texts = np.array(titles, dtype=object)
    bits = _signatures(titles)
    block = _Block()
    for top in range(0, rows, _ROWS):
        bottom = min(rows, top + _ROWS)
        end = int(np.searchsorted(lengths, lengths[bottom - 1] * 23 // 17, "right"))
        for left in range(max(top, apart), end, _COLUMNS):
            right = min(end, left + _COLUMNS)
            if _is_one(label[top:bottom], label[left:right]):
                continue
            x, y = block.near(bits, lengths, (top, bottom), (left, right))
            wanted = (x < y) & (label[x] != label[y])
            yield top, _by_indel(texts, lengths, x[wanted], y[wanted])


def most(both: Any) -> Any:
    """The largest Indel distance at which a ratio of 0.85 is possible: 0.15 of both lengths."""
    return both * 3 // 20


def _is_one(rows: Any, columns: Any) -> bool:
    """Is all of the block connected already?"""
    first = rows[0]
    return bool((rows == first).all() and (columns == first).all())


def _by_indel(texts: Any, lengths: Any, x: Any, y: Any) -> list[tuple[int, int]]:
    if not len(x):
        return []
    distance = cpdist(texts[x], texts[y], scorer=Indel.distance, dtype=np.int64)
    near = distance <= most(lengths[x] + lengths[y])
    return list(zip(x[near].tolist(), y[near].tolist(), strict=True))


def _signatures(titles: Sequence[str]) -> Bits:
    """Three words of 64 bits a title, each word as a column of its own."""
    chunks = [titles[i : i + _TITLES_AT_ONCE] for i in range(0, len(titles), _TITLES_AT_ONCE)]
    group = _dealt(chunks)
    some = titles[:: len(chunks)]
    groups, thresholds = _telling(_counts(some, group))
    words = [_packed(_counts(chunk, group)[:, groups] > thresholds) for chunk in chunks]
    return [np.ascontiguousarray(column) for column in np.concatenate(words).T]


def _dealt(chunks: Sequence[Sequence[str]]) -> NDArray[np.intp]:
    """A group for each character, the most frequent ones each in another."""
    often = np.zeros(0, np.int64)
    for chunk in chunks:
        found = np.bincount(_codes(chunk), minlength=often.size)
        found[: often.size] += often
        often = found
    met = np.flatnonzero(often)
    group = np.zeros(often.size, np.intp)
    group[met[np.argsort(-often[met], kind="stable")]] = np.arange(met.size) % _GROUPS
    return group


def _codes(titles: Sequence[str]) -> NDArray[np.uint32]:
    return np.frombuffer("".join(titles).encode("utf-32-le", "surrogatepass"), np.uint32)


def _counts(titles: Sequence[str], group: NDArray[np.intp]) -> NDArray[np.uint8]:
    """How often each group occurs in each title; above the highest threshold all are one."""
    size = len(titles)
    row = np.repeat(np.arange(size), np.fromiter(map(len, titles), np.int64, size))
    counts = np.bincount(row * _GROUPS + group[_codes(titles)], minlength=size * _GROUPS)
    return np.minimum(counts, _THRESHOLDS).astype(np.uint8).reshape(size, _GROUPS)


def _telling(counts: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The bits worth having, each a group and a threshold: those in which titles of about the same
    length differ most often. Any other choice would be as right, and let more pairs through."""
    above = counts[:, :, None] > np.arange(_THRESHOLDS, dtype=np.uint8)
    differ = np.count_nonzero(above[1:] != above[:-1], axis=0).ravel()
    best = np.argsort(-differ, kind="stable")[:_BITS]
    return best // _THRESHOLDS, best % _THRESHOLDS


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.ascontiguousarray(np.packbits(bits, axis=1)).view(np.uint64)


class _Block:
    """Room for one block of pairs, made once."""

    def __init__(self) -> None:
        self._words = np.empty(_ROWS * _COLUMNS, np.uint64)
        self._counts = np.empty(_ROWS * _COLUMNS, np.uint8)
        self._sums = np.empty(_ROWS * _COLUMNS, np.uint8)

    def near(
        self, bits: Bits, lengths: Any, rows: tuple[int, int], columns: tuple[int, int]
    ) -> tuple[Any, Any]:
        """The pairs whose bits differ little enough."""
        (top, bottom), (left, right) = rows, columns
        shape = bottom - top, right - left
        words, counts, sums = (
            room[: shape[0] * shape[1]].reshape(shape)
            for room in (self._words, self._counts, self._sums)
        )
        sums[:] = 0
        for word in bits:
            np.bitwise_xor(word[top:bottom, None], word[None, left:right], out=words)
            np.bitwise_count(words, out=counts)
            np.add(sums, counts, out=sums)
        limit = np.minimum(most(lengths[bottom - 1] + lengths[left:right]), 255).astype(np.uint8)
        x, y = np.divmod(np.flatnonzero(sums <= limit), shape[1])
        x, y = x + top, y + left
        kept = sums[x - top, y - left] <= most(lengths[x] + lengths[y])
        return x[kept], y[kept]
