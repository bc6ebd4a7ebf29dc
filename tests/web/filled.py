"""A store filled by the real commands: feeds synced, a registry checked, questions put.

What they ask is served on loopback. Earlier days are written as earlier runs would have left them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sameas.store.history import FINE, WRONG, FeedDay
from sameas.store.opening import open_store
from tests.cli.program import Ended, sameas
from tests.feeds.runs import item, rss
from tests.net.servers import Answer, Asked, Server, authority, in_turn, redirect, reply, tls
from tests.registry.runs import tramites

EVIL = "<script>document.title = 'taken'</script>"
_PAGE = "<html lang=es><title>{0}</title><h1>{0}</h1><p>Todo sobre {0} en esta página"
HOSTS = ("sede.uno.gob.es", "www.dos.gob.es", "dos.gob.es", "tres.gob.es")
_BRIDGE = "Harbour bridge opens after two years of repair"


def _html(what: str, status: int = 200) -> Answer:
    body = _PAGE.format(what).encode()
    return reply(body, status, content_type="text/html; charset=utf-8")


_PAGES = {
    ("sede.uno.gob.es", "/"): _html("Sede electrónica"),
    ("sede.uno.gob.es", "/tramites/ayuda-alquiler"): redirect("/tramites/ayuda-vivienda", 301),
    ("sede.uno.gob.es", "/tramites/ayuda-vivienda"): _html("Ayuda a la vivienda"),
    ("tres.gob.es", "/a/b/certificado-de-empadronamiento"): _html("Certificado"),
}
_NEWS = [
    rss(
        item("1", "https://herald.example/local/bridge?utm_source=rss", f"{_BRIDGE} - Herald"),
        item("2", "https://herald.example/local/market", "Market day moves to Saturday"),
        item("3", "https://herald.example/evil", f"{EVIL} in the headline"),
        item("4", "javascript:document.title='taken'", "A link that is none"),
        head="<title>River Herald</title>",
    ),
    rss(
        item("1", "https://herald.example/local/bridge", f"{_BRIDGE}s - Herald"),
        item("5", "https://herald.example/local/rain", "Rain is expected"),
        head="<title>River Herald</title>",
    ),
]
_POST = rss(
    item("a", "https://post.example/news/bridge", f"{_BRIDGE} - North Post"),
    item("b", "https://post.example/news/tram", "Tram line extended"),
    head="<title>North Post</title>",
)


@dataclass(frozen=True)
class Filled:
    folder: Path
    store: Path
    options: tuple[str, ...]
    """What leads the names to the servers of this test."""

    def check(self, *more: str) -> Ended:
        """The registry once more, offline."""
        return sameas(
            "registry", "check", "--offline", "--json", "--store", str(self.store), *more,
            str(self.folder / "registry"),
        )  # fmt: skip


def _secure(asked: Asked) -> Answer:
    found = _PAGES.get((asked.headers["host"], asked.path))
    return found or _html("Página no encontrada", 404)


def _plain(asked: Asked) -> Answer:
    return redirect(f"https://{asked.headers['host']}{asked.path}")


@contextmanager
def filling(folder: Path) -> Iterator[Filled]:
    authority().cert_pem.write_to_path(str(folder / "authority.pem"))
    options = [f"--cacert={folder / 'authority.pem'}"]
    with ExitStack() as servers:
        secure = servers.enter_context(Server(_secure, tls=tls(*HOSTS)))
        plain = servers.enter_context(Server(_plain))
        for host in HOSTS:
            options.append(f"--connect-to={host}:443:127.0.0.1:{secure.port}")
            options.append(f"--connect-to={host}:80:127.0.0.1:{plain.port}")
        for host, answers in (
            ("herald.example", list(map(reply, _NEWS))),
            ("post.example", [reply(_POST)]),
            ("gone.example", [reply(status=404)]),
        ):
            server = servers.enter_context(Server(in_turn(answers), tls=tls(host)))
            options.append(f"--connect-to={host}:443:127.0.0.1:{server.port}")
        filled = Filled(folder, folder / "sameas.db", tuple(options))
        _fill(filled)
        yield filled


def _fill(filled: Filled) -> None:
    store = ("--store", str(filled.store))
    feeds = [f"https://{name}.example/feed" for name in ("herald", "post", "gone")]
    assert sameas("feeds", "add", *store, *feeds).status == 0
    for _ in range(2):
        sameas("feeds", "sync", *store, *filled.options)
    tramites(
        filled.folder / "registry",
        alquiler="https://sede.uno.gob.es/tramites/ayuda-alquiler/?utm_source=boletin",
        ayuda="https://sede.uno.gob.es/tramites/ayuda-vivienda",
        certificado="https://tres.gob.es/a/b/certificado-de-empadronamiento",
        falta="https://dos.gob.es/servicios/licencias/licencia-de-obra",
        sede="https://sede.uno.gob.es/",
        seccion="https://tres.gob.es/ayudas",
        raro="https://tres.gob.es/a/b/c?ver=2",
        roto=f'javascript:alert(1)"><{EVIL}',
        sin="www.uno.gob.es/documents/ex15.pdf",
    )
    ended = sameas("registry", "check", *store, *filled.options, str(filled.folder / "registry"))
    assert ended.status == 1, ended.err
    _earlier(filled)


def _earlier(filled: Filled) -> None:
    today = datetime.now(UTC).date()
    place = str((filled.folder / "registry").resolve())
    with closing(open_store(str(filled.store))) as store:
        feeds = store.feeds()
        for back in range(1, 24):
            day = today - timedelta(days=back)
            wrong = 5 + back % 4
            store.note_check(
                place,
                day,
                {
                    ("sede.uno.gob.es", WRONG): wrong - 3,
                    ("tres.gob.es", WRONG): 3,
                    ("sede.uno.gob.es", FINE): 9 - wrong,
                    ("tres.gob.es", "dead"): back % 3,
                },
            )
            store.note_feeds(
                [
                    FeedDay(
                        feed.feed_id, day, 4, int(number == 2), (back * 7 + number) % 9, back % 3
                    )
                    for number, feed in enumerate(feeds)
                ]
            )
