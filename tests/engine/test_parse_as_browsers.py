"""C2 and C4 on cases of the shape web-platform-tests has: what a WHATWG parser must make of a URL.

The cases beside this file are our own. SAMEAS_TEST_WPT may name a copy of the tests' own
`url/resources/urltestdata.json`, of which every case without a base is tried as well.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from sameas import InvalidURL, Policy
from sameas.engine.parse import parse, read

OURS = Path(__file__).with_name("urls_as_browsers_read_them.json")
FILES = [OURS, *map(Path, filter(None, [os.environ.get("SAMEAS_TEST_WPT")]))]

Case = dict[str, Any]


def cases(file: Path) -> list[Case]:
    """Those without a base: a relative URL is refused here, whatever it would be relative to."""
    rows = json.loads(file.read_text("utf-8"))
    return [row for row in rows if isinstance(row, dict) and row.get("base") is None]


def expected(case: Case) -> dict[str, Any]:
    """The parts of an accepted URL, or what it is refused for where that is known."""
    if case.get("failure"):
        return {"refused": True}
    if case["protocol"] not in ("http:", "https:"):
        return {"refused": True, "code": "scheme"}
    return {
        "refused": False,
        "scheme": case["protocol"][:-1],
        "host": case["hostname"],
        "port": case["port"],
        "path": case["pathname"],
        "query": [piece for piece in case["search"][1:].split("&") if piece],
        "fragment": case["hash"][1:],
        "flags": {"credentials"} if case["username"] or case["password"] else set(),
    }


def got(url: str) -> dict[str, Any]:
    try:
        parts = parse(read(url))
    except InvalidURL as error:
        return {"refused": True, "code": error.code}
    names = ("scheme", "host", "port", "path", "query", "fragment", "flags")
    return {"refused": False, **{name: getattr(parts, name) for name in names}}


def differences(file: Path) -> list[str]:
    wrong = []
    for case in cases(file):
        found, wanted = got(case["input"]), expected(case)
        told = [f"{name} {found.get(name)!r}" for name in wanted if found.get(name) != wanted[name]]
        if told:
            wrong.append(f"{case['input']!r}: {', '.join(told)}; wanted {wanted}")
    return wrong


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_url_is_read_as_browsers_read_it(file: Path) -> None:
    assert differences(file) == []
    assert len(cases(file)) > 100


def test_a_case_that_is_wrong_is_told(tmp_path: Path) -> None:
    case = next(case for case in cases(OURS) if not case.get("failure"))
    for key, value in {"hostname": "other", "pathname": "/other", "username": "u"}.items():
        file = tmp_path / "wrong.json"
        file.write_text(json.dumps([{**case, key: value}]))
        assert len(differences(file)) == 1
    file.write_text(json.dumps([{"input": case["input"], "failure": True}]))
    assert len(differences(file)) == 1


def test_what_a_policy_that_does_little_gives_is_what_the_parser_wrote() -> None:
    feed = Policy.load("feed")
    plain = [case for case in cases(OURS) if case.get("href", "?")[-1] not in "?#"]
    plain = [case for case in plain if not (case["username"] or case["hash"])]
    wanted = [case["href"].replace("&&", "&") for case in plain]
    assert [feed.canonicalize(case["input"]).url for case in plain] == wanted
    assert len(plain) > 50
