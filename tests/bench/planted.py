"""Libraries made for these tests: each does one thing, well or badly.

They stand at module level, so that a child process finds them too.
"""

from __future__ import annotations

from functools import partial
from itertools import count

from bench.peers import Call, Calls, Peer, Subject

_number = count()


def as_it_is(url: str) -> str:
    return url


def all_one(_: str) -> str:
    """Merges everything, leads astray and leaks."""
    return "http://evil.com/s3cret\x00"


def never_twice(url: str) -> str:
    return f"{url}&{next(_number)}"


def falls_over(url: str) -> str:
    raise KeyError(url)


def refuses(url: str) -> str:
    raise ValueError(url)


def hangs_on_slashes(url: str) -> str:
    while "//////" in url:
        pass
    return url


def calls(call: Call) -> Calls:
    return Calls(call, call)


def _missing() -> Calls:
    raise ImportError("No module named 'absent'")


def peer(call: Call) -> Peer:
    return Peer(call.__name__, "ada-url", "`planted`", partial(calls, call))


ABSENT = Peer("absent", "absent", "`absent`", _missing)


def subject(name: str, call: Call, start: str = "", kind: str = "peer") -> Subject:
    return Subject(name, "ada-url", "nothing", lambda: call, start, kind)


def absent_subject() -> Subject:
    return Subject("absent", "absent", "nothing", _missing, "import absent")
