"""What a page, a header, a title and an allowlist say, read from text."""

from __future__ import annotations

import pytest

from sameas.errors import SettingError
from sameas.net.reply import Headers, Reply
from sameas.policy import Policy
from sameas.resolve import address, words
from sameas.resolve.allowlist import Allowlist
from sameas.resolve.answer import Ask, answered
from sameas.resolve.link_header import Link, links
from sameas.resolve.page import READ, Page, read

U = "https://sede.uno.test/a/b"


def html(text: str, kind: str = "text/html") -> Page:
    return read(text.encode(), kind, U)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Página".encode(), "text/html; charset=utf-8"),
        ("Página".encode("latin-1"), "text/html; charset=ISO-8859-1"),
        ("Página".encode("cp1252"), 'text/html; charset="windows-1252"'),
        ("<meta charset=utf-8>Página".encode(), "text/html"),
        ("<meta charset='iso-8859-15'>Página".encode("latin-1"), "text/html"),
        (
            "<meta http-equiv=content-type content='text/html;charset=latin1'>Página".encode(
                "latin-1"
            ),
            "text/html",
        ),
        ("Página".encode("utf-8-sig"), "text/html; charset=latin-1"),
        ("Página".encode("utf-16"), "text/html"),
        ("Página".encode(), "text/html; charset=no-such-thing"),
        ("Página".encode(), "text/html; charset=base64"),
    ],
)
def test_the_charset_comes_from_the_mark_the_header_or_the_page(body: bytes, kind: str):
    assert (
        read(b"<title>" + body if body[:1] == b"P" else body, kind, U).wording.digest
        == html("Página").wording.digest
    )


@pytest.mark.parametrize("name", ["punycode", "unicode_escape", "raw_unicode_escape"])
def test_an_encoding_that_is_no_character_set_is_not_taken_for_one(name: str):
    """Python knows these as well, and one of them takes a page's length squared."""
    body = b"xn--mgba.<title>Ayuda \\u0041</title>-a"
    assert read(body, f"text/html; charset={name}", U) == read(body, "text/html", U)


def test_no_more_than_the_beginning_of_a_page_is_read():
    page = read(b"<title>A</title>" + b" " * READ + b"<h1>B</h1>", "text/html", U)
    assert (page.title, page.heading) == ("A", "")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\xff\xfe",
        b"<" * 1000,
        b"<!-- <link rel=canonical href=/x>",
        b"<![CDATA[",
        b"<!DOCTYPE html [<!ENTITY a 'b'>]>",
        b"<title>" * 500,
        b"<a href='",
        b"&#xffffffff;&#0;&notanentity;",
        b"<script><link rel=canonical href=/x></script>",
    ],
)
def test_anything_is_read_as_some_page(body: bytes):
    assert read(body, "text/html", U).canonicals == ()


def test_only_the_head_names_a_canonical_address():
    told = "<link rel='Canonical ' href=/x>"
    assert html(f"<head>{told}</head>").canonicals == ("/x",)
    assert html(f"<title>t</title>{told}").canonicals == ("/x",)
    assert html(f"<body>{told}").canonicals == ()
    assert html(f"<head></head>{told}").canonicals == ()
    assert html(f"<p>x</p>{told}").canonicals == ()


def test_a_refresh_is_read_as_browsers_do():
    def refresh(content: str) -> object:
        return html(f'<meta http-equiv="Refresh" content="{content}">').refresh

    assert refresh("0;url=/x") == (0, "/x")
    assert refresh("5; URL='/x y'") == (5, "/x y")
    assert refresh("1.5 , /x") == (1, "/x")
    assert refresh("10") is None
    assert refresh("0;url=") is None
    assert html("<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>").refresh is None


def test_equal_pages_have_one_digest_whatever_they_count_and_whoever_asked():
    def digest(text: str, url: str) -> str:
        return read(text.encode(), "text/html", url).wording.digest

    one = digest("<p>No está. Visita 17, /a/b</p><script>x=1</script>", U)
    assert digest("<p>No está. Visita 18, /a/c</p><style>y</style>", f"{U[:-1]}c") == one
    assert digest("<p>No está. Visita 17, /a/b. Ayuda</p>", U) != one


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("</x>; rel=canonical", [Link("/x", ("canonical",), "")]),
        ('</x>; rel="next CANONICAL"', [Link("/x", ("next", "canonical"), "")]),
        (
            '</a,b>;rel=prev , </c>; title="x, <y>; rel=z"; rel=last',
            [Link("/a,b", ("prev",), ""), Link("/c", ("last",), "")],
        ),
        ("</x>; rel=alternate; hreflang=es-ES", [Link("/x", ("alternate",), "es-ES")]),
        ("</x>; rel=a; rel=canonical", [Link("/x", ("a",), "")]),
        ("<>; rel=canonical", [Link("", ("canonical",), "")]),
        ("</x>", [Link("/x", (), "")]),
        ("/x; rel=canonical", []),
        ("<" * 5000 + ">; rel=x", None),
        ("<x>" + ';a="' * 5000, None),
    ],
)
def test_a_link_header_is_read(value: str, found: list[Link] | None):
    got = links([value])
    assert found is None or list(got) == found


@pytest.mark.parametrize(
    "title",
    [
        "Página no encontrada",
        "Error 404 | Sede",
        "404",
        "404 - Ministerio",
        "La página solicitada no existe",
        "No s'ha trobat la pàgina",
        "Páxina non atopada",
        "Orria ez da aurkitu",
        "Page introuvable",
        "Page Not Found",
    ],
)
def test_a_title_says_that_its_page_is_not_there(title: str):
    assert words.not_found(title)


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Qué hacer si no existe contrato",
        "Artículo 404 del Código Civil",
        "Ley 404/2010",
        "Objetos no encontrados: oficina",
        "Prestación por desempleo",
        "4040",
    ],
)
def test_a_title_with_such_words_may_mean_something_else(title: str):
    assert not words.not_found(title)


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Solicitud de becas", True),
        ("Renovación de la tarjeta de residencia | Sede", True),
        ("CÓMO SOLICITAR el ingreso mínimo vital", True),
        ("Sol·licitud d'ajuts", True),
        ("Ayudas", False),
        ("Ministerio de Inclusión: ayudas", False),
        ("Bienvenidos", False),
    ],
)
def test_a_title_names_a_procedure(title: str, named: bool):
    assert words.names_procedure(title) is named


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("Página 1 de 12", 12),
        ("… pàgina  3 \n de 7 …", 7),
        ("Page 2 of 5", 5),
        ("Page 2 sur 5", 5),
        ("pág. 1/9", 9),
        ("Página 9 de 3", None),
        ("Página 1 de agosto", None),
        ("1 de 12", None),
    ],
)
def test_a_page_tells_how_many_there_are(text: str, pages: int | None):
    assert words.total_pages(read(text.encode(), "", U).text) == pages


def test_an_allowlist_has_hosts_and_suffixes():
    allow = Allowlist(["boe.es", "*.gob.es", "SEPE.es.", "*.xn--espaa-rta.test"])
    for host in ("boe.es", "www.boe.es", "a.gob.es", "www.a.gob.es", "sepe.es", "boe.es."):
        assert allow.allows(host), host
    for host in ("gob.es", "xboe.es", "sede.boe.es", "boe.es.evil.test", "gob.es.evil.test", "es"):
        assert not allow.allows(host), host
    assert allow.allows("a.xn--espaa-rta.test")


@pytest.mark.parametrize(
    "entry", ["", "*", "*.", "http://boe.es", "boe.es/x", "a.*.es", "u@h", "h:1"]
)
def test_what_is_no_host_is_refused_and_told(entry: str):
    with pytest.raises(SettingError, match="is no host"):
        Allowlist([entry])


def test_the_policys_own_list_has_the_official_hosts():
    allow = Allowlist(Policy.load("clara").allow)
    for host in (
        "www.boe.es",
        "www.sepe.es",
        "sede.seg-social.gob.es",
        "www.seg-social.es",
        "sede.agenciatributaria.gob.es",
        "www.comunidad.madrid",
        "web.gencat.cat",
        "www.euskadi.eus",
        "sede.xunta.gal",
        "inclusion.gob.es",
    ):
        assert allow.allows(host), host
    for host in ("bit.ly", "example.com", "gob.es.example.com"):
        assert not allow.allows(host)
    assert Policy.load("default").allow == ()


@pytest.mark.parametrize(
    "path", ["/", "/es", "/es/", "/ca/", "/index.html", "/es/inicio.jsp", "/Portal", "/?id=5"]
)
def test_a_front_page_is_known_by_its_path(path: str):
    assert address.is_home(f"https://uno.test{path}")


@pytest.mark.parametrize("path", ["/becas", "/es/becas", "/inicio/becas", "/es/ca/x"])
def test_a_deeper_page_is_none(path: str):
    assert not address.is_home(f"https://uno.test{path}")


def test_a_reference_that_names_nothing_is_no_address():
    for reference in ("", "  ", "http://", "http://[x/", "http://a b/"):
        assert address.joined(U, reference) == ""
    assert address.joined(U, "../c#x") == "https://sede.uno.test/c"
    assert address.joined(U, "//u:pw@h/x") == "https://h/x"


def test_a_sibling_lies_in_the_same_folder():
    assert address.sibling(f"{U}?x=1", "t") == "https://sede.uno.test/a/t"
    assert address.sibling("https://h/a/", "t") == "https://h/t"


def test_only_a_registrable_domain_has_a_www_form():
    assert address.has_www_form("boe.es")
    assert address.has_www_form("www.boe.es")
    for host in ("sede.boe.es", "www2.boe.es", "gob.es", "localhost", "www.gob.es"):
        assert not address.has_www_form(host), host


@pytest.mark.parametrize(
    ("encoding", "path"), [("utf-8", "tr%C3%A1mite"), ("latin-1", "tr%E1mite")]
)
def test_an_address_in_a_header_keeps_its_bytes(encoding: str, path: str):
    """As browsers send them: a server that writes latin-1 reads latin-1."""
    there, ask = "https://sede.uno.test/trámite".encode(encoding), Ask("HEAD", U)
    moved = Reply(U, 301, Headers([(b"Location", there)]))
    assert answered(ask, moved, 0.0).location == f"https://sede.uno.test/{path}"
    linked = Reply(U, 200, Headers([(b"Link", b"<" + there + b">; rel=canonical")]))
    (link,) = answered(ask, linked, 0.0).links
    assert address.joined(U, link.href) == f"https://sede.uno.test/{path}"
