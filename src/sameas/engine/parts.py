"""One URL taken apart, on its way through the operations. It decides nothing.

`query` is the list of non-empty pieces between the `&`s, spelled as they stand; a missing part is
an empty string. `why` is None unless somebody wants an explanation; operations then append to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Parts:
    __slots__ = ("flags", "fragment", "host", "notes", "path", "port", "query", "scheme", "why")

    def __init__(
        self, scheme: str, host: str, port: str, path: str, query: list[str], fragment: str
    ) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.fragment = fragment
        self.flags: set[str] = set()
        self.notes: dict[str, Any] = {}
        self.why: list[str] | None = None

    def url(self) -> str:
        """The parts put together again (C3)."""
        url = f"{self.scheme}://{self.host}" if self.scheme else self.host
        if self.port:
            url = f"{url}:{self.port}"
        url += self.path
        if self.query:
            url = f"{url}?{'&'.join(self.query)}"
        return f"{url}#{self.fragment}" if self.fragment else url


Operation = Callable[[Parts], None]
