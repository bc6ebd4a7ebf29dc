"""What goes in and comes out of the API, in the words of OpenAPI.

Values come from the other rooms; nothing is decided here. URLs are checked nowhere but in the
engine: a text that is no URL is a result, not a wrong request.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema

from sameas.review.kinds import DECISIONS, KINDS
from sameas.web.settings import BATCH

LONGEST_TITLE = 2000
RESOLVED_AT_ONCE = 20
_LONGEST_WORD = 200


def _text(value: Any) -> str:
    """Any text, also one that is no Unicode: whether it is a URL is for the engine to say."""
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


Url = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]
PolicyName = Annotated[str, Field(max_length=100, description="A name that /v1/policies gives.")]
Word = Annotated[str, Field(max_length=_LONGEST_WORD)]


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Urls(Asked):
    urls: Annotated[list[Url], Field(max_length=BATCH)]
    policy: PolicyName = "default"


class Two(Asked):
    a: Url
    b: Url
    policy: PolicyName = "default"


def _short_title(value: Any) -> str | None:
    if value is None:
        return None
    if len(_text(value)) > LONGEST_TITLE:
        raise ValueError(f"must have {LONGEST_TITLE:,} characters at most")
    return str(value)


_Text = Annotated[
    str | None, PlainValidator(lambda v: None if v is None else _text(v)),
    WithJsonSchema({"type": ["string", "null"]}),
]  # fmt: skip
_Title = Annotated[
    str | None,
    PlainValidator(_short_title),
    WithJsonSchema({"type": ["string", "null"], "maxLength": LONGEST_TITLE}),
]


class Article(Asked):
    url: _Text = None
    title: _Title = None
    language: _Text = None
    full_text: _Text = None
    district: _Text = None
    source: _Text = None
    published: _Text = None


class Articles(Asked):
    articles: Annotated[list[Article], Field(max_length=BATCH)]
    by: Literal["url", "title", "both"] = "both"
    policy: PolicyName = "news"
    language: Word | None = None


class Links(Asked):
    urls: Annotated[list[Url], Field(min_length=1, max_length=RESOLVED_AT_ONCE)]
    policy: PolicyName = "default"


def _is(names: Collection[str]) -> Any:
    def check(value: Any) -> str:
        if value not in names:
            raise ValueError(f"must be one of {', '.join(names)}")
        return str(value)

    return check


Kind = Annotated[
    str, PlainValidator(_is(KINDS)), WithJsonSchema({"type": "string", "enum": [*KINDS]})
]
_ANSWERS = (*DECISIONS, "suggested")
Answered = Annotated[
    str, PlainValidator(_is(_ANSWERS)), WithJsonSchema({"type": "string", "enum": [*_ANSWERS]})
]


class Decision(Asked):
    decision: Answered
    value: Annotated[Url, Field(description="A URL, for replace and domain.")] = ""
    by: Annotated[str, Field(min_length=1, max_length=_LONGEST_WORD, description="Who decides.")]


# What comes out.


class Refusal(BaseModel):
    code: str
    message: str


class Canonical(BaseModel):
    """Either the result, or `input` and `error`."""

    input: str | None
    url: str | None = None
    form: str | None = None
    key: str | None = None
    policy: str | None = None
    fingerprint: str | None = None
    flags: list[str] | None = None
    notes: dict[str, Any] | None = None
    error: Refusal | None = None


class Batch(BaseModel):
    policy: str
    fingerprint: str
    results: list[Canonical]


class Step(BaseModel):
    rule: str
    clause: str
    before: str
    after: str
    why: str


class Explained(Canonical):
    steps: list[Step]


class Compared(BaseModel):
    same: bool | None = Field(description="null where one of the two is refused")
    rule: str
    clause: str
    sentence: str
    a: Canonical
    b: Canonical


class Row(BaseModel):
    row: int = Field(description="The place in the list that was sent, from 0.")


class Member(Row):
    url: str | None
    title: str | None
    language: str | None
    source: str | None = None
    published: str | None = None


class Evidence(BaseModel):
    rule: str
    a: int
    b: int
    ratio: float
    shared: str | None = None


class Group(BaseModel):
    survivor: int
    members: list[Member]
    evidence: list[Evidence]


class RefusedRow(Row):
    code: str
    message: str


class Duplicates(BaseModel):
    total: int
    survivors: int
    duplicates: int
    stay: list[int] = Field(description="The places of the articles that stay.")
    unit: str
    groups: list[Group]
    without_url: list[int]
    without_title: list[int]
    refused_urls: list[RefusedRow]
    unreadable: list[RefusedRow]


class PolicyIdentity(BaseModel):
    name: str
    version: str
    fingerprint: str
    summary: str


class Policies(BaseModel):
    policies: list[PolicyIdentity]


class PolicyInWords(PolicyIdentity):
    rules: list[dict[str, Any]]
    sites: list[dict[str, Any]]


class Hop(BaseModel):
    url: str
    status: int | None


class Signal(BaseModel):
    signal: str
    url: str
    said: str
    at: float
    status: int | None


class Resolution(BaseModel):
    input: str
    url: str
    key: str
    chain: list[Hop]
    status: str
    flags: list[str]
    notes: dict[str, Any]
    evidence: list[Signal]


class Resolutions(BaseModel):
    results: list[Resolution]


class Entry(BaseModel):
    feed_url: str
    guid: str
    link: str
    canonical_url: str
    dedupe_key: str
    match_confidence: str
    title: str
    author: str
    published: str
    updated: str
    summary: str
    content_hash: str
    first_seen_at: str
    last_seen_at: str


class Entries(BaseModel):
    entries: list[Entry]
    next: int | None = Field(description="The offset to go on from; null at the end.")


class Review(BaseModel):
    id: str
    kind: str
    about: str
    url: str
    file: str
    line: int
    question: str
    answers: list[str]
    suggestion: str
    reason: str
    evidence: list[str]
    asked_at: str
    decision: str | None
    value: str
    decided_by: str | None
    decided_at: str | None


class Reviews(BaseModel):
    reviews: list[Review]
    next: int | None = Field(description="The offset to go on from; null at the end.")


class Health(BaseModel):
    status: str
    store: str


class WrongPlace(BaseModel):
    place: str
    reason: str


class Problem(BaseModel):
    """An error, as RFC 9457 has it, with a code for programs."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str | None = None
    errors: list[WrongPlace] | None = None
    input: str | None = None
