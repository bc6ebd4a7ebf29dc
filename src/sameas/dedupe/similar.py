"""Pairs of titles worth asking, found with NumPy among hundreds of thousands.

Each title gets 256 bits: 32 groups of characters, eight thresholds each, a bit for every threshold
the title's count exceeds. Two titles' bits differ in at most as many places as their counts, and
those by at most their Indel distance; and `difflib`'s ratio is at most the Indel similarity. So a
pair whose bits differ too much for a ratio of 0.85 need not be asked. What is left is asked of
Indel itself. Pairs that are connected already are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist

_GROUPS, _LEVELS = 32, 8
_ROWS, _COLUMNS = 16, 8192
"""A block of pairs: small enough to stay in a core's cache, and to bound memory."""
_TITLES_AT_ONCE = 16384

Bits = list[NDArray[np.uint64]]


def labels(size: int) -> Any:
    return np.arange(size, dtype=np.int64)


def candidates(titles: Sequence[str], label: Any) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """How many titles are done, and a block of pairs, each pair once; the shortest come first."""
    size = len(titles)
    lengths = np.fromiter(map(len, titles), np.int64, size)
    bits = _signatures(titles)
    block = _Block()
    for top in range(0, size, _ROWS):
        bottom = min(size, top + _ROWS)
        end = int(np.searchsorted(lengths, lengths[bottom - 1] * 23 // 17, "right"))
        for left in range(top, end, _COLUMNS):
            right = min(end, left + _COLUMNS)
            if _is_one(label[top:bottom], label[left:right]):
                continue
            x, y = block.near(bits, lengths, (top, bottom), (left, right))
            wanted = (x < y) & (label[x] != label[y])
            yield top, _by_indel(titles, lengths, x[wanted], y[wanted])


def most(both: Any) -> Any:
    """The largest Indel distance at which a ratio of 0.85 is possible: 0.15 of both lengths."""
    return both * 3 // 20


def _is_one(rows: Any, columns: Any) -> bool:
    """Is all of the block connected already?"""
    first = rows[0]
    return bool((rows == first).all() and (columns == first).all())


def _by_indel(titles: Sequence[str], lengths: Any, x: Any, y: Any) -> list[tuple[int, int]]:
    if not len(x):
        return []
    distance = cpdist(
        [titles[i] for i in x], [titles[i] for i in y], scorer=Indel.distance, dtype=np.int64
    )
    near = distance <= most(lengths[x] + lengths[y])
    return list(zip(x[near].tolist(), y[near].tolist(), strict=True))


def _signatures(titles: Sequence[str]) -> Bits:
    """Four words of 64 bits a title, each word as a column of its own."""
    chunks = [titles[i : i + _TITLES_AT_ONCE] for i in range(0, len(titles), _TITLES_AT_ONCE)]
    size = 1 + max((int(_codes(chunk).max(initial=0)) for chunk in chunks), default=0)
    often = np.zeros(size, np.int64)
    for chunk in chunks:
        often += np.bincount(_codes(chunk), minlength=size)
    group = _dealt(often)
    mean = np.bincount(group, weights=often, minlength=_GROUPS) / max(1, len(titles))
    lowest = np.maximum(0, np.rint(mean - _LEVELS / 2)).astype(np.int64)
    thresholds = lowest[:, None] + np.arange(_LEVELS)
    words = [_packed(chunk, group, thresholds) for chunk in chunks]
    return [np.ascontiguousarray(column) for column in np.concatenate(words).T]


def _dealt(often: NDArray[np.int64]) -> NDArray[np.int64]:
    """A group for each character, the most frequent ones each in another."""
    met = np.flatnonzero(often)
    group = np.zeros(often.size, np.int64)
    group[met[np.argsort(-often[met], kind="stable")]] = np.arange(met.size) % _GROUPS
    return group


def _codes(titles: Sequence[str]) -> NDArray[np.uint32]:
    return np.frombuffer("".join(titles).encode("utf-32-le", "surrogatepass"), np.uint32)


def _packed(titles: Sequence[str], group: Any, thresholds: Any) -> NDArray[np.uint64]:
    size = len(titles)
    row = np.repeat(np.arange(size), np.fromiter(map(len, titles), np.int64, size))
    place = row * _GROUPS + group[_codes(titles)]
    counts = np.bincount(place, minlength=size * _GROUPS).reshape(size, _GROUPS, 1)
    return np.packbits((counts > thresholds).reshape(size, -1), axis=1).view(np.uint64)


class _Block:
    """Room for one block of pairs, made once."""

    def __init__(self) -> None:
        self._words = np.empty(_ROWS * _COLUMNS, np.uint64)
        self._counts = np.empty(_ROWS * _COLUMNS, np.uint8)
        self._sums = np.empty(_ROWS * _COLUMNS, np.uint8)

    def near(
        self, bits: Bits, lengths: Any, rows: tuple[int, int], columns: tuple[int, int]
    ) -> tuple[Any, Any]:
        """The pairs whose bits differ little enough. A sum of 256 wraps to 0: a pair too many."""
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
