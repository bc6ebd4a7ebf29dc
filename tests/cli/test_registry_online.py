"""A registry checked against a small web on loopback: names, TLS, and hosts that behave badly."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, environment, sameas
from tests.net.servers import Answer, Asked, HangUp, Pause, Server, authority, redirect, reply, tls
from tests.registry.runs import tramites

HOSTS = (
    "bien.gob.es",
    "muerto.gob.es",
    "mudado.gob.es",
    "viejo.gob.es",
    "lento.gob.es",
    "colgado.gob.es",
)
_PAGE = "<html lang=es><title>Ayuda de {0}</title><h1>{0}</h1><p>Todo sobre {0} en esta página"


def _page(what: str) -> Answer:
    return reply(_PAGE.format(what).encode(), content_type="text/html; charset=utf-8")


_PAGES = {
    ("bien.gob.es", "/a/b/ayuda"): _page("ayuda"),
    ("mudado.gob.es", "/a/b/antes"): redirect("https://mudado.gob.es/c/d/ahora", 301),
    ("mudado.gob.es", "/c/d/ahora"): _page("ahora"),
    ("viejo.gob.es", "/a/b/c"): _page("lo viejo"),
}


@dataclass(frozen=True)
class Web:
    secure: Server
    plain: Server
    options: tuple[str, ...]

    @property
    def asked(self) -> int:
        return len(self.secure.asked) + len(self.plain.asked)


def _answer(asked: Asked) -> Answer:
    found = _PAGES.get((asked.headers["host"], asked.path))
    return found or reply(b"<title>Nada</title>", 404, content_type="text/html")


def _secure(asked: Asked) -> Answer:
    host = asked.headers["host"]
    if host == "colgado.gob.es":
        return [Pause(20)]
    return [HangUp()] if host in ("viejo.gob.es", "lento.gob.es") else _answer(asked)


def _plain(asked: Asked) -> Answer:
    host = asked.headers["host"]
    if host == "lento.gob.es":
        return [HangUp()]
    return _answer(asked) if host == "viejo.gob.es" else redirect(f"https://{host}{asked.path}")


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    authority().cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with Server(_secure, tls=tls(*HOSTS)) as secure, Server(_plain) as plain:
        options = [f"--cacert={tmp_path / 'ca.pem'}"]
        for host in HOSTS:
            options.append(f"--connect-to={host}:443:127.0.0.1:{secure.port}")
            options.append(f"--connect-to={host}:80:127.0.0.1:{plain.port}")
        yield Web(secure, plain, tuple(options))


def _checked(web: Web, folder: Path, *more: str) -> dict[str, tuple[Sequence[str], str | None]]:
    ended = sameas("registry", "check", "--json", *web.options, *more, "data", cwd=folder)
    assert (ended.status, ended.err) == (1, "")
    rows = map(json.loads, ended.lines)
    return {Path(row["file"]).stem: (row["problems"], row["suggestion"]) for row in rows}


def test_a_registry_is_checked_mended_and_not_asked_again(web: Web, tmp_path: Path):
    tramites(
        tmp_path / "data",
        bien="https://bien.gob.es/a/b/ayuda",
        muerto="https://muerto.gob.es/a/b/nada",
        mudado="https://mudado.gob.es/a/b/antes",
        viejo="http://viejo.gob.es/a/b/c",
        lento="https://lento.gob.es/a/b/c",
    )
    moved = "https://mudado.gob.es/c/d/ahora"
    found = {
        "muerto": (["dead"], None),
        "mudado": (["moved"], moved),
        "viejo": (["http_only"], None),
    }
    assert _checked(web, tmp_path) == found
    asked = web.asked
    assert asked > 5
    assert _checked(web, tmp_path, "--fix") == found
    assert web.asked == asked

    listed = sameas("review", "list", "--json", cwd=tmp_path)
    kinds = {Path(row["file"]).stem: row["kind"] for row in map(json.loads, listed.lines)}
    assert kinds == {"muerto": "dead", "viejo": "http_only", "lento": "unknown"}

    record = json.loads((tmp_path / "data" / "tramites" / "mudado.json").read_text())
    assert record["fuente_url"] == moved
    del found["mudado"]
    assert _checked(web, tmp_path) == found
    assert {asked.headers["host"] for asked in web.secure.asked[asked:]} <= {"mudado.gob.es"}


def test_a_run_that_is_interrupted_says_so_and_the_next_goes_on_from_there(
    web: Web, tmp_path: Path
):
    tramites(
        tmp_path / "data",
        muerto="https://muerto.gob.es/a/b/nada",
        colgado="https://colgado.gob.es/a/b/c",
    )
    command = [*PROGRAM, "registry", "check", *web.options, "data"]
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while [asked.headers["host"] for asked in web.secure.asked].count("muerto.gob.es") < 2:
        assert running.poll() is None
        time.sleep(0.05)
    time.sleep(2)  # the second answer has told that it is gone; the other host hangs on
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, b"")
    said = b"stopped: what was asked is kept, the next run goes on from there"
    assert err == b"sameas: " + said + b"\n"
    asked = len(web.secure.asked)
    offline = sameas("registry", "check", "--offline", "--json", "data", cwd=tmp_path)
    assert [json.loads(line)["problems"] for line in offline.lines] == [["dead"]]
    assert len(web.secure.asked) == asked


def test_what_is_not_sure_whether_it_is_there_is_no_problem_and_a_question(
    web: Web, tmp_path: Path
):
    tramites(tmp_path / "data", lento="https://lento.gob.es/a/b/c")
    ended = sameas("registry", "check", *web.options, "data", cwd=tmp_path)
    assert ended.status == 0
    assert ended.lines == [
        "1 link in 1 file: nothing wrong",
        "1 link could not be told: a person has to look",
        "1 question for a person: see `sameas review list`",
    ]
