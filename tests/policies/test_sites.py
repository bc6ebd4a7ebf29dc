"""The site rules of `default`: enough of them, and each shown at work and at rest."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import pytest

from sameas import Policy
from sameas.engine.names import Names, names_of
from sameas.plan.suffixes import is_public_suffix

SITES: list[dict[str, Any]] = tomllib.loads(
    (files("sameas.policies") / "sites.toml").read_text("utf-8")
)["site"]
POLICY = Policy.load("default")


def hosts(site: dict[str, Any]) -> list[str]:
    return [site["host"]] if isinstance(site["host"], str) else site["host"]


def named(site: dict[str, Any]) -> str:
    return f"{hosts(site)[0]}{site.get('path', '')}"


def is_about(site: dict[str, Any], url: str) -> bool:
    host = urlsplit(url).hostname or ""
    parents = [host.split(".", i)[i] for i in range(host.count(".") + 1)]
    for name in hosts(site):
        if name in parents:
            return True
        begin = name.removesuffix("*")
        if begin != name and any(
            parent.startswith(begin) and is_public_suffix(parent[len(begin) :])
            for parent in parents
        ):
            return True
    return False


def test_there_are_many_of_them() -> None:
    assert len(SITES) >= 120
    assert len({host for site in SITES for host in hosts(site)}) >= 60


@pytest.mark.parametrize("site", SITES, ids=named)
def test_each_shows_what_goes_and_what_stays(site: dict[str, Any]) -> None:
    assert site.get("goes"), "show a URL it changes"
    assert site.get("stays"), "show a URL that looks alike and stays"
    for url in (*site["goes"], *site["stays"]):
        assert is_about(site, url), f"{url} is not of {hosts(site)}"


@pytest.mark.parametrize("site", [s for s in SITES if s.get("drop")], ids=named)
def test_each_dropped_name_is_shown_going(site: dict[str, Any]) -> None:
    shown = {name for url in site["goes"] for name in names_of(urlsplit(url).query.split("&"))}
    unshown = [entry for entry in site["drop"] if not any(map(Names([entry]).match, shown))]
    assert unshown == []
    for before, after in site["goes"].items():
        left = names_of(urlsplit(after).query.split("&"))
        assert not [name for name in left if Names(site["drop"]).match(name)], before


@pytest.mark.parametrize("i", range(len(SITES)), ids=lambda i: named(SITES[i]))
def test_each_is_needed(i: int) -> None:
    """Where another rule does the same already, the table is one too many."""
    sites = POLICY.plan.sites
    assert sites[i]["host"] == hosts(SITES[i])
    without = replace(POLICY.plan, sites=sites[:i] + sites[i + 1 :])
    policy = Policy(without, "default", "1")
    assert any(policy.canonicalize(url).url != after for url, after in SITES[i]["goes"].items())


def test_no_site_lists_what_goes_everywhere() -> None:
    drop = next(op for op in POLICY.plan.rules if op.name == "query.drop")
    everywhere = Names([*drop.args["names"], *drop.args["session"]])
    assert [e for s in SITES for e in s.get("drop", ()) if everywhere.match(e.lower())] == []
