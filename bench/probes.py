"""The kinds of questions a trap asks a library, and what counts as a wrong answer.

Which URLs are asked about, and why, is in traps.py. A probe gives an empty text where all is
right, else the wrong output, as Markdown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from itertools import combinations

import ada_url

from bench.markdown import code
from bench.peers import Call, Calls


class Refused(Exception):
    """The library said no, in the way its documentation says it does."""


class Broken(Exception):
    """Any other exception."""


class Library:
    """One library, asked one URL at a time."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def url(self, text: str) -> str:
        return self._ask(self._calls.url, text)

    def form(self, text: str) -> str:
        return self._ask(self._calls.form, text)

    def _ask(self, call: Call, text: str) -> str:
        try:
            answer = call(text)
        except Exception as error:
            calls = self._calls
            if isinstance(error, calls.refusals) and not isinstance(error, calls.accidents):
                raise Refused(f"refuses {code(text)}") from error
            raise Broken(f"{code(text)} raises `{type(error).__name__}`") from error
        if not isinstance(answer, str):
            raise Refused(f"gives nothing for {code(text)}")
        return answer


Probe = Callable[[Library], str]


def ask(probe: Probe, library: Library) -> str:
    """What is wrong; a refusal is wrong too, unless the probe itself accepts it."""
    try:
        return probe(library)
    except (Refused, Broken) as answer:
        return str(answer)


def apart(*urls: str, torn: bool = False) -> Probe:
    """No two of these are the same. `torn`: they may be refused as well."""

    def probe(library: Library) -> str:
        try:
            forms = {url: library.form(url) for url in urls}
        except Refused:
            if torn:
                return ""
            raise
        merged = [(a, b) for a, b in combinations(urls, 2) if forms[a] == forms[b]]
        if not merged:
            return ""
        a, b = merged[0]
        return f"{code(a)} and {code(b)} both become {code(forms[a])}" + _more(merged)

    return probe


def together(*pairs: tuple[str, str]) -> Probe:
    """Each pair is one page, spelled two ways."""

    def probe(library: Library) -> str:
        forms = [(a, b, library.form(a), library.form(b)) for a, b in pairs]
        missed = [(a, b, x, y) for a, b, x, y in forms if x != y]
        if not missed:
            return ""
        _, _, x, y = missed[0]
        return f"{code(x)} is not {code(y)}" + _more(missed)

    return probe


def _more(found: Sized) -> str:
    return f", and {len(found) - 1} more" if len(found) > 1 else ""


def keeps(names: Iterable[str]) -> Probe:
    """A parameter of any of these names tells pages apart."""
    return _parameters(names, wrong_where_dropped=True)


def drops(names: Iterable[str]) -> Probe:
    """A parameter of any of these names makes no other page."""
    return _parameters(names, wrong_where_dropped=False)


def _parameters(names: Iterable[str], wrong_where_dropped: bool) -> Probe:
    listed = list(names)

    def probe(library: Library) -> str:
        page = "https://example.com/a?id=1"
        bare = library.form(page)
        wrong = [
            name
            for name in listed
            if (library.form(f"{page}&{name}=xyz") == bare) is wrong_where_dropped
        ]
        verb = "drops" if wrong_where_dropped else "keeps"
        return f"{verb} {' '.join(map(code, wrong))}" if wrong else ""

    return probe


def idempotent(urls: Callable[[], list[str]]) -> Probe:
    """What came out comes out again, and is the same page as what went in."""

    def probe(library: Library) -> str:
        asked = urls()
        moved = [found for url in asked if (found := _moved(library, url))]
        return f"{len(moved):,} of {len(asked):,}, as {moved[0]}" if moved else ""

    return probe


def _moved(library: Library, url: str) -> str:
    try:
        once, form = library.url(url), library.form(url)
    except (Refused, Broken):
        return ""
    try:
        twice = library.url(once)
        again = library.form(once)
    except (Refused, Broken) as answer:
        return f"{code(url)}, then {answer}"
    if twice != once:
        return f"{code(once)}, then {code(twice)}"
    return "" if form == again else f"{code(form)}, then {code(again)}"


def survives(urls: Callable[[], list[str]], clean: bool = False) -> Probe:
    """A result or a documented refusal, and text that can be stored. `clean`: no controls in it."""

    def probe(library: Library) -> str:
        asked = urls()
        bad = [found for url in asked if (found := _casualty(library, url, clean))]
        return f"{len(bad):,} of {len(asked):,}, as {bad[0]}" if bad else ""

    return probe


def _casualty(library: Library, url: str, clean: bool) -> str:
    try:
        answer = library.url(url)
    except Refused:
        return ""
    except Broken as broken:
        return str(broken)
    torn = any("\ud800" <= char <= "\udfff" for char in answer)
    control = clean and any(char < " " for char in answer)
    return f"{code(url)} gives {code(answer)}" if torn or control else ""


def opens(host: str, *urls: str) -> Probe:
    """What comes out leads a browser to `host`, or the URL is refused."""

    def probe(library: Library) -> str:
        for url in urls:
            try:
                answer = library.url(url)
            except Refused:
                continue
            if _host(answer) != host:
                return code(answer)
        return ""

    return probe


def _host(answer: str) -> str:
    """The host a browser goes to, where one types the answer in."""
    absolute = answer if "://" in answer else f"http://{answer}"
    try:
        return ada_url.URL(absolute).hostname
    except ValueError:
        return ""


def hides(secret: str, *urls: str) -> Probe:
    def probe(library: Library) -> str:
        leaks = [answer for url in urls if secret in (answer := library.url(url))]
        return code(leaks[0]) if leaks else ""

    return probe


def never_guesses(*urls: str) -> Probe:
    """What is no web address is refused, or keeps its scheme: it is never made into one."""

    def probe(library: Library) -> str:
        for url in urls:
            try:
                answer = library.url(url)
            except Refused:
                continue
            if not answer.startswith(url[: url.index(":") + 1]):
                return f"{code(url)} becomes {code(answer)}"
        return ""

    return probe


def refuses(*urls: str) -> Probe:
    def probe(library: Library) -> str:
        accepted = []
        for url in urls:
            try:
                accepted.append(f"{code(url)} becomes {code(library.url(url))}")
            except Refused:
                continue
        return accepted[0] + _more(accepted) if accepted else ""

    return probe
