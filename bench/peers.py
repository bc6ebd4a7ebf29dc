"""Who is compared: each library as its own documentation would have it used.

It decides how a library is called; what it is asked is in speed.py and traps.py. A library is
imported only when it is called for, so that a run tells which ones are missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from importlib import import_module, metadata
from typing import Any

Call = Callable[[str], Any]


@dataclass(frozen=True)
class Calls:
    """What a library does with a URL, and the errors it documents for one it refuses.

    A library that documents none is taken to mean ValueError. An encoder that fails is a
    ValueError to Python, so that one is accepted as a refusal only where it is documented.
    """

    url: Call
    form: Call
    refusals: tuple[type[Exception], ...] = (ValueError,)
    accidents: tuple[type[Exception], ...] = (UnicodeEncodeError, UnicodeDecodeError)


@dataclass(frozen=True)
class Peer:
    """A column of the failure matrix."""

    name: str
    package: str
    setting: str
    connect: Callable[[], Calls]


@dataclass(frozen=True)
class Subject:
    """A row of the speed table. `start` is what a fresh process does with its first `url`."""

    name: str
    package: str
    does: str
    connect: Callable[[], Call]
    start: str = ""
    kind: str = "peer"


def version(package: str) -> str:
    """The installed version, empty where the package is missing."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _from(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _ours(policy: str) -> Calls:
    loaded = _from("sameas", "Policy").load(policy)
    return Calls(
        lambda url: loaded.canonicalize(url).url,
        lambda url: loaded.canonicalize(url).form,
        (_from("sameas", "InvalidURL"),),
    )


def _function(module: str, name: str) -> Call:
    call: Call = _from(module, name)
    return call


def _attribute(module: str, name: str, attribute: str) -> Call:
    make = _from(module, name)
    return lambda url: getattr(make(url), attribute)


def _urlcanon() -> Call:
    parse, semantic = _from("urlcanon", "parse_url"), _from("urlcanon", "semantic")
    return lambda url: str(semantic(parse(url)))


def _yarl() -> Call:
    url_class = _from("yarl", "URL")
    return lambda url: str(url_class(url))


def _normalizer(module: str) -> Call:
    normalizer = _from(module, "TkNormalizer")
    return lambda url: normalizer(url, log_errors=False)


def _tk() -> Calls:
    normalizer = _normalizer("tk_normalizer")

    def call(url: str) -> Any:
        return normalizer(url).normalized_url

    return Calls(call, call, (_from("tk_normalizer", "InvalidUrlException"),))


def _both(connect: Callable[[], Call]) -> Calls:
    """A library that has one output for both duties."""
    call = connect()
    return Calls(call, call)


def _url_normalize() -> Calls:
    """Its documentation says `ValueError`, including `UnicodeError`."""
    return replace(_both(_URL_NORMALIZE), accidents=())


_W3LIB = partial(_function, "w3lib.url", "canonicalize_url")
_COURLAN = partial(_function, "courlan", "normalize_url")
_URAL = partial(_function, "ural", "normalize_url")
_URL_NORMALIZE = partial(_function, "url_normalize", "url_normalize")
_ADA = partial(_attribute, "ada_url", "URL", "href")
_CAN_ADA = partial(_attribute, "can_ada", "parse", "href")

_COLUMNS: list[tuple[str, str, str, Callable[[], Calls]]] = [
    ("sameas default", "sameas", "policy `default`: its `url`, compared by its `form`",
     partial(_ours, "default")),
    ("sameas tk", "sameas", "policy `tk`, which repeats tk-normalizer on purpose, losses and all",
     partial(_ours, "tk")),
    ("w3lib", "w3lib", "`canonicalize_url(url)`", partial(_both, _W3LIB)),
    ("courlan", "courlan", "`normalize_url(url)`", partial(_both, _COURLAN)),
    ("ural", "ural", "`normalize_url(url)`", partial(_both, _URAL)),
    ("url-normalize", "url-normalize", "`url_normalize(url)`", _url_normalize),
    ("urlcanon", "urlcanon", "`str(semantic(parse_url(url)))`", partial(_both, _urlcanon)),
    ("yarl", "yarl", "`str(URL(url))`", partial(_both, _yarl)),
    ("tk-normalizer", "tk-normalizer", "`TkNormalizer(url).normalized_url`", _tk),
    ("Ada", "ada-url", "`URL(url).href`: the parser under sameas, without a rule",
     partial(_both, _ADA)),
    ("can_ada", "can-ada", "`parse(url).href`: an older Ada", partial(_both, _CAN_ADA)),
]  # fmt: skip
PEERS = [Peer(*column) for column in _COLUMNS]


def _key(policy: str, engine: str = "python") -> Call:
    call: Call = _loaded(policy, engine).key
    return call


def _canonicalize(policy: str, engine: str = "python") -> Call:
    call: Call = _loaded(policy, engine).canonicalize
    return call


def _loaded(policy: str, engine: str) -> Any:
    if engine == "native":
        import_module("sameas_native")
    return _from("sameas", "Policy").load(policy, engine=engine)


def _hash(url: str) -> str:
    return sha256(url.encode()).hexdigest()


DEFAULT_KEY = "sameas default, key"
TK_KEY = "sameas tk, key"
NATIVE_KEY = "sameas default, key, native"
NATIVE_RESULT = "sameas default, canonicalize, native"
CAN_ADA = "can_ada, parse and href"
COMPAT = "sameas.compat.TkNormalizer"
COURLAN = "courlan normalize_url"
PACKAGE = "tk-normalizer"
FLOOR = "ada-url, parse and href"

_FORMS = "three forms, four hashes"
_RESULT = "URL, form, key, flags and notes"
_LOAD = "from sameas import Policy; Policy.load({!r}).key(url)"

_ROWS: list[tuple[str, str, str, Callable[[], Call], str, str]] = [
    *((f"sameas {name}, key", "sameas", "canonicalizes and hashes", partial(_key, name),
       _LOAD.format(name), "ours")
      for name in ("default", "tk", "curious-now", "clara", "news", "feed")),
    ("sameas default, canonicalize", "sameas", _RESULT, partial(_canonicalize, "default"), "",
     "ours"),
    ("sameas tk, canonicalize", "sameas", _RESULT, partial(_canonicalize, "tk"), "", "ours"),
    *((f"sameas {name}, key, native", "sameas-native", "the same, on the compiled engine",
       partial(_key, name, "native"), "", "ours")
      for name in ("default", "tk", "curious-now", "clara", "news", "feed")),
    *((f"sameas {name}, canonicalize, native", "sameas-native", _RESULT,
       partial(_canonicalize, name, "native"), "", "ours") for name in ("default", "tk", "clara")),
    (COMPAT, "sameas", _FORMS, partial(_normalizer, "sameas.compat"),
     "from sameas.compat import TkNormalizer; TkNormalizer(url)", "ours"),
    (PACKAGE, "tk-normalizer", _FORMS, partial(_normalizer, "tk_normalizer"),
     "from tk_normalizer import TkNormalizer; TkNormalizer(url)", "peer"),
    ("w3lib canonicalize_url", "w3lib", "sorts, drops the fragment", _W3LIB,
     "from w3lib.url import canonicalize_url; canonicalize_url(url)", "peer"),
    (COURLAN, "courlan", "sorts, drops tracking", _COURLAN,
     "from courlan import normalize_url; normalize_url(url)", "peer"),
    ("courlan clean_url", "courlan", "scrubs, sorts, drops tracking",
     partial(_function, "courlan", "clean_url"), "", "peer"),
    ("ural normalize_url", "ural", "sorts, drops tracking, unwraps", _URAL,
     "from ural import normalize_url; normalize_url(url)", "peer"),
    ("url-normalize", "url-normalize", "normalizes spelling", _URL_NORMALIZE,
     "from url_normalize import url_normalize; url_normalize(url)", "peer"),
    ("urlcanon semantic", "urlcanon", "normalizes spelling, sorts", _urlcanon,
     "from urlcanon import parse_url, semantic; str(semantic(parse_url(url)))", "peer"),
    ("yarl URL", "yarl", "parses, normalizes spelling", _yarl,
     "from yarl import URL; str(URL(url))", "peer"),
    (FLOOR, "ada-url", "the bare parser", _ADA, "from ada_url import URL; URL(url).href", "floor"),
    (CAN_ADA, "can-ada", "the bare parser, an older one", _CAN_ADA,
     "from can_ada import parse; parse(url).href", "floor"),
    ("SHA-256 alone", "", "the hash of a key", lambda: _hash,
     "from hashlib import sha256; sha256(url.encode()).hexdigest()", "floor"),
]  # fmt: skip
SUBJECTS = [Subject(*row) for row in _ROWS]
