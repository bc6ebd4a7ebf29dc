"""Arrow: values in Python's words and rows picked, of any type that a column may have.

Where pyarrow itself stumbles, a way around it. It is an extra: asked for only here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def values(array: Any) -> list[Any]:
    """Text that is not UTF-8, whatever its type says, as its bytes. A time Python has no word for
    (nanoseconds, a far year, a zone it does not know) as text, and where there is none, None."""
    import pyarrow as pa

    try:
        found: list[Any] = _in_micros(array).to_pylist()
    except UnicodeDecodeError:
        found = array.cast(pa.large_binary()).to_pylist()
    except (ValueError, OverflowError, LookupError):
        found = _as_text(array)
    return found


def _in_micros(array: Any) -> Any:
    """Python counts to the microsecond; where pandas is installed, pyarrow gives its types
    instead for what counts further."""
    import pyarrow as pa

    kind = array.type
    if getattr(kind, "unit", "") != "ns":
        return array
    if pa.types.is_timestamp(kind):
        return array.cast(pa.timestamp("us", kind.tz))
    return array.cast(pa.time64("us") if pa.types.is_time(kind) else pa.duration("us"))


def _as_text(array: Any) -> list[Any]:
    import pyarrow as pa

    try:
        if pa.types.is_timestamp(array.type):
            array = array.cast(pa.timestamp(array.type.unit))
        text: list[Any] = array.cast(pa.string()).to_pylist()
    except pa.ArrowException:
        return [None] * len(array)
    return text


def picked(rows: Any, places: Sequence[int]) -> Any:
    """Some rows of a table or batch. pyarrow cannot pick from text views: they are made text."""
    import pyarrow as pa

    plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    schema = rows.schema
    if any(kind in plain for kind in schema.types):
        fields = [field.with_type(plain.get(field.type, field.type)) for field in schema]
        rows = rows.cast(pa.schema(fields, schema.metadata))
    some = rows.take(pa.array(places, pa.int64()))
    return some if some.schema.equals(schema) else some.cast(schema)
