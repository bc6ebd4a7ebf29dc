"""semantics.md, the code and the plans say the same: clauses, operations, examples, fingerprint."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path

import pytest
from spec.run import HERE

import sameas
from sameas import InvalidURL, Policy, PolicyError
from sameas.plan import document
from sameas.plan.compile import CLAUSES
from sameas.plan.plan import SEMANTICS

TEXT = (HERE / "semantics.md").read_text("utf-8")
SOURCES = [
    file
    for room in ("engine", "plan")
    for file in sorted((Path(sameas.__file__).parent / room).glob("*.py"))
]
HEADING = re.compile(r"^### ([CT]\d+) (?:`([a-z_.]+)`)?(?: \{([a-z_, ]+)\})?", re.M)
CITED = re.compile(r"\b([CT])([1-9]\d?)\b(?: to \1([1-9]\d?)\b)?")
HEADINGS = {clause: (name, args) for clause, name, args in HEADING.findall(TEXT)}
EXAMPLE = re.compile(r"^\| `([a-z-]+)` \| `(.+)` \| (refused )?`(.+)` \|$", re.M)


def _tables() -> list[tuple[str, str, str, str]]:
    """The example rows: policy, field, input and what it gives."""
    found, field = [], ""
    for line in TEXT.splitlines():
        if line.startswith("| policy |"):
            field = "url" if "gives" in line else "form"
        elif line.startswith("| input |"):
            field = "override"
        row = EXAMPLE.match(line)
        if field == "override" and (row := re.match(r"\| `(https.+)` \| `(.+)` \|$", line)):
            found.append(("curious-now", field, row[1], row[2]))
        elif row and field:
            found.append((row[1], "error" if row[3] else field, row[2], row[4]))
        elif not line.startswith("|"):
            field = ""
    return found


EXAMPLES = _tables()


def _cited(text: str) -> set[str]:
    return {
        f"{letter}{number}"
        for letter, first, last in CITED.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def test_the_clauses_are_numbered_without_a_gap() -> None:
    expected = [f"C{i}" for i in range(1, 29)] + [f"T{i}" for i in range(1, 12)]
    assert [clause for clause, _, _ in HEADING.findall(TEXT)] == expected


def test_every_clause_the_code_cites_exists_and_every_clause_is_cited() -> None:
    cited = set().union(*(_cited(file.read_text("utf-8")) for file in SOURCES))
    assert cited == set(HEADINGS)


def test_every_clause_the_page_itself_cites_exists() -> None:
    assert _cited(TEXT) <= set(HEADINGS)


def test_every_operation_stands_in_the_heading_of_its_clause() -> None:
    named = {name: clause for clause, (name, _) in HEADINGS.items() if name}
    assert named == {name: clause for name, (clause, _) in CLAUSES.items()}


def test_a_heading_lists_the_arguments_its_operation_has_in_plans() -> None:
    plans = [Policy.load(name).plan for name in document.builtin_names()]
    plans.append(Policy.load("curious-now", HERE / "overrides.json").plan)
    seen = {op.name: op for plan in plans for op in plan.ops()}
    assert set(CLAUSES) - set(seen) == set(), "no policy uses it, so nothing tells what it takes"
    for name, op in seen.items():
        listed = HEADINGS[op.clause][1]
        assert set(op.args) == set(listed.split(", ") if listed else []), name


def test_the_version_of_the_page_is_the_one_in_plans() -> None:
    assert TEXT.startswith(f"# Semantics, version {SEMANTICS}\n")


@pytest.mark.parametrize("policy", document.builtin_names())
def test_the_fingerprint_is_what_the_page_says_it_is(policy: str) -> None:
    loaded = Policy.load(policy)
    data = json.loads(json.dumps(loaded.plan.as_data(), default=list))
    section = TEXT.partition("## The plan\n")[2].partition("\n## ")[0]
    assert list(data) == re.findall(r"^\| `(\w+)` \|", section, re.M)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert loaded.fingerprint == hashlib.sha256(text.encode("ascii")).hexdigest()


@cache
def _policy(name: str, with_overrides: bool) -> Policy:
    return Policy.load(name, HERE / "overrides.json" if with_overrides else None)


@pytest.mark.parametrize(("name", "field", "url", "gives"), EXAMPLES)
def test_an_example_of_the_page_holds(name: str, field: str, url: str, gives: str) -> None:
    policy = _policy(name, field == "override")
    if field == "error":
        with pytest.raises(InvalidURL) as refused:
            policy.canonicalize(url)
        assert refused.value.code == gives
    else:
        result = policy.canonicalize(url)
        assert (result.form if field == "form" else result.url) == gives


def test_no_row_of_an_example_table_is_overlooked() -> None:
    rows = [
        line for line in TEXT.splitlines() if re.match(r"\| `[^`]*` \| `?(https?:|example)", line)
    ]
    rows += [line for line in TEXT.splitlines() if line.startswith("| `https://")]
    assert len(EXAMPLES) >= 50
    assert len({row[2] for row in EXAMPLES}) <= len(EXAMPLES)
    for row in rows:
        assert any(f"`{url}`" in row for _, _, url, _ in EXAMPLES), row


def test_what_a_keep_names_is_no_part_of_a_group_that_goes(tmp_path: Path) -> None:
    """C15: names on `keep` stay whatever another list says, a group of `together` as well."""
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nversion = 1\n[query]\ntogether = [["a", "b"]]\nkeep = ["b"]\n')
    file.write_text(file.read_text() + '[[site]]\nhost = "kept.example"\nkeep = ["a"]\n')
    policy = Policy.load(file)
    assert policy.canonicalize("http://h.example/?a=1&b=2&c=3").url == "http://h.example/?b=2&c=3"
    assert policy.canonicalize("http://kept.example/?a=1&b=2").url == "http://kept.example/?a=1&b=2"


def test_a_site_has_as_many_labels_as_it_likes(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    head = 'name = "mine"\nversion = 1\n[[site]]\nhost = "a.b.c.d.e.f.g.h.example"\n'
    file.write_text(head + 'drop = ["x"]\n')
    policy = Policy.load(file)
    for host in ("a.b.c.d.e.f.g.h.example", "z.a.b.c.d.e.f.g.h.example"):
        assert policy.canonicalize(f"http://{host}/?x=1").url == f"http://{host}/"
    assert policy.canonicalize("http://b.c.d.e.f.g.h.example/?x=1").url[-4:] == "?x=1"


def test_the_first_page_parameter_is_noted_even_if_its_name_is_empty(tmp_path: Path) -> None:
    """C20."""
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nversion = 1\n[query]\npagination = ["*"]\n')
    noted = Policy.load(file).canonicalize("http://h.example/a?=1&page=2").notes["pagination"]
    assert noted == {"paginated": True, "page_param": "", "total_pages": None}


@pytest.mark.parametrize(
    ("rules", "ends"),
    [
        ([("https://h/amp/", "https://h/")], True),
        ([("https://h/a/", "https://h/a/b/")], False),
        ([("https://h/a/", "https://h/b/"), ("https://h/b/", "https://h/a/")], False),
        ([("https://h/ab/", "https://h/b/"), ("https://h/b/", "https://h/ab/")], False),
        ([("https://h/abc/", "https://h/b/"), ("https://h/b/", "https://h/ab/")], True),
        ([("https://h/abcd", "https://h/b/")], True),
        ([("https://h/a", "https://h/b/c/"), ("https://h/b/", "https://h/a")], False),
        ([("https://h/xyz", "https://h/u/v/"), ("https://h/u/", "https://h/xy/")], True),
        ([("https://h/old", "https://h/new/")], False),
    ],
)
def test_rewriting_that_might_never_end_is_refused(
    rules: list[tuple[str, str]], ends: bool, tmp_path: Path
) -> None:
    file = tmp_path / "overrides.json"
    listed = [{"from_prefix": start, "to_prefix": to} for start, to in rules]
    file.write_text(json.dumps({"overrides": [{"match": {"host": "h"}, "rewrite_rules": listed}]}))
    if ends:
        assert Policy.load("curious-now", file).canonicalize("https://h/ab/abc/xyz../")
    else:
        with pytest.raises(PolicyError, match="rewriting might never end"):
            Policy.load("curious-now", file)
