"""pydantic: a field that is text on its way in and a canonical URL once it is validated.

`CanonicalUrl` is under the policy `default`; `Annotated[str, Under("news")]` is under another.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from sameas.engine.parse import shown
from sameas.errors import InvalidURL, MissingExtra
from sameas.policy import Policy, loaded

try:
    from pydantic_core import PydanticCustomError, PydanticKnownError, core_schema
except ImportError:
    raise MissingExtra("a field of pydantic", "pydantic") from None


class Masked(str):
    """A refused input, its credentials hidden: pydantic's errors show what a step was given."""

    def __new__(cls, shown: str, _: InvalidURL) -> Masked:
        return super().__new__(cls, shown)

    def __init__(self, _: str, error: InvalidURL) -> None:
        self.error = error


class Under:
    """Which policy a field is canonicalized under. It is loaded when the model is made."""

    def __init__(self, policy: str | Path | Policy = "default") -> None:
        self.policy = loaded(policy)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        steps = (self._canonical, _told)
        functions = [core_schema.no_info_plain_validator_function(step) for step in steps]
        return core_schema.chain_schema([*functions])

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        is_url = not self.policy.plan.parser.startswith("tk")  # whose url is its form
        return {"type": "string", "format": "uri"} if is_url else {"type": "string"}

    def _canonical(self, url: Any) -> str:
        if not isinstance(url, str | bytes):
            raise PydanticKnownError("string_type")
        try:
            return self.policy.canonicalize(url).url
        except InvalidURL as error:
            return Masked(shown(url, error.code), error)


def _told(result: str) -> str:
    if not isinstance(result, Masked):
        return result
    told = {"code": result.error.code, "reason": result.error.message}
    raise PydanticCustomError("canonical_url", "{code}: {reason}", told)


CanonicalUrl = Annotated[str, Under()]
