"""Pairs of titles worth asking, found with nothing installed: fine for some thousand titles.

The same door as `similar`: pairs in blocks, too many perhaps, never too few, and how many titles
are done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence


def labels(size: int) -> list[int]:
    return list(range(size))


def candidates(
    titles: Sequence[str], label: Sequence[int], apart: int = 0
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Pairs whose characters, counted, could still match; `titles` come shortest first, and the
    first `apart` are compared with the others only.

    A ratio of 0.85 needs 2·M ≥ 0.85·(la + lb), and M is at most the number of shared characters.
    """
    counts = [Counter(title) for title in titles]
    for x, one in enumerate(titles[: apart or len(titles)]):
        block = []
        for y in range(max(x + 1, apart), len(titles)):
            both = len(one) + len(titles[y])
            if 40 * len(one) < 17 * both:
                break
            if label[x] != label[y] and 40 * (counts[x] & counts[y]).total() >= 17 * both:
                block.append((x, y))
        yield x, block
