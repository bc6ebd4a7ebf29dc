"""What whoever starts the service may set, and why a value is refused.

Where the values come from, options or the environment, is the command line's business.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field

from sameas.errors import SettingError
from sameas.net.settings import Settings as NetSettings
from sameas.plan.document import builtin_names
from sameas.policy import Policy
from sameas.resolve.allowlist import Allowlist

SHORTEST_TOKEN = 16
BATCH = 10_000
"""URLs or articles of one request; a stream of JSON Lines may have any number."""

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"[a-z0-9.\-_]+|\[[0-9a-f:.]+\]")


@dataclass(frozen=True)
class Limits:
    """How much, how long and how often. Times are in seconds."""

    body_bytes: int = 16 * 1024 * 1024
    head_seconds: float = 10.0
    """From a connection, or the end of the last answer's wait, to the end of a request's head."""
    pause_seconds: float = 10.0
    """Between two pieces of a body, and for a reader to take what was written."""
    body_seconds: float = 30.0
    """For a whole body; a stream of JSON Lines may go on as long as it moves."""
    seconds: float = 60.0
    """For a whole request."""
    rate: float = 200.0
    """Requests a second from one address, ten seconds' worth at once."""
    at_once: int = 512
    """Requests under way."""


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8321
    token: str = ""
    hosts: tuple[str, ...] = ()
    """Names it is called by, besides its own address."""
    policies: tuple[Policy, ...] = ()
    """Policies of the user's own, served beside the built-in ones."""
    reviews: str = "clara"
    """The policy of the registry, whose questions are decided here."""
    overrides: str | None = None
    """The overrides file that the decision `drop` is written to."""
    allow: Allowlist | None = None
    """Whose links may be resolved; without it the policy's own list."""
    net: NetSettings = field(default_factory=NetSettings)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.token and (len(self.token) < SHORTEST_TOKEN or not self.token.isascii()):
            hint = "an example of one that nobody guesses: `openssl rand -hex 32`"
            reason = f"must have {SHORTEST_TOKEN} characters or more, ASCII alone"
            raise SettingError("SAMEAS_TOKEN", reason, hint)
        for name in self.hosts:
            if not _HOST.fullmatch(name.lower()):
                hint = "an example: sameas.example.org, without scheme and port"
                raise SettingError(f"--allow-host {name}", "is no host", hint)
        for policy in self.policies:
            if policy.name in builtin_names():
                hint = "give it a name of its own"
                raise SettingError(f"--policy {policy.name}", "is the name of a built-in one", hint)
        if not is_loopback(self.host):
            self._check_open()

    def _check_open(self) -> None:
        place = f"--host {self.host}"
        if not self.token:
            hint = "set SAMEAS_TOKEN, or listen on 127.0.0.1"
            raise SettingError(place, "can be reached by others, and there is no token", hint)
        if is_any(self.host) and not self.hosts:
            hint = "name it with --allow-host"
            raise SettingError(place, "does not say by which name it is called", hint)

    @property
    def names(self) -> frozenset[str]:
        """What a Host header may say, without its port."""
        own = set() if is_any(self.host) else {bracketed(self.host)}
        loopback = _LOOPBACK_NAMES if is_loopback(self.host) else ()
        return frozenset(name.lower() for name in (*own, *loopback, *self.hosts))


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
