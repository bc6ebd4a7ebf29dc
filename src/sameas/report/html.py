"""HTML from data: every text is escaped unless it was made here.

It decides how our pages look, in light and dark; what stands on them is the caller's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from unicodedata import category

STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --quiet: #59636e;
  --line: #d8dee4; --soft: #f3f5f7; --accent: #0b6e99; --good: #116329 }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --ink: #e6edf3; --quiet: #9198a1;
  --line: #30363d; --soft: #161b22; --accent: #4db6e2; --good: #3fb950 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; background: var(--page);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial,
  sans-serif }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; line-height: 1.25 }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem }
p { margin: .5rem 0 } .quiet { color: var(--quiet) } .small { font-size: .875rem }
a { color: var(--accent) }
dl.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 }
dl.figures div { border: 1px solid var(--line); border-radius: 8px; padding: .6rem 1rem;
  min-width: 8rem }
dl.figures dt { color: var(--quiet); font-size: .875rem }
dl.figures dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums }
section.card { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; overflow: hidden }
section.card > h3 { margin: 0; padding: .6rem 1rem; background: var(--soft); font-size: 1rem;
  border-bottom: 1px solid var(--line) }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9375rem }
th, td { text-align: left; vertical-align: top; padding: .45rem 1rem;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
th { color: var(--quiet); font-weight: 600; font-size: .875rem; white-space: nowrap }
tr:last-child > td { border-bottom: 0 }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
tr.kept > td { background: color-mix(in srgb, var(--good) 10%, transparent) }
.badge { color: var(--good); font-weight: 600; white-space: nowrap }
mark { background: color-mix(in srgb, var(--accent) 25%, transparent); color: inherit }
svg { max-width: 100%; height: auto }
"""


_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


class Html(str):
    """Markup made here; any other text is escaped before it becomes a part of it."""

    __slots__ = ()

    def __html__(self) -> str:
        """What templates ask for, so as not to escape it once more."""
        return self


def tag(name: str, *children: str, **attributes: str) -> Html:
    """An element. `class_` is the attribute `class`; a text child is escaped."""
    written = "".join(f' {key.rstrip("_")}="{escape(v)}"' for key, v in attributes.items() if v)
    return Html(f"<{name}{written}>{joined(children)}</{name}>")


def joined(parts: Iterable[str]) -> Html:
    return Html("".join(p if isinstance(p, Html) else escape(seen(p)) for p in parts))


def seen(text: str) -> str:
    """What no page can carry, lone surrogates and controls, as its escape; so is what would turn
    the text around it. Spaces and joiners of any script are its letters."""
    return "".join(c if _is_text(c) else c.encode("unicode_escape").decode() for c in text)


def _is_text(c: str) -> bool:
    kind = "" if c.isprintable() else category(c)
    return not kind or c in "\n\t" or (kind in ("Zs", "Cf") and c not in _TURNS)


def link(url: str, text: str = "") -> Html:
    """A link where the address is one a browser may follow, else its text alone."""
    if not url.lower().startswith(("http://", "https://")):
        return tag("span", text or url)
    return tag("a", text or url, href=seen(url), rel="noreferrer nofollow")


def figures(rows: Iterable[tuple[str, str]]) -> Html:
    """The few numbers that say it all."""
    cells = (tag("div", tag("dt", name), tag("dd", value)) for name, value in rows)
    return tag("dl", *cells, class_="figures")


def page(title: str, *body: str) -> str:
    head = joined(
        (
            Html('<meta charset="utf-8">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            tag("title", title),
            Html(f"<style>{STYLE}</style>"),
        )
    )
    main = tag("main", tag("h1", title), *body)
    return f'<!doctype html>\n<html lang="en">\n<head>{head}</head>\n<body>{main}</body>\n</html>\n'
