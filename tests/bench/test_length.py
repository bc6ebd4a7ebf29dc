"""Hostile length: a library that hangs is killed and named, and the next shape is still asked."""

from __future__ import annotations

from bench.hostile import SHAPES
from bench.length import Growth, growth

from tests.bench import planted


def test_what_hangs_is_killed_and_the_next_shape_is_done() -> None:
    shapes = {name: SHAPES[name] for name in ("slashes", "labels")}
    hung, answered = growth(planted.peer(planted.hangs_on_slashes), shapes, (500, 2_000), 2.0)
    assert (hung.shape, hung.short, hung.long) == ("slashes", None, None)
    assert hung.hostile
    assert answered.shape == "labels"
    assert answered.long is not None


def test_an_exception_that_is_no_refusal_is_named() -> None:
    labels = {"labels": SHAPES["labels"]}
    assert growth(planted.peer(planted.falls_over), labels, (500, 2_000))[0].raised == "KeyError"
    assert growth(planted.peer(planted.refuses), labels, (500, 2_000))[0].raised == ""


def test_sixteenfold_cost_is_hostile_and_fourfold_is_not() -> None:
    assert Growth("x", 0.010, 0.160).hostile
    assert not Growth("x", 0.010, 0.040).hostile
    assert not Growth("x", 0.000_01, 0.000_16).hostile
    assert Growth("x", 0.010, None).hostile
