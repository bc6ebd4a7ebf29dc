"""What changes between two policies: held against comparing every row with every other."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas import InvalidURL, Policy
from sameas.change import diff as diffing
from sameas.change.types import Diff
from sameas.records.source import Refused
from tests.change.policies import made

FEED = Policy.load("feed")


@pytest.fixture(scope="module")
def wider(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """`feed`, but that another parameter goes and one of its own stays."""
    folder = tmp_path_factory.mktemp("policies")
    body = '[query]\ndrop = { add = ["from"], remove = ["ref"] }\n[path]\ntrailing_slash = "drop"\n'
    return made(folder, "wider", body)


def compared(old: Policy, new: Policy, urls: list[str], samples: int = 100) -> Diff:
    return diffing.compared(old, new, enumerate(urls, 1), samples, lambda *_: None)


def _form(policy: Policy, url: str) -> str | None:
    try:
        return policy.canonicalize(url).form
    except InvalidURL:
        return None


def _naive(one: Policy, other: Policy, urls: list[str]) -> list[tuple[int, int]]:
    """How many keys under `other`, and rows, the groups under `one` have that are several."""
    groups: dict[str, list[str]] = defaultdict(list)
    for url in urls:
        key, inner = _form(one, url), _form(other, url)
        if key is not None and inner is not None:
            groups[key].append(inner)
    found = [(len(set(inner)), len(inner)) for inner in groups.values()]
    return sorted(pair for pair in found if pair[0] > 1)


pieces = st.sampled_from(["", "?from=1", "?from=2", "?ref=1", "?ref=1&from=2", "/", "/?from=1"])
urls = st.builds(
    lambda host, path, rest: f"https://{host}/{path}{rest}",
    st.sampled_from(["a.example", "b.example"]),
    st.sampled_from(["x", "y"]),
    pieces,
) | st.sampled_from(["nonsense", "", "ftp://a.example/x"])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(rows=st.lists(urls, max_size=20))
def test_it_finds_what_comparing_every_row_finds(wider: Policy, rows: list[str]) -> None:
    found = compared(FEED, wider, rows)
    assert found.rows == len(rows)
    assert found.changed == sum(_form(FEED, url) != _form(wider, url) for url in rows)
    assert found.refused == sum(_form(FEED, url) is None for url in rows)
    for grouped, pairs in (
        (found.merged, _naive(wider, FEED, rows)),
        (found.split, _naive(FEED, wider, rows)),
    ):
        assert sorted((one.count, one.rows) for one in grouped.samples) == pairs
        assert grouped.groups == len(pairs) == grouped.rules.total()
        assert (grouped.keys, grouped.rows) == (sum(p[0] for p in pairs), sum(p[1] for p in pairs))
    assert found.rules.total() == found.changed


def test_every_change_names_the_rule_that_makes_it(wider: Policy) -> None:
    rows = [
        "https://a.example/x?from=1",
        "https://a.example/x?ref=1",
        "https://a.example/x/",
        "https://a.example/x",
    ]
    found = compared(FEED, wider, rows)
    told = [(one.reason.rule, one.reason.why) for one in found.samples]
    assert told == [
        ("query.drop", "now: from is on the drop list (from)"),
        ("query.drop", "no longer: ref is on the drop list (ref)"),
        ("path.trailing_slash", "now: trailing slashes go"),
    ]
    (merged,), (split,) = found.merged.samples, found.split.samples
    assert merged.form == "https://a.example/x"
    assert [one.url for one in merged.members] == [rows[0], rows[2], rows[3]]
    assert split.form == "https://a.example/x"
    assert split.reason.rule == "query.drop"
    assert {one.form for one in split.members} == {
        "https://a.example/x?ref=1",
        "https://a.example/x",
    }


def test_a_url_that_one_policy_refuses_is_a_change_and_no_merge() -> None:
    found = compared(FEED, Policy.load("tk"), ["http://localhost/a", "http://localhost/a#b"])
    assert (found.changed, found.newly_refused, found.refused) == (2, 2, 0)
    assert (found.merged.groups, found.split.groups) == (0, 0)
    assert found.samples[0].reason.rule == "refused"
    assert found.samples[0].after == ""
    back = compared(Policy.load("tk"), FEED, ["http://localhost/a"])
    assert back.no_longer_refused == 1


def test_the_largest_groups_are_shown_and_all_are_counted(wider: Policy) -> None:
    rows = [f"https://a.example/{n}?from={k}" for n in range(1, 20) for k in range(n)]
    found = compared(FEED, wider, rows, samples=3)
    assert [one.count for one in found.merged.samples] == [19, 18, 17]
    assert all(len(one.members) == 5 for one in found.merged.samples)
    assert found.merged.groups == 18
    assert len(found.samples) == 3


def test_no_credentials_are_shown_or_put_aside(wider: Policy) -> None:
    rows = ["https://ann:s3cret@a.example/x?from=1", "https://ann:s3cret@a.example/x"]
    assert "s3cret" not in repr(compared(FEED, wider, rows))
    assert diffing._stored(rows[0]) == b"https://***@a.example/x?from=1"


def test_rows_that_neither_takes_are_told(wider: Policy) -> None:
    told: list[tuple[int, str]] = []
    rows = [(1, "nonsense"), (2, Refused("empty", "the line is empty")), (3, b"https://h/\xe9")]
    found = diffing.compared(FEED, wider, rows, 5, lambda n, why: told.append((n, why.code)))
    assert told == [(1, "relative"), (2, "empty")]
    assert (found.rows, found.refused, found.changed) == (3, 2, 0)


LIMITED = """
import resource, sys
from sameas import Policy
from sameas.change.diff import compared
keep = []
def rows(count):
    for n in range(count):
        url = f"https://a.example/{n}/{'x' * 2000}" + ("?from=1" if n % 1000 == 0 else "")
        if sys.argv[2] == "keep":
            keep.append(url)
        yield n, url
old, new = Policy.load("feed"), Policy.load(sys.argv[1])
compared(old, new, rows(100), 5, print)
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 32 * 2**20,) * 2)
print(compared(old, new, rows(40_000), 5, print).changed)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads its own size from /proc")
def test_memory_holds_what_changes_and_not_the_input(tmp_path: Path) -> None:
    made(tmp_path, "from", '[query]\ndrop = { add = ["from"] }\n')
    for keep in ("stream", "keep"):
        done = subprocess.run(
            [sys.executable, "-c", LIMITED, str(tmp_path / "from.toml"), keep],
            capture_output=True,
            text=True,
            check=False,
        )
        if keep == "stream":
            assert done.stdout == "40\n", done.stderr
        else:
            assert "MemoryError" in done.stderr
