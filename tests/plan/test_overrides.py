"""The overrides file: as its seed writes it, refused where it is wrong, and proven to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas import InvalidURL, Policy, PolicyError
from tests.laws import invented
from tests.laws.strategies import NOT_TK

AS_THE_SEED_WRITES_IT = """{
  "overrides": [
    {
      "match": { "host": "example.com" },
      "drop_query_params": ["src", "partner"],
      "rewrite_rules": [
        { "from_prefix": "https://example.com/amp/", "to_prefix": "https://example.com/" }
      ]
    }
  ]
}
"""


@pytest.fixture
def load(tmp_path: Path):
    def overridden(data: Any, policy: str = "curious-now") -> Policy:
        file = tmp_path / "overrides.json"
        text = data if isinstance(data, str | bytes) else json.dumps({"overrides": data})
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Policy.load(policy, overrides=file)

    return overridden


def rules(*pairs: tuple[str, str], host: str = "h") -> dict[str, Any]:
    written = [{"from_prefix": start, "to_prefix": to} for start, to in pairs]
    return {"match": {"host": host}, "rewrite_rules": written}


def test_the_file_is_read_as_its_seed_writes_it(load) -> None:
    policy = load(AS_THE_SEED_WRITES_IT)
    gives = {
        "https://example.com/amp/story?src=a&partner=b&id=1#top": "https://example.com/story?id=1",
        "https://EXAMPLE.com:443/amp/amp/story/": "https://example.com/story",
        "https://example.com/amp": "https://example.com/amp",
        "https://example.com/amp/": "https://example.com/",
        "http://example.com/amp/story": "http://example.com/amp/story",
        "https://www.example.com/amp/story?src=a": "https://www.example.com/amp/story?src=a",
    }
    assert {url: policy.canonicalize(url).url for url in gives} == gives


def test_without_overrides_the_base_rules_apply(load) -> None:
    base = Policy.load("curious-now")
    for url in ("https://other.example/amp/?src=1", "https://example.com.evil/amp/a?partner=1"):
        assert load(AS_THE_SEED_WRITES_IT).canonicalize(url).url == base.canonicalize(url).url


def test_the_first_match_wins(load) -> None:
    first = {"match": {"host": "h"}, "drop_query_params": ["a"]}
    second = {"match": {"host": "H"}, "drop_query_params": ["b"], "rewrite_rules": []}
    assert load([first, second]).canonicalize("http://h/?a=1&b=2").url == "http://h/?b=2"
    assert load([second, first]).canonicalize("http://h/?a=1&b=2").url == "http://h/?a=1"


def test_rules_apply_in_order_then_again_until_nothing_matches(load) -> None:
    policy = load(
        [
            rules(
                ("http://h/b/", "http://h/c/"),
                ("http://h/a/", "http://h/b/"),
                ("http://h/c/", "http://h/"),
            )
        ]
    )
    assert policy.canonicalize("http://h/a/a/c/x").url == "http://h/x"


def test_the_override_of_the_host_that_is_reached_applies_as_well(load) -> None:
    mobile = rules(("http://m.h/", "http://h/"), host="m.h")
    policy = load([mobile, {"match": {"host": "h"}, "drop_query_params": ["src"]}])
    assert policy.canonicalize("http://m.h/a?src=1&b=2").url == "http://h/a?b=2"


@pytest.mark.parametrize("name", NOT_TK)
def test_overrides_work_under_every_policy_that_gives_urls(load, name: str) -> None:
    policy = load(AS_THE_SEED_WRITES_IT, name)
    assert policy.canonicalize("https://example.com/amp/a?src=1").url == "https://example.com/a"
    assert policy.fingerprint != Policy.load(name).fingerprint


def test_tk_takes_no_overrides(load) -> None:
    with pytest.raises(PolicyError, match="takes no overrides file"):
        load(AS_THE_SEED_WRITES_IT, "tk")


ROW = {"match": {"host": "h"}}
RULE = {"from_prefix": "http://h/a", "to_prefix": "http://h/b"}


def _with(**changed: Any) -> list[dict[str, Any]]:
    return [ROW, {**ROW, "rewrite_rules": [RULE, {**RULE, **changed}]}]


MALFORMED: dict[str, tuple[Any, str]] = {
    "not JSON": ('{\n"overrides": [', "overrides.json:2: is not JSON"),
    "nothing": ("", "is not JSON"),
    "a byte order mark": ("\ufeff{}", "is not JSON"),
    "not UTF-8": (b'{"overrides": ["\xe9"]}', "is not UTF-8"),
    "a list": ("[]", 'a list "overrides"'),
    "no list": ('{"overrides": {}}', 'a list "overrides"'),
    "another key": ('{"overrides": [], "version": 1}', 'knows no "version"'),
    "a key twice": ('{"overrides": [], "overrides": []}', "twice"),
    "too deep": ("[" * 100_000, "nested too deep"),
    "a number of 5,000 digits": ('{"overrides": ' + "9" * 5000 + "}", "digits"),
    "half a surrogate pair as a host": ([{"match": {"host": "\ud800"}}], "surrogate"),
    "half a surrogate pair in a prefix": (_with(to_prefix="http://h/\udce9"), "surrogate"),
    "half a surrogate pair in a name": ([{**ROW, "drop_query_params": ["\ud800"]}], "surrogate"),
    "a row that is a number": ([1], "overrides[0]: must be an object"),
    "a row with another key": ([ROW, {**ROW, "drop": []}], 'overrides[1]: knows no "drop"'),
    "a key that is nearly right": ([{**ROW, "drop_params": []}], 'mean "drop_query_params"?'),
    "no match": ([{}], 'overrides[0]: needs "match"'),
    "a match by path": ([{"match": {"host": "h", "path": "/"}}], 'needs "match"'),
    "a host that is a number": ([{"match": {"host": 1}}], 'needs "match"'),
    "a host with a path": ([{"match": {"host": "h/a"}}], "overrides[0].match"),
    "a host with a port": ([{"match": {"host": "h:81"}}], "is no host"),
    "a host with a default port": ([{"match": {"host": "h:80"}}], "is no host"),
    "a host with a star": ([{"match": {"host": "*.h"}}], "one exact host name"),
    "a host with a user": ([{"match": {"host": "u@h"}}], "is no host"),
    "no host": ([{"match": {"host": ""}}], "is no host"),
    "names that are text": ([{**ROW, "drop_query_params": "src"}], "[0].drop_query_params"),
    "names that are null": ([{**ROW, "drop_query_params": None}], "[0].drop_query_params"),
    "an empty name": ([{**ROW, "drop_query_params": [""]}], "cannot be empty"),
    "rules that are null": ([{**ROW, "rewrite_rules": None}], "[0].rewrite_rules: must be a list"),
    "a rule with another key": (_with(x=1), 'overrides[1].rewrite_rules[1]: knows no "x"'),
    "a prefix that is a number": (_with(from_prefix=1), "rules[1].from_prefix: must be text"),
    "a prefix without a scheme": (_with(to_prefix="h/b"), "rules[1].to_prefix: must be text"),
    "a prefix of another scheme": (_with(to_prefix="ftp://h/"), "to_prefix: must be text"),
    "a prefix with a query": (_with(from_prefix="http://h/?a"), "holds a ? or #"),
    "a prefix without a host": (_with(from_prefix="http://"), "is not a URL"),
    "a prefix in capitals": (_with(from_prefix="http://H/a"), "write http://h/a"),
    "a prefix with a default port": (_with(from_prefix="http://h:80/a"), "write http://h/a"),
    "a prefix with dots": (_with(to_prefix="http://h/c/../d"), "write http://h/d"),
    "a prefix with a blank": (_with(to_prefix="http://h/c d"), "write http://h/c%20d"),
    "a prefix with slashes that collapse": (_with(to_prefix="http://h//b//"), "no URL begins with"),
    "a prefix that is too long": (_with(to_prefix="http://h/" + "b" * 70_000), "too long|longer"),
    "a rule that does nothing": (_with(to_prefix="http://h/a"), "to itself"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "said"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_file_is_refused_with_place_and_reason(load, data: Any, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load(data)
    assert "overrides.json" in caught.value.place
    assert any(part in str(caught.value) for part in said.split("|"))


@pytest.mark.parametrize("name", ["none.json", "a\x00b", "\ud800", "a" * 5000, "."])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(PolicyError, match=r"cannot be read|is no path"):
        Policy.load("curious-now", overrides=tmp_path / name)


def test_credentials_in_a_prefix_are_not_repeated(load) -> None:
    with pytest.raises(PolicyError) as caught:
        load(_with(from_prefix="http://u:hunter2@h/a"))
    assert "hunter2" not in str(caught.value)


def test_a_prefix_that_the_policys_own_rules_would_change_is_refused(load) -> None:
    """It could never match, or would be changed under the feet of the rewriting."""
    grows = [rules(("https://h/amp", "https://h//amp//amp/"))]
    for name, row in (
        ("curious-now", grows),
        ("clara", [rules(("https://h/a;jsessionid=1/", "https://h/"))]),
        ("clara", [rules(("http://h/a/", "https://h/"))]),
        ("news", [rules(("https://www.h.com/a/", "https://h.com/"), host="www.h.com")]),
        ("default", [rules(("https://h/%7ea/", "https://h/~a/"))]),
    ):
        with pytest.raises(PolicyError, match="no URL begins with"):
            load(row, name)


@pytest.mark.parametrize(
    ("name", "start", "to", "url"),
    [
        ("clara", "https://h/x", "https://h/b/..;s", "https://h/" + "xid=1/" * 40),
        ("clara", "https://h/%E9", "https://h/%e", "https://h/%E9" + "9" * 40),
        ("default", "https://h/x", "https://h/%7", "https://h/x" + "8" * 40),
        ("default", "https://www.amazon.com/x", "https://www.amazon.com/", "xref=1/" * 40),
    ],
)
def test_a_rewrite_that_cuts_a_segment_is_refused_where_rules_look_at_whole_ones(
    load, name: str, start: str, to: str, url: str
) -> None:
    """Each pass would make something new for the next one to change, as often as the URL allows."""
    row = [rules((start, to), host="www.amazon.com" if "amazon" in start else "h")]
    with pytest.raises(PolicyError, match="must end with /"):
        load(row, name)
    if "amazon" not in start and name == "clara":
        policy = load(row, "curious-now")
        found = policy.canonicalize(url)
        assert policy.canonicalize(found.url).url == found.url


CYCLES = {
    "onto itself": [rules(("http://h/a", "http://h/aa"))],
    "as long as before": [rules(("http://h/a/", "http://h/b/"), ("http://h/b/", "http://h/a/"))],
    "over two overrides": [
        rules(("http://h/", "http://i/"), host="h"),
        rules(("http://i/", "http://h/"), host="i"),
    ],
    "over three that grow in the end": [
        rules(
            ("http://h/aaaa/", "http://h/b/"),
            ("http://h/b/", "http://h/cc/"),
            ("http://h/cc/", "http://h/aaaa/"),
        )
    ],
    "through a shorter prefix": [rules(("http://h/", "http://h/x/"))],
    "through a longer prefix": [rules(("http://h/x/", "http://h/x/y"))],
    "through dots where the two parts meet": [rules(("http://h/aa", "http://h/c/"))],
}


@pytest.mark.parametrize("rows", CYCLES.values(), ids=CYCLES)
def test_a_cycle_that_does_not_shrink_is_refused(load, rows: list[dict[str, Any]]) -> None:
    with pytest.raises(PolicyError, match="might never end") as caught:
        load(rows)
    assert "rewrite_rules[" in caught.value.place


def test_a_cycle_that_shrinks_is_accepted(load) -> None:
    policy = load([rules(("http://h/x/y/", "http://h/z/"), ("http://h/z/", "http://h/x/"))])
    assert policy.canonicalize("http://h/x/y//y//y/a").url == "http://h/x/a"
    swap = [
        rules(("http://h/", "http://longer.example/"), host="h"),
        rules(("http://longer.example/aa/aa/aa/aa/", "http://h/"), host="longer.example"),
    ]
    assert load(swap).canonicalize("http://h/" + "aa/" * 9).url == "http://longer.example/aa"


@st.composite
def _inputs(draw: st.DrawFn, rows: list[dict[str, Any]]) -> str:
    starts = [rule[key] for row in rows for rule in row["rewrite_rules"] for key in rule]
    return draw(st.sampled_from(starts)) + draw(invented.tails) * draw(st.integers(1, 40))


@given(
    rows=invented.overrides, data=st.data(), name=st.sampled_from(["curious-now", "clara", "feed"])
)
def test_every_file_that_is_accepted_ends_on_every_input(
    rows: list[dict[str, Any]], data: st.DataObject, name: str
) -> None:
    policy = invented.overridden(rows, name)
    if isinstance(policy, PolicyError):
        return
    for _ in range(5):
        url = data.draw(_inputs(rows))
        try:
            found = policy.canonicalize(url)
        except InvalidURL:
            continue
        again = policy.canonicalize(found.url)
        assert (again.url, again.key) == (found.url, found.key)
        assert len(policy.explain(url).steps) < 100


@pytest.mark.parametrize("name", ["curious-now", "clara"])
def test_rewriting_by_the_longest_prefixes_there_are_ends_too(load, name: str) -> None:
    policy = load([rules(("https://h/x/", "https://h/" + "b" * 60_000 + "/"))], name)
    assert policy.canonicalize("https://h/x/a").url.endswith("b/a")
    with pytest.raises(InvalidURL) as caught:
        policy.canonicalize("https://h/x/" + "a" * 6_000)
    assert caught.value.code == "too_long"
