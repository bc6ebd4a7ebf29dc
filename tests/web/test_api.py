"""The JSON API: what the commands say, over HTTP, for one URL, for many, for a stream."""

from __future__ import annotations

import json

import pytest

import sameas
from sameas.policy import named
from tests.cli.program import in_process
from tests.web.running import Running

URL = "HTTPS://Example.com:443/a/?utm_source=x&b=1#top"
LINES = {"Content-Type": "application/x-ndjson"}


def test_one_url_gives_what_the_command_gives(service: Running):
    got = service.get("/v1/canonicalize", url=URL, policy="news")
    assert got.status == 200
    assert got.data == json.loads(in_process("canon", "--json", "--policy", "news", URL).out)


def test_a_byte_of_the_query_that_is_no_utf_8_stays_apart_from_every_other(service: Running):
    got = [service.ask(f"/v1/canonicalize?url=http://h/{x}").data for x in ("%FF", "%FE")]
    assert [one["url"] for one in got] == ["http://h/%FF", "http://h/%FE"]
    assert got[0]["key"] != got[1]["key"]


def test_a_url_that_is_refused_is_a_problem_with_its_code(service: Running):
    got = service.get("/v1/canonicalize", url="user:secret@example.com")
    assert got.problem == (422, "scheme")
    assert got.data["input"] == "***@example.com"
    assert "secret" not in got.text


def test_many_urls_are_answered_in_order_and_a_bad_one_costs_the_others_nothing(service: Running):
    urls = [URL, "nope", "\ud800http://a", "http://b/%FF", ""]
    got = service.send("/v1/canonicalize", {"urls": urls, "policy": "news"})
    results = got.data["results"]
    assert got.data["fingerprint"] == named("news").fingerprint
    codes = [one.get("error", {}).get("code") for one in results]
    assert codes == [None, "relative", "encoding", None, "empty"]
    assert results[3]["url"] == "http://b/%FF"


def test_ten_thousand_are_taken_and_one_more_is_not(service: Running):
    urls = [f"http://h/{i}" for i in range(10_000)]
    got = service.send("/v1/canonicalize", {"urls": urls})
    assert [one["url"] for one in got.data["results"]] == urls
    assert service.send("/v1/canonicalize", {"urls": [*urls, "x"]}).problem == (422, "wrong_input")


def test_a_stream_of_any_length_is_answered_line_by_line(service: Running):
    texts = [json.dumps(f"http://h/{i}?utm_source=x") for i in range(25_000)]
    texts[7] = "{torn"
    texts[8] = "[" * 100_000
    got = service.ask("/v1/canonicalize", "POST", "\n".join(texts).encode(), LINES)
    assert len(got.lines) == 25_000
    assert got.lines[9]["url"] == "http://h/9"
    assert [one["error"]["code"] for one in got.lines[7:9]] == ["no_text", "no_text"]


def test_a_stream_whose_line_never_ends_is_ended(service: Running):
    got = service.ask("/v1/canonicalize?policy=news", "POST", b'"http://h/' + b"x" * 2**20, LINES)
    assert [one["error"]["code"] for one in got.lines] == ["too_long"]


def test_the_steps_and_the_sentence_are_those_of_the_commands(service: Running):
    for line, got in (
        (("explain", URL), service.get("/v1/explain", url=URL)),
        (("explain", "nope"), service.get("/v1/explain", url="nope")),
        (("same", URL, "http://h/"), service.get("/v1/same", a=URL, b="http://h/")),
        (("same", URL, "x"), service.get("/v1/same", a=URL, b="x")),
    ):
        assert got.status == 200
        assert got.data == json.loads(in_process(line[0], "--json", *line[1:]).out)


def test_duplicates_are_told_by_their_places_with_the_evidence(service: Running):
    articles = [
        {"url": "http://a.example/x?ref=1", "title": "Harbour bridge opens again - Gazette"},
        {"url": "http://www.a.example/x/", "title": "Something else", "full_text": "longer"},
        {"url": "nope", "title": "Harbour bridge opens  AGAIN"},
    ]
    got = service.send("/v1/dedupe", {"articles": articles, "by": "url"}).data
    assert (got["stay"], got["refused_urls"][0]["row"]) == ([1, 2], 2)
    assert got["groups"][0]["evidence"] == [
        {"rule": "url", "a": 0, "b": 1, "ratio": 1.0, "shared": "http://a.example/x"}
    ]
    got = service.send("/v1/dedupe", {"articles": articles, "by": "title"}).data
    assert [m["row"] for m in got["groups"][0]["members"]] == [0, 2]


def test_the_policies_are_listed_and_told_in_words(service: Running):
    listed = service.get("/v1/policies").data["policies"]
    assert [one["name"] for one in listed] == sorted(
        ["clara", "curious-now", "default", "feed", "news", "tk"]
    )
    got = service.get("/v1/policies/news@1").data
    assert got["fingerprint"] == named("news").fingerprint
    assert got["rules"][0]["rule"] == "query.drop"


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "news@9", "pyproject.toml", "none"])
def test_a_name_from_outside_is_never_taken_for_a_file(service: Running, name: str):
    got = service.get("/v1/canonicalize", url=URL, policy=name)
    assert got.problem == (422, "policy")
    assert "clara" in got.data["hint"]


@pytest.mark.parametrize(
    ("path", "method", "problem"),
    [
        ("/v1/none", "GET", (404, "not_found")),
        ("/none", "GET", (404, "not_found")),
        ("/v1/same", "DELETE", (405, "method_not_allowed")),
        ("/v1/same", "GET", (422, "wrong_input")),
        ("/v1/reviews/none", "GET", (404, "not_found")),
        ("/v1/policies/none", "GET", (404, "policy")),
        ("/v1/reviews?kind=none", "GET", (422, "wrong_input")),
        ("/v1/entries?feed=http://none/", "GET", (404, "not_found")),
        ("/v1/entries?feed=none", "GET", (404, "not_found")),
        ("/v1/entries?offset=-1", "GET", (422, "wrong_input")),
        ("/v1/dedupe", "POST", (400, "no_json")),
    ],
)
def test_every_error_is_a_problem(
    service: Running, path: str, method: str, problem: tuple[int, str]
):
    got = service.ask(path, method)
    assert got.problem == problem
    assert "Traceback" not in got.text


def test_a_link_that_no_one_may_reach_is_not_asked(service: Running):
    wanted = {"urls": ["http://127.0.0.1:1/a/b", "nope"]}
    found = service.send("/v1/resolve", wanted).data["results"]
    assert [one["status"] for one in found] == ["rejected", "error"]


def test_all_is_well_is_said_and_what_was_done_is_counted(service: Running):
    service.get("/v1/canonicalize", url=URL)
    service.get("/v1/canonicalize", url="nope")
    assert service.get("/healthz").data == {"status": "ok", "store": "ok"}
    text = service.get("/metrics").text
    assert 'sameas_urls_total{outcome="relative",policy="default"}' in text
    assert 'method="GET",route="/v1/canonicalize",status="200"' in text
    assert "sameas_request_seconds_bucket" in text


def test_a_request_has_a_number_in_its_answer_and_in_the_log_and_nothing_it_sent(service: Running):
    got = service.get("/v1/canonicalize", url="http://ann:s3cret@h/")
    service.get("/http://ann:s3cret@h/")
    service.get("/metrics")
    lines = service.told(lambda line: line.get("id") == got.headers["x-request-id"])
    assert [one["status"] for one in lines] == [200]
    assert "s3cret" not in json.dumps(service.logs)
    assert "s3cret" not in got.text


def test_the_version_is_the_program_s(service: Running):
    assert service.get("/openapi.json").data["info"]["version"] == sameas.__version__
