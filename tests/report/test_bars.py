"""Lying bars: as long as their counts, and every name is text."""

from __future__ import annotations

import re

from sameas.report.bars import bars


def test_bars_are_as_long_as_their_counts():
    drawn = bars("What is wrong", [("dead", 50), ("moved", 100), ("none", 0), ("one", 1)])
    lengths = [float(width) for width in re.findall(r'<rect [^>]*?width="([\d.]+)"', drawn)]
    assert lengths == [210.0, 420.0, 0.0, 4.2]
    assert "<desc>dead: 50, moved: 100, one: 1</desc>" in drawn


def test_a_name_is_text_and_a_long_one_is_cut():
    drawn = bars("Hosts", [("<b>&", 1), ("a" * 60 + ".example", 1)])
    assert "&lt;b&gt;&amp;" in drawn
    assert "a" * 27 + "…" in drawn


def test_nothing_to_show_is_said():
    assert "<desc>nothing to show</desc>" in bars("Nothing", [])
