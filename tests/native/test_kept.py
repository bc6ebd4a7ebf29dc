"""What the compiled engine keeps for itself: nearly all there is, in any language."""

from __future__ import annotations

import pytest

from bench import corpus, languages
from sameas import Policy
from sameas.engine.native import NativeEngine
from sameas.engine.python import PythonEngine
from sameas.plan.document import builtin_names
from tests.native.wheel import needed

pytestmark = needed

CORPORA = {
    "of many kinds": (corpus.make(5_000), 0.02),
    **{name: (languages.make(name, 5_000), 0.02) for name in languages.LANGUAGES},
}
"""Links, and the share of them that may go back: hosts that are not ASCII, one in a hundred."""


@pytest.fixture(scope="module", params=builtin_names())
def engine(request: pytest.FixtureRequest) -> NativeEngine:
    policy = Policy.load(request.param, engine="python")
    return NativeEngine(policy.plan, PythonEngine(policy.plan, "kept", ""))


@pytest.mark.parametrize("name", CORPORA)
def test_of_ordinary_links_hardly_any_goes_back(name: str, engine: NativeEngine) -> None:
    urls, share = CORPORA[name]
    back = [url for url in urls if engine.plan.outcome(url) == "handed back"]
    assert 0 < len(back) < share * len(urls)


KEPT = {
    "capital letters": "HTTP://EXAMPLE.COM/A",
    "letters outside ASCII": "https://example.com/ä/日本?q=ж#é",
    "triplets": "https://example.com/%7e%C3%A9/%2f?a=%zz",
    "bytes that are no UTF-8": b"https://example.com/\xe9?\xff",
    "a session id": "https://example.com/a;jsessionid=1/b",
    "tracking": "https://example.com/?utm_source=x&fbclid=1&a=2",
    "an address": "https://93.184.216.34/a",
}
ONLY_URLS = {
    "dot segments": "https://example.com/a/../%2e/b/",
    "backslashes": "http:\\\\example.com\\a".replace(":\\\\", "://"),
    "a port": "https://example.com:08443/",
    "credentials": "https://u:p@example.com/",
    "blanks around": " https://example.com/ \n",
    "tabs in the path": "https://example.com/a\tb",
    "a redirector": "https://www.google.com/url?q=https%3A%2F%2Fexample.com%2Fa",
    "an AMP cache": "https://www.google.com/amp/s/example.com/a",
    "a site's own parameters": "https://www.amazon.com/dp/B0/ref=x?th=1",
    "no scheme": "/a",
    "another scheme": "mailto:a@example.com",
    "a port that is none": "https://example.com:99999/",
    "60,000 characters": "https://example.com/" + "a" * 60_000,
    "more than 64 KiB": "https://example.com/" + "a" * 70_000,
}
"""What `tk`, whose reading is its package's, may hand back."""


@pytest.mark.parametrize("kind", KEPT | ONLY_URLS)
def test_it_is_its_own_business(kind: str, engine: NativeEngine) -> None:
    raw = (KEPT | ONLY_URLS)[kind]
    is_tk = engine.plan.outcome("example.com") == "done"
    if not is_tk:
        assert engine.plan.outcome(raw) != "handed back"
    elif kind in KEPT and kind not in ("an address", "bytes that are no UTF-8"):
        assert engine.plan.outcome(raw) == "done"


BACK = {
    "an IDN host": "https://bücher.example/",
    "an IDN host in Greek": "https://παράδειγμα.example/",
    "an odd IPv4": "http://0x7f.1/",
    "IPv6": "http://[::1]/",
    "a surrogate": "http://example.com/\ud800",
    "a triplet in the host": "http://ex%61mple.com/",
    "a tab in the host": "http://exa\tmple.com/",
    "one slash": "http:/example.com/",
}


@pytest.mark.parametrize(
    "host", ["bücher.example", "XN--bcher-kva.example", "www.пример.рф", "0x7f.1", "ex%61mple.com"]
)
@pytest.mark.parametrize("name", sorted(set(builtin_names()) - {"tk"}))
def test_an_odd_host_is_asked_for_once_and_then_known(name: str, host: str) -> None:
    python, policy = Policy.load(name, engine="python"), Policy.load(name, engine="native")
    outcome = policy.compiled.plan.outcome
    assert outcome(f"https://{host}/a") == "handed back"
    for path in ("a", "b?x=1"):
        url = f"https://u:p@{host}:8080/{path}"
        assert policy.canonicalize(url) == python.canonicalize(url)
        assert policy.key(url) == python.key(url)
        assert outcome(url) == "done"
    assert outcome(f"https://{host}x/") == "handed back"


def test_more_odd_hosts_than_are_remembered_change_no_result() -> None:
    python, policy = Policy.load("news", engine="python"), Policy.load("news", engine="native")
    for number in range(5_000):
        url = f"https://www.bücher{number}.example/"
        assert policy.key(url) == python.key(url)


@pytest.mark.parametrize("kind", BACK)
def test_what_it_cannot_prove_goes_back(kind: str, engine: NativeEngine) -> None:
    assert engine.plan.outcome(BACK[kind]) == "handed back"
