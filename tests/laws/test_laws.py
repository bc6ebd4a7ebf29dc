"""Laws 2, 3 and 5 on anything, and what every way of asking has to agree on.

Law 1 is test_determinism.py, 4 test_sameness.py, 6 test_credentials.py, 7 test_input.py.
"""

from __future__ import annotations

import pickle
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given

from sameas import Canonical, InvalidURL, Policy, PolicyError, compare, explain, key
from sameas.errors import CODES
from tests.laws import invented, strategies
from tests.laws.strategies import KINDS, NOT_TK, POLICIES, Raw

TK_ALONE = {"private_host", "no_tld"}
each_policy = pytest.mark.parametrize("name", sorted(POLICIES))
each_but_tk = pytest.mark.parametrize("name", NOT_TK)


def result(policy: Policy, raw: Raw) -> Canonical | InvalidURL:
    """Law 3 in every test: a result, or InvalidURL with a known code, never anything else."""
    try:
        return policy.canonicalize(raw)
    except InvalidURL as error:
        refused = error
    known = set(CODES) if policy.plan.parser.startswith("tk") else set(CODES) - TK_ALONE
    assert refused.code in known
    assert refused.message
    return refused


def check_idempotent(policy: Policy, raw: Raw) -> None:
    first = result(policy, raw)
    if isinstance(first, Canonical):
        again = policy.canonicalize(first.url)
        assert (again.url, again.key) == (first.url, first.key)


@pytest.fixture(scope="module")
def made() -> list[Raw]:
    return strategies.sample(strategies.raws, 6000)


def test_the_strategies_make_every_kind_of_trouble(made: list[Raw]) -> None:
    texts = [raw for raw in made if isinstance(raw, str)]
    assert not [kind for kind, shows in KINDS.items() if not any(map(shows, texts))]
    assert sum(isinstance(raw, bytes) for raw in made) > len(made) // 10


@each_policy
def test_a_good_share_of_what_the_strategies_make_is_accepted(name: str, made: list[Raw]) -> None:
    results = [result(POLICIES[name], raw) for raw in made]
    accepted = [one for one in results if isinstance(one, Canonical)]
    assert len(made) // 3 < len(accepted) < len(made) * 9 // 10
    assert len({one.key for one in accepted}) > len(made) // 4


def test_a_good_share_of_the_invented_overrides_is_accepted_and_the_others_say_why() -> None:
    tried = [invented.overridden(rows) for rows in strategies.sample(invented.overrides, 200)]
    refused = [one for one in tried if isinstance(one, PolicyError)]
    assert len(tried) // 5 < len(refused) < len(tried) * 4 // 5
    assert all(error.reason and "overrides[" in error.place for error in refused)


@each_policy
@given(raw=strategies.raws)
@example(raw="")
@example(raw=b"")
@example(raw="http://")
def test_every_input_gives_a_result_or_a_known_error(name: str, raw: Raw) -> None:
    found = result(POLICIES[name], raw)
    if isinstance(found, Canonical):
        assert len(found.key) == 64
        assert found.policy == name


@each_but_tk
@given(raw=strategies.raws)
@example(raw="http://h/a/..;jsessionid=1")
@example(raw="http://h:443")
@example(raw="http://www.www.h")
@example(raw="http://www./evil.com")
@example(raw="http://h/..;jsessionid=1/..;sid=2/..;jsessionid=3/a")
@example(raw="http://h/%%34%31?%%33%37=%3%37#!%%34%31")
def test_a_canonical_url_is_its_own(name: str, raw: Raw) -> None:
    check_idempotent(POLICIES[name], raw)


@given(document=invented.documents, raw=strategies.raws)
def test_a_canonical_url_is_its_own_under_any_policy(document: dict[str, Any], raw: Raw) -> None:
    check_idempotent(invented.loaded(document), raw)


@given(rows=invented.overrides, tail=invented.tails, raw=strategies.raws)
def test_a_canonical_url_is_its_own_under_any_overrides(
    rows: list[dict[str, Any]], tail: str, raw: Raw
) -> None:
    policy = invented.overridden(rows)
    if isinstance(policy, PolicyError):
        return
    for rule in (rule for row in rows for rule in row["rewrite_rules"]):
        check_idempotent(policy, rule["from_prefix"] + tail)
        check_idempotent(policy, rule["to_prefix"] + tail + "?src=1&a=2")
    check_idempotent(policy, raw)


@each_policy
@given(raw=strategies.texts)
def test_only_http_and_https_come_out_and_no_host_is_empty(name: str, raw: str) -> None:
    found = result(POLICIES[name], raw)
    if isinstance(found, Canonical):
        url = found.url if name != "tk" else f"http://{found.url}"
        form = found.form if name not in ("tk", "default") else f"http://{found.form}"
        for text in (url, form):
            assert text.startswith(("http://", "https://"))
            assert text.split("/", 3)[2].partition("?")[0].partition(":")[0]


@each_policy
@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/a",
        "ws://example.com/",
        "file:///etc/hosts",
        "javascript:alert(1)",
        "mailto:a@example.com",
        "data:text/plain,http://example.com/",
        "blob:http://example.com/1",
        "view-source:http://example.com/",
        "httpx://example.com/",
        "HtTpSs://example.com/",
        "tel:123",
    ],
)
def test_another_scheme_is_refused(name: str, url: str) -> None:
    error = result(POLICIES[name], url)
    assert isinstance(error, InvalidURL)
    assert error.code == "scheme"


@each_but_tk
@pytest.mark.parametrize(
    "url",
    ["example.com", "www.example.com/a", "//example.com/a", "/a", "?a=1", "#a", "a b", "http//h"],
)
def test_a_missing_scheme_is_refused_and_never_guessed(name: str, url: str) -> None:
    error = result(POLICIES[name], url)
    assert isinstance(error, InvalidURL)
    assert error.code == "relative"


def test_tk_alone_adds_a_missing_scheme() -> None:
    assert POLICIES["tk"].canonicalize("Example.com/a").url == "example.com/a"


@each_policy
@given(raw=strategies.raws)
def test_an_explanation_ends_where_the_result_is(name: str, raw: Raw) -> None:
    policy = POLICIES[name]
    found, told = result(policy, raw), policy.explain(raw)
    if isinstance(found, InvalidURL):
        assert told.result is None
        assert told.error == (found.code, found.message)
    else:
        assert told.result == found
        assert told.error is None
        assert told.steps[-1].before == found.form
        assert told.steps[-1].after == found.key
        assert all(step.why and step.clause for step in told.steps)
        assert all(step.before != step.after or step.why for step in told.steps)
    told.input.encode()
    for step in told.steps:
        (step.before + step.after + step.why).encode()


@each_policy
@given(a=strategies.texts, b=strategies.texts)
@example(a="http://example.com/%3Fa", b="http://example.com/?a")
@example(a="http://www.example.com/a/", b="http://example.com/a")
def test_a_comparison_says_the_same_as_the_keys(name: str, a: str, b: str) -> None:
    policy = POLICIES[name]
    one, two = result(policy, a), result(policy, b)
    if isinstance(one, InvalidURL) or isinstance(two, InvalidURL):
        assert not policy.compare(a, b).same
        return
    for other, found in ((b, two), (a, one)):
        told = policy.compare(a, other)
        assert told.same == (one.key == found.key)
        assert told.sentence.startswith("They ")
        assert told.rule
        assert told.clause


@each_policy
@given(raw=strategies.raws)
def test_the_fast_way_to_a_key_is_the_same_key(name: str, raw: Raw) -> None:
    found = result(POLICIES[name], raw)
    if isinstance(found, Canonical):
        assert key(raw, name) == POLICIES[name].key(raw) == found.key
    else:
        with pytest.raises(InvalidURL) as caught:
            POLICIES[name].key(raw)
        assert (caught.value.code, caught.value.message) == (found.code, found.message)


def test_many_at_once_are_one_by_one_and_a_refused_one_costs_the_others_nothing(
    made: list[Raw],
) -> None:
    for policy in POLICIES.values():
        together = policy.canonicalize_many(iter(made))
        assert [_told(one) for one in together] == [_told(result(policy, raw)) for raw in made]
        assert {type(one) for one in together} == {Canonical, InvalidURL}


def _told(one: Canonical | InvalidURL) -> object:
    return one if isinstance(one, Canonical) else (one.code, one.message, str(one))


@given(raw=strategies.raws)
def test_results_and_errors_survive_pickling(raw: Raw) -> None:
    for policy in POLICIES.values():
        found = result(policy, raw)
        again = pickle.loads(pickle.dumps(found))
        assert _told(again) == _told(found)
        if isinstance(found, Canonical):
            assert again.original == found.original == raw
        told = policy.explain(raw)
        assert pickle.loads(pickle.dumps(told)) == told


@each_policy
def test_a_policy_survives_pickling(name: str) -> None:
    policy = POLICIES[name]
    again = pickle.loads(pickle.dumps(policy))
    assert (again.name, again.version, again.fingerprint) == (name, "1", policy.fingerprint)
    assert again.canonicalize("http://example.com/a") == policy.canonicalize("http://example.com/a")


def test_a_comparison_survives_pickling() -> None:
    told = compare("http://a.example/", "http://b.example/")
    assert pickle.loads(pickle.dumps(told)) == told


def test_results_are_frozen_and_explanations_name_the_policy() -> None:
    found = POLICIES["feed"].canonicalize("http://example.com/")
    with pytest.raises(AttributeError):
        found.url = "http://example.org/"  # type: ignore[misc]
    assert explain("http://example.com/", "feed").policy == "feed"
    assert urlsplit(found.url).hostname == "example.com"
