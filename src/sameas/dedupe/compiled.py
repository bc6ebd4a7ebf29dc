"""Pairs of titles worth asking, found on all cores among a million of one language.

The same door as `similar`, and the same promise; the work is done in `native/src/titles.rs`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from sameas.engine.native import why_not

if why := why_not():
    raise ImportError(why)

from sameas_native import Titles


def labels(size: int) -> array[int]:
    return array("q", range(size))


def candidates(
    titles: Sequence[str], label: array[int], apart: int = 0
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    known = Titles(titles)
    done, rows = 0, apart or len(titles)
    while done < rows:
        done, pairs = known.near(done, label, apart)
        yield done, pairs
