"""What the engine's operations cost: the characters or items that each of them touches.

The engine in copied.py asks for every operation here; how much work is too much is decided in
test_cost.py. The inside of a regular expression counts as the length it was run over.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

COUNT = "__count__"
"""The name of the count in a module of the copy; by it the copy's own functions are known."""

_SIZED = (str, bytes, list, tuple, set, frozenset, dict)


class Count:
    """What the copy calls instead of doing things itself; `work` is what it has cost so far."""

    def __init__(self) -> None:
        self.work = 0

    def tick(self) -> bool:
        self.work += 1
        return True

    def made(self, value: Any) -> Any:
        self.work += 1 + _size(value)
        return value

    def each(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.work += 1
            yield item

    def item(self, value: Any, at: Any) -> Any:
        got = value[at]
        self.work += 1 + (_size(got) if isinstance(at, slice) else _hashed(value, at))
        return got

    def add(self, a: Any, b: Any) -> Any:
        return self.made(a + b)

    def change(self, how: str, a: Any, b: Any) -> Any:
        """`a += b` and its like: what is made anew is copied, what grows in place is not."""
        got = getattr(operator, how)(a, b)
        self.work += 1 + _size(b if got is a else got)
        return got

    def compare(self, a: Any, how: str, b: Any) -> bool:
        self.work += 1 + _compared(a, how, b)
        return _COMPARE[how](a, b)

    def call(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        if _is_copied(function):
            self.work += 1
            return function(*args, **named)
        if function is sorted:
            return self._sorted(*args, **named)
        got = function(*args, **named)
        self.work += 1
        if function not in _FREE:
            self.work += sum(map(_size, args)) + _size(got)
        return got

    def method(self, owner: Any, name: str, *args: Any, **named: Any) -> Any:
        bound = getattr(owner, name)
        if _is_copied(bound):
            self.work += 1
            return bound(*args, **named)
        if name == "sort" and isinstance(owner, list):
            owner[:] = self._sorted(owner, **named)
            return None
        got = bound(*args, **named)
        self.work += 1 + _touched(owner, name, args, got)
        return got

    def _sorted(self, items: Iterable[Any], key: Any = None, reverse: bool = False) -> list[Any]:
        """Sorted by keys that count what comparing them touches."""
        count = self

        class Key:
            def __init__(self, item: Any) -> None:
                self.key = item if key is None else key(item)

            def __lt__(self, other: Key) -> bool:
                return count.compare(self.key, "Lt", other.key)

        return self.made(sorted(items, key=Key, reverse=reverse))


def _size(value: Any) -> int:
    return len(value) if isinstance(value, _SIZED) else 0


def _hashed(owner: Any, key: Any) -> int:
    """Looking something up in a dict or set reads it once."""
    return _size(key) if isinstance(owner, dict | set | frozenset) else 0


def _alike(a: Any, b: Any) -> int:
    """How far two values have to be read to tell them apart."""
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        read = 0
        for x, y in zip(a, b, strict=False):
            read += 1 + _alike(x, y)
            if x != y:
                break
        return read
    if not (isinstance(a, str | bytes) and isinstance(b, type(a))) or a is b:
        return 0
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
    return low + 1


def _compared(a: Any, how: str, b: Any) -> int:
    if how in ("Is", "IsNot"):
        return 0
    if how not in ("In", "NotIn"):
        return 0 if how in ("Eq", "NotEq") and _size(a) != _size(b) else _alike(a, b)
    if isinstance(b, str | bytes):
        at = b.find(a)
        return len(a) + (at if at >= 0 else len(b))
    if isinstance(b, list | tuple):
        upto = b.index(a) + 1 if a in b else len(b)
        return sum(1 + _alike(a, item) for item in b[:upto])
    return _size(a)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda a, b: a in b,
    "NotIn": lambda a, b: a not in b,
}
_FREE = {len, isinstance, iter, next, ord, chr, type, getattr, hash, id, enumerate, reversed, range}
"""Builtins that touch nothing of what they are given."""


def _touched(owner: Any, name: str, args: tuple[Any, ...], got: Any) -> int:
    """The characters or items a method of a built-in type touches."""
    if isinstance(owner, str | bytes):
        return _touched_text(owner, name, args, got)
    if isinstance(owner, re.Pattern):
        text = args[1] if name in ("sub", "subn") else args[0]
        start = args[1] if name not in ("sub", "subn") and len(args) > 1 else 0
        end = got.end() if isinstance(got, re.Match) else len(text)
        return max(0, end - start) + _size(got)
    if isinstance(owner, dict):
        return _size(args[0]) if args else 0
    if isinstance(owner, list):
        if name == "append" or (name == "pop" and not args):
            return 0
        return (0 if name == "extend" else len(owner)) + sum(map(_size, args))
    return sum(map(_size, args)) + _size(got)


def _touched_text(owner: Any, name: str, args: tuple[Any, ...], got: Any) -> int:
    if name in ("find", "index", "rfind", "rindex"):
        start, end, _ = slice(*(*args[1:], None, None)[:2]).indices(len(owner))
        if got < 0:
            return max(0, end - start) + len(args[0])
        return (end - got if name[0] == "r" else got - start) + len(args[0])
    if name in ("startswith", "endswith"):
        wanted = args[0] if isinstance(args[0], tuple) else (args[0],)
        return sum(map(len, wanted))
    if name == "isascii":
        return 0
    if name in ("split", "rsplit", "partition", "rpartition"):
        return len(owner) + len(got)
    return len(owner) + _size(got) + (_size(args[0]) if name == "join" else 0)


def _is_copied(function: Any) -> bool:
    """A function or class of the copy counts what it does itself."""
    code = getattr(getattr(function, "__func__", function), "__globals__", None)
    if code is None:
        return isinstance(function, type) and function.__module__.startswith("sameas.")
    return COUNT in code
