"""The pages about policies say what the policies do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools import policy_pages

from sameas.plan import document, schema
from sameas.plan.compile import CLAUSES

NAMES = document.builtin_names()
FILES = (policy_pages.ROOT / "docs" / "policy-files.md").read_text("utf-8")


def test_the_pages_are_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert policy_pages.main(["--check"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("change", ["edited", "missing", "left over"])
def test_a_stale_page_is_named(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(policy_pages, "PAGES", tmp_path)
    monkeypatch.setattr(policy_pages, "ROOT", tmp_path)
    assert policy_pages.main([]) == 0
    assert policy_pages.main(["--check"]) == 0
    page = tmp_path / ("gone.md" if change == "left over" else "feed.md")
    if change == "missing":
        page.unlink()
    else:
        page.write_text("something else")
    assert policy_pages.main(["--check"]) == 1
    assert capsys.readouterr().err == f"{page.name} is stale: run `make docs`\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_page_names_every_entry_of_every_list_of_its_policy(name: str) -> None:
    page, loaded = policy_pages.page(name), document.load(name)
    listed = [
        entry
        for table in loaded.tables.values()
        for value in table.values()
        if isinstance(value, list)
        for entry in value
        if isinstance(entry, str)
    ]
    for site in loaded.sites:
        listed += [*site["host"], *site.get("drop", ()), *site.get("keep", ())]
        listed += site.get("target", ())
    small = page.lower()
    assert [entry for entry in listed if f"`{entry.lower()}`" not in small] == []
    assert [line for line in loaded.words["deviations"] if line not in page] == []


def test_what_an_operation_tells_is_told_for_operations_that_exist() -> None:
    assert set(policy_pages.TOLD) <= set(CLAUSES)


def test_the_page_on_policy_files_names_every_key_there_is() -> None:
    named = set(re.findall(r"`(\w+)`", FILES)) | set(re.findall(r"^\| `?\[(\w+)\]", FILES, re.M))
    keys = {*schema.TOP, *schema.TABLES, *schema.SITE, *schema.EXAMPLE}
    keys |= {key for table in schema.TABLES.values() for key in table}
    assert keys - named - {"site", "example"} == set()
