"""What the examples of `resolve` need: every host of theirs on loopback, with TLS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.net.servers import Answer, Asked, Server, authority, reply, tls

_HOSTS = ("www.boe.es", "boe.es", "www.sepe.es", "sepe.es", "example.com", "www.example.com")


def _answer(_: Asked) -> Answer:
    """A document, about which there is least to ask."""
    return reply(content_type="application/pdf")


@contextmanager
def answering(patch: pytest.MonkeyPatch, folder: Path) -> Iterator[Server]:
    """The variables that lead every host here."""
    authority().cert_pem.write_to_path(str(folder / "authority.pem"))
    with (
        Server(_answer, tls=tls(*_HOSTS)) as secure,
        Server(_answer) as plain,
    ):
        rules = (f":443:127.0.0.1:{secure.port}", f":80:127.0.0.1:{plain.port}")
        patch.setenv("SAMEAS_CONNECT_TO", " ".join(rules))
        patch.setenv("SAMEAS_CACERT", str(folder / "authority.pem"))
        yield secure
