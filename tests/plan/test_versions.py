"""A change of any output of a policy gives it a new version: the table of fingerprints says so."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tools import fingerprints

from sameas import Policy
from sameas.plan.document import builtin_names
from sameas.plan.source import builtin_files

ROOT = Path(fingerprints.__file__).parent.parent


@pytest.mark.parametrize("name", builtin_names())
def test_a_policy_whose_output_changes_gets_a_new_version(name: str) -> None:
    policy = Policy.load(name)
    row = f"{name}@{policy.version}"
    listed = fingerprints.listed()
    assert row in listed, f"a new version needs its row: run {fingerprints.COMMAND}"
    assert listed[row] == policy.fingerprint, fingerprints.advice(row)


def test_every_listed_version_can_be_loaded_and_gives_what_it_gave() -> None:
    listed = fingerprints.listed()
    assert {Policy.load(row).fingerprint for row in listed} == set(listed.values())


@pytest.mark.parametrize("row", fingerprints.listed())
def test_every_listed_version_is_kept_in_a_file_that_depends_on_no_other(row: str) -> None:
    file = fingerprints.released(row)
    assert file.exists(), f"the rules of {row} are to be had for ever: run {fingerprints.COMMAND}"
    assert not {"extends", "include"} & tomllib.loads(file.read_text("utf-8")).keys()
    kept = Policy.load(file)
    assert f"{kept.name}@{kept.version}" == row
    assert kept.fingerprint == fingerprints.listed()[row], fingerprints.advice(row)


def test_no_policy_has_the_fingerprint_of_another() -> None:
    listed = fingerprints.listed()
    assert len(set(listed.values())) == len(listed) >= len(builtin_names())


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The policies, the tool and the table, to be changed."""
    for part in ("src", "tools", "spec"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(copy: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "tools/fingerprints.py", *options],
        cwd=copy,
        env={"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def table(copy: Path) -> dict[str, str]:
    return json.loads((copy / "spec" / "fingerprints.json").read_text())


def test_one_parameter_more_on_a_list_is_noticed_and_the_tool_says_what_to_do(copy: Path) -> None:
    before = table(copy)
    assert run(copy).returncode == 0
    assert table(copy) == before
    feed = copy / "src" / "sameas" / "policies" / "feed.toml"
    text = feed.read_text()
    feed.write_text(text.replace('"fbclid"', '"fbclid", "from"'))
    refused = run(copy)
    assert refused.returncode != 0
    assert "feed@1" in refused.stderr
    assert "raise `version`" in refused.stderr
    assert table(copy) == before
    feed.write_text(feed.read_text().replace('version = "1"', 'version = "2"', 1))
    assert run(copy).returncode == 0
    assert table(copy) == before | {"feed@2": table(copy)["feed@2"]}
    assert table(copy)["feed@2"] != before["feed@1"]
    for row, wanted in (("feed@1", before["feed@1"]), ("feed", table(copy)["feed@2"])):
        program = f"from sameas import Policy; print(Policy.load({row!r}).fingerprint)"
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": str(copy / "src")},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == wanted


def test_a_row_that_nobody_has_used_can_be_overwritten_on_purpose(copy: Path) -> None:
    before = table(copy)
    feed = copy / "src" / "sameas" / "policies" / "feed.toml"
    feed.write_text(feed.read_text().replace('"fbclid"', '"fbclid", "from"'))
    assert run(copy, "--unreleased").returncode == 0
    assert {row for row, found in table(copy).items() if before[row] != found} == {"feed@1"}


def test_the_table_lists_policies_that_are_there() -> None:
    for row in fingerprints.listed():
        assert f"{row.partition('@')[0]}.toml" in builtin_files()
