"""The body of a request, read as JSON and checked: what is wrong is told by its place.

What a body has to hold is for `models` to say.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote_to_bytes

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from sameas.web.problem import Problem

Model = TypeVar("Model", bound=BaseModel)
_MOST_FIELDS = 200


def body_of(model: type[Model]) -> Callable[[Request], Awaitable[Model]]:
    """A dependency that gives the body. The framework's own would hide why it could not be had."""

    async def read(request: Request) -> Model:
        try:
            data = json.loads(await request.body())
        except (ValueError, RecursionError):
            raise Problem(400, "the body is no JSON, or too deeply nested", "no_json") from None
        try:
            return model.model_validate(data)
        except ValidationError as error:
            raise RequestValidationError(error.errors()) from None

    return read


def documented(model: type[BaseModel]) -> dict[str, Any]:
    """The body in the words of OpenAPI."""
    schema = model.model_json_schema()
    content = {"application/json": {"schema": _inlined(schema, schema.pop("$defs", {}))}}
    return {"requestBody": {"required": True, "content": content}}


def _inlined(given: Any, known: dict[str, Any]) -> Any:
    """What a schema names among its own definitions, where it is named."""
    if isinstance(given, list):
        return [_inlined(one, known) for one in given]
    if not isinstance(given, dict):
        return given
    if "$ref" in given:
        return _inlined(known[given["$ref"].rpartition("/")[2]], known)
    return {key: _inlined(value, known) for key, value in given.items()}


def url_in(request: Request, name: str) -> bytes:
    """A URL of the query, byte for byte: what is not UTF-8 is its own business."""
    for piece in request.scope["query_string"].split(b"&"):
        key, _, value = piece.partition(b"=")
        if unquote_to_bytes(key.replace(b"+", b" ")) == name.encode():
            return unquote_to_bytes(value.replace(b"+", b" "))
    return b""


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form; of several with one name the first."""
    raw = await request.body()
    try:
        pairs = parse_qsl(raw.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise Problem(400, "the form cannot be read", "form") from None
    return dict(reversed(pairs))
