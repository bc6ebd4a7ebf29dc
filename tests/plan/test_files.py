"""Policy files: every word is checked, and what is wrong is named with its place and a hint."""

from __future__ import annotations

from pathlib import Path

import pytest

from sameas import Policy, PolicyError
from sameas.plan.document import builtin_names

HEAD = 'name = "mine"\nversion = "1"\n'


@pytest.fixture
def refusal(tmp_path: Path):
    """What loading a file says, with the folder left out."""

    def say(text: str, name: str = "mine.toml") -> str:
        file = tmp_path / name
        file.write_text(text, "utf-8", newline="")
        with pytest.raises(PolicyError) as caught:
            Policy.load(file)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return say


UNKNOWN = {
    HEAD + 'naem = "x"': ("mine.toml:3", "`name`"),
    HEAD + '[qurey]\ndrop = ["a"]': ("mine.toml:3", "`query`"),
    HEAD + '[path]\nslashes = "keep"\nslash = "collapse"': ("mine.toml:5", "`slashes`"),
    HEAD + 'query.dorp = ["a"]': ("mine.toml:3", "`drop`"),
    HEAD + '\n\n[[site]]\nhost = "h"\n[[site]]\nhost = "i"\ndrops = []': ("mine.toml:9", "`drop`"),
    HEAD + '[[example]]\nurl = "http://h/"\ngive = "x"': ("mine.toml:5", "`gives`"),
    HEAD + 'extends = "nwes"': ("mine.toml:3", "did you mean news?"),
    HEAD + 'extends = "news"\n[query]\ndrop = {\n remove = ["ref", "utm_sorce"] }': (
        "mine.toml",
        '"utm_source"',
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), UNKNOWN.items())
def test_an_unknown_word_is_refused_with_its_line_and_the_nearest_right_one(
    refusal, text: str, said: tuple[str, str]
) -> None:
    if "{\n" in text:  # an inline table stands on one line in TOML
        text = text.replace("{\n ", "{ ")
    message = refusal(text)
    assert message.startswith(said[0])
    assert said[1] in message


WRONG_TYPES = [
    "[scheme]\nwrite = true",
    '[scheme]\nwrite = ["https"]',
    "[path]\nsession = 1",
    '[query]\ndrop = "utm_*"',
    "[query]\ndrop = [1]",
    '[query]\ndrop = [["a"]]',
    '[query]\ndrop = { plus = ["a"] }',
    "[query]\ndrop = {}",
    '[query]\ntogether = [["a"]]',
    "[query]\ntogether = [[1, 2]]",
    '[[query]]\ndrop = ["a"]',
    "[fragment]\nnote = 1",
    '[notes]\nflags = "a"',
    '[notes.language]\ncodes = ["es"]',
    '[notes.language]\ncodes = ["es"]\naliases = { a = ["b"] }\nparameters = []',
    '[host]\nmap = ["a"]',
    "[host]\nmap = { a = 1 }",
    "[[site]]\nhost = 1",
    '[[site]]\nhost = "h"\ngoes = ["a"]',
    "[[example]]\nurl = 2024-01-01",
    '[[example]]\nurl = "http://h/"\nrefused = "nonsense"',
]


@pytest.mark.parametrize("text", WRONG_TYPES)
def test_a_wrong_type_is_refused_with_its_line(refusal, text: str) -> None:
    place, _, reason = refusal(HEAD + text).partition(": ")
    assert place in ("mine.toml:3", "mine.toml:4", "mine.toml:5")
    assert "must be" in reason or "takes" in reason or "is missing" in reason


CANNOT_HOLD = {
    '[query]\ndrop = ["a*b"]': "beginning or the end",
    '[query]\ndrop = [""]': "cannot be empty",
    '[query]\ndrop = ["a&b"]': "no parameter name can have",
    '[query]\ntogether = [["É", "b"]]': "small ASCII letters",
    '[query]\ntogether = [["a", "a"]]': "twice in a group",
    '[notes]\nlink_type = { languages = ["ES"], documents = [], identifiers = [] }': "small ASCII",
    '[notes]\nurl = "a"\nkey = "a"': 'another note is named "a"',
    '[fragment]\nnote = "a"\n[notes]\nurl = "a"': 'another note is named "a"',
    'extends = "clara"\n[fragment]\nnote = "link_type"': 'another note is named "link_type"',
    'extends = "tk"\n[query]\ndrop = ["UTM_*"]': 'write "utm_*"',
    '[scheme]\nwrite = "drop"': 'needs parser = "tk"',
    '[host]\nwww = "drop-always"': 'needs parser = "tk"',
    '[query]\nencoding = "form"': 'needs parser = "tk"',
    '[host]\nmap = { "a.com" = "b.com", "b.com" = "c.com" }': "map a.com to c.com",
    '[host]\nmap = { "a.com" = "b.com", "b.com" = "a.com" }': "goes to",
    '[host]\nmap = { "www.a.com" = "a.com" }': "not a bare domain",
    '[host]\nmap = { "A.com" = "a.com" }': '"A.com" is not a host in normal spelling',
    '[host]\nmap = { "a.com" = "b.com:80" }': '"b.com:80" is not a host in normal spelling',
    '[host]\nmap = { "a.com" = "" }': '"" is not a host in normal spelling',
    '[[site]]\nhost = "Bücher.example"': "normal spelling",
    '[[site]]\nhost = "h:80"': "normal spelling",
    '[[site]]\nhost = ""': "normal spelling",
    '[[site]]\nhost = ".*"': "normal spelling",
    "[[site]]\nhost = []": "lacks `host`",
    '[[site]]\nhost = "docs.google.*"': "a * may only follow one name",
    '[[site]]\nhost = "*.example.com"': "stands for everything below it as it is",
    '[[site]]\nhost = "*"': "a * may only follow one name",
    '[[site]]\ndrop = ["a"]': "lacks `host`",
    '[[site]]\nhost = "h"\npath = "amp"': "begins with /",
    '[[site]]\nhost = "h"\npath = "/é/"': "a browser writes /%C3%A9/",
    '[[site]]\nhost = "h"\npath = "/a?b=1"': "a browser writes /a",
    '[[site]]\nhost = "h"\npath = "/a/../b"': "a browser writes /b",
    '[[site]]\nhost = "h"\ntarget_path = "/#/"\ntarget_scheme = "https"': "how a path is spelled",
    '[[site]]\nhost = "h"\npath_drop = ["ré"]': "a browser writes /r%C3%A9",
    '[[site]]\nhost = "h"\ntarget = ["é"]': "a browser writes %C3%A9",
    '[[site]]\nhost = "h"\ntarget = ["a=b"]': "a browser writes a",
    '[[site]]\nhost = "h"\ntarget = ["#"]': "the name of a parameter is spelled",
    '[[site]]\nhost = "h"\npath_drop = [""]': "without any /",
    '[[site]]\nhost = "h"\npath_drop = ["/ref="]': "without any /",
    '[[site]]\nhost = "h"\ntarget = [""]': "no empty text",
    '[[site]]\nhost = "h"\ntarget_path = "/amp/"': "need each other",
    '[[site]]\nhost = "h"\ntarget_scheme = "https"': "need each other",
    '[[example]]\nurl = "http://h/"': "says nothing",
    '[[example]]\nurl = "h"\nrefused = "relative"\ngives = "x"': "has no result",
    'extends = "tk"\nparser = "whatwg"': 'needs parser = "tk"',
    'extends = "news"\nparser = "tk"': 'in parser = "tk"',
    'parser = "tk"\n[query]\nencoding = "keep"': 'always "form"',
    'parser = "tk"\n[fragment]\nnote = "f"': "no meaning",
    'parser = "tk"\n[[site]]\nhost = "h"\ndrop = ["a"]': "takes no [[site]]",
}


@pytest.mark.parametrize(("text", "why"), CANNOT_HOLD.items())
def test_a_rule_that_cannot_hold_is_refused_with_the_reason(refusal, text: str, why: str) -> None:
    message = refusal(HEAD + text)
    assert why in message
    if "takes no" not in why:
        assert message.startswith("mine.toml:")


BROKEN = {
    "nothing at all": "",
    "no name": 'version = "1"',
    "no version": 'name = "mine"',
    "a name in capitals": 'name = "Mine"\nversion = "1"',
    "a name that is a number": 'name = 1\nversion = "1"',
    "a version that is true": 'name = "mine"\nversion = true',
    "a version that is a date": 'name = "mine"\nversion = 2024-02-30',
    "a version of 5,000 digits": f'name = "mine"\nversion = {"9" * 5000}',
    "a version of 5,000 hex digits": f'name = "mine"\nversion = 0x{"f" * 5000}',
    "a float without end": 'name = "mine"\nversion = inf',
    "brackets 5,000 deep": HEAD + "[query]\ndrop = " + "[" * 5000 + "]" * 5000,
    "tables 3,000 deep": HEAD + "[query]\ndrop = " + "{a=" * 3000 + "1" + "}" * 3000,
    "dots 3,000 deep": HEAD + ".".join(["a"] * 3000) + " = 1",
    "a NUL": HEAD + 'summary = "\x00"',
    "half a surrogate pair": HEAD + 'summary = "\\ud800"',
    "a byte order mark": "\ufeff" + HEAD,
    "a parent whose name has a NUL": HEAD + 'extends = "a\\u0000b"',
    "a parent whose name is too long": HEAD + f'extends = "{"a/" * 3000}"',
    "a parent that is a folder": HEAD + 'extends = "/"',
    "a parent without a name": HEAD + 'extends = ""',
    "a parent of another version": HEAD + 'extends = "news@99"',
    "a parent that is itself": HEAD + 'extends = "mine.toml"',
    "an included file that is missing": HEAD + 'include = ["none.toml"]',
    "an included file whose name is too long": HEAD + f'include = ["{"a" * 3000}"]',
    "an included file with more than sites": HEAD + 'include = ["mine.toml"]',
    "a site that is a number": "site = 1\n" + HEAD,
    "sites that are numbers": "site = [1]\n" + HEAD,
    "an example that is a table": 'example = { url = "http://h/" }\n' + HEAD,
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_nothing_in_a_file_makes_anything_but_a_policy_error(refusal, text: str) -> None:
    message = refusal(text)
    assert message.startswith("mine.toml")
    assert len(message) > len("mine.toml: x")


@pytest.mark.parametrize("data", [b"\xff\xfe", HEAD.encode() + b'summary = "\xe9"'])
def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(data)
    with pytest.raises(PolicyError, match="UTF-8"):
        Policy.load(file)


@pytest.mark.parametrize(
    "name", ["", ".", "@", "a" * 5000, "a\x00b", "\ud800", "sites", "nonesuch@1"]
)
def test_a_name_that_is_no_policy_is_refused(name: str) -> None:
    with pytest.raises(PolicyError, match="neither a policy's name nor a file"):
        Policy.load(name)


def test_a_version_left_out_behind_the_at_is_no_version() -> None:
    with pytest.raises(PolicyError, match="names no version"):
        Policy.load("news@")


def test_a_chain_of_parents_without_end_is_refused(tmp_path: Path) -> None:
    for i in range(2_000):
        file = tmp_path / f"{i}.toml"
        file.write_text(f'{HEAD}extends = "{i + 1}.toml"\n')
    with pytest.raises(PolicyError, match=r"16\.toml:3: is the end of a chain of more than 16"):
        Policy.load(tmp_path / "0.toml")


def test_names_that_match_as_one_are_one_to_the_fingerprint(tmp_path: Path) -> None:
    """A name matches in capital and small letters, so the list means the same."""
    prints = set()
    for text in ('["AbC", "d"]', '["d", "abc", "ABC"]'):
        file = tmp_path / "mine.toml"
        file.write_text(f"{HEAD}[query]\ndrop = {text}\n")
        prints.add(Policy.load(file).fingerprint)
    assert len(prints) == 1


def test_a_near_name_is_offered() -> None:
    with pytest.raises(PolicyError, match="did you mean default"):
        Policy.load("defualt")


@pytest.mark.parametrize("name", builtin_names())
def test_a_version_may_be_asked_for_by_number_and_another_is_refused(name: str) -> None:
    policy = Policy.load(name)
    assert Policy.load(f"{name}@{policy.version}").fingerprint == policy.fingerprint
    with pytest.raises(PolicyError, match="there is no version 0"):
        Policy.load(f"{name}@0")


def test_a_file_works_like_a_built_in_policy(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('name = "base"\nversion = 2\nextends = "news"\n')
    mine = tmp_path / "mine.toml"
    mine.write_text(
        HEAD + 'extends = "base.toml"\n'
        '[query]\ndrop = { add = ["partner", "cmp_*"], remove = ["ref"] }\n'
        '[[site]]\nhost = "example.com"\ndrop = ["from"]\nkeep = ["cmp_id"]\n'
    )
    policy = Policy.load(mine)
    url = "http://www.example.com/a/?ref=1&partner=2&cmp_x=3&utm_source=4&from=5&cmp_id=6"
    assert policy.canonicalize(url).url == "http://example.com/a?cmp_id=6&ref=1"
    assert policy.canonicalize("http://h/?from=1&cmp_id=2").url == "http://h?from=1"


def test_a_list_replaces_the_parents(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(HEAD + 'extends = "news"\n[query]\ndrop = ["only"]\n')
    found = Policy.load(mine).canonicalize("http://h/?only=1&utm_source=2")
    assert found.url == "http://h?utm_source=2"


def test_sites_of_an_included_file_count_and_are_checked_in_their_own_lines(
    refusal, tmp_path: Path
) -> None:
    sites = tmp_path / "shops.toml"
    sites.write_text('[[site]]\nhost = "shop.example"\ndrop = ["from"]\n')
    text = HEAD + 'include = ["shops.toml"]\n'
    (tmp_path / "ok.toml").write_text(text)
    found = Policy.load(tmp_path / "ok.toml").canonicalize("http://shop.example/?from=1&a=2")
    assert found.url == "http://shop.example/?a=2"
    sites.write_text('[[site]]\nhost = "shop.example"\n\ndorp = ["from"]\n')
    assert refusal(text).startswith("shops.toml:4: [[site]] knows no `dorp`")


WRONG_EXAMPLES = {
    '[[example]]\nurl = "http://h/?a"\ngives = "http://h/"': "should have gives",
    '[[example]]\nurl = "http://h/"\nform = "h"': "should have form",
    '[[example]]\nurl = "http://h/"\nflags = ["credentials"]': "should have flags",
    '[[example]]\nurl = "http://h/"\nrefused = "host"': "should have refused",
    '[[example]]\nurl = "h"\ngives = "http://h/"': "is refused: relative",
    '[[example]]\nurl = "h"\nrefused = "host"': "is refused: relative",
    '[[site]]\nhost = "h"\ndrop = ["a"]\ngoes = { "http://h/?a&b" = "http://h/" }': "http://h/?b",
    '[[site]]\nhost = "h"\ndrop = ["a"]\nstays = ["http://h/?a"]': "http://h/?a",
}


@pytest.mark.parametrize(("text", "said"), WRONG_EXAMPLES.items())
def test_an_example_that_does_not_hold_is_named_with_its_line(
    refusal, text: str, said: str
) -> None:
    message = refusal(HEAD + "\n" + text)
    assert message.startswith(("mine.toml:4", "mine.toml:7"))
    assert said in message


def test_a_parents_examples_are_not_the_childs(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(HEAD + 'extends = "news"\n[host]\nwww = "keep"\n')
    assert Policy.load(mine).canonicalize("http://www.example.com/").url == "http://www.example.com"
