"""A server on loopback that plays a script: what it answers, how slowly, and when it hangs up.

It runs in threads of its own, so commands in other processes can be tested against it too. It
counts the connections it accepts and keeps every request; it decides nothing about them.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import trustme


@dataclass(frozen=True)
class Pause:
    """Nothing is sent for a while."""

    seconds: float


@dataclass(frozen=True)
class HangUp:
    """The connection ends here; with `reset`, rudely."""

    reset: bool = False


Step = bytes | Pause | HangUp
Answer = Iterable[Step]
"""What is done after one request, in order. Then the next one is waited for."""


@dataclass(frozen=True)
class Asked:
    """One request as it arrived. `headers` has lower-case names; `lines` is all of it."""

    method: str
    path: str
    headers: dict[str, str]
    lines: tuple[str, ...]


Script = Answer | Callable[[Asked], Answer]


def reply(
    body: bytes = b"", status: int = 200, length: bool = True, **headers: str | bytes
) -> tuple[bytes]:
    """A whole answer; `etag='"1"'`, `content_encoding="gzip"` and the like are its headers."""
    lines = [b"HTTP/1.1 %d Said" % status]
    if length:
        lines.append(b"Content-Length: %d" % len(body))
    for name, value in headers.items():
        text = value.encode("utf-8") if isinstance(value, str) else value
        lines.append(name.replace("_", "-").encode() + b": " + text)
    return (b"\r\n".join(lines) + b"\r\n\r\n" + body,)


def redirect(location: str | bytes, status: int = 302, **headers: str) -> tuple[bytes]:
    return reply(status=status, location=location, **headers)


def routes(table: dict[str, Answer]) -> Callable[[Asked], Answer]:
    """An answer for each path; 404 for the others."""
    return lambda asked: table.get(asked.path, reply(status=404))


def in_turn(answers: Sequence[Answer]) -> Callable[[Asked], Answer]:
    """One answer after another, whatever is asked; the last one stays."""
    left = list(answers)
    lock = threading.Lock()

    def answer(_: Asked) -> Answer:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return answer


_CLIENT_HELLO = b"\x16\x03"


class Server:
    """Started and stopped by `with`. `accepted` counts connections, `asked` lists requests."""

    def __init__(
        self, script: Script, address: str = "127.0.0.1", tls: ssl.SSLContext | None = None
    ) -> None:
        self.script = script
        self.address = address
        self.accepted = 0
        self.asked: list[Asked] = []
        self._tls = tls
        self._stop = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Server:
        self._listener = socket.create_server((self.address, 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def url(self, path: str = "/") -> str:
        return f"{'https' if self._tls else 'http'}://{self.address}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.accepted += 1
                self._open.add(connection)
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket) -> None:
        connection = plain
        try:
            if self._tls is not None:
                connection = self._tls.wrap_socket(
                    plain, server_side=True, do_handshake_on_connect=False
                )
                with self._lock:
                    self._open = self._open - {plain} | {connection}
                connection.do_handshake()
            self._talk(connection)
        except OSError:
            pass  # the other side left, or did not like the certificate
        finally:
            with self._lock:
                self._open -= {plain, connection}
            connection.close()
            plain.close()

    def _talk(self, connection: socket.socket) -> None:
        buffer = b""
        while not self._stop.is_set():
            while b"\r\n\r\n" not in buffer:
                more = connection.recv(65536)
                if not more:
                    return
                buffer += more
                if buffer.startswith(_CLIENT_HELLO):
                    connection.sendall(*reply(b"this is plain HTTP", 400))
                    return
            head, _, buffer = buffer.partition(b"\r\n\r\n")
            asked = _asked(head)
            with self._lock:
                self.asked.append(asked)
            script = self.script(asked) if callable(self.script) else self.script
            for step in script:
                if self._stop.is_set() or not self._take(connection, step):
                    return

    def _take(self, connection: socket.socket, step: Step) -> bool:
        if isinstance(step, bytes):
            connection.sendall(step)
        elif isinstance(step, Pause):
            self._stop.wait(step.seconds)
        else:
            if step.reset:
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            return False
        return True


def _asked(head: bytes) -> Asked:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    return Asked(
        method, path, {name.lower(): value.strip() for name, _, value in pairs}, (first, *lines)
    )


@cache
def authority() -> trustme.CA:
    return trustme.CA()


def tls(*names: str) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate of `authority()` for these names."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert(*names).configure_cert(context)
    return context
