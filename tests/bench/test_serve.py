"""The bench of the service: it measures the real one, and says what the figures say."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.serve_page import slope

from bench import serve, serve_load


def test_a_small_run_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serve, "CONNECTIONS", 8)
    monkeypatch.setattr(serve, "LARGE", 300)
    monkeypatch.setattr(serve, "_ROUNDS", 1)
    out = tmp_path / "serve.md"
    words = ["--single", "40", "--batches", "8", "--memory", "40", "--out", str(out)]
    assert serve.main(words) == 0
    text = out.read_text()
    assert "| single | sameas |" in text
    assert "| batch of 100 | bare route |" in text
    assert "`python -m bench.serve --single 40 --batches 8 --memory 40`" in text
    assert "After 40 requests" in text


def test_a_refusal_is_not_measured():
    with serve._bare(10) as one, pytest.raises(serve_load.Unexpected, match="404"):
        serve_load.ask(one.port, [serve.get("/none", "x")], 4, 2)


def test_the_slope_is_that_of_the_last_half():
    grown = [(n, 50_000 if n < 50 else 50_000 + 3 * n) for n in range(100)]
    assert slope(grown) == pytest.approx(3)
    assert slope([(n, 7) for n in range(100)]) == 0
    assert slope([(1, 5)]) == 0
