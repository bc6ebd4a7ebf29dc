"""In pydantic a field is a canonical URL, or an error that says why and hides credentials."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from pydantic import BaseModel, TypeAdapter, ValidationError

from sameas import InvalidURL
from sameas.adapters.pydantic import CanonicalUrl, Under
from tests.adapters.engines import each_engine, policy
from tests.laws.strategies import POLICIES, Raw, raws
from tests.laws.test_credentials import SECRET
from tests.laws.test_laws import result


class Link(BaseModel):
    url: CanonicalUrl
    under_news: Annotated[str, Under("news")] | None = None
    others: list[CanonicalUrl] = []


FIELDS = {name: TypeAdapter(Annotated[str, Under(policy)]) for name, policy in POLICIES.items()}


@pytest.mark.parametrize("name", POLICIES)
@given(raw=raws)
def test_a_field_is_what_the_policy_gives_or_an_error_with_its_code(name: str, raw: Raw) -> None:
    expected = result(POLICIES[name], raw)
    if not isinstance(expected, InvalidURL):
        assert FIELDS[name].validate_python(raw) == expected.url
        return
    with pytest.raises(ValidationError) as refused:
        FIELDS[name].validate_python(raw)
    (error,) = refused.value.errors()
    assert (error["type"], error["ctx"]["code"]) == ("canonical_url", expected.code)
    assert error["msg"] == f"{expected.code}: {expected.message}"


@each_engine
def test_a_model_takes_a_policy_that_is_loaded(engine: str) -> None:
    field = TypeAdapter(Annotated[str, Under(policy(engine, "news"))])
    assert field.validate_json('"http://www.example.com/a/?utm_source=x"') == "http://example.com/a"


def test_each_field_of_a_model_has_its_policy() -> None:
    url = "HTTP://www.example.com/a/?utm_medium=x"
    link = Link(url=url, under_news=url, others=[url])
    assert (link.url, link.under_news) == ("http://www.example.com/a/", "http://example.com/a")
    assert link.others == [link.url]
    assert Link.model_validate_json(link.model_dump_json()) == link
    assert type(link.url) is str


def test_every_bad_link_of_a_model_is_told_with_its_place() -> None:
    with pytest.raises(ValidationError) as refused:
        Link.model_validate({"url": "nonsense", "others": ["http://h", "ftp://h", 5]})
    errors = refused.value.errors()
    assert [(error["loc"], error["type"]) for error in errors] == [
        (("url",), "canonical_url"),
        (("others", 1), "canonical_url"),
        (("others", 2), "string_type"),
    ]
    assert "give an absolute URL" in errors[0]["msg"]


@pytest.mark.parametrize(
    "url", [f"http://u:{SECRET}@h:x/", f"ftp://u:{SECRET}@h/", f"http://u:{SECRET}@/".encode()]
)
def test_an_error_shows_the_input_without_its_credentials(url: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        Link(url=url)
    told = f"{refused.value} {refused.value.errors()} {refused.value.json()}"
    assert SECRET not in told
    assert "***@" in told


def test_the_json_schema_says_what_a_field_holds() -> None:
    properties = Link.model_json_schema()["properties"]
    assert properties["url"] == {"title": "Url", "type": "string", "format": "uri"}
    assert FIELDS["tk"].json_schema() == {"type": "string"}
    assert json.loads(json.dumps(properties)) == properties
