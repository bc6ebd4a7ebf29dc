"""The way in: signing in with the token, static files, and the page that shows the API."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from mimetypes import guess_type

from fastapi import APIRouter, Request
from starlette.responses import Response
from swagger_ui_bundle import swagger_ui_path

from sameas.report.html import STYLE
from sameas.web.answers import service_of
from sameas.web.bodies import form_of
from sameas.web.pages.page import back_to, page, text_in
from sameas.web.problem import Problem

routes = APIRouter(include_in_schema=False)

_OURS = ("pages.css", "pages.js", "docs.js", "icon.svg")
_SWAGGER = ("swagger-ui.css", "swagger-ui-bundle.js")
_KEPT = "public, max-age=3600"


@cache
def _statics() -> dict[str, bytes]:
    """Every static file there is. A path from outside is looked up here and nowhere else."""
    found = {name: files("sameas.web").joinpath("static", name).read_bytes() for name in _OURS}
    found |= {name: (swagger_ui_path / name).read_bytes() for name in _SWAGGER}
    found["pages.css"] = STYLE.encode() + found["pages.css"]
    return found


@routes.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    body = _statics().get(name)
    if body is None:
        raise Problem(404, "there is nothing at this address")
    mark = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {"ETag": mark, "Cache-Control": _KEPT}
    if request.headers.get("if-none-match") == mark:
        return Response(None, 304, headers)
    media = guess_type(name)[0] or "application/octet-stream"
    return Response(body, 200, headers, media.replace("text/javascript", "application/javascript"))


@routes.get("/docs")
async def docs(request: Request) -> Response:
    return page(request, "docs.html", "API")


@routes.get("/login")
async def asked_in(request: Request) -> Response:
    return page(request, "login.html", "Sign in", next=_inside(text_in(request, "next")), wrong="")


@routes.post("/login")
async def sign_in(request: Request) -> Response:
    """Anybody may send this form: whoever has the token is let in."""
    service, gate = service_of(request), request.app.state.gate
    who = request.client.host if request.client else ""
    gate.check_guess(who)
    fields = await form_of(request)
    next_ = _inside(fields.get("next", ""))
    if not service.sessions.wanted:
        return back_to(next_)
    if not service.sessions.is_token(fields.get("token", "")):
        gate.guessed_wrong(who)
        wrong = "That is not the token."
        return page(request, "login.html", "Sign in", 401, next=next_, wrong=wrong)
    response = back_to(next_)
    response.headers.append("set-cookie", service.sessions.signed_in())
    return response


@routes.post("/logout")
async def sign_out(request: Request) -> Response:
    response = back_to("/login")
    response.headers.append("set-cookie", service_of(request).sessions.signed_out())
    return response


def _inside(path: str) -> str:
    """Where to go on: a place of this service and never another's."""
    inside = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if inside else "/"
