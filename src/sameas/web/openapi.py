"""The API in the words of OpenAPI 3.0: what the page at /docs can read. The framework writes 3.1.

What is described is decided by the routes and `models`.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from sameas.web import models

VERSION = "3.0.3"
_FRAMEWORK_S = ("HTTPValidationError", "ValidationError")


def described(app: FastAPI) -> dict[str, Any]:
    """With the problem that every route may answer, in the place of the framework's own."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        known = schema["components"]["schemas"]
        for name in _FRAMEWORK_S:
            known.pop(name, None)
        problem = models.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        known.update(problem.pop("$defs"))
        known[models.Problem.__name__] = problem
        schema["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        schema["security"] = [{}, {"token": []}]
        app.openapi_schema = {**_plain(schema), "openapi": VERSION}
    return app.openapi_schema


def _plain(given: Any) -> Any:
    """Of 3.1 what 3.0 has: `null` is no type there, but a mark on one."""
    if isinstance(given, list):
        return [_plain(one) for one in given]
    if not isinstance(given, dict):
        return given
    made = {key: _plain(value) for key, value in given.items()}
    kinds = made.get("type")
    if isinstance(kinds, list):
        (made["type"],) = [kind for kind in kinds if kind != "null"]
        made["nullable"] = True
    options = made.get("anyOf")
    if isinstance(options, list) and {"type": "null"} in options:
        (only,) = [option for option in options if option != {"type": "null"}]
        del made["anyOf"]
        bare = {"allOf": [only]} if "$ref" in only else only
        made = {**made, **bare, "nullable": True}
        if made.get("default", ...) is None:
            del made["default"]
    return made
