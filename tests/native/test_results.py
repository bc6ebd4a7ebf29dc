"""A result of the compiled engine is a result like any other: frozen, comparable, picklable."""

from __future__ import annotations

import copy
import dataclasses
import gc
import pickle
import threading
from typing import Any

import pytest
from spec.run import suites

from sameas import Canonical, InvalidURL, Policy
from tests.native.wheel import needed

pytestmark = needed

URL = "https://www.sepe.es/a?page=2&lang=ca&x=1#top"


def _both(name: str, raw: str | bytes) -> tuple[Canonical, Canonical]:
    policies = [Policy.load(name, engine=engine) for engine in ("python", "native")]
    python, native = (policy.canonicalize(raw) for policy in policies)
    return python, native


@pytest.mark.parametrize("name", ["default", "clara", "curious-now", "tk"])
@pytest.mark.parametrize("raw", [URL, URL.encode(), f"{URL}é", f"{URL}".encode() + b"\xff"])
def test_it_equals_what_python_makes_and_looks_the_same(name: str, raw: str | bytes) -> None:
    python, native = _both(name, raw)
    assert native == python
    assert hash(native) == hash(python)
    assert repr(native) == repr(python)
    assert native.original is raw
    assert [*native.notes] == [*python.notes]
    assert dataclasses.asdict(native) == dataclasses.asdict(python)
    assert {type(value) for value in vars(native).values()} == {
        type(value) for value in vars(python).values()
    }


def test_it_is_frozen_and_can_be_copied_pickled_and_replaced() -> None:
    _, native = _both("clara", URL)
    with pytest.raises(dataclasses.FrozenInstanceError):
        native.url = "x"  # type: ignore[misc]
    for again in (
        copy.deepcopy(native),
        pickle.loads(pickle.dumps(native)),
        dataclasses.replace(native),
    ):
        assert again == native
        assert again.original == URL
        assert again.notes is not native.notes or again.notes == native.notes


def test_no_two_results_share_what_can_be_changed() -> None:
    one, two = (Policy.load("clara").canonicalize(URL) for _ in range(2))
    stack: list[tuple[Any, Any]] = [(one.notes, two.notes)]
    seen = 0
    while stack:
        a, b = stack.pop()
        assert a is not b
        seen += 1
        stack += [(a[key], b[key]) for key in a if isinstance(a[key], dict | list)]
    assert seen == 5


def test_results_are_freed_with_all_they_hold() -> None:
    class Text(str):
        """A URL that can be seen going."""

    freed = []
    Text.__del__ = lambda _: freed.append(True)  # type: ignore[attr-defined]
    Policy.load("clara").canonicalize(Text(URL))
    gc.collect()
    assert freed == [True]


def test_a_finalizer_may_ask_for_a_key_while_a_result_is_made() -> None:
    """Making a result allocates, which may collect garbage, which may run any code there is."""
    policy, expected = Policy.load("clara"), Policy.load("clara", engine="python").canonicalize(URL)
    keys: list[str] = []

    class Cycle:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            keys.append(policy.key("https://example.com/b"))

    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        results = [(Cycle(), policy.canonicalize(URL))[1] for _ in range(200)]
    finally:
        gc.set_threshold(*threshold)
    assert results == [expected] * 200
    gc.collect()
    assert keys == [policy.key("https://example.com/b")] * 200


def test_threads_do_not_meet_in_one_result() -> None:
    policies = [Policy.load(name) for name in ("default", "clara", "tk")]
    inputs = [vector.row["input"] for vector in suites()["default"]]
    expected = [_keys(policy, inputs) for policy in policies]
    found: list[list[list[str]]] = []

    def work() -> None:
        found.append([_keys(policy, inputs) for _ in range(5) for policy in policies][-3:])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def _keys(policy: Policy, inputs: list[str]) -> list[str]:
    keys = []
    for raw in inputs:
        try:
            keys.append(policy.key(raw))
        except InvalidURL as error:
            keys.append(error.code)
    return keys
