"""`TkNormalizer` and `InvalidUrlException` as code that was written for the package uses them."""

from __future__ import annotations

import inspect
import logging
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from typing import Any

import pytest
import tk_normalizer

from bench import corpus
from sameas import InvalidURL, Policy
from sameas.compat import InvalidUrlException, TkNormalizer

URL = "https://www.Blog.Example.co.uk/A%20b/?b=2&a=1&utm_source=x#top"
NAMES = [
    "normalized_url", "friendly_url", "parent_normalized_url", "root_normalized_url",
    "query_string", "path", "normalized_url_hash", "parent_normalized_url_hash",
    "root_normalized_url_hash", "friendly_url_hash",
]  # fmt: skip
DOCUMENTED = {
    "normalized_url": "blog.example.co.uk/a b?a=1&b=2",
    "parent_normal_url": "blog.example.co.uk",
    "root_normal_url": "example.co.uk",
}


class LastTwoLabels(TkNormalizer):
    root = "last-two-labels"


# Names


def test_iterating_gives_the_packages_ten_names_in_its_order() -> None:
    assert list(TkNormalizer(URL)) == NAMES == list(tk_normalizer.TkNormalizer(URL))
    assert list(TkNormalizer(URL).keys()) == NAMES
    assert dict(TkNormalizer(URL)) == TkNormalizer(URL).to_dict()


@pytest.mark.parametrize("name", NAMES)
def test_each_of_the_packages_names_is_an_item_and_an_attribute(name: str) -> None:
    one = LastTwoLabels(URL)
    assert one[name] == getattr(one, name) == tk_normalizer.TkNormalizer(URL)[name]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_each_of_the_documents_names_is_an_item_and_an_attribute(name: str) -> None:
    one, value = TkNormalizer(URL), DOCUMENTED[name]
    assert one[name] == getattr(one, name) == value
    key = sha256(value.encode()).hexdigest()
    assert one[f"{name}_hash"] == getattr(one, f"{name}_hash") == key


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nothing"):
        TkNormalizer(URL)["nothing"]


def test_the_notes_of_the_policy_are_the_documents_six() -> None:
    notes = Policy.load("tk").canonicalize(URL).notes
    hashes = {
        f"{name}_hash": sha256(text.encode()).hexdigest() for name, text in DOCUMENTED.items()
    }
    assert notes == DOCUMENTED | hashes


def test_text_components_and_original_are_those_of_the_package() -> None:
    ours, theirs = LastTwoLabels(f" {URL}\n"), tk_normalizer.TkNormalizer(f" {URL}\n")
    assert str(ours) == str(theirs)
    assert ours.original_url == theirs.original_url == URL
    assert ours.url_hashes == theirs.url_hashes


# Nothing is missing


def test_nothing_the_packages_class_has_is_missing() -> None:
    assert set(dir(tk_normalizer.TkNormalizer)) - set(dir(TkNormalizer)) == set()
    assert set(vars(tk_normalizer.TkNormalizer(URL))) - set(vars(TkNormalizer(URL))) == set()
    theirs = tk_normalizer.InvalidUrlException("m", ValueError())
    assert set(dir(theirs)) - set(dir(InvalidUrlException("m", ValueError()))) == set()
    assert set(tk_normalizer.__all__) == {"InvalidUrlException", "TkNormalizer"}


METHODS = [
    name
    for name, value in vars(tk_normalizer.TkNormalizer).items()
    if inspect.isfunction(value) or isinstance(value, staticmethod)
]


@pytest.mark.parametrize("name", METHODS)
def test_each_method_is_called_as_in_the_package(name: str) -> None:
    ours, theirs = (getattr(which, name) for which in (TkNormalizer, tk_normalizer.TkNormalizer))
    assert _called(ours) == _called(theirs)


def _called(method: Callable[..., object]) -> list[tuple[str, object]]:
    return [(one.name, one.default) for one in inspect.signature(method).parameters.values()]


STEPS = {
    "lowercase_url": ["HTTP://A.b/ΑΣ", "", "İ"],
    "parse_url": ["http://a.bc/d;e?f=1&g#h", "a.bc/d/;e", "a.bc?x", "http://a.bc:80/;/x;y"],
    "remove_www_subdomain": ["www.a.bc", "www.www.a.bc", "a.www.bc", "www."],
    "remove_trailing_slash": ["/", "/a//", "", "/a"],
    "parse_query_params": ["", "a", "a=", "a=1&a=2&&b=%41+c", "=x", "%E9=é"],
    "remove_unwanted_params": [[("utm_x", "1"), ("a", "2"), ("GCLID", "")]],
    "_is_unwanted_param": ["utm_", "utm", "GCLID", "gaa_x", "a"],
    "sort_query_params": [[("b", "1"), ("a", "2"), ("a", "1")]],
    "remove_duplicate_params": [[("a", "1"), ("b", "1"), ("a", "1"), ("a", "2")]],
    "get_parent_normalized_url": ["a.bc:80"],
    "get_root_normalized_url": ["x.a.bc", "x.a.bc:80", "com", "x.co.uk"],
}


@pytest.mark.parametrize("name", STEPS)
def test_each_step_gives_what_the_packages_gives(name: str) -> None:
    ours, theirs = LastTwoLabels(URL), tk_normalizer.TkNormalizer(URL)
    for given in STEPS[name]:
        assert getattr(ours, name)(given) == getattr(theirs, name)(given)


def test_the_steps_of_more_than_one_argument_give_what_the_packages_give() -> None:
    ours, theirs = LastTwoLabels(URL), tk_normalizer.TkNormalizer(URL)
    assert ours.process_url("a.bc/D") == theirs.process_url("a.bc/D")
    assert ours.compute_hashes() == theirs.compute_hashes()
    assert ours.build_friendly_url() == theirs.build_friendly_url()
    for query in ([], [("a", "b c"), ("", "é")]):
        assert ours.rebuild_url("a.bc", "/d", query) == theirs.rebuild_url("a.bc", "/d", query)
    parsed = theirs.parse_url("http://www.a.bc/D?e")
    assert ours.validate_url(parsed) == theirs.validate_url(parsed)


# Subclasses

REPLACED: dict[str, Any] = {
    "query_params_to_remove": ["a", "UTM_*", "b?", "[xy]z"],
    "lowercase_url": staticmethod(lambda url: url),
    "validate_url": staticmethod(lambda parsed: (parsed.netloc, parsed.path, "")),
    "remove_www_subdomain": staticmethod(lambda netloc: netloc),
    "remove_trailing_slash": staticmethod(lambda path: path),
    "parse_query_params": staticmethod(lambda _: [("a", "1")]),
    "remove_unwanted_params": lambda self, params: params,  # noqa: ARG005
    "_is_unwanted_param": lambda self, name: name == "b",  # noqa: ARG005
    "sort_query_params": staticmethod(lambda params: params[::-1]),
    "remove_duplicate_params": staticmethod(lambda params: params),
    "rebuild_url": staticmethod(lambda netloc, path, _: f"{netloc}!{path}."),
    "get_parent_normalized_url": staticmethod(lambda netloc: f"<{netloc}>"),
    "get_root_normalized_url": staticmethod(lambda netloc: netloc[::-1]),
    "build_friendly_url": lambda self: self.original_url + self.path,
    "compute_hashes": lambda _: dict.fromkeys((n for n in NAMES if n.endswith("_hash")), "#"),
}


@pytest.mark.parametrize("name", REPLACED)
def test_what_a_subclass_replaces_is_used_as_in_the_package(name: str) -> None:
    ours = type("Ours", (LastTwoLabels,), {name: REPLACED[name]})
    theirs = type("Theirs", (tk_normalizer.TkNormalizer,), {name: REPLACED[name]})
    url = "https://www.Example.com/P/?b=2&b=2&a=1&utm_x=1&bc=1&xz=&Yz"
    assert ours(url).to_dict() == theirs(url).to_dict() != LastTwoLabels(url).to_dict()


def test_a_list_on_one_instances_class_changes_no_other() -> None:
    class Mine(TkNormalizer):
        query_params_to_remove = ("mine",)

    url = "http://example.com/?mine=1&gclid=1"
    assert str(Mine(url)) == "example.com/?gclid=1".replace("/?", "?")
    assert str(TkNormalizer(url)) == "example.com?mine=1"


def test_the_parameters_are_those_of_the_policy() -> None:
    names = TkNormalizer.query_params_to_remove
    assert list(names) == tk_normalizer.TkNormalizer.query_params_to_remove
    rules = {op.name: op.args for op in Policy.load("tk").plan.rules}
    assert rules["tk.drop_parameters"]["names"] == sorted(names)


def test_the_refusal_of_a_subclasss_own_step_comes_through(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Picky(TkNormalizer):
        @staticmethod
        def validate_url(parsed_url: Any) -> tuple[str, str, str]:
            raise InvalidUrlException("not this one", ValueError(parsed_url.netloc))

    with pytest.raises(InvalidUrlException, match="not this one") as caught:
        Picky(URL)
    assert caught.value.original_exception.args == ("www.blog.example.co.uk",)
    assert [record.getMessage() for record in caplog.records] == ["not this one"]


# The root


@pytest.mark.parametrize(
    ("url", "registrable", "last_two"),
    [
        ("http://www.bbc.co.uk/", "bbc.co.uk", "co.uk"),
        ("http://a.b.example.com:8080/", "example.com:8080", "example.com:8080"),
        ("http://co.uk/", "co.uk", "co.uk"),
        ("http://8.8.8.8/", "8.8.8.8", "8.8"),
        ("http://8.8.8.8:81/", "8.8.8.8:81", "8.8:81"),
        ("http://256.1.1.10/", "256.1.1.10", "1.10"),
        ("http://a.b.city.kawasaki.jp/", "city.kawasaki.jp", "kawasaki.jp"),
        ("http://x.пример.co.uk/", "пример.co.uk", "co.uk"),
        ("http://x.👨‍👩‍👧.co.uk/", "👨‍👩‍👧.co.uk", "co.uk"),
        ("http://a.example。co。uk/", "example.co.uk", "a.example。co。uk"),
        ("http://user.github.io/", "github.io", "github.io"),
    ],
)
def test_the_root_is_the_registrable_domain_or_the_packages(
    url: str, registrable: str, last_two: str
) -> None:
    assert TkNormalizer(url)["root_normal_url"] == registrable
    assert LastTwoLabels(url)["root_normal_url"] == last_two
    if max(url) <= "\uffff":
        assert tk_normalizer.TkNormalizer(url)["root_normalized_url"] == last_two


# Refusals


@pytest.mark.parametrize("value", [b"http://example.com/", None, 3, ["http://example.com/"]])
def test_what_is_no_text_is_refused_with_its_cause(value: Any) -> None:
    with pytest.raises(InvalidUrlException, match="Invalid URL") as caught:
        TkNormalizer(value)
    assert isinstance(caught.value.original_exception, TypeError)


def test_a_refusal_wraps_its_cause() -> None:
    with pytest.raises(InvalidUrlException, match="Invalid URL provided") as caught:
        TkNormalizer("http://localhost/")
    cause = caught.value.original_exception
    assert isinstance(cause, InvalidURL)
    assert cause is caught.value.__cause__
    assert cause.code == "no_tld"


def test_a_refusal_survives_pickling() -> None:
    with pytest.raises(InvalidUrlException) as caught:
        TkNormalizer("http://10.0.0.1/")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is InvalidUrlException
    assert str(again) == str(caught.value)
    assert again.original_exception.code == again.__cause__.code == "private_host"


def test_a_refusal_comes_out_of_a_process_pool_and_the_pool_goes_on() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        refused, fine = pool.submit(TkNormalizer, "http://a"), pool.submit(TkNormalizer, URL)
        error = refused.exception()
        assert isinstance(error, InvalidUrlException)
        assert isinstance(error.original_exception, InvalidURL)
        assert fine.result().to_dict() == TkNormalizer(URL).to_dict()


def test_refusals_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    for value in ("http://localhost/", None):
        with pytest.raises(InvalidUrlException):
            TkNormalizer(value)  # type: ignore[arg-type]
    levels = [(record.name, record.levelno) for record in caplog.records]
    assert levels == [("sameas.compat", logging.WARNING), ("sameas.compat", logging.ERROR)]


def test_no_log_is_written_where_it_is_not_wanted(caplog: pytest.LogCaptureFixture) -> None:
    for value in ("http://localhost/", None):
        with pytest.raises(InvalidUrlException):
            TkNormalizer(value, log_errors=False)  # type: ignore[arg-type]
    assert caplog.records == []


@pytest.mark.parametrize(
    "url",
    ["http://me:secret@localhost/", "http://me:secret@example.com:x/", "ftp://me:secret@a.bc/",
     "me:secret@localhost", "http://me:secret@a\\b/", "http://me:sec/ret@localhost:99999999/"],
)  # fmt: skip
def test_no_password_is_in_a_log_or_a_message(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(InvalidUrlException) as caught:
        TkNormalizer(url)
    for text in (str(caught.value), str(caught.value.original_exception), caplog.text):
        assert "secret" not in text
        assert "ret@" not in text


def test_no_password_is_in_a_result() -> None:
    one = TkNormalizer("http://me:secret@www.Example.com/A?b=1")
    assert str(one) == "example.com/a?b=1"
    assert not any("secret" in value for value in one.to_dict().values())
    assert one.friendly_url == "http://www.Example.com/A?b=1"


def test_one_too_long_is_refused_and_not_shown() -> None:
    with pytest.raises(InvalidUrlException) as caught:
        TkNormalizer("http://example.com/" + "a" * 70_000)
    assert len(str(caught.value)) < 200
    assert caught.value.original_exception.code == "too_long"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "url"), [("http://a.bc/\udce9", "a.bc/\ufffd"), ("a.bc?\udcc3\udca9", "a.bc?%C3%A9=")]
)
def test_bytes_that_came_as_surrogate_escapes_are_their_bytes(text: str, url: str) -> None:
    assert str(TkNormalizer(text)) == url


def test_a_lone_surrogate_is_refused_and_not_a_crash() -> None:
    with pytest.raises(InvalidUrlException) as caught:
        TkNormalizer("http://example.com/\ud800")
    assert caught.value.original_exception.code == "encoding"  # type: ignore[attr-defined]


# Many at once


def test_an_instance_survives_pickling() -> None:
    one = TkNormalizer(URL)
    again = pickle.loads(pickle.dumps(one))
    assert vars(again) == vars(one)
    assert again["root_normal_url"] == "example.co.uk"


def test_threads_give_what_one_alone_gives() -> None:
    urls = corpus.make(1_000)
    alone = [_result(url) for url in urls]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(_result, urls)) == alone


def _result(url: str) -> dict[str, str] | str:
    try:
        return TkNormalizer(url, log_errors=False).to_dict()
    except InvalidUrlException as error:
        return str(error)
