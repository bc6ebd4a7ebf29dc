"""The facade: a policy loaded, its URLs canonicalized, compared and explained.

It decides how files, plan and engine come together; the rules themselves are none of its business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sameas.engine import engine_for, lines
from sameas.engine.explain import compare_with, explain_with
from sameas.engine.native import NativeEngine
from sameas.engine.parse import PARSER, masked, parse
from sameas.engine.parts import Parts
from sameas.engine.python import PythonEngine
from sameas.errors import InvalidURL, PolicyError
from sameas.plan import document, overrides
from sameas.plan.compile import compile_plan
from sameas.plan.document import Document, Example
from sameas.plan.plan import Plan
from sameas.types import Canonical, Comparison, Explanation

_SEGMENT_BY_SEGMENT = ("path.encoding", "path.session", "path.pieces")
"""Operations that could find more to do in a segment that a rewrite put together."""


class Policy:
    """A named, versioned set of rules, ready to be applied. Get one with `Policy.load`."""

    name: str
    version: str
    fingerprint: str
    plan: Plan
    canonicalize: Callable[[str | bytes], Canonical]
    """The canonical URL, the compared form, the key, flags and notes of a URL."""
    key: Callable[[str | bytes], str]
    """The key alone: the fastest way to ask for it."""
    engine: str
    """The name of the engine at work: `python` or `native`. Both give the same."""
    compiled: NativeEngine | None
    """The compiled engine where it is the one at work, for who has many URLs; else None."""
    allow: tuple[str, ...]
    """Whose links may be resolved: hosts, and `*.` with a suffix; empty for no limit. It changes no
    result of the policy itself."""

    def __init__(
        self,
        plan: Plan,
        name: str,
        version: str,
        engine: str = "auto",
        allow: Sequence[str] = (),
    ) -> None:
        self.plan, self.name, self.version, self.allow = plan, name, version, tuple(allow)
        self.fingerprint = plan.fingerprint()
        self._truth = PythonEngine(plan, name, self.fingerprint)
        chosen = engine_for(self._truth, plan, engine)
        self._asked, self.engine = engine, chosen.name
        self.canonicalize, self.key = chosen.canonicalize, chosen.key
        self.compiled = chosen if isinstance(chosen, NativeEngine) else None

    @classmethod
    def load(
        cls,
        name_or_path: str | Path = "default",
        overrides: str | Path | None = None,
        engine: str = "auto",
    ) -> Policy:
        """A policy by name, `NAME@VERSION` or file, with a user's overrides where given.

        >>> Policy.load("news").canonicalize("http://www.example.com/a/?utm_source=x").url
        'http://example.com/a'
        """
        wanted = document.load(name_or_path)
        plan = compile_plan(wanted, (), PARSER)
        policy = cls(plan, wanted.name, wanted.version, engine, _allowed(wanted))
        policy._check_tables(wanted)
        for example in wanted.examples:
            policy._check_example(example)
        return policy if overrides is None else policy._with_overrides(wanted, overrides, engine)

    def __reduce__(self) -> tuple[type[Policy], tuple[Plan, str, str, str, tuple[str, ...]]]:
        return Policy, (self.plan, self.name, self.version, self._asked, self.allow)

    def __repr__(self) -> str:
        return f"<Policy {self.name}@{self.version} {self.fingerprint[:12]}>"

    def canonicalize_many(
        self, urls: Iterable[str | bytes], threads: int | None = None
    ) -> list[Canonical | InvalidURL]:
        """One result a URL, in order; a refused one is its error, and costs the others nothing.

        The compiled engine works on as many `threads` as it is given, or on all cores."""
        if isinstance(urls, str | bytes):
            raise TypeError("give a list of URLs; for one URL there is canonicalize")
        some_threads(threads)
        if self.compiled is None:
            return [self._result(url) for url in urls]
        asked = list(urls)
        found = self.compiled.many(asked, threads)
        return [one or self._result(url) for url, one in zip(asked, found, strict=True)]

    def urls_of_lines(self, text: bytes) -> tuple[bytes, lines.Refusals]:
        """The canonical URLs of URLs that stand one a line, one a line; and which are refused."""
        return lines.urls(self.compiled or self._truth, text)

    def keys_of_lines(self, text: bytes) -> tuple[bytearray, lines.Refusals]:
        """The keys of URLs that stand one a line, 32 bytes each; and which are refused."""
        return lines.keys(self.compiled or self._truth, text)

    def _result(self, url: str | bytes) -> Canonical | InvalidURL:
        try:
            return self.canonicalize(url)
        except InvalidURL as error:
            return error.with_traceback(None)  # it would keep alive all that was at work

    def explain(self, url: str | bytes) -> Explanation:
        return explain_with(self._truth, url, self.name)

    def compare(self, a: str | bytes, b: str | bytes) -> Comparison:
        return compare_with(self._truth, self.explain(a), self.explain(b))

    def _with_overrides(self, wanted: Document, path: str | Path, engine: str) -> Policy:
        loaded = overrides.load(path, _normal_host)
        plan = compile_plan(wanted, loaded, PARSER)
        for place, start, to in overrides.rules_of(loaded, str(path)):
            for prefix in (start, to):
                self._check_prefix(prefix, place)
        return Policy(plan, self.name, self.version, engine, self.allow)

    def _check_prefix(self, prefix: str, place: str) -> None:
        """A prefix must begin as the policy's URLs do, or it could never match, or never rest."""
        named = f'"{masked(prefix)}"'
        try:
            parts = parse(prefix)
            result = parse(self.canonicalize(prefix).url)
        except InvalidURL as error:
            raise PolicyError(place, f"{named} is not a URL: {error.message}") from None
        if parts.url() != prefix:
            raise PolicyError(place, f"{named} is not in normal spelling", f"write {parts.url()}")
        if prefix[-1] != "/" and any(op.name in _SEGMENT_BY_SEGMENT for op in self.plan.rules):
            reason = f"{named} must end with /: {self.name} has rules for whole path segments"
            raise PolicyError(place, reason, "a rewrite that cuts one might never end")
        if _start(parts) != _start(result):
            reason = f"under {self.name} no URL begins with {named}: it becomes {result.url()}"
            raise PolicyError(place, reason)

    def _check_tables(self, wanted: Document) -> None:
        for site in wanted.sites:
            _check_site(site)
        place = wanted.places.get(("host", "map"), "")
        domains = wanted.tables.get("host", {}).get("map", {})
        for bare, host in domains.items():
            for one in (bare, host):
                if _normal_host(one) != one:
                    reason = f'[host] map: "{one}" is not a host in normal spelling'
                    raise PolicyError(place, reason, "small letters, xn--, no port")
            if bare[:4] == "www.":
                reason = f'[host] map: "{bare}" is not a bare domain'
                raise PolicyError(place, reason, "the row of a domain counts for its www. too")
            stable = domains.get(host.removeprefix("www."), host)
            if stable != host:
                reason = f'[host] map: "{bare}" goes to {host}, and that to {stable}'
                raise PolicyError(place, reason, f"map {bare} to {stable}")

    def _check_example(self, example: Example) -> None:
        got = self._result(example.url)
        if isinstance(got, InvalidURL):
            if got.code != example.refused:
                reason = f"the example {example.url} is refused: {got}"
                raise PolicyError(example.place, reason)
            return
        wanted = (
            ("refused", example.refused, None),
            ("gives", example.gives, got.url),
            ("form", example.form, got.form),
            ("flags", example.flags, got.flags),
        )
        for what, expected, actual in wanted:
            if expected is not None and expected != actual:
                outcome = got.url if actual is None else actual
                reason = f"the example {example.url} should have {what} {expected}, has {outcome}"
                raise PolicyError(example.place, reason)


def some_threads(threads: int | None) -> None:
    if threads is not None and threads < 1:
        raise ValueError(f"threads is {threads}: at least one has to do the work")


def _check_site(site: Mapping[str, Any]) -> None:
    """What is compared with a parsed URL must be spelled as one, or it would never match."""
    for host in site["host"]:
        plain = host.removesuffix(".*")
        if "*" in plain or (plain != host and "." in plain):
            reason = f'"{host}": a * may only follow one name, as in amazon.*'
            hint = "it is any public suffix; a host stands for everything below it as it is"
            raise PolicyError(site["place"], reason, hint)
        if _normal_host(plain) != plain:
            reason = f'"{host}" is not a host in normal spelling'
            raise PolicyError(site["place"], reason, "small letters, xn--, no port")
    beginnings = [site[key] for key in ("path", "target_path") if key in site]
    beginnings += [f"/{piece}" for piece in site.get("path_drop", ())]
    for text in beginnings:
        if _as_path(f"{text}x") != f"{text}x":
            reason = f'"{text}" is not how a path is spelled'
            raise PolicyError(site["place"], reason, f"a browser writes {_as_path(text)}")
    for name in site.get("target", ()):
        if _as_name(name) != name:
            reason = f'"{name}" is not how the name of a parameter is spelled'
            raise PolicyError(site["place"], reason, f"a browser writes {_as_name(name)}")


def _as_path(text: str) -> str:
    return parse(f"http://h{text}").path


def _as_name(text: str) -> str:
    return "".join(parse(f"http://h/?{text}").query[:1]).partition("=")[0]


def _allowed(wanted: Document) -> tuple[str, ...]:
    allowed: list[str] = wanted.tables.get("network", {}).get("allow", [])
    for entry in allowed:
        plain = entry.removeprefix("*.")
        if _normal_host(plain) != plain:
            reason = f'"{entry}" is not a host in normal spelling, nor *. and one'
            raise PolicyError(wanted.places["network", "allow"], reason, "an example: *.gob.es")
    return tuple(allowed)


def _start(parts: Parts) -> tuple[str, str, str, str]:
    """What a prefix fixes: rewriting comes before the trailing slash goes."""
    return parts.scheme, parts.host, parts.port, parts.path.rstrip("/")


def _normal_host(host: str) -> str | None:
    try:
        parts = parse(f"http://{host}/")
    except InvalidURL:
        return None
    alone = parts.path == "/" and not (parts.query or parts.fragment or parts.flags)
    with_port = ":" in host and host[-1:] != "]"
    return parts.host if alone and not with_port else None


@lru_cache(maxsize=32)
def named(policy: str) -> Policy:
    """A built-in policy, loaded once."""
    return Policy.load(policy)


def loaded(policy: str | Path | Policy) -> Policy:
    if isinstance(policy, Policy):
        return policy
    return named(policy) if policy in document.builtin_names() else Policy.load(policy)


def canonicalize(url: str | bytes, policy: str | Path | Policy = "default") -> Canonical:
    """The canonical URL, the compared form and the key of a URL.

    >>> canonicalize("https://Example.com/a?utm_source=x&b=1#top").url
    'https://example.com/a?b=1'
    """
    return loaded(policy).canonicalize(url)


def key(url: str | bytes, policy: str | Path | Policy = "default") -> str:
    """What to store and compare: lower-case hex SHA-256 of the compared form."""
    return loaded(policy).key(url)


def same(a: str | bytes, b: str | bytes, policy: str | Path | Policy = "default") -> bool:
    """Are these two the same thing?

    >>> same("http://www.example.com/a/", "https://example.com/a?utm_source=x")
    True
    """
    chosen = loaded(policy)
    return chosen.key(a) == chosen.key(b)


def explain(url: str | bytes, policy: str | Path | Policy = "default") -> Explanation:
    """Every step a URL takes: rule, clause, before, after and why."""
    return loaded(policy).explain(url)


def compare(a: str | bytes, b: str | bytes, policy: str | Path | Policy = "default") -> Comparison:
    """Two URLs side by side, with the first rule at which they part or meet."""
    return loaded(policy).compare(a, b)
