"""Answers as Arrow columns: what each kind of column holds, and how an engine fills it.

Where columns come from, and in which pieces, is the business of arrow.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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

    wanted: str
    type: Any
    accepted: Callable[[Policy, str | bytes], Any]
    refused: Callable[[InvalidURL], Any] = lambda _: None
    binary: bool = False

    def of(self, policy: Policy, url: str | bytes | None) -> Any:
        if url is None:
            return None
        try:
            return self.accepted(policy, url)
        except InvalidURL as error:
            return self.refused(error)


def key(binary: bool) -> Output:
    if binary:
        return Output(
            "key", DIGEST, lambda policy, url: bytes.fromhex(policy.key(url)), binary=True
        )
    return Output("key", TEXT, lambda policy, url: policy.key(url))


def url() -> Output:
    return Output("url", TEXT, lambda policy, url: policy.canonicalize(url).url)


def whole(binary: bool) -> Output:
    def accepted(policy: Policy, url: str | bytes) -> dict[str, Any]:
        result = policy.canonicalize(url)
        key = bytes.fromhex(result.key) if binary else result.key
        return {"url": result.url, "form": result.form, "key": key, "flags": result.flags}

    fields = {"url": TEXT, "form": TEXT, "key": DIGEST if binary else TEXT}
    kind = pa.struct({**fields, "flags": pa.large_list(TEXT), "error": TEXT})
    return Output("whole", kind, accepted, lambda error: {"error": error.code}, binary)


def answered(policy: Policy, array: Any, output: Output, threads: int | None) -> Any:
    """One array of text or bytes."""
    if policy.compiled is None or pa.types.is_null(array.type):
        return by_hand(policy, values(array), output)
    capsules = array.__arrow_c_array__()
    found = policy.compiled.column(capsules, output.wanted, output.binary, threads)
    column = _filled(output.wanted, output.type, len(array), found)
    back = memoryview(found["handed_back"]).cast("q")
    if not back:
        return column
    rest = by_hand(policy, (array[row].as_buffer().to_pybytes() for row in back), output)
    places = _array(pa.int64(), len(array), None, found["places"])
    return pa.concat_arrays([column, rest]).take(places)


def by_hand(policy: Policy, urls: Iterable[str | bytes | None], output: Output) -> Any:
    """Row by row, as anybody would."""
    return pa.array([output.of(policy, url) for url in urls], output.type)


def _filled(wanted: str, kind: Any, rows: int, found: Mapping[str, Any]) -> Any:
    """A column of what the compiled engine found out, in the memory where it wrote it."""
    if pa.types.is_struct(kind):
        fields = [_filled(field.name, field.type, rows, found) for field in kind]
        return _array(kind, rows, found["given"], children=fields)
    bits = found["refused" if wanted == "error" else "accepted"]
    offsets, data = found[wanted]
    if kind == DIGEST:
        return _array(kind, rows, bits, data)
    if kind == TEXT:
        return _array(kind, rows, bits, offsets, data)
    count = len(memoryview(offsets).cast("q")) - 1
    return _array(
        kind, rows, bits, found["flag_offsets"], children=[_array(TEXT, count, None, offsets, data)]
    )


def _array(kind: Any, rows: int, *buffers: Any, children: Any = None) -> Any:
    held = [None if buffer is None else pa.py_buffer(buffer) for buffer in buffers]
    return pa.Array.from_buffers(kind, rows, held, children=children)
