"""What every page shares: the visitor, the word in its forms, the name somebody decides under.

What stands on a page is that page's business.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from sameas.web.answers import service_of
from sameas.web.bodies import form_of
from sameas.web.problem import Problem
from sameas.web.render import render
from sameas.web.session import NAME, VISITOR, cookies_of

WORD = "form_word"
LONGEST_NAME = 100
_A_YEAR = 365 * 24 * 3600


def page(request: Request, template: str, title: str, status: int = 200, **values: Any) -> Response:
    """A page, and a cookie for whoever has none: it is what the forms' word is made of."""
    sessions, cookies = service_of(request).sessions, cookies_of(request.scope)
    visitor = cookies.get(VISITOR) or sessions.visitor()
    text = render(
        template,
        title=title,
        path=request.url.path,
        csrf=sessions.form_word(visitor),
        with_token=sessions.wanted,
        person=unquote(cookies.get(NAME, ""))[:LONGEST_NAME],
        **values,
    )
    response = Response(text, status, media_type="text/html")
    if VISITOR not in cookies:
        response.headers.append("set-cookie", sessions.visitor_cookie(visitor))
    return response


async def sent_form(request: Request) -> dict[str, str]:
    """The fields of a form of ours. A form that another site made is refused."""
    fields = await form_of(request)
    visitor = cookies_of(request.scope).get(VISITOR, "")
    if not service_of(request).sessions.is_form_word(visitor, fields.get(WORD, "")):
        hint = "load the page again; cookies must be allowed for it"
        raise Problem(403, "this form is not from a page of this service", "form", hint)
    return fields


def back_to(path: str, name: str = "") -> Response:
    """Seen again after a form: reloading sends nothing twice."""
    response = RedirectResponse(path, 303)
    if name:
        kept = quote(name[:LONGEST_NAME], safe="")
        response.headers.append(
            "set-cookie", f"{NAME}={kept}; Max-Age={_A_YEAR}; Path=/; HttpOnly; SameSite=Strict"
        )
    return response


def number_in(request: Request, name: str, default: int, most: int) -> int:
    """A number of the query; what is none is the default."""
    text = request.query_params.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 9 else default


def text_in(request: Request, name: str) -> str:
    return request.query_params.get(name, "").strip()
