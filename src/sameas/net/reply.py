"""What comes back: one answer, its headers as they were received. It decides nothing.

Whether it is wanted (a status, a kind of page) is the asker's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from sameas.errors import Hop

Method = Literal["GET", "HEAD"]
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Headers(Mapping[str, str]):
    """Names in any case; a value is the bytes received, one character a byte (latin-1)."""

    __slots__ = ("_values",)

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in pairs:
            self._values.setdefault(name.decode("latin-1").lower(), []).append(
                value.decode("latin-1")
            )

    def __getitem__(self, name: str) -> str:
        return ", ".join(self._values[name.lower()])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values!r})"

    def all(self, name: str) -> list[str]:
        """The values of a header that came several times, one by one."""
        return list(self._values.get(name.lower(), ()))


@dataclass(frozen=True)
class Reply:
    """One answer. `url` is the one that gave it, without credentials; `hops` led there."""

    url: str
    status: int
    headers: Headers
    body: bytes = b""
    hops: tuple[Hop, ...] = ()

    def all(self, name: str) -> list[str]:
        return self.headers.all(name)
