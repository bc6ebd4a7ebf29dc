"""Pages from templates: everything that comes from outside is escaped, and shows no tricks.

What stands on a page is decided in `pages`; how pages look, in `static` and in `report.html`.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sameas.report.html import Html, joined, link, seen, tag

_SHORT = 12


@cache
def _templates() -> Environment:
    env = Environment(
        loader=PackageLoader("sameas.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals["link"] = link
    env.filters["moment"] = moment
    env.filters["short"] = lambda text: text[:_SHORT]
    env.filters["zipped"] = lambda names: [(name, name) for name in names]
    env.filters["counted"] = lambda rows: [(name, f"{name} ({number:,})") for name, number in rows]
    env.filters["coded"] = coded
    env.filters["count"] = lambda number: f"{number:,}"
    return env


def _shown(value: Any) -> Any:
    """Controls and what turns the text around it are shown as their escapes."""
    if isinstance(value, Markup | Html) or not isinstance(value, str):
        return "" if value is None else value
    return seen(value)


def coded(text: str) -> Html:
    """What stands between two backticks is code."""
    pieces = text.split("`")
    return joined(tag("code", piece) if i % 2 else piece for i, piece in enumerate(pieces))


def moment(value: datetime | None) -> str:
    return f"{value:%Y-%m-%d %H:%M}" if value else "–"


def render(template: str, **values: Any) -> str:
    return _templates().get_template(template).render({"path": "", "with_token": False, **values})
