"""`sameas registry check` as a shell sees it: results, statuses, and what is left alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sameas.cli.options import store_target
from tests.cli.checking import BAD, MENDED, U, check, objects
from tests.cli.program import PROGRAM, environment, in_process, on_terminal
from tests.registry.runs import GOOD, tramites


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return work


def test_each_link_with_something_wrong_is_an_object_with_the_names_scripts_rely_on(folder: Path):
    tramites(folder / "data", a=BAD, b=GOOD, c=f"{U}/", d=None, e="boe.es", f="ftp://u:pw@h/")
    ended = check("--json", "data")
    assert (ended.status, ended.err) == (1, "")
    found = objects(ended)
    assert [list(one)[:5] for one in found] == [
        ["file", "field", "url", "problems", "suggestion"]
    ] * 5
    assert [(one["file"], one["line"], *list(one.values())[1:5]) for one in found] == [
        ("data/tramites/a.json", 3, "fuente_url", BAD, ["not_canonical"], MENDED),
        ("data/tramites/c.json", 3, "fuente_url", f"{U}/", ["not_canonical", "homepage"], U),
        ("data/tramites/d.json", 3, "fuente_url", None, ["invalid"], None),
        ("data/tramites/e.json", 3, "fuente_url", "boe.es", ["invalid"], None),
        ("data/tramites/f.json", 3, "fuente_url", "ftp://***@h/", ["invalid"], None),
    ]


def test_the_exit_status_tells(folder: Path):
    tramites(folder, a=GOOD)
    assert (check(".").status, check(".").lines) == (0, ["1 link in 1 file: nothing wrong"])
    (folder / "tramites" / "b.json").write_text("{")
    ended = check(".")
    assert ended.status == 1
    assert ended.err.startswith("tramites/b.json:1: is not JSON: ")
    for wrong in (["no-such"], [__file__], [".", "--backup"], [".", "--policy", "tk"]):
        ended = check(*wrong)
        assert ended.status == 2, wrong
        assert ended.err
    assert in_process("registry", "check").status == 2


def test_where_no_link_is_found_that_is_said(folder: Path):
    tramites(folder, a=GOOD)
    ended = check("--field", "url", ".")
    assert ended.status == 0
    assert ended.lines == ["0 links in 1 file: nothing wrong"]
    assert ended.err == "sameas: is this the right folder, and the right --field?\n"


def test_other_fields_and_formats_are_checked(folder: Path):
    (folder / "a.jsonl").write_text(json.dumps({"x": [{"url": BAD}], "fuente_url": "no"}) + "\n")
    (folder / "b.csv").write_text(f"enlace;n\n{BAD};1\n")
    found = objects(check("--json", "--field", "url", "--field", "enlace", "."))
    assert [(one["file"], one["line"], one["field"], one["problems"]) for one in found] == [
        ("a.jsonl", 1, "x[0].url", ["not_canonical", "duplicate"]),
        ("b.csv", 2, "enlace", ["not_canonical", "duplicate"]),
    ]


def test_annotations_stand_where_github_reads_them(folder: Path):
    tramites(folder / "a,b", x=BAD)
    (folder / "a,b" / "tramites" / "y.json").write_text("{\n")
    ended = check("--format", "github", ".")
    broken, wrong = ended.lines
    assert broken.startswith("::error file=a%2Cb/tramites/y.json,line=2,title=cannot be read::")
    assert wrong == (
        "::error file=a%2Cb/tramites/x.json,line=3,title=not_canonical::"
        f"{BAD}%0Ait is not written as it is to be stored%0Awrite {MENDED}"
    )


def test_only_official_hosts_are_allowed_unless_told_otherwise(folder: Path):
    tramites(folder, a="https://tienda.example/a/b/c")
    assert objects(check("--json", "."))[0]["problems"] == ["not_allowed"]
    assert check("--allow", "*.example", ".").status == 0


def test_offline_no_store_is_made_unasked(folder: Path):
    tramites(folder, a=f"{U}/es")
    assert "1 question for a person: name a --store to keep them" in check(".").lines
    assert sorted(path.name for path in folder.iterdir()) == ["tramites"]
    assert sorted(path.name for path in folder.parent.iterdir()) == ["work"]
    kept = check("--store", store_target(""), ".")
    assert "1 question for a person: see `sameas review list`" in kept.lines
    assert "1 question for a person: see `sameas review list`" in check(".").lines


def test_offline_a_home_is_not_needed(folder: Path, monkeypatch: pytest.MonkeyPatch):
    tramites(folder, a=f"{U}/es")
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null/none")
    assert "1 question for a person: name a --store to keep them" in check(".").lines


def test_offline_nothing_but_the_base_install_is_loaded(folder: Path):
    tramites(folder, a=f"{U}/es")
    code = """
import sys
from sameas.cli.app import app
app(["registry", "check", "--offline", "."], standalone_mode=False)
"""
    check = "print(*(m for m in ('sqlalchemy', 'aiohttp', 'rich.progress') if m in sys.modules))"
    program = f"import atexit, sys\natexit.register(lambda: {check})\n{code}"
    found = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines()[-1] == ""


def test_the_page_shows_what_is_wrong_and_nothing_of_it_is_markup(folder: Path):
    tramites(folder, a=BAD, b=f"{U}/<script>alert(1)</script>", c="javascript:alert(1)")
    (folder / "tramites" / "d.json").write_text("{")
    ended = check("--html", "report.html", ".")
    page = (folder / "report.html").read_text()
    assert ended.status == 1
    assert "<svg" in page
    assert "<script" not in page
    assert 'href="javascript' not in page
    assert f'href="{MENDED}"' in page
    assert "tramites/d.json:1: is not JSON" in page
    assert page.count("<td>tramites/a.json:3") == 1


def test_a_page_does_not_take_the_place_of_what_may_be_checked(folder: Path):
    tramites(folder, a=BAD)
    file = folder / "tramites" / "a.json"
    before = file.read_bytes()
    ended = check("--html", "tramites/a.json", ".")
    assert (ended.status, ended.out) == (2, "")
    assert "give it the ending .html" in ended.err
    assert file.read_bytes() == before


def test_a_page_without_a_place_is_refused_before_anything_is_done(folder: Path):
    tramites(folder, a=BAD)
    for place, reason in ((".", "is a folder"), ("no/such/page.html", "there is no such folder")):
        ended = check("--html", place, ".")
        assert (ended.status, ended.out) == (2, "")
        assert f"--html {place}: {reason}" in ended.err


def test_a_store_of_another_policy_is_refused_with_what_to_do(folder: Path):
    tramites(folder, a=GOOD)
    assert check("--store", "s.db", ".").status == 0
    (folder / "o.json").write_text(
        '{"overrides": [{"match": {"host": "a.es"}, "drop_query_params": ["x"]}]}'
    )
    ended = check("--store", "s.db", "--overrides", "o.json", ".")
    assert ended.status == 2
    assert "give the --policy and --overrides they were made with" in ended.err


def test_on_a_terminal_there_is_no_bar_where_nobody_is_asked(folder: Path):
    tramites(folder, a=BAD)
    ended, seen = on_terminal("registry", "check", "--offline", str(folder))
    assert ended.status == 1
    assert "\x1b" not in seen
    assert MENDED in seen


FEW, MANY = 2_000, 50_000
_MEASURED = """
import resource, subprocess, sys
nowhere = subprocess.DEVNULL
status = subprocess.call(sys.argv[1:], stdin=nowhere, stdout=nowhere, stderr=nowhere)
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _peak(*args: str) -> int:
    """The most memory the program held, in kilobytes."""
    found = subprocess.check_output(
        [sys.executable, "-c", _MEASURED, *PROGRAM, *args], env=environment()
    )
    status, peak = map(int, found.split())
    assert status == 1
    return peak


def test_memory_stays_the_same_for_fifty_thousand_links(folder: Path):
    peaks = []
    for count in (FEW, MANY):
        with open(folder / f"{count}.jsonl", "w") as stream:
            for i in range(count):
                link = f"http://sede{i % 997}.gob.es/a/{i % (count // 2)}/{'x' * 200}/"
                stream.write(json.dumps({"id": i, "fuente_url": link}) + "\n")
        args = ("--store", f"{count}.db", "--html", "r.html", "--fix", f"{count}.jsonl")
        peaks.append(_peak("registry", "check", "--offline", *args))
    assert peaks[1] < peaks[0] + 24 * 1024
    assert len((folder / "r.html").read_bytes()) < 400_000
    assert (folder / f"{MANY}.jsonl.bak").read_bytes().count(b"\n") == MANY


def test_the_program_ends_quietly_when_its_reader_leaves(folder: Path):
    tramites(folder, **{f"n{i}": BAD + f"&y={i}" for i in range(300)})
    done = subprocess.run(
        ["sh", "-c", f"{' '.join(PROGRAM)} registry check --offline . | head -1"],
        env=environment(),
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    assert done.stdout.startswith("tramites/n0.json:3: not_canonical")
    assert "Traceback" not in done.stderr
