"""The states of a chain: in each, what an answer of each kind leads to, asks next, and means.

A row is `(state, kind): Move(to, ask, said)`. `kinds` tells kinds apart, `chain` makes the moves.
A state that has no row for a kind takes its row "*"; one that has neither does as "follow" does.
"""

from __future__ import annotations

from typing import NamedTuple

from sameas.resolve.types import Status

NEXT = "(next question)"
"""On to the next of QUESTIONS."""
MOVED = "(moved, next question)"
"""The chain now ends at what was asked; on to the next of QUESTIONS."""
STAY = "(same state)"
RESUME = "(resume)"
"""What the first spelling answered counts, as if there were no other."""
DONE = "(done)"


class Move(NamedTuple):
    to: str
    ask: str = ""
    """One of `chain.ASKS`; empty where nothing is asked."""
    said: str = ""
    """{target}, {reason} and {status} are filled in; it is its own target where it names none."""
    flag: str = ""
    status: Status = "ok"


QUESTIONS = ("secure?", "slash?", "genuine?", "domain?", "declared?", "language?")
"""What is looked at, in this order, once the link led to something that can be read."""

TABLE: dict[tuple[str, str], Move] = {
    # The link itself, hop by hop.
    ("start", "plain"): Move("follow", "link", "the policy's spelling is asked"),
    ("follow", "doubted"): Move(STAY, "by_get", "HEAD is not believed here, GET is asked"),
    ("follow", "html"): Move(STAY, "by_get", "a page: it is read"),
    ("follow", "page"): Move(MOVED, "", "a page that can be read"),
    ("follow", "file"): Move(MOVED, "", "a file"),
    ("follow", "elsewhere"): Move("follow", "target", "redirects to {target}"),
    ("follow", "slash"): Move("follow", "target", "redirects by the slash alone: no other page"),
    ("follow", "refresh"): Move("follow", "target", "its meta refresh leads to {target}"),
    ("follow", "home"): Move(DONE, "", "a deep link led to the home page {target}", "", "soft_404"),
    ("follow", "absent"): Move(DONE, "", "it says that it is not there: {reason}", "", "soft_404"),
    ("follow", "circle"): Move(
        DONE, "", "redirects in a circle, back to {target}", "redirect_limit", "unknown"
    ),
    ("follow", "cookie"): Move(
        DONE, "", "redirects to itself until a cookie is kept", "redirect_limit", "unknown"
    ),
    ("follow", "sixth"): Move(
        DONE, "", "redirects once more, to {target}", "redirect_limit", "unknown"
    ),
    ("follow", "off_list"): Move(DONE, "", "{target} is not on the allowlist", "", "rejected"),
    ("follow", "no_web"): Move(DONE, "", "leads to another scheme: {target}", "", "rejected"),
    ("follow", "forbidden"): Move(DONE, "", "{reason}", "", "rejected"),
    ("follow", "nowhere"): Move(
        DONE, "", "redirects ({status}) without saying where to", "", "unknown"
    ),
    ("follow", "parked"): Move(
        DONE, "", "a shortener that does not lead on", "shortener", "unknown"
    ),
    ("follow", "gone"): Move(DONE, "", "it is gone ({status})", "", "dead"),
    ("follow", "nameless"): Move(DONE, "", "{reason}", "", "dead"),
    ("follow", "nameless_now"): Move(DONE, "", "{reason}", "", "unknown"),
    ("follow", "walled"): Move(
        DONE, "", "it is there for others ({status}), or says so to programs", "", "unknown"
    ),
    ("follow", "broken"): Move(DONE, "", "its server fails ({status})", "", "unknown"),
    ("follow", "odd"): Move(DONE, "", "answers with {status}", "", "unknown"),
    ("follow", "unreached"): Move(DONE, "", "{reason}", "", "unknown"),
    ("follow", "no_https"): Move("plain", "http", "{reason}: asked without TLS"),
    ("follow", "insecure"): Move("plain", "http", "{reason}: asked without TLS"),
    ("follow", "no_http"): Move("follow", "https", "{reason}: asked with TLS"),
    ("follow", "lost"): Move("respelled", "spelling", "nothing there: the other spelling is asked"),
    # The link in another spelling: without its slash, or with the host it was given with.
    ("respelled", "doubted"): Move(STAY, "by_get", "HEAD is not believed here, GET is asked"),
    ("respelled", "html"): Move(STAY, "by_get", "a page: it is read"),
    ("respelled", "page"): Move(MOVED, "", "a page that can be read"),
    ("respelled", "file"): Move(MOVED, "", "a file"),
    ("respelled", "elsewhere"): Move("follow", "target", "redirects to {target}"),
    ("respelled", "lost"): Move(STAY, "spelling", "nothing there either: the last is asked"),
    ("respelled", "*"): Move(RESUME, "", "nothing better: what the first answered counts"),
    # The same address without TLS.
    ("plain", "page"): Move(MOVED, "", "a page, without TLS alone", "http_only"),
    ("plain", "file"): Move(MOVED, "", "a file, without TLS alone", "http_only"),
    ("follow", "upgraded"): Move(
        DONE, "", "sends back to https, where nobody answers", "", "unknown"
    ),
    # It ends without TLS: is it there with TLS, too?
    ("secure?", "known"): Move(NEXT, "", "its host is known to have no TLS", "http_only"),
    ("secure?", "unasked"): Move("https", "https", "it ends without TLS: asked with TLS"),
    ("https", "doubted"): Move(STAY, "by_get", "HEAD is not believed here, GET is asked"),
    ("https", "slash"): Move(STAY, "target", "redirects by the slash alone"),
    ("https", "html"): Move(MOVED, "", "it is there with TLS, too"),
    ("https", "page"): Move(MOVED, "", "it is there with TLS, too"),
    ("https", "file"): Move(MOVED, "", "it is there with TLS, too"),
    ("https", "*"): Move(NEXT, "", "it is not there with TLS", "http_only"),
    # It ends with a slash that the policy drops: may it go?
    ("slash?", "decided"): Move(NEXT, "", "a person said that the slash stays", "slash_kept"),
    ("slash?", "unasked"): Move("unslashed", "unslashed", "is it the same without the slash?"),
    ("unslashed", "doubted"): Move(STAY, "by_get", "HEAD is not believed here, GET is asked"),
    ("unslashed", "html"): Move(STAY, "by_get", "a page: is it the same?"),
    ("unslashed", "slash"): Move(NEXT, "", "redirects back to the slash: the same page"),
    ("unslashed", "twin"): Move(NEXT, "", "the same page without the slash"),
    ("unslashed", "file"): Move(NEXT, "", "it is there without the slash"),
    ("unslashed", "*"): Move(NEXT, "", "without it, it is not the same", "slash_kept"),
    # Is it a page of its own, or what this site says to every address?
    ("genuine?", "unasked"): Move(
        "sibling", "sibling", "an address nobody made is asked beside it"
    ),
    ("sibling", "twin"): Move(DONE, "", "the same page for any address", "", "soft_404"),
    ("sibling", "shell"): Move(
        DONE, "", "for any address a page without words: scripts write it", "script_page", "unknown"
    ),
    ("sibling", "*"): Move(NEXT, "", "any other address is answered otherwise"),
    # Which form of the domain does its site use?
    ("domain?", "unasked"): Move("bare", "bare", "the bare domain is asked for its form"),
    ("domain?", "other"): Move("form", "form", "its domain uses another form"),
    ("bare", "doubted"): Move(STAY, "by_get", "HEAD is not believed here, GET is asked"),
    ("bare", "onward"): Move(STAY, "target", "redirects to {target}"),
    ("bare", "no_http"): Move(STAY, "bare_https", "nobody answers without TLS"),
    ("bare", "arrived"): Move("domain?", "", "the form of its domain is found"),
    ("bare", "*"): Move(NEXT, "", "the form of its domain cannot be found"),
    ("form", "doubted"): Move(STAY, "by_get", "HEAD is not believed here, GET is asked"),
    ("form", "slash"): Move(STAY, "target", "redirects by the slash alone"),
    ("form", "twin"): Move(MOVED, "", "the same page in the domain's form"),
    ("form", "file"): Move(MOVED, "", "it is there in the domain's form"),
    ("form", "*"): Move(NEXT, "", "the domain's form has another page there, or none"),
    # What it calls its canonical address: evidence, and only followed to the same page.
    ("declared?", "several"): Move(NEXT, "", "names more than one canonical address: none counts"),
    ("declared?", "empty"): Move(NEXT, "", "its canonical address is empty: ignored"),
    ("declared?", "no_web"): Move(NEXT, "", "its canonical address is no web address: ignored"),
    ("declared?", "itself"): Move(NEXT, "", "names itself as canonical"),
    ("declared?", "home"): Move(NEXT, "", "names the home page as canonical: ignored"),
    ("declared?", "off_list"): Move(NEXT, "", "its canonical address is not allowed: ignored"),
    ("declared?", "named"): Move("canonical", "declared", "names a canonical address: asked"),
    ("canonical", "slash"): Move(STAY, "target", "redirects by the slash alone"),
    ("canonical", "twin"): Move(MOVED, "", "its canonical address has the same page"),
    ("canonical", "disputed"): Move(
        NEXT, "", "its canonical address names another: ignored", "canonical_differs"
    ),
    ("canonical", "page"): Move(
        NEXT, "", "its canonical address has another page: ignored", "canonical_differs"
    ),
    ("canonical", "*"): Move(NEXT, "", "its canonical address leads to nothing: ignored"),
    # Which language is it in, and is it there in Spanish?
    ("language?", "spanish"): Move(NEXT, "", "it is in Spanish"),
    ("language?", "offered"): Move("spanish", "spanish", "names its Spanish version: asked"),
    ("language?", "guessed"): Move("spanish", "spanish", "its address could name Spanish: asked"),
    ("language?", "foreign"): Move(NEXT, "", "not to be had in Spanish", "needs_translation"),
    ("spanish", "slash"): Move(STAY, "target", "redirects by the slash alone"),
    ("spanish", "spanish"): Move(MOVED, "", "the Spanish version"),
    ("spanish", "*"): Move("language?", "", "this is not its Spanish version"),
}


def row(state: str, kind: str) -> Move:
    for found in ((state, kind), (state, "*"), ("follow", kind)):
        if found in TABLE:
            return TABLE[found]
    raise LookupError(f"no row for {kind!r} in {state!r}")
