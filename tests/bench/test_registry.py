"""The bench of registries: whole runs of the program, small and ten times as large."""

from __future__ import annotations

from pathlib import Path

from bench import registry


def test_a_run_checks_both_registries_and_writes_its_page(tmp_path: Path) -> None:
    out = tmp_path / "registry.md"
    assert registry.main(["--links", "40", "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    for name, _ in registry.RUNS:
        assert f"| {name} | 4 |" in text
        assert f"| {name} | 40 |" in text
    assert "python -m bench.registry --links 40" in text


def test_a_dead_link_takes_its_host_two_exchanges() -> None:
    assert [registry.most_exchanges(links) for links in (5000, 50_000)] == [20, 20]
    assert registry.most_exchanges(20) == 11, "one of its ten is dead"


def test_a_registry_has_of_everything_as_often_as_it_says() -> None:
    links = [registry.url(n, 5000) for n in range(5000)]
    assert sum("/gone/" in link for link in links) == 5000 // registry._EVERY["dead"]
    assert sum("utm_source" in link for link in links) == 5000 // registry._EVERY["written oddly"]
    pages = {link.partition("?")[0] for link in links}
    again = 5000 // registry._EVERY["a duplicate"]
    assert again * 0.7 < 5000 - len(pages) <= again
