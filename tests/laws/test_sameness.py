"""Law 4: what never changes a key, and what always does.

`tk` is left out where it merges on purpose, as its package does.
"""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sameas import InvalidURL, Policy
from tests.laws.strategies import NOT_TK, POLICIES
from tests.laws.test_laws import each_but_tk, each_policy

SORTING = ["curious-now", "default", "news", "tk"]
NEVER_LISTED = "zq"

hosts = st.sampled_from(
    ["example.com", "www.example.com", "a.example.co.uk", "bücher.example", "xn--bcher-kva.example"]
)
schemes = st.sampled_from([("http", ":80"), ("https", ":443")])
paths = st.sampled_from(
    ["", "/", "/a", "/a/", "/a/B.html", "/%E9", "/%2F", "/a;b=1", "/a//b", "/%%37E"]
)
pieces = st.sampled_from(
    ["a=1", "a=2", "b", "b=", "c=%E9", "%C3%A9=é", "d=+", "x[]=1", "=", "e=%%37E"]
)
queries = st.lists(pieces, max_size=4)


def _joined(pieces: list[str]) -> str:
    return "?" + "&".join(pieces) if pieces else ""


def listed(policy: Policy) -> list[str]:
    """What a policy drops everywhere, whatever else is there."""
    drops = [op for op in policy.plan.rules if op.name in ("query.drop", "tk.drop_parameters")]
    names = [name for op in drops for key in ("names", "session") for name in op.args.get(key, ())]
    kept = [name for op in drops for name in op.args.get("keep", ())]
    return [
        name.replace("*", "x1").replace("{letters}", "my") for name in names if name not in kept
    ]


@each_policy
@given(scheme=schemes, host=hosts, path=paths, query=queries)
def test_host_case_default_port_and_fragment_change_no_key(
    name: str, scheme: tuple[str, str], host: str, path: str, query: list[str]
) -> None:
    policy, (scheme_name, port) = POLICIES[name], scheme
    rest = path + _joined(query)
    key = policy.key(f"{scheme_name}://{host}{rest}")
    assert policy.key(f"{scheme_name.upper()}://{host.upper()}{rest}") == key
    if name != "tk" or path:
        assert policy.key(f"{scheme_name}://{host}{rest}#top") == key
    if name != "tk":
        assert policy.key(f"{scheme_name}://{host}{port}{rest}") == key
        assert policy.key(f" {scheme_name}:\t//{host}{rest}#a=1&b\n") == key


def test_tk_keeps_the_port_and_refuses_a_fragment_behind_the_host_as_its_package_does() -> None:
    tk = POLICIES["tk"]
    assert tk.canonicalize("http://example.com:80/").url == "example.com:80"
    with pytest.raises(InvalidURL):
        tk.key("http://example.com#top")


def test_a_route_is_a_page_to_default_and_to_no_other_policy() -> None:
    for name, policy in POLICIES.items():
        for route in ("#!/a", "#/a"):
            changed = policy.key("http://example.com/" + route) != policy.key("http://example.com/")
            assert changed == (name == "default")


@each_policy
@given(data=st.data(), host=hosts, path=paths, query=queries)
def test_a_dropped_parameter_changes_no_key(
    name: str, data: st.DataObject, host: str, path: str, query: list[str]
) -> None:
    policy = POLICIES[name]
    dropped = data.draw(st.sampled_from(listed(policy)))
    spelled = data.draw(
        st.sampled_from([dropped, dropped.upper(), f"%{ord(dropped[0]):x}{dropped[1:]}"])
    )
    value = data.draw(st.sampled_from(["", "=", "=1", "=%", "==é", "=https://h/?a"]))
    at = data.draw(st.integers(0, len(query)))
    more = [*query[:at], spelled + value, *query[at:]]
    assert policy.key(f"http://{host}{path}{_joined(more)}") == policy.key(
        f"http://{host}{path}{_joined(query)}"
    )


@pytest.mark.parametrize("name", SORTING)
@given(host=hosts, path=paths, query=queries, data=st.data())
def test_where_parameters_are_sorted_their_order_changes_no_key(
    name: str, host: str, path: str, query: list[str], data: st.DataObject
) -> None:
    again = data.draw(st.permutations(query))
    policy = POLICIES[name]
    assert policy.key(f"http://{host}{path}{_joined(query)}") == policy.key(
        f"http://{host}{path}{_joined(again)}"
    )


@pytest.mark.parametrize("name", sorted(set(POLICIES) - set(SORTING)))
def test_where_parameters_are_not_sorted_their_order_is_kept(name: str) -> None:
    policy = POLICIES[name]
    assert policy.key("http://h/?a=1&b=2") != policy.key("http://h/?b=2&a=1")


TOKENS = [
    "a", "A", "b", "+", "%20", "%2B", "/", "%2F", "%E9", "%E8", "%C3%A9", "%26", "%3D", "=", "%25",
    "%00", "%0A", "%", "%G", ";", ",", ":", "@", "?", "!", "*", "%2A", "%5C", "\\", "~", "'", "%27",
]  # fmt: skip
values = st.lists(st.sampled_from(TOKENS), max_size=5).map("".join)


def meaning(value: str) -> str:
    """A value as a parser writes it, with the one pair of spellings that RFC 3986 calls the same
    (a letter, digit or `-._~` and its triplet) made one. Written anew, to check the engine's."""
    value = value.replace("'", "%27")
    torn = re.search("%(?![0-9A-F]{2})", value)
    return value if torn else re.sub("%(3[0-9]|[46][1-9A-F])", lambda m: chr(int(m[1], 16)), value)


@each_but_tk
@given(host=hosts, path=paths, before=values, after=values, query=queries)
def test_another_value_of_a_kept_parameter_is_another_key(
    name: str, host: str, path: str, before: str, after: str, query: list[str]
) -> None:
    assume(meaning(before) != meaning(after))
    start = f"http://{host}{path}"
    keys = [
        POLICIES[name].key(start + _joined([*query, f"{NEVER_LISTED}={value}"]))
        for value in (before, after)
    ]
    assert keys[0] != keys[1]


@each_but_tk
@given(host=hosts, before=values, after=values)
def test_another_path_is_another_key(name: str, host: str, before: str, after: str) -> None:
    def path(value: str) -> str:
        return re.sub("[?;\\\\%']|/+$|/{2,}", "_", "/x" + value.replace("%27", "_"))

    assume(meaning(path(before)) != meaning(path(after)))
    keys = [POLICIES[name].key(f"http://{host}{path(value)}/end") for value in (before, after)]
    assert keys[0] != keys[1]


APART = [
    ["%E9", "%C3%A9", "%E8", "%25E9"],
    ["+", "%20", "%2B", "%252B"],
    ["%2F", "/", "%252F"],
    ["%7E", "%%37E", "%3%37E", "%257E"],
    ["7", "%3%37", "%33%37x"],
    ["A", "a", "%C3%81"],
    ["%26", "%2526", "%3D"],
    ["%00", "%0A", "%0D", ""],
]


@each_but_tk
@pytest.mark.parametrize(
    "place", ["http://h/?q={}", "http://h/?q{}=1", "http://h/x{}y", "http://h/?a&{}"]
)
@pytest.mark.parametrize("spellings", APART, ids=" ".join)
def test_no_decoding_merges_two_values(name: str, place: str, spellings: list[str]) -> None:
    keys = {POLICIES[name].key(place.format(text)): text for text in spellings}
    assert len(keys) == len(spellings)


@each_but_tk
def test_a_torn_triplet_is_never_completed(name: str) -> None:
    for text in ("%%37E", "%3%37", "%2%35", "%4%31", "%%%37E", "%a%41"):
        assert text in POLICIES[name].canonicalize(f"http://h/{text}?{text}").url


def test_default_makes_spellings_one_that_mean_the_same() -> None:
    same = [["%7E", "%7e", "~"], ["%2f", "%2F"], ["%41", "A"], ["é", "%C3%A9", "%c3%a9"]]
    for spellings in same:
        for a, b in combinations(spellings, 2):
            for place in ("http://h/x{}", "http://h/?q={}"):
                one, two = (POLICIES["default"].key(place.format(text)) for text in (a, b))
                assert one == two


@pytest.mark.parametrize("name", NOT_TK)
@given(
    query=st.lists(st.sampled_from(["a", "a=", "a=1", "=", "=a", "A=1"]), min_size=1, max_size=3)
)
def test_a_pair_keeps_its_spelling(name: str, query: list[str]) -> None:
    found = POLICIES[name].canonicalize("http://h/?" + "&".join(query)).url
    assert sorted(found.partition("?")[2].split("&")) == sorted(query)
