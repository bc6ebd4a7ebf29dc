"""The traps: what is asked of every library, what is right, and why.

How a question is put is in probes.py, how an answer is judged in trap.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bench import corpus, hostile
from bench.probes import (
    apart,
    drops,
    hides,
    idempotent,
    keeps,
    never_guesses,
    opens,
    refuses,
    survives,
    together,
)
from bench.trap import Trap

ORDINARY = 2_000

PARSERS = ("yarl", "Ada", "can_ada")
"""They read and write URLs, and don't say that two of them are the same."""
TK = ("sameas tk", "tk-normalizer")


@cache
def _ordinary() -> list[str]:
    return corpus.make(ORDINARY)


@cache
def _hostile() -> list[str]:
    return hostile.make()


def _query(*values: str) -> tuple[str, ...]:
    return tuple(f"https://example.com/find?q={value}" for value in values)


def _path(*values: str) -> tuple[str, ...]:
    return tuple(f"https://example.com/{value}" for value in values)


def _pair(a: str, b: str) -> tuple[str, str]:
    return f"https://example.com/{a}", f"https://example.com/{b}"


_CONTENT = ["source", "session", "ref", "cid", "uid", "keyword", "campaign", "medium", "gl"]
_TRACKING = [
    "utm_source", "utm_medium", "utm_campaign", "utm_id", "fbclid", "gclid", "dclid", "msclkid",
    "yclid", "twclid", "ttclid", "igshid", "mc_cid", "mc_eid", "_hsenc", "mkt_tok", "gbraid",
]  # fmt: skip

KEPT_APART = [
    Trap(
        "`+` and `%2B`",
        "`+` is a blank in a form, `%2B` is a plus: `c++` is not `c`.",
        apart(*_query("c%2B%2B", "c++")),
    ),
    Trap(
        "`+` and `%20`",
        "Only in a form are they the same; a server that reads the query itself sees a plus.",
        apart(*_query("a+b", "a%20b")),
        on_purpose=("w3lib", *TK),
    ),
    Trap(
        "`%E9` and `%E8`",
        "Two letters in Latin-1. Who decodes as UTF-8 sees two broken bytes, and makes them one.",
        apart(*_query("%E9", "%E8")),
    ),
    Trap(
        "`%E9` and `%C3%A9`",
        "Two spellings of é only to those who know the server's encoding: the URL doesn't say it.",
        apart(*_query("%E9", "%C3%A9")),
    ),
    Trap(
        "`%2F` and `/`",
        "An encoded slash is part of a segment, a bare one ends it (RFC 3986, 2.2).",
        apart(*_path("a%2Fb", "a/b")),
    ),
    Trap(
        "`%3F` and `?`",
        "An encoded question mark is part of the path, a bare one ends it.",
        apart(*_path("a%3Fb=1", "a?b=1")),
    ),
    Trap(
        "`%26` and `&`",
        "An encoded ampersand is part of a value, a bare one ends it.",
        apart(*_query("a%26b=1", "a&b=1")),
    ),
    Trap(
        "torn triplets",
        "`%%37E` holds an encoded 7. Decoded once it says `%7E`, decoded again `~`: decoding one "
        "triplet must never make another. To refuse it is right as well.",
        apart(*_path("%%37E", "%7E"), torn=True),
    ),
    Trap(
        "`%2541` and `%41`",
        "The first is the text `%41`, the second the letter A: to decode twice merges them.",
        apart(*_path("%2541", "%41")),
    ),
    Trap(
        "`www504778.com` and `www3288.com`",
        "Two hosts. Only a label that is `www` is one that may go.",
        apart("http://www504778.com/", "http://www3288.com/"),
    ),
    Trap(
        "`www.com`",
        "A registered name. Without its `www` a public suffix is left, which is no site.",
        apart("http://www.com/", "http://com/"),
    ),
    Trap(
        "content parameters",
        "Names that somewhere track and elsewhere tell pages apart must stay where nothing is "
        "known of the site.",
        keeps(_CONTENT),
    ),
    Trap(
        "a name without a value",
        "`?a` and no query are two requests; many an old site keeps its whole address there.",
        apart(*_path("list", "list?a", "list?b")),
    ),
    Trap(
        "repeated parameters",
        "`?a=1&a=2` says two things: neither may go.",
        apart(*_path("list?a=1&a=2", "list?a=1", "list?a=2")),
    ),
    Trap(
        "order of repeated parameters",
        "In `?sort=price&sort=date` the order may matter. Who sorts by value too gives that up.",
        apart(*_path("list?sort=price&sort=date", "list?sort=date&sort=price")),
        on_purpose=("sameas default", "w3lib", "urlcanon", "ural", *TK),
    ),
    Trap(
        "`#!/a` and `#!/b`",
        "In an application of one page such a fragment names the page. Who drops it merges all.",
        apart(*_path("#!/a", "#!/b")),
        on_purpose=("w3lib", "urlcanon", *TK),
    ),
    Trap(
        "small and capital letters in a path",
        "`/A` and `/a` are two files on most servers.",
        apart(*_path("watch/dQw4", "watch/DqW4")),
        on_purpose=TK,
    ),
    Trap(
        "with and without a slash at the end",
        "Two addresses to the standard, one page on nearly every site: to merge them is a choice.",
        apart(*_path("a/b", "a/b/")),
        on_purpose=("sameas default", "ural", *TK),
    ),
    Trap(
        "one slash and two",
        "Two paths to the standard, one on most servers: to merge them is a choice.",
        apart(*_path("a//b", "a/b")),
        on_purpose=("sameas default", "urlcanon"),
    ),
    Trap(
        "`http` and `https`, with and without `www.`",
        "Four addresses that could show four sites, and hardly ever do: to merge them is a choice.",
        apart("http://example.com/a", "https://example.com/a", "https://www.example.com/a"),
        on_purpose=("sameas default", "ural", *TK),
    ),
]

SEEN_AS_ONE = [
    Trap(
        "letters of scheme and host, default port",
        "`HTTP://EXAMPLE.com:80/` is `http://example.com/`.",
        together(
            ("HTTP://EXAMPLE.com/a", "http://example.com/a"),
            ("http://example.com:80/a", "http://example.com/a"),
            ("https://example.com:443/a", "https://example.com/a"),
        ),
        unclaimed=("w3lib", *TK),
    ),
    Trap(
        "dot segments",
        "A browser asks for `/a/c` where it is given `/a/.b/../c`.",
        together(_pair("a/../c", "c"), _pair("a/./c", "a/c"), _pair("a/.b/../c", "a/c")),
        unclaimed=("courlan", *TK),
    ),
    Trap(
        "dot segments, encoded",
        "To the URL Standard `%2e%2e` is `..`.",
        together(_pair("a/%2e%2e/c", "c"), _pair("a/%2E/c", "a/c")),
        unclaimed=("courlan", *TK),
    ),
    Trap(
        "`bücher.example` and `xn--bcher-kva.example`",
        "One host, in letters and as the network writes it.",
        together(("http://bücher.example/", "http://xn--bcher-kva.example/")),
        unclaimed=TK,
    ),
    Trap(
        "host in wide letters",
        "A browser opens `example.com` where it is given `ｅｘａｍｐｌｅ．com`.",
        together(("http://ｅｘａｍｐｌｅ．com/", "http://example.com/")),
        unclaimed=("w3lib", "courlan", "ural", *TK),
    ),
    Trap(
        "`%7E` and `~`, `%41` and `A`",
        "What needs no encoding is the same with and without it (RFC 3986, 6.2.2.2).",
        together(_pair("%7Ea", "~a"), _pair("%41", "A"), _pair("x?q=%41", "x?q=A")),
        unclaimed=("Ada", "can_ada", "courlan"),
    ),
    Trap(
        "`%c3%a9` and `%C3%A9`",
        "The letters of a triplet mean the same in both cases (RFC 3986, 6.2.2.1).",
        together(_pair("caf%c3%a9", "caf%C3%A9"), _pair("x?q=%c3%a9", "x?q=%C3%A9")),
        unclaimed=("Ada", "can_ada", "courlan"),
    ),
    Trap(
        "order of parameters",
        "`?a=1&b=2` is `?b=2&a=1` wherever a program reads them by name.",
        together(_pair("x?b=2&a=1", "x?a=1&b=2")),
        unclaimed=("url-normalize", *PARSERS),
    ),
    Trap(
        "tracking parameters",
        "They tell the site who sent the reader, never which page to show.",
        drops(_TRACKING),
        unclaimed=("w3lib", "url-normalize", "urlcanon", *PARSERS),
    ),
    Trap(
        "session in the path",
        "`;jsessionid=…` names a visit, not a page.",
        together(_pair("a;jsessionid=0A1B2C", "a")),
        unclaimed=("sameas tk", "tk-normalizer", "w3lib", "courlan", "ural", "url-normalize",
                   "urlcanon", *PARSERS),
    ),
    Trap(
        "the fragment",
        "A place on the page is not another page.",
        together(_pair("a#top", "a")),
        unclaimed=("courlan", "url-normalize", *PARSERS),
    ),
    Trap(
        "what is left of a query",
        "`/a?` and `/a?&` ask for `/a`.",
        together(_pair("a?", "a"), _pair("a?&", "a"), _pair("a?b=1&", "a?b=1")),
        unclaimed=("urlcanon", "url-normalize", *PARSERS),
    ),
    Trap(
        "redirectors that show their target",
        "The page is the one behind the redirector, and its address stands in the link.",
        together(
            (
                "https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.com%2Fa",
                "https://example.com/a",
            )
        ),
        unclaimed=("sameas tk", "tk-normalizer", "w3lib", "courlan", "url-normalize", "urlcanon",
                   *PARSERS),
    ),
]  # fmt: skip

SAFE = [
    Trap(
        "a backslash before an `@`",
        r"A browser that is given `http://example.com\@evil.com/` opens example.com. Who gives "
        "out a URL that opens evil.com has been led astray. To refuse it is right as well.",
        opens("example.com", "http://example.com\\@evil.com/", "http://example.com\\@evil.com"),
    ),
    Trap(
        "credentials",
        "A password must not get into a list, a log or a key.",
        hides("s3cret", "http://user:s3cret@example.com/a"),
        unclaimed=("w3lib", "courlan", "url-normalize", "tk-normalizer", *PARSERS),
    ),
    Trap(
        "`javascript:` and `mailto:`",
        "Not web addresses: they are refused, or keep their scheme, and never become one.",
        never_guesses("javascript:alert(1)", "mailto:ann@example.com", "tel:+34123456789"),
    ),
    Trap(
        "private addresses",
        "A list of public pages has no place for `127.0.0.1`, in whatever spelling.",
        refuses("http://127.0.0.1/", "http://10.0.0.1/", "http://0x7f.1/", "http://[::1]/"),
        unclaimed=("sameas default", "w3lib", "courlan", "ural", "url-normalize", "urlcanon",
                   *PARSERS),
    ),
    Trap(
        "lone surrogates",
        "Broken JSON and file names bring them. A result that can be stored, or the refusal that "
        "is documented; no other exception.",
        survives(hostile.with_surrogates),
    ),
    Trap(
        "NUL",
        "A NUL is `%00` or a refusal, never a NUL in a database.",
        survives(hostile.with_nul, clean=True),
    ),
    Trap(
        "tabs and line breaks",
        "A browser drops them wherever they stand; a URL with one in it breaks a file of lines.",
        together(
            ("http://exam\nple.com/a\tb", "http://example.com/ab"),
            ("\thttp://example.com/a\r\n", "http://example.com/a"),
        ),
        unclaimed=("yarl", "ural", *TK),
    ),
    Trap(
        "hostile URLs",
        "A result or the documented refusal for each of them; no other exception.",
        survives(_hostile),
    ),
    Trap(
        "idempotence, ordinary URLs",
        "A canonical URL is its own canonical URL, or every second run finds new ones.",
        idempotent(_ordinary),
    ),
    Trap(
        "idempotence, hostile URLs",
        "The same, where it is hard.",
        idempotent(_hostile),
    ),
]  # fmt: skip

GROUPS: dict[str, Sequence[Trap]] = {
    "Kept apart": KEPT_APART,
    "Seen as one": SEEN_AS_ONE,
    "Safe": SAFE,
}
