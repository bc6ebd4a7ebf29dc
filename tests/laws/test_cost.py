"""Law 3's second half: the cost of a URL grows linearly with its length, whatever its shape.

Work is counted by work.py in a copy of the engine (copied.py). What that cannot see, the inside of
a regular expression and of the parser, is compared in CPU time between two lengths of one URL.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

import pytest
from bench.hostile import SHAPES
from tk_normalizer import InvalidUrlException, TkNormalizer

from sameas import Canonical, InvalidURL, Policy
from sameas.engine.python import PythonEngine
from tests.laws import copied
from tests.laws.strategies import NOT_TK, POLICIES

Shape = Callable[[int], str]
LENGTHS = (2_500, 5_000, 10_000)
MOST = 2.3
"""How much more work twice the length may be; a little over two, for sorting."""


def _repeat(head: str, piece: str, tail: str = "") -> Shape:
    return lambda length: head + piece * ((length - len(head) - len(tail)) // len(piece)) + tail


def _nested(escape: Callable[[str], str]) -> Shape:
    def shape(length: int) -> str:
        url = "http://example.com/" + "a" * (length // 3)
        while len(url) < length * 2 // 3:
            url = "https://www.google.com/url?q=" + escape(url)
        return url + "b" * max(0, length - len(url))

    return shape


ALL_SHAPES: dict[str, Shape] = SHAPES | {
    "`%3` in a row, then `7E`": _repeat("http://example.com/", "%3", "7E"),
    "`%%37E` in a row": _repeat("http://example.com/?", "%%37E"),
    "`%2525` in names": _repeat("http://example.com/?", "%2525=1&"),
    "`/..;jsessionid=1` in a row": _repeat("http://example.com", "/..;jsessionid=1"),
    "`/a/..;sid=1` in a row": _repeat("http://example.com", "/a/..;sid=1"),
    "`;` in a row": _repeat("http://example.com/", ";"),
    "redirectors, not escaped": _nested(lambda url: url),
    "redirectors, escaped": _nested(lambda url: url.replace("%", "%25").replace("&", "%26")),
    "AMP caches in a row": _repeat("https://", "www.google.com/amp/s/", "example.com/"),
    "`url=` in a row": _repeat("https://www.google.com/url?", "url=1&"),
    "tracking parameters": _repeat("http://example.com/?", "utm_source=x&fbclid=1&"),
    "session parameters": _repeat("http://example.com/?", "PHPSESSID=1&mysessionid=2&"),
    "one long name": _repeat("http://example.com/?", "utm_"),
    "names with a session inside": _repeat("http://example.com/?", "asessionb", "=1"),
    "`ref=` pieces at a shop": _repeat("https://www.amazon.com", "/ref=a"),
    "page numbers": _repeat("http://example.com/a?", "page=1&pagina=22&"),
    "hyphens": _repeat("http://example.com/a/", "a-"),
    "digits between marks": _repeat("http://example.com/a/", "1.x_"),
    "hosts with hyphens": _repeat("http://", "a-", ".com/"),
    "xn-- labels": _repeat("http://", "xn--bcher-kva.", "com/"),
    "IPv4 in many parts": _repeat("http://", "1.", "1/"),
    "colons in the host": _repeat("http://a", ":", "@h/"),
    "sigmas": _repeat("http://example.com/", "\u03a3"),
    "marks behind a sigma": _repeat("http://example.com/\u03a3", "\u0301"),
    "tabs": _repeat("http://example.com/", "\t", "a"),
    "`/./` in a row": _repeat("http://example.com", "/."),
    "backslashes": _repeat("http://example.com", "\\"),
    "credentials in parameters": _repeat("http://u:p@example.com/?", "u=http://a:b@c/&"),
    "`http:%2F%2F` in a row": _repeat("http://u:p@example.com/?", "http:%2F%2F"),
    "`://` before an @": _repeat("x", "http://a", "@h"),
}

OVERRIDES = {
    "overrides": [
        {
            "match": {"host": "example.com"},
            "drop_query_params": ["src", "p*"],
            "rewrite_rules": [
                {
                    "from_prefix": "https://example.com/amp/",
                    "to_prefix": "https://example.com/",
                },
                {
                    "from_prefix": "https://example.com/x/y/",
                    "to_prefix": "https://example.com/z/",
                },
                {
                    "from_prefix": "https://example.com/z/",
                    "to_prefix": "https://example.com/x",
                },
            ],
        },
    ]
}
UNDER_OVERRIDES = {
    "`amp/` in a row": _repeat("https://example.com/", "amp/"),
    "`amp//` in a row": _repeat("https://example.com/", "amp//"),
    "`amp/../` in a row": _repeat("https://example.com/", "amp/%2e%2e/amp/"),
    "`x/y/` in a row": _repeat("https://example.com/", "x/y/"),
    "a cycle that shrinks": _repeat("https://example.com/x/y/", "/y/"),
    "dropped parameters": _repeat("https://example.com/amp/?", "src=1&p1=2&"),
}


@pytest.fixture(scope="module")
def overridden(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    file = tmp_path_factory.mktemp("cost") / "overrides.json"
    file.write_text(json.dumps(OVERRIDES))
    return Policy.load("curious-now", overrides=file)


def growth(metered: copied.Metered, shape: Shape) -> float:
    """By how much the work grows, at worst, where the length doubles."""
    once, twice, four_times = (metered.work(shape(length)) for length in LENGTHS)
    assert once > 0
    return max(twice / once, four_times / twice)


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_twice_the_length_is_twice_the_work(name: str) -> None:
    metered = copied.Metered(POLICIES[name].plan)
    grown = {shape: growth(metered, make) for shape, make in ALL_SHAPES.items()}
    assert {shape: factor for shape, factor in grown.items() if factor > MOST} == {}
    assert len(ALL_SHAPES) >= 40


def test_rewriting_a_url_again_and_again_is_linear_too(overridden: Policy) -> None:
    metered = copied.Metered(overridden.plan)
    shapes = UNDER_OVERRIDES | ALL_SHAPES
    grown = {shape: growth(metered, make) for shape, make in shapes.items()}
    assert {shape: factor for shape, factor in grown.items() if factor > MOST} == {}
    longest = overridden.canonicalize(_repeat("https://example.com/", "amp/")(64_000))
    assert longest.url == "https://example.com/"


QUADRATIC = {
    "joins anew for each segment": """
def rule(u):
    out = ""
    for segment in u.path.split("/"):
        out = out + "/" + segment
    u.notes["seen"] = len(out)
""",
    "slices the rest again": """
def rule(u):
    rest = u.path
    while rest.startswith("/"):
        rest = rest[1:].lstrip("a")
""",
    "looks back over all there is": """
def rule(u):
    at = u.path.find("/", 1)
    while at >= 0:
        u.notes["before"] = u.path.rfind("!", 0, at)
        at = u.path.find("/", at + 1)
""",
    "searches the path for each segment": """
def rule(u):
    u.notes["doubled"] = [s for s in u.path.split("/") if s + s in u.path]
""",
    "splits once a segment": """
def rule(u):
    for _ in u.path.split("/"):
        u.path.partition("!")
""",
}


@pytest.mark.parametrize("source", QUADRATIC.values(), ids=QUADRATIC)
def test_a_rule_that_is_quadratic_is_caught(source: str) -> None:
    metered = copied.Metered(POLICIES["feed"].plan)
    shape = _repeat("http://example.com", "/a")
    assert growth(metered, shape) < MOST
    metered.plant(copied.planted(source, "rule"))
    assert growth(metered, shape) > MOST


def test_the_copy_that_is_metered_does_what_the_engine_does(overridden: Policy) -> None:
    for policy in (*POLICIES.values(), overridden):
        count, engine = copied.copy()
        metered = engine(policy.plan, policy.name, policy.fingerprint)
        for make in (ALL_SHAPES | UNDER_OVERRIDES).values():
            url, before = make(300), count.work
            try:
                wanted: Canonical | str = policy.canonicalize(url)
            except InvalidURL as error:
                wanted = str(error)
            try:
                got: Canonical | str = metered.canonicalize(url)
            except InvalidURL as error:
                got = str(error)
            assert got == wanted
            assert count.work > before + 20


def test_the_meter_is_not_the_engine_that_others_use() -> None:
    count, engine = copied.copy()
    before = count.work
    Policy.load("default", engine="python").canonicalize(b"http://example.com/\xe9")
    assert count.work == before
    assert engine is not PythonEngine


LONG, TIMES = 64_000, 16
SCALE = TIMES**1.5
"""64: a linear cost grows sixteenfold, a quadratic one 256-fold."""


def _cpu(policy: Policy, url: str, times: int) -> tuple[float, bool]:
    """The least CPU time a URL took, the run that nothing disturbed; and was it accepted?"""
    best, accepted = float("inf"), True
    for _ in range(times):
        start = time.process_time_ns()
        try:
            policy.canonicalize(url)
        except InvalidURL:
            accepted = False
        best = min(best, time.process_time_ns() - start)
    return best, accepted


def _slowdown(policy: Policy, make: Shape, patience: int, long: int = LONG) -> float:
    """How much longer sixteen times the length takes. A host over the parser's limit is refused,
    which is another way through the code: then both lengths are a quarter."""
    for longer in (long, long // 4):
        slow, is_url = _cpu(policy, make(longer), patience)
        fast, was_url = _cpu(policy, make(longer // TIMES), 4 * patience)
        if is_url == was_url:
            break
    return slow / fast


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_sixteen_times_the_length_takes_nowhere_near_the_square_of_the_time(name: str) -> None:
    policy = Policy.load(name, engine="python")
    suspects = [one for one, make in ALL_SHAPES.items() if _slowdown(policy, make, 2) > SCALE]
    slow = {shape: _slowdown(policy, ALL_SHAPES[shape], 9) for shape in suspects}
    assert {shape: ratio for shape, ratio in slow.items() if ratio > SCALE} == {}


def test_the_comparison_of_times_sees_a_quadratic_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy.load("feed", engine="python")
    trims = re.compile("/+$")  # tries anew from each slash
    monkeypatch.setattr(
        policy._truth, "_run_rules", [lambda u: u.notes.update(end=trims.search(u.path + "x"))]
    )
    assert _slowdown(policy, _repeat("http://example.com", "/"), 1, 8_000) > SCALE


@pytest.mark.parametrize("name", NOT_TK)
def test_what_punycode_costs_is_bounded_by_the_parsers_limit_on_hosts(name: str) -> None:
    """Its cost in the parser grows with the square of the host's length: up to 16 KiB, no more."""
    for letters, accepted in ((5_400, True), (5_500, False)):
        host = "".join(chr(0x4E00 + i) for i in range(letters))
        assert _cpu(POLICIES[name], f"http://{host}.com/", 1)[1] is accepted


def test_hosts_that_its_package_needs_a_second_for_cost_tk_a_hundredth_at_most() -> None:
    tk = POLICIES["tk"]
    package = ours = 0.0
    for length in range(20, 56, 2):  # until the package is slow, however fast this machine is
        url = "http://" + "a-" * (length // 2) + ".c!"
        start = time.process_time_ns()
        with pytest.raises(InvalidUrlException):
            TkNormalizer(url, log_errors=False)
        package = time.process_time_ns() - start
        ours, _ = _cpu(tk, url, 3)
        if package > 1_000 * ours:
            break
    assert package > 100 * ours
