"""`sameas canon` as a shell sees it: results, refusals, exit statuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sameas as library
from tests.cli.program import in_process, sameas

GOOD = "https://Example.com/a?utm_source=x&b=1#top"
CANONICAL = "https://example.com/a?b=1"
NAMES = ["input", "url", "form", "key", "policy", "fingerprint", "flags", "notes"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "links.txt").write_text(f"{GOOD}\nnews item\nhttp://b.example\n")
    (tmp_path / "links.csv").write_text(f"id,url\n1,{GOOD}\n2,news item\n3,http://b.example\n")
    rows = [GOOD, "news item", "http://b.example"]
    (tmp_path / "links.jsonl").write_text("".join(json.dumps({"url": u}) + "\n" for u in rows))
    pq.write_table(pa.table({"url": rows}), tmp_path / "links.parquet")
    return tmp_path


def test_urls_in_arguments_give_canonical_urls_in_order():
    ended = sameas("canon", "http://b.example", GOOD)
    assert (ended.status, ended.lines, ended.err) == (0, ["http://b.example/", CANONICAL], "")


def test_a_refused_url_leaves_an_empty_line_and_is_named():
    ended = sameas("canon", GOOD, "news item", "http://b.example")
    assert ended.status == 1
    assert ended.lines == [CANONICAL, "", "http://b.example/"]
    first, summary = ended.err.splitlines()
    assert first.startswith("argument 2: relative: 'news item' has no scheme")
    assert summary == "sameas: 1 of 3 refused"


@pytest.mark.parametrize(
    ("name", "options", "place"),
    [
        ("links.txt", [], "links.txt:2"),
        ("links.csv", ["--column", "url"], "links.csv:3"),
        ("links.jsonl", ["--column", "url"], "links.jsonl:2"),
        ("links.parquet", ["--column", "url"], "links.parquet, row 2"),
    ],
)
def test_every_format_gives_the_same_lines_and_names_the_bad_row(
    name: str, options: list[str], place: str, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(folder)
    ended = in_process("canon", "--input", name, *options)
    assert (ended.status, ended.lines) == (1, [CANONICAL, "", "http://b.example/"])
    assert ended.err.startswith(f"{place}: relative: ")


@pytest.mark.parametrize("name", ["links.csv", "links.jsonl", "links.parquet"])
def test_standard_input_is_read_in_the_format_that_is_named(name: str, folder: Path):
    data = (folder / name).read_bytes()
    kind = name.partition(".")[2]
    ended = sameas("canon", "--input", "-", "--format", kind, "--column", "url", stdin=data)
    assert (ended.status, ended.lines) == (1, [CANONICAL, "", "http://b.example/"])


def test_json_gives_one_object_a_line_with_the_names_scripts_rely_on():
    raw = "http://user:secret@example.com/?b=1#top"
    ended = in_process("canon", "--json", raw, "ftp://u:secret@h/")
    good, bad = map(json.loads, ended.lines)
    wanted = library.canonicalize(raw)
    assert list(good) == NAMES
    assert good["input"] == "http://***@example.com/?b=1#top"
    assert (good["url"], good["form"], good["key"]) == (wanted.url, wanted.form, wanted.key)
    assert (good["policy"], good["fingerprint"]) == ("default", wanted.fingerprint)
    assert (good["flags"], good["notes"]) == (["credentials"], {"fragment_note": "top"})
    assert list(bad) == ["input", "error"]
    assert bad["input"] == "ftp://***@h/"
    assert list(bad["error"]) == ["code", "message"]
    assert bad["error"]["code"] == "scheme"
    assert "secret" not in ended.out + ended.err


def test_a_file_of_bad_lines_is_finished_and_each_is_named(tmp_path: Path):
    file = tmp_path / "bad.txt"
    lines = [
        GOOD.encode(),
        b"",
        b"\x00\x01\x02\xff",
        b"http://h/\xe9",
        b"http://h:99999/",
        b"x" * 70_000,
        b"http://" + b"a" * 70_000,
        b"\x1b]0;owned\x07http://h",
        b"http://user:pass\x1b[31m@exa mple/",
        b"http://last.example",
    ]
    file.write_bytes(b"\r\n".join(lines))
    ended = sameas("canon", "--input", str(file))
    assert ended.status == 1
    assert ended.lines == [CANONICAL, "", "", "http://h/%E9", *[""] * 5, "http://last.example/"]
    named = [line.removeprefix(f"{file}:").split(": ")[:2] for line in ended.err.splitlines()[:-1]]
    codes = ["empty", "relative", "port", "too_long", "too_long", "relative", "host"]
    assert named == [[str(n), code] for n, code in zip([2, 3, 5, 6, 7, 8, 9], codes, strict=True)]
    assert "\x1b" not in ended.err
    assert "pass" not in ended.err


def test_json_of_a_row_without_a_value_has_no_input():
    ended = sameas(
        "canon", "--json", "-i", "-", "--format", "jsonl", "-c", "url", stdin=b"{}\n\x1b\xff\n"
    )
    rows = [json.loads(line) for line in ended.lines]
    assert [(row["input"], row["error"]["code"]) for row in rows] == [(None, "row")] * 2
    assert ended.status == 1


def test_a_policy_file_and_overrides_work_from_options_and_environment(tmp_path: Path):
    policy, overrides = tmp_path / "mine.toml", tmp_path / "overrides.json"
    policy.write_text('name = "mine"\nversion = "1"\nextends = "feed"\n[path]\nslashes="collapse"')
    rules = {
        "match": {"host": "example.com"},
        "drop_query_params": ["src"],
        "rewrite_rules": [
            {"from_prefix": "http://example.com/amp/", "to_prefix": "http://example.com/"}
        ],
    }
    overrides.write_text(json.dumps({"overrides": [rules]}))
    url = "http://example.com//amp//x?src=1&a=2"
    by_option = sameas("canon", "--policy", str(policy), "--overrides", str(overrides), url)
    assert by_option.lines == ["http://example.com/x?a=2"]
    env = {"SAMEAS_POLICY": str(policy), "SAMEAS_OVERRIDES": str(overrides)}
    assert sameas("canon", url, env=env) == by_option
    assert sameas("canon", "-p", "feed", url, env={"SAMEAS_POLICY": str(policy)}).lines == [url]


def test_the_bytes_of_an_argument_count_in_every_locale():
    for env in ({"LC_ALL": "C.UTF-8"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        ended = sameas("canon", "http://h/é".encode(), b"http://h/\xe9", env=env)
        assert ended.lines == ["http://h/%C3%A9", "http://h/%E9"]


def test_tk_keeps_one_line_a_url_and_is_utf_8_in_every_locale():
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    url = "http://example.com/a%0Ahttp://evil.example/%1B%5B31m/é"
    ended = sameas("canon", "--policy", "tk", url.encode(), env=env)
    assert ended.out == "example.com/a%0Ahttp://evil.example/%1B[31m/é\n"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "give URLs or --input"),
        ((GOOD, "--input", "links.txt"), "not both"),
        ((GOOD, "--column", "url"), "--column and --format go with --input"),
        (("--inptu", "links.txt"), "No such option"),
        (("--format", "xml", "--input", "links.txt"), "'xml' is not one of"),
        (("--engine", "rust", GOOD), "'rust' is not one of"),
        (("--policy", "nwes", GOOD), "did you mean news?"),
        (("--overrides", "none.json", GOOD), "none.json: cannot be read"),
        (("--input", "none.txt"), "none.txt: there is no such file"),
        (("--input", "."), "is a directory"),
        (("--input", "links.csv"), 'there are "id", "url"'),
        (("--input", "links.csv", "-c", "ulr"), 'the nearest is "url"'),
        (("--input", "links.txt", "-c", "url"), "lines, which have no columns"),
        (("--input", "torn.parquet", "-c", "url"), "torn.parquet: is no Parquet file"),
        (("--input", "utf16.txt"), "save it as UTF-8"),
    ],
)
def test_wrong_usage_and_configuration_end_with_2(
    args: tuple[str, ...], told: str, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(folder)
    (folder / "torn.parquet").write_bytes((folder / "links.parquet").read_bytes()[:-9])
    (folder / "utf16.txt").write_bytes("\ufeffhttp://a/".encode("utf-16-le"))
    ended = in_process("canon", *args)
    assert (ended.status, ended.out) == (2, "")
    assert told in ended.err


def test_an_engine_that_is_not_installed_ends_with_2_and_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sameas_native", None)
    ended = in_process("canon", "--engine", "native", GOOD)
    assert ended.status == 2
    assert "pip install 'sameas[native]'" in ended.err


def test_a_file_that_breaks_in_the_middle_keeps_what_was_done_and_says_so(tmp_path: Path):
    file = tmp_path / "a.parquet"
    table = pa.table({"url": [f"http://example.com/{i}" for i in range(50_000)]})
    pq.write_table(table, file, row_group_size=5000, use_dictionary=False)
    data = bytearray(file.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 50_000] = bytes(50_000)
    file.write_bytes(data)
    ended = sameas("canon", "--input", str(file), "-c", "url", "--policy", "feed")
    assert ended.status == 1
    done = len(ended.lines)
    assert 0 < done < 50_000
    broken, stopped = ended.err.splitlines()
    assert broken.startswith(f"sameas: {file}, row {done + 1}: cannot be read further")
    assert stopped == f"sameas: stopped there, after {done:,} rows; nothing below was read"
