"""One URL under the package and under ours: equal, or different for which named reason.

It decides which differences have a name; each is proven on the URL at hand, never assumed.
"""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address

import ada_url
import tk_normalizer

from sameas import InvalidURL, Policy, compat
from sameas.plan.suffixes import public_suffix_length

PRIVATE = "private addresses"
ASTRAL = "hosts beyond the basic plane"
CREDENTIALS = "credentials"
LINEAR = "linear time"
ROOT = "registrable root"
DEVIATIONS = (PRIVATE, ASTRAL, CREDENTIALS, LINEAR, ROOT)

_SECONDS = 0.25
"""Of processor time, for a package that needs some 60 millionths: other load does not count."""

_AUTHORITY = re.compile(r"(\s*(?:[\x00-\x20]*https?://)?)([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)

Fields = dict[str, str]


class TooSlow(BaseException):
    """Raised inside the package, which catches every Exception."""


class LastTwoLabels(compat.TkNormalizer):
    root = "last-two-labels"


@dataclass
class Outcome:
    compared: int = 0
    named: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    unnamed: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        self.compared += other.compared
        self.named += other.named
        self.refused += other.refused
        self.unnamed += other.unnamed


def compare_all(
    urls: Iterable[str],
    same_root: type[compat.TkNormalizer] = LastTwoLabels,
    default_root: type[compat.TkNormalizer] = compat.TkNormalizer,
) -> Outcome:
    outcome, policy = Outcome(), Policy.load("tk", engine="python")
    for url in urls:
        outcome.compared += 1
        theirs, ours = _theirs(url), _ours(url, same_root)
        outcome.refused += ours is None
        reason = "" if theirs == ours else _reason(url, theirs, ours)
        if reason is None:
            outcome.unnamed.append(f"{url!r}: the package {theirs}, ours {ours}")
        elif reason:
            outcome.named[reason] += 1
        default = _ours(url, default_root)
        root = _check_root(ours, default)
        if root is None or default != _of_the_policy(policy, url, default):
            outcome.unnamed.append(f"{url!r}: {same_root}, {default_root} and the policy disagree")
        elif root:
            outcome.named[ROOT] += 1
    return outcome


def _theirs(url: str) -> Fields | str | None:
    """What the package gives: its ten names, None where it refuses, `LINEAR` where it hangs."""
    try:
        with _limited():
            return dict(tk_normalizer.TkNormalizer(url, log_errors=False).to_dict())
    except tk_normalizer.InvalidUrlException:
        return None
    except TooSlow:
        return LINEAR


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _ours(url: str, normalizer: type[compat.TkNormalizer]) -> Fields | None:
    try:
        return normalizer(url, log_errors=False).to_dict()
    except compat.InvalidUrlException:
        return None


def _reason(url: str, theirs: Fields | str | None, ours: Fields | None) -> str | None:
    """The name of the deviation, proven, or None."""
    if theirs == LINEAR:
        return LINEAR
    text = re.sub("[\t\n\r]", "", url)  # to urlsplit and browsers they are not there
    before, authority, behind = _AUTHORITY.fullmatch(text).groups()  # type: ignore[union-attr]
    credentials, at, host = authority.rpartition("@")
    if "\\" in credentials:
        return CREDENTIALS if ours is None else None
    if at:
        bare = f"{before}{host}{behind}"
        theirs = _theirs(bare)
        return CREDENTIALS if theirs == ours or _reason(bare, theirs, ours) else None
    if isinstance(theirs, dict) and ours is None:
        return PRIVATE if _is_private(theirs["parent_normalized_url"]) else None
    if theirs is None and ours is not None and re.search("[\U00010000-\U0010ffff]", host):
        return ASTRAL if _would_be_the_same(before, host, behind, ours) else None
    return None


def _is_private(netloc: str) -> bool:
    host = netloc.partition(":")[0]
    try:
        address = ip_address(ada_url.URL(f"http://{host}/").hostname.strip("[]"))
    except ValueError:
        return False
    return not address.is_global or address.is_multicast or address.is_reserved


def _would_be_the_same(before: str, host: str, behind: str, ours: Fields) -> bool:
    """With characters of the basic plane in place of the others, the package gives ours."""
    theirs = _theirs(f"{before}{_in_basic_plane(host)}{behind}")
    return (
        isinstance(theirs, dict)
        and theirs["parent_normalized_url"] == _in_basic_plane(ours["parent_normalized_url"])
        and all(theirs[name] == ours[name] for name in ("path", "query_string"))
    )


def _in_basic_plane(host: str) -> str:
    def stand_in(found: re.Match[str]) -> str:
        return "é" if found[0].lower() != found[0] or found[0].upper() != found[0] else "☃"

    return re.sub("[\U00010000-\U0010ffff]", stand_in, host)


def _check_root(same: Fields | None, default: Fields | None) -> str | None:
    """Do the two of ours differ in nothing but the root, and is that the registrable domain?"""
    if same is None or default is None:
        return "" if same is default else None
    about = ("root_normalized_url", "root_normalized_url_hash")
    if any(same[name] != default[name] for name in same if name not in about):
        return None
    root = default["root_normalized_url"]
    if not _is_registrable(root, default["parent_normalized_url"]):
        return None
    return "" if root == same["root_normalized_url"] else ROOT


def _is_registrable(root: str, parent: str) -> bool:
    """Each label as a browser reads it; one it refuses is in no list."""
    labels = re.split("[.\u3002\uff0e\uff61]", root.partition(":")[0].rstrip(".\u3002\uff0e\uff61"))
    name = ".".join(label if label.isascii() else _readable(label) for label in labels)
    if name.rpartition(".")[2].isdigit():
        return root == parent
    count, suffix = name.count(".") + 1, public_suffix_length(name)
    return count == suffix + 1 or (count == suffix and root == parent)


def _readable(label: str) -> str:
    try:
        return ada_url.URL(f"http://{label}.x/").hostname.removesuffix(".x")
    except ValueError:
        return "refused"


def _of_the_policy(policy: Policy, url: str, drop_in: Fields | None) -> Fields | None:
    """What the drop-in gave, with all that the policy says itself in its place."""
    try:
        result = policy.canonicalize(url)
    except InvalidURL:
        return None
    notes = {name.replace("_normal_", "_normalized_"): note for name, note in result.notes.items()}
    agrees = result.url == result.form == notes["normalized_url"]
    agrees = agrees and result.key == notes["normalized_url_hash"]
    return {**(drop_in or {}), **notes} if agrees else {}
