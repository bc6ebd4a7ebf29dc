"""The errors of sameas: one base, and one class for each thing a caller can do about it.

What each message says is decided where it is raised; nothing here looks at a URL or a file.
"""

from __future__ import annotations

from typing import NamedTuple

CODES = (
    "empty",
    "too_long",
    "encoding",
    "relative",
    "scheme",
    "port",
    "host",
    "private_host",
    "no_tld",
)


class SameasError(Exception):
    """The base of every error this package raises on purpose."""


class InvalidURL(SameasError, ValueError):
    """An input that is refused: `code` is stable, `message` is for people."""

    code: str
    message: str

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class PlacedError(SameasError):
    """Something wrong in a file: the place, the reason, what to do."""

    def __init__(self, place: str, reason: str, hint: str = "") -> None:
        super().__init__(place, reason, hint)
        self.place = place
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.place}: {self.reason}"
        return f"{text} ({self.hint})" if self.hint else text


class PolicyError(PlacedError):
    """A policy or an overrides file that cannot be used."""


class RecordsError(PlacedError):
    """A file of records that cannot be read, or not to its end."""


class OPMLError(PlacedError):
    """A list of feeds that cannot be read."""


class SettingError(PlacedError):
    """An option or a variable of the environment whose value cannot be used."""


class SparkError(PlacedError):
    """A Spark master that cannot be used, or work on it that failed."""


class Hop(NamedTuple):
    """One redirect: who answered, with which status, and the absolute URL it names."""

    url: str
    status: int
    location: str


NET_CODES = (
    "url",
    "scheme",
    "port",
    "private_address",
    "dns",
    "connection",
    "tls",
    "timeout",
    "body_too_large",
    "headers_too_large",
    "encoding",
    "redirect_limit",
    "redirect_loop",
    "protocol",
)


class NetError(SameasError):
    """A URL that could not be fetched. `code` is stable, `hops` led there, `url` hides secrets."""

    def __init__(self, code: str, url: str, message: str, hops: tuple[Hop, ...] = ()) -> None:
        super().__init__(code, url, message, hops)
        self.code = code
        self.url = url
        self.message = message
        self.hops = hops

    def __str__(self) -> str:
        return f"{self.url}: {self.message}"


class EngineUnavailable(SameasError):
    """An engine that was asked for by name and is not installed."""


class MissingExtra(SameasError):
    """A part that a pip extra brings and that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, extra)
        self.what = what
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.what} needs an extra: pip install 'sameas[{self.extra}]'"


class FeedError(SameasError):
    """An answer that is no feed, or one that may not be read: `code` is stable."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(code, message, hint)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class StoreError(PlacedError):
    """A store that cannot be used. `code` says in one word what a caller can do about it:

    `locked` try again later · `full` make room · `read_only` allow writing · `gone` it cannot be
    reached · `damaged` it is no store, or broken · `newer` upgrade the program · `unstamped`
    migrate it · `policy` its keys were made under another policy · `target` name another one."""

    UNAVAILABLE = frozenset({"locked", "full", "read_only", "gone", "damaged"})
    """The codes of what is wrong with a place, and not with what was asked for."""

    def __init__(self, code: str, place: str, reason: str, hint: str = "") -> None:
        super().__init__(place, reason, hint)
        self.args = (code, place, reason, hint)
        self.code = code

    @property
    def unavailable(self) -> bool:
        """Whether a run could go on without the store."""
        return self.code in self.UNAVAILABLE
