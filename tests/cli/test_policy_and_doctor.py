"""`sameas policy` and `sameas doctor`: what there is, in words and as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sameas.engine import native
from sameas.engine.parse import PARSER
from sameas.plan import document
from sameas.policy import Policy
from tests.cli.program import in_process, on_terminal, sameas

NAMES = ["clara", "curious-now", "default", "feed", "news", "tk"]

GOOD = """name = "mine"
version = "3"
extends = "news"
[query]
drop = { add = ["partner"] }
[[example]]
url = "http://example.com/?partner=1&a=2"
gives = "http://example.com?a=2"
"""


def test_list_names_every_policy_with_its_fingerprint():
    ended = sameas("policy", "list")
    assert (ended.status, ended.err) == (0, "")
    assert [line.split()[0] for line in ended.lines] == NAMES
    for line in ended.lines:
        name, version, short = line.split()[:3]
        policy = Policy.load(name)
        assert (version, short) == (policy.version, policy.fingerprint[:12])
    rows = [json.loads(line) for line in in_process("policy", "list", "--json").lines]
    assert [row["name"] for row in rows] == NAMES
    assert [list(row) for row in rows] == [["name", "version", "fingerprint", "summary"]] * 6


def test_list_is_a_table_on_a_terminal_and_fits_it():
    _, seen = on_terminal("policy", "list", streams="out", env={"NO_COLOR": "1"})
    assert "what it is for" in seen
    plain = seen.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert max(map(len, plain.splitlines())) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_show_tells_every_operation_in_its_order_with_its_lists(name: str):
    ended = in_process("policy", "show", name)
    policy = Policy.load(name)
    assert ended.status == 0
    assert ended.lines[0].startswith(f"{name}@{policy.version}: ")
    assert ended.lines[1] == f"fingerprint {policy.fingerprint}"
    told = [line for line in ended.lines if line.startswith("  ") and "): " in line]
    assert [line for line in told if line[2] != " "] == [
        f"  {op.name} ({op.clause}): {op.does}" for op in policy.plan.ops()
    ]
    for op in policy.plan.ops():
        for entry in op.args.get("names", ()):
            assert entry in ended.out
    for deviation in document.load(name).words["deviations"]:
        assert f"deviation: {deviation}" in ended.lines
    for site in policy.plan.sites:
        assert f"  {', '.join(site['host'])}" in ended.lines


def test_show_as_json_is_the_plan():
    data = json.loads(in_process("policy", "show", "default", "--json").out)
    policy = Policy.load("default")
    assert [rule["rule"] for rule in data["rules"]] == [op.name for op in policy.plan.ops()]
    assert len(data["sites"]) == len(policy.plan.sites)
    assert data["fingerprint"] == policy.fingerprint


def test_check_runs_the_examples_and_tells_how_many(tmp_path: Path):
    (tmp_path / "mine.toml").write_text(GOOD)
    ended = sameas("policy", "check", "mine.toml", cwd=tmp_path)
    fingerprint = Policy.load(tmp_path / "mine.toml").fingerprint
    assert (ended.status, ended.lines) == (0, [f"ok mine@3 {fingerprint}, 1 example"])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('gives = "http://example.com?a=2"', 'gives = "http://x"'), "bad.toml:6: the example"),
        (("[query]", "[qurey]"), "bad.toml:4: a policy knows no `qurey` (did you mean `query`?)"),
        (('version = "3"', "version = "), "bad.toml:2: is not TOML"),
        (('extends = "news"', 'extends = "nwes"'), "bad.toml:3: nwes: is neither"),
    ],
)
def test_check_names_file_line_and_reason_and_goes_on(
    change: tuple[str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(GOOD)
    (tmp_path / "bad.toml").write_text(GOOD.replace(*change))
    ended = in_process("policy", "check", "bad.toml", "mine.toml")
    assert ended.status == 1
    assert ended.err.startswith(told)
    assert ended.lines[0].startswith("ok mine@3 ")


def test_check_of_no_such_file_ends_with_2(tmp_path: Path):
    (tmp_path / "bad.toml").write_text("name\n")
    ended = sameas("policy", "check", "none.toml", "bad.toml", cwd=tmp_path)
    assert ended.status == 2
    assert ended.err.startswith("none.toml: ")
    assert "bad.toml:1: is not TOML" in ended.err
    assert in_process("policy", "show", "none.toml").status == 2


def test_doctor_tells_what_is_there_and_how_to_get_the_rest():
    ended = sameas("doctor")
    assert (ended.status, ended.err) == (0, "")
    assert any(line.startswith("engine python ") and "available" in line for line in ended.lines)
    assert any(line.startswith("extra arrow ") and "pyarrow " in line for line in ended.lines)
    data = json.loads(in_process("doctor", "--json").out)
    assert data["parser"] == PARSER
    assert data["engines"]["python"] == "available"
    assert [name.partition("@")[0] for name in data["policies"]] == NAMES
    assert data["policies"]["tk@1"] == Policy.load("tk").fingerprint
    assert data["problems"] == []


def test_doctor_tells_which_engine_is_at_work_and_why(monkeypatch: pytest.MonkeyPatch):
    def auto(**env: str) -> str:
        engines = json.loads(in_process("doctor", "--json", env=env).out)["engines"]
        return str(engines["auto"])

    monkeypatch.delenv("SAMEAS_ENGINE", raising=False)
    if not native.why_not():
        assert auto() == "native, which is installed and fits"
    assert auto(SAMEAS_ENGINE="python") == "python, as SAMEAS_ENGINE says"
    monkeypatch.setitem(sys.modules, "sameas_native", None)
    assert auto().startswith("python, because of the native one: it is not installed: pip install")
    ended = in_process("doctor", env={"SAMEAS_ENGINE": "native"})
    assert ended.status == 1
    assert "with SAMEAS_ENGINE as set: the native engine cannot be used" in ended.err


def test_doctor_ends_with_1_where_something_that_is_set_does_not_work():
    ended = sameas("doctor", env={"SAMEAS_POLICY": "nwes"})
    assert ended.status == 1
    assert "SAMEAS_POLICY" in ended.out
    assert "with SAMEAS_POLICY as set: nwes: is neither" in ended.err


@pytest.mark.parametrize(
    ("store", "shown"),
    [
        ("postgresql://ann:s3cret@db.example/news", "postgresql://***@db.example/news"),
        ("postgresql://ann:s3cr/et@db.example/news", "postgresql://***@db.example/news"),
        ("postgresql://db.example/news?password=s3cret", "postgresql://db.example/news"),
        ("feeds@home.db", "feeds@home.db"),
    ],
)
def test_doctor_tells_the_settings_of_feeds_without_their_secrets(store: str, shown: str):
    env = {
        "SAMEAS_STORE": store,
        "SAMEAS_SEEN_TTL_DAYS": "90",
        "SAMEAS_CONTACT": "me@example.org",
        "SAMEAS_PASSWORDS": "feeds.netrc",
        "SAMEAS_PASSWORD_LINES": "machine a.example login ann password s3cret",
        "SAMEAS_TOKEN": "s3cret-of-sixteen",
        "SAMEAS_CONNECT_TO": "a.example:443:127.0.0.1:1",
        "SAMEAS_CACERT": "authority.pem",
        "SAMEAS_ALLOW_NETWORK": "10.0.0.0/8 fd00::/8",
    }
    ended = in_process("doctor", "--json", env=env)
    masked = {"SAMEAS_STORE": shown, "SAMEAS_PASSWORD_LINES": "***", "SAMEAS_TOKEN": "***"}
    assert json.loads(ended.out)["environment"] == env | masked
    assert "s3cret" not in ended.out + ended.err


def test_doctor_tries_the_settings_of_feeds():
    ended = in_process("doctor", env={"SAMEAS_ALLOW_NETWORK": "10.0.0.0/99"})
    assert ended.status == 1
    assert "with SAMEAS_ALLOW_NETWORK as set: " in ended.err
