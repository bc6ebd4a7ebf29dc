"""docs/service.md: a command for every route there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.running import Running, serving

PAGE = Path(__file__).resolve().parents[2] / "docs" / "service.md"
_METHODS = re.compile(r"-X (\S+)")


def _method(command: str) -> str:
    named = _METHODS.search(command)
    if named:
        return named[1].lower()
    sends = any(word in command for word in ("--json", "--data-binary"))
    return "post" if sends else "get"


def _routes(running: Running) -> set[tuple[str, str]]:
    paths = running.get("/openapi.json").data["paths"]
    return {(method, path) for path, methods in paths.items() for method in methods}


def test_every_route_has_an_example(tmp_path: Path):
    commands = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("$ curl")]
    with serving("--store", str(tmp_path / "sameas.db")) as running:
        routes = _routes(running)
    assert len(routes) > 10
    for method, path in routes:
        shape = re.compile(re.sub(r"\{\w+\}", r"[^/? ]+", f":8321{path}") + r"(?=[? '\"]|$)")
        assert any(shape.search(one) and _method(one) == method for one in commands), (method, path)
