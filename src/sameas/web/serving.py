"""The service started and ended: a socket, a server, and the wait for what is under way.

What it answers is the application's business.
"""

from __future__ import annotations

import signal
import socket

import uvicorn

from sameas.errors import SettingError
from sameas.store.sql import SqlStore
from sameas.web.app import behind_gate
from sameas.web.logs import logger, set_up
from sameas.web.protocol import patient_for
from sameas.web.service import Service
from sameas.web.settings import Settings, bracketed

_HEAD_BYTES = 256 * 1024
"""The longest URL there may be, percent-encoded in a query."""
_GRACE_SECONDS = 30
_BACKLOG = 1024


def serve(settings: Settings, store: SqlStore) -> None:
    """Until SIGTERM or SIGINT. What is under way then is finished."""
    set_up()
    listening = _listen(settings)
    service = Service(settings, store)
    limits = settings.limits
    config = uvicorn.Config(
        behind_gate(service),
        http=patient_for(limits.head_seconds),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=_HEAD_BYTES,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        timeout_keep_alive=int(limits.pause_seconds),
        backlog=_BACKLOG,
    )
    port = listening.getsockname()[1]
    logger().info("listening", url=f"http://{bracketed(settings.host)}:{port}")
    ended = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        signal.signal(signal.SIGTERM, ended)
        service.close()
        logger().info("ended")


def _listen(settings: Settings) -> socket.socket:
    place = f"{bracketed(settings.host)}:{settings.port}"
    try:
        family, *_, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM
        )[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        hint = "name another with --host and --port"
        raise SettingError(place, f"cannot be listened on: {error.strerror}", hint) from None
    return listening
