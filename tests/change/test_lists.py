"""Lists from outside: what comes to the same in a policy, what is left to a person, what is broken.

The lists are made up here, in the forms of the real ones."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas import Policy
from sameas.change import adguard, clearurls
from sameas.change.imported import Imported, Where, policy_text
from sameas.change.patterns import Untranslatable, entries
from sameas.change.policy_file import save
from sameas.engine.names import Names
from sameas.errors import PolicyError, RecordsError

BELOW = r"^https?:\/\/(?:[a-z0-9-]+\.)*?"


def _clearurls(**providers: object) -> Imported:
    return clearurls.read(json.dumps({"providers": providers}), "rules.json")


def _policy(found: Imported, folder: Path, extends: str = "default") -> Policy:
    return save(str(folder / "made.toml"), policy_text(found, "made", extends, "a list"))


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("ref", ["ref"]),
        (r"wt\.mc", ["wt.mc"]),
        ("utm_.*", ["utm_*"]),
        (".*clid", ["*clid"]),
        (".*track.*", ["*track*"]),
        ("_?ga", ["_ga", "ga"]),
        ("(?:a|bc)d", ["ad", "bcd"]),
        ("x(?:_(?:y|z))?", ["x_y", "x_z", "x"]),
        ("s[ab]", ["sa", "sb"]),
        ("^ref$", ["ref"]),
        (".*", ["*"]),
    ],
)
def test_an_expression_becomes_the_entries_that_match_the_same(expression: str, wanted: list[str]):
    assert entries(expression) == wanted


@pytest.mark.parametrize(
    ("expression", "nearest"),
    [
        ("utm_[a-z_]*", "utm_*"),
        (r"id\d+", "id*"),
        ("a.+", "a*"),
        ("(?!x)y", ""),
        ("a{2,3}", ""),
        ("a*", ""),
        ("a.*b", ""),
        ("[a-f]", ""),
        ("(?:a|b", ""),
        ("a)", ""),
        ("a=b", ""),
        ("", ""),
        ("|".join(map(str, range(65))), ""),
    ],
)
def test_what_has_no_entries_says_so_and_names_the_nearest(expression: str, nearest: str):
    with pytest.raises(Untranslatable) as caught:
        entries(expression)
    assert caught.value.nearest == nearest


_ATOMS = st.sampled_from(["a", "b", "_", r"\.", "(?:a|b_)", "[ab]", "a?", "(?:ab)?", ".*"])
_WORDS = ["".join(word) for n in range(1, 5) for word in product("ab_.", repeat=n)]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(_ATOMS, min_size=1, max_size=4).map("".join))
def test_entries_match_exactly_the_names_that_the_expression_does(expression: str):
    try:
        names = Names(entries(expression))
    except Untranslatable:
        return
    for word in _WORDS:
        assert bool(names.match(word)) == bool(re.fullmatch(expression, word)), word


def test_a_list_of_clearurls_becomes_a_policy(tmp_path: Path):
    found = _clearurls(
        everywhere={"urlPattern": ".*", "rules": ["from", "cmp_.*"]},
        shop={
            "urlPattern": BELOW + r"shop(?:\.[a-z]{2,}){1,}",
            "rules": ["pd_rd_(?:r|w)"],
            "rawRules": [r"\/ref=[^\/\?]*"],
        },
        path={"urlPattern": BELOW + r"a\.example\/news\/", "rules": ["src"]},
        out={
            "urlPattern": BELOW + r"out\.example",
            "redirections": [BELOW + r"out\.example\/go\?.*?(?:url|to)=(https?[^&]+)"],
        },
    )
    assert (found.left, found.broken, found.rules) == ([], [], 6)
    policy = _policy(found, tmp_path)
    for url, wanted in (
        ("https://h.example/?from=1&cmp_x=2&id=3", "https://h.example/?id=3"),
        ("https://www.shop.co.uk/a/ref=x?pd_rd_w=1&k=2", "https://www.shop.co.uk/a?k=2"),
        ("https://a.example/news/1?src=x", "https://a.example/news/1"),
        ("https://a.example/other?src=x", "https://a.example/other?src=x"),
        ("https://out.example/go?x=1&to=https%3A%2F%2Fb.example%2F1", "https://b.example/1"),
    ):
        assert policy.canonicalize(url).url == wanted


def test_what_a_list_says_and_a_policy_cannot_is_listed_by_its_place(tmp_path: Path):
    found = _clearurls(
        a={
            "urlPattern": ".*",
            "rules": ["ok", "utm_[a-z_]*"],
            "rawRules": ["#xtor.*"],
            "referralMarketing": ["tag"],
            "exceptions": [r"^https?:\/\/b\.example"],
            "redirections": ["nonsense"],
        },
        blocked={"urlPattern": BELOW + r"ads\.example", "completeProvider": True},
        odd={"urlPattern": r"^https?:\/\/[ab]\.example", "rules": ["x"]},
    )
    left = {(row.place, row.rule) for row in found.left}
    assert left == {
        ("a", "utm_[a-z_]*"),
        ("a", "#xtor.*"),
        ("a", "tag"),
        ("a", r"^https?:\/\/b\.example"),
        ("a", "nonsense"),
        ("blocked", BELOW + r"ads\.example"),
        ("odd", "x"),
    }
    text = policy_text(found, "made", "default", "a list")
    for _, rule in left:
        assert rule in text
    assert "utm_* would drop more" in text
    assert (
        _policy(found, tmp_path)
        .canonicalize("https://h.example/?ok=1&tag=2")
        .url.endswith("?tag=2")
    )


def test_broken_entries_of_clearurls_cost_the_others_nothing():
    found = _clearurls(
        a={"urlPattern": ".*", "rules": ["from", 7, ""], "rulez": []},
        b="no provider",
        c={"rules": ["x"]},
    )
    assert found.sites[Where()].drop == {"from"}
    assert [(row.place, row.rule) for row in found.broken] == [
        ("a", "rulez"),
        ("a", "rules: 7"),
        ("a", 'rules: ""'),
        ("b", ""),
        ("c", ""),
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"providers": []}', "{", "[" * 100_000])
def test_what_is_no_list_of_clearurls_is_refused(text: str):
    with pytest.raises(RecordsError):
        clearurls.read(text, "rules.json")


ADGUARD = r"""[Adblock Plus 2.0]
! Title: made up
$removeparam=from
||a.example^$removeparam=src
||b.example/news/*$removeparam=ref,document
$removeparam=partner,domain=c.example|d.example
@@||e.example^$removeparam=from
||f.example^$removeparam
$removeparam=/^cmp_/
$removeparam=/^(?:x1|x2)=/
||shop.*^$removeparam=tag,third-party
"""


def test_a_list_of_adguard_becomes_a_policy(tmp_path: Path):
    found = adguard.read(ADGUARD, "list.txt")
    assert (found.left, found.broken, found.rules) == ([], [], 9)
    policy = _policy(found, tmp_path)
    for url, wanted in (
        ("https://h.example/?from=1&id=3&cmp_a=1&x1=2&x11=3", "https://h.example/?id=3&x11=3"),
        ("https://www.a.example/?src=1", "https://www.a.example/"),
        ("https://h.example/?src=1", "https://h.example/?src=1"),
        ("https://b.example/news/1?ref=1", "https://b.example/news/1"),
        ("https://b.example/1?ref=1", "https://b.example/1?ref=1"),
        ("https://d.example/?partner=1", "https://d.example/"),
        ("https://e.example/?from=1", "https://e.example/?from=1"),
        ("https://f.example/a?any=1&thing=2", "https://f.example/a"),
        ("https://shop.co.uk/?tag=1", "https://shop.co.uk/"),
    ):
        assert policy.canonicalize(url).url == wanted


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("||ads.example^", "says nothing of parameters"),
        ("##.banner", "says nothing of parameters"),
        ("||a.example^$script,removeparam=x", "requests of the kind script alone"),
        ("$removeparam=~x", "all parameters but one"),
        ("$removeparam=/x/", "looked for anywhere"),
        ("$removeparam=/^x=1$/", "names and values"),
        ("$removeparam=x,domain=~a.example", "everywhere but on some sites"),
        ("||a.example^$removeparam=x,domain=b.example", "asked for by another"),
        ("||a.ex*mple^$removeparam=x", "no host that a policy can name"),
        ("/ads/$removeparam=x", "no host, nor a host"),
        ("||a.example/*/b$removeparam=x", "not the start of a path"),
        ("$removeparam=x,app=a", '"app" has no counterpart'),
    ],
)
def test_what_a_rule_says_and_a_policy_cannot_is_listed_by_its_line(rule: str, why: str):
    found = adguard.read(f"! one\n{rule}\n$removeparam=ok\n", "list.txt")
    (left,) = found.left
    assert (left.place, left.rule) == ("list.txt:2", rule)
    assert why in left.why
    assert found.sites[Where()].drop == {"ok"}


def test_broken_lines_cost_the_others_nothing():
    rules = ("$removeparam=a b=c", "$removeparam=/x", "$,removeparam=x", "$removeparam=ok")
    found = adguard.read("\n".join(rules), "list.txt")
    assert [row.place for row in found.broken] == ["list.txt:1", "list.txt:2", "list.txt:3"]
    assert found.sites[Where()].drop == {"ok"}


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.sampled_from('$removepa=/^|*.,~@!#()[]{}?\\ab\n"'), max_size=40))
def test_any_lines_are_read_and_what_comes_of_them_loads(text: str):
    found = adguard.read(f"$removeparam=ok\n{text}\n$removeparam={text}", "list.txt")
    kept = "\n".join(sorted(found.sites[Where()].drop))
    assert "ok" in kept
    for site in found.sites.values():
        Names(site.drop | site.keep)


def test_a_file_that_would_not_load_takes_no_name(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text("mine")
    with pytest.raises(PolicyError) as caught:
        save(str(file), 'name = "made"\n')
    assert caught.value.place == str(file)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("mine.toml", "mine")]
