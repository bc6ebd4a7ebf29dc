"""URLs that stand one a line: each gives what it gives alone, on either engine."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas import InvalidURL, Policy
from sameas.engine.lines import KEY_BYTES
from tests.native.wheel import NATIVE

ENGINES = ("python", *NATIVE)
POLICIES = {
    (name, engine): Policy.load(name, engine=engine)
    for name in ("default", "news", "tk")
    for engine in ENGINES
}
LINES = st.lists(
    st.one_of(
        st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")),
        st.text("ab./?&=#%:@é\r\x00\x85ж ", max_size=25).map(lambda t: f"http://h{t}".encode()),
        st.sampled_from([b"", b" ", b"http://h:443/..", b"//h", b"ftp://u:p@h/", b"http://h/%0a"]),
    ),
    max_size=12,
)


def _alone(policy: Policy, line: bytes) -> tuple[str, str, str]:
    try:
        found = policy.canonicalize(line)
        return found.url, found.key, ""
    except InvalidURL as error:
        return "", "00" * KEY_BYTES, str(error)


@settings(max_examples=150, deadline=None, derandomize=True)
@pytest.mark.parametrize(("name", "engine"), POLICIES)
@given(lines=LINES)
def test_a_line_gives_what_its_url_gives_alone(name: str, engine: str, lines: list[bytes]) -> None:
    policy = POLICIES[name, engine]
    text = b"".join(line + b"\n" for line in lines)
    wanted = [_alone(policy, line) for line in lines]
    urls, refused = policy.urls_of_lines(text)
    found = urls.decode().split("\n")
    assert found.pop() == ""
    plain = [url for url, _, _ in wanted]
    if name != "tk":  # where a path may hold a line break, and stands as its triplet then
        assert found == plain
    assert len(found) == len(lines)
    assert [(i, str(error)) for i, error in refused] == [
        (i, told) for i, (*_, told) in enumerate(wanted) if told
    ]
    keys, refused_too = policy.keys_of_lines(text)
    assert keys.hex() == "".join(key for _, key, _ in wanted)
    assert [i for i, _ in refused_too] == [i for i, _ in refused]


@pytest.mark.parametrize("engine", ENGINES)
def test_many_lines_come_in_their_order(engine: str) -> None:
    """More than one thread takes at a time, with lines between that go to the Python engine."""
    policy = POLICIES["default", engine]
    lines = [f"http://h{'ж' * (i % 500 == 0)}/{i}?utm_source=x" for i in range(9000)]
    lines[1::1000] = ["no url"] * 9
    urls, refused = policy.urls_of_lines("".join(f"{line}\n" for line in lines).encode())
    host = {True: "xn--h-jtb", False: "h"}
    for i, url in enumerate(urls.decode().split("\n")[:-1]):
        wanted = "" if i % 1000 == 1 else f"http://{host[i % 500 == 0]}/{i}"
        assert url == wanted or (i % 500 == 0 and url.startswith("http://xn--"))
    assert [i for i, _ in refused] == list(range(1, 9000, 1000))
    keys, _ = policy.keys_of_lines("".join(f"{line}\n" for line in lines).encode())
    assert keys[-KEY_BYTES:].hex() == policy.key(lines[-1])


def test_what_is_refused_keeps_nothing_else_alive() -> None:
    for engine in ENGINES:
        _, [(_, error)] = POLICIES["default", engine].urls_of_lines(b"no url\n")
        assert error.__traceback__ is None
