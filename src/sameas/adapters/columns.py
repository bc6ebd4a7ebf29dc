"""Answers as Arrow columns: what each kind of column holds, and how an engine fills it.

Where columns come from, and in which pieces, is the business of arrow.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sameas.errors import InvalidURL, MissingExtra
from sameas.policy import Policy
from sameas.records.arrow import values

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtra("a column of URLs", "arrow") from None

TEXT = pa.large_string()
"""Text comes out with offsets of 64 bits: no column is too large for it."""
DIGEST = pa.binary(32)


@dataclass(frozen=True)
class Output:
    """What a row becomes: the type of its column, and its value for a URL and for a refusal."""

    type: Any
    accepted: Callable[[Policy, str | bytes], Any]
    refused: Callable[[InvalidURL], Any] = lambda _: None

    def of(self, policy: Policy, url: str | bytes | None) -> Any:
        if url is None:
            return None
        try:
            return self.accepted(policy, url)
        except InvalidURL as error:
            return self.refused(error)


def key(binary: bool) -> Output:
    if binary:
        return Output(DIGEST, lambda policy, url: bytes.fromhex(policy.key(url)))
    return Output(TEXT, lambda policy, url: policy.key(url))


def url() -> Output:
    return Output(TEXT, lambda policy, url: policy.canonicalize(url).url)


def whole(binary: bool) -> Output:
    def accepted(policy: Policy, url: str | bytes) -> dict[str, Any]:
        result = policy.canonicalize(url)
        key = bytes.fromhex(result.key) if binary else result.key
        return {"url": result.url, "form": result.form, "key": key, "flags": result.flags}

    kind = pa.struct(
        {
            "url": TEXT,
            "form": TEXT,
            "key": DIGEST if binary else TEXT,
            "flags": pa.large_list(TEXT),
            "error": TEXT,
        }
    )
    return Output(kind, accepted, lambda error: {"error": error.code})


def answered(policy: Policy, array: Any, output: Output) -> Any:
    """One array of text or bytes."""
    return by_hand(policy, values(array), output)


def by_hand(policy: Policy, urls: Iterable[str | bytes | None], output: Output) -> Any:
    """Row by row, as anybody would."""
    return pa.array([output.of(policy, url) for url in urls], output.type)
