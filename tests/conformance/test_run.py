"""run.py judges other people's programs: it has to see every way of being wrong, and say it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from spec.run import HERE, OVERRIDES, differences, main, suites

PROGRAM = """
import json, sys
from sameas import InvalidURL, Policy
policy = Policy.load(sys.argv[1], sys.argv[2])
for line in sys.stdin.buffer:
    url = line[:-1]
    if "--json" in sys.argv:
        url = json.loads(line)["input"]
    try:
        got = policy.canonicalize(url)
    except InvalidURL as error:
        print(json.dumps({"error": {"code": error.code, "message": error.message}}))
        continue
    answer = {"url": got.url, "form": got.form, "key": got.key, "flags": got.flags}
    answer["notes"] = dict(got.notes)
    if url.endswith(b"Example.COM/Path" if isinstance(url, bytes) else "Example.COM/Path"):
        LIE
    print(json.dumps(answer))
"""
RIGHT = PROGRAM.replace("LIE", "pass")
"""An engine of the simplest kind: the library itself in a loop."""

FEED = len(suites()["feed"])
READ = "import json, sys, time; lines = sys.stdin.buffer.read().splitlines()\n"


@pytest.fixture
def tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Tries a program of a few lines, and gives the exit status and what was printed."""

    def run(source: str, *options: str, args: tuple[str, ...] = ()) -> tuple[int, str]:
        program = tmp_path / "program.py"
        program.write_text(source)
        status = main([*options, "--", sys.executable, str(program), *args])
        return status, capsys.readouterr().out

    return run


@pytest.mark.parametrize("name", suites())
def test_the_library_in_a_loop_is_right(tried, name: str) -> None:
    status, out = tried(RIGHT, "--policy", name, args=("{policy}", "{overrides}"))
    vectors = suites()[name]
    missing = [vector.place for vector in vectors if vector.raw is None]
    counted = len(vectors) - len(missing)
    summary = out.splitlines()[-1]
    assert (status, summary.partition(" right")[0]) == (0, f"{name}: {counted} tried, {counted}")
    assert all(place in summary for place in missing)
    assert ("NOT TRIED" in summary) == bool(missing)


def test_json_lines_hold_what_no_line_of_bytes_can(tried) -> None:
    args = ("{policy}", "{overrides}", "--json")
    status, out = tried(RIGHT, "--json-in", "--policy", "default", args=args)
    count = len(suites()["default"])
    assert (status, out) == (0, f"default: {count} tried, {count} right\n")


def test_without_its_overrides_a_program_fails_where_they_matter(tried) -> None:
    none = RIGHT.replace(", sys.argv[2]", "")
    args = ("{policy}", "{overrides}")
    status, out = tried(none, "--policy", "curious-now-overrides", args=args)
    assert status == 1
    assert "curious-now-overrides.jsonl:1  " in out
    assert tried(none, "--policy", "curious-now", args=args)[0] == 0


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        ('answer["url"] += "/"', 'url: expected "https://example.com/Path", got "https'),
        ('answer["form"] = answer["url"] + "x"', 'form: expected "https://example.com/Path", got'),
        ('answer["key"] = answer["key"].upper()', "key: expected "),
        ('answer["flags"] = ["credentials"]', 'flags: expected [], got ["credentials"]'),
        ('del answer["key"]', "got nothing"),
        ('answer = {"error": {"code": "host"}}', "got nothing; refused as host"),
        ('answer["error"] = {"code": "host"}', 'error: expected none, got "host"'),
        ("answer = [answer]", "expected one JSON object, got [{"),
        ('print("progress: 1"); continue', "expected one JSON object, got the line b'progress: 1"),
    ],
)
def test_a_program_that_lies_about_one_url_is_told_where(tried, lie: str, told: str) -> None:
    source = PROGRAM.replace("LIE", lie)
    status, out = tried(source, "--policy", "feed", args=("{policy}", "{overrides}"))
    assert status == 1
    assert out.startswith('feed.jsonl:1  "HTTPS://Example.COM/Path"\n')
    assert told in out
    assert out.endswith(f"feed: {FEED} tried, {FEED - 1} right\n")


def test_a_url_that_should_be_refused_is_a_failure(tried) -> None:
    source = READ + 'for _ in lines: print(json.dumps({"url": "http://a/", "error": None}))'
    status, out = tried(source, "--policy", "feed")
    assert status == 1
    assert 'error: expected "scheme", got null\n    url: expected none, got "http://a/"' in out
    assert out.endswith(" 0 right\n")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import sys; sys.exit('out of luck')", f"0 lines for {FEED} inputs and ended with 1 (out"),
        (READ + "print('{}')", f"wrote 1 lines for {FEED} inputs and ended with 0"),
        (READ + f"for _ in range({FEED + 1}): print('{{}}')", f"wrote {FEED + 1} lines for {FEED}"),
        (READ + "for _ in lines: print('{}')\nsys.exit(3)", "the program ended with 3"),
        ("import os; os.kill(os.getpid(), 9)", f"0 lines for {FEED} inputs and ended with -9"),
        ("import time; time.sleep(600)", "the program had not ended after 0.5 seconds"),
    ],
)
def test_a_program_that_dies_hangs_or_miscounts_is_reported(tried, source: str, told: str) -> None:
    status, out = tried(
        source, "--policy", "feed", "--timeout", "0.5" if "sleep" in source else "60"
    )
    assert (status, told in out) == (1, True), out
    assert out.endswith(f"feed: {FEED} tried, 0 right\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--policy", "feed"], "no program: put it behind --"),
        (
            ["--policy", "fed", "--", "x"],
            "there are no vectors 'fed'; there are clara, curious-now",
        ),
        (["--", "./there-is-no-such-program"], "cannot be started: No such file or directory"),
        (["--timeout", "soon", "--", "x"], "invalid float value"),
    ],
)
def test_wrong_usage_ends_with_2(words: list[str], told: str, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_true_is_not_1() -> None:
    assert differences({"notes": {"paginated": True}}, {"notes": {"paginated": 1}})
    assert not differences({"notes": {"a": 1, "b": None}}, {"notes": {"b": None, "a": 1}})


def test_it_runs_from_anywhere_with_the_standard_library_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", str(HERE / "run.py"), "--policy", "feed", "--", "true"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"wrote 0 lines for {FEED} inputs" in done.stdout


@pytest.mark.parametrize("json_in", [False, True])
def test_the_command_line_gives_what_every_vector_says(json_in: bool) -> None:
    """The whole kit on the real command, the way somebody else would run it."""
    sameas = Path(sys.executable).parent / "sameas"
    words = [str(sameas), "canon", "--json", "--input", "-", "--policy", "{policy}"]
    words += ["--overrides", "{overrides}"]
    words += ["--format", "jsonl", "--column", "input"] if json_in else []
    options = ["--json-in"] if json_in else []
    command = [sys.executable, str(HERE / "run.py"), *options, "--", *words]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SAMEAS_")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    summaries = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in summaries] == list(suites())
    assert all(" right" in line for line in summaries)
    assert ("NOT TRIED" in done.stdout) != json_in


def test_the_overrides_file_is_json_as_others_read_it() -> None:
    assert len(json.loads(OVERRIDES.read_text("utf-8"))["overrides"]) >= 10
