"""Law 6: no credentials in anything that is written, and a flag where they were dropped."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sameas import Canonical, InvalidURL
from sameas.compat import InvalidUrlException, TkNormalizer
from tests.laws.strategies import NOT_TK, POLICIES, Raw, as_bytes
from tests.laws.test_laws import each_policy, result

SECRET = "hunter2"

_starts = st.sampled_from(
    [
        "http://", "https://", "HTTP://", "http:\\\\", "http:/", "http:", "http:///", "ht\ttp://",
        "http:\t/\n/", " http://", "\x00http://", "\u3000http://", "\ufeffhttp://", "\x85http://",
        "//", "", "/", "ftp://", "foo:/", "foo:", "1http://", "a b http://", "http//", "javascript://",
        "see http://", "<http://",
    ]
)  # fmt: skip
_users = st.sampled_from(
    [
        "{}", "{}:", ":{}", "u:{}", "{}:p", "u:{}:x", "a@{}", "{}@b", "u:%20{}", "u:{}%", "ü:{}",
        "u\t:{}", "u:\udce9{}", "u:{}é", "u :{}", "[u:{}", "u:{}]", "80:{}", "u:80{}", "::{}",
    ]
)  # fmt: skip
_hosts = st.sampled_from(
    [
        "example.com", "www.example.com", "h", "h:80", "h:99999", "h:x", "[::1]", "[::1", "8.8.8.8",
        "exa mple.com", "a\udce9b", "a\ud800b", "", ".", "b@h", "example.com:8080", "xn--a", "a%b",
    ]
)  # fmt: skip
_rests = st.sampled_from(
    [
        "",
        "/",
        "/a?b=1#c",
        "\\a",
        "?q=a@b",
        "/@c",
        "#@d",
        "//e:f@g/",
        "/a b",
        "/" + "x" * 300,
        "/\ud800",
    ]
)


def told(name: str, raw: Raw) -> tuple[Canonical | InvalidURL, str]:
    """All that is ever written about an input: its result, its error, its explanation."""
    policy = POLICIES[name]
    found, explained = result(policy, raw), policy.explain(raw)
    compared = policy.compare(raw, "http://example.com/")
    written = [repr(found), repr(explained), repr(compared), explained.input, compared.sentence]
    if isinstance(found, Canonical):
        written += [found.url, found.form, json.dumps(dict(found.notes)), *found.flags]
    else:
        written += [str(found), found.message]
    return found, "\n".join(written)


@each_policy
@given(start=_starts, user=_users, host=_hosts, rest=_rests, as_bytes_too=st.booleans())
@example(start="http://", user="u:{}\\", host="example.com", rest="/", as_bytes_too=False)
def test_credentials_are_in_nothing_that_is_written(
    name: str, start: str, user: str, host: str, rest: str, as_bytes_too: bool
) -> None:
    url = f"{start}{user.format(SECRET)}@{host}{rest}"
    found, written = told(name, as_bytes(url) if as_bytes_too else url)
    assert SECRET not in written
    if isinstance(found, Canonical):
        assert "credentials" in found.flags
        assert found.original == (as_bytes(url) if as_bytes_too else url)


@pytest.mark.parametrize(
    "url",
    [
        "http://u:{}\\x@example.com/",
        "http://u:x\\{}@example.com/",
        "http://u:a\\b{}@example.com/?q=1",
        "u:p{}@example.com",
        "//u:{}\\@example.com/",
    ],
)
def test_what_tk_reads_as_credentials_is_hidden_too(url: str) -> None:
    _, written = told("tk", url.format(SECRET))
    assert SECRET not in written


@pytest.mark.parametrize("name", NOT_TK)
@pytest.mark.parametrize("mark", ["/", "?", "#"])
def test_a_password_that_ends_the_host_is_hidden_when_the_port_is_refused(
    name: str, mark: str
) -> None:
    _, written = told(name, f"http://u:pa{mark}{SECRET}@example.com/")
    assert SECRET not in written


@each_policy
def test_no_credentials_no_flag(name: str) -> None:
    for url in (
        "http://example.com/@a:b@c",
        "http://example.com/?u=a:b@c",
        "http://example.com/#a:b@c",
    ):
        found = POLICIES[name].canonicalize(url)
        assert "credentials" not in found.flags
        assert POLICIES[name].explain(url).input == url


@pytest.mark.parametrize("target", ["http://u:{}@h.example/a", "http%3A%2F%2Fu:{}%40h.example/a"])
@pytest.mark.parametrize("name", NOT_TK)
def test_credentials_of_a_redirectors_target_are_hidden_and_flagged_where_it_is_unwrapped(
    name: str, target: str
) -> None:
    policy = POLICIES[name]
    url = "https://www.google.com/url?q=" + target.format(SECRET)
    found, explained = policy.canonicalize(url), policy.explain(url)
    assert SECRET not in explained.input
    if name == "default":
        assert (found.url, found.flags) == ("http://h.example/a", ("credentials",))
        assert SECRET not in repr(explained)
    else:
        assert SECRET in found.url  # there it is a value of the query, as any other
        assert not found.flags or name == "clara"


def test_what_is_shown_is_the_input_with_stars() -> None:
    shown = POLICIES["feed"].explain("HTTP://u:p@Example.com/a?b=c@d").input
    assert shown == "HTTP://***@Example.com/a?b=c@d"


@given(start=_starts, user=_users, host=_hosts, rest=_rests)
def test_the_drop_in_for_the_package_writes_no_credentials_either(
    start: str, user: str, host: str, rest: str
) -> None:
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("sameas.compat")
    logger.addHandler(handler)
    logger.propagate = False
    try:
        made = TkNormalizer(f"{start}{user.format(SECRET)}@{host}{rest}")
        lines += [str(made), json.dumps(made.to_dict())]
    except InvalidUrlException as error:
        lines += [str(error), repr(error.original_exception)]
    finally:
        logger.removeHandler(handler)
        logger.propagate = True
    assert SECRET not in "\n".join(lines)
