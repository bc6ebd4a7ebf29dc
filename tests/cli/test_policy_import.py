"""`sameas policy import`: a file of the user's own, and everything left out named."""

from __future__ import annotations

import json
from pathlib import Path

from sameas import Policy
from tests.cli.program import in_process

LIST = "! made up\n||a.example^$removeparam=src\n||ads.example^\n$removeparam=a=b=\n"


def test_what_is_left_out_is_named_and_makes_the_status_1(tmp_path: Path):
    (tmp_path / "list.txt").write_text(LIST)
    out = tmp_path / "mine.toml"
    ended = in_process("policy", "import", "adguard", str(tmp_path / "list.txt"), "-o", str(out))
    assert ended.status == 1
    assert ended.lines[:2] == ["rules 3 · names 1 · sites 1", "not expressed 1 · not read 1"]
    first, second = ended.err.splitlines()
    assert first.startswith(f"{tmp_path}/list.txt:3: not expressed: ||ads.example^: ")
    assert second.startswith(f"{tmp_path}/list.txt:4: not read: ")
    policy = Policy.load(out)
    assert policy.canonicalize("https://a.example/?src=1").url == "https://a.example/"
    assert "# Not expressed:" in out.read_text()


def test_a_script_gets_one_object(tmp_path: Path):
    given = {"providers": {"a": {"urlPattern": ".*", "rules": ["from"]}}}
    (tmp_path / "rules.json").write_text(json.dumps(given))
    out = str(tmp_path / "mine.toml")
    ended = in_process(
        "policy", "import", "clearurls", str(tmp_path / "rules.json"), "-o", out,
        "--extends", "feed", "--name", "mine", "--json",
    )  # fmt: skip
    data = json.loads(ended.out)
    assert (ended.status, data["policy"], data["names"]) == (0, "mine@1", 1)
    assert data["fingerprint"] == Policy.load(out).fingerprint
    assert data["not_expressed"] == data["not_read"] == []


def test_a_file_that_is_no_list_is_refused_and_nothing_written(tmp_path: Path):
    (tmp_path / "list.txt").write_bytes(b"\xff")
    (tmp_path / "empty.txt").write_text("! nothing\n")
    for name, said in (("list.txt", "is not UTF-8 text"), ("empty.txt", "holds no rule")):
        out = tmp_path / "mine.toml"
        ended = in_process("policy", "import", "adguard", str(tmp_path / name), "-o", str(out))
        assert (ended.status, out.exists()) == (2, False)
        assert said in ended.err
