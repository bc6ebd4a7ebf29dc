"""The real service in a process of its own, and a client that sends whatever a test wants."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote

from tests.cli.program import PROGRAM, environment

FAST = ("--rate", "100000")
PROBLEM = "application/problem+json"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def problem(self) -> tuple[int, str]:
        """Its status and code, if it is a problem as RFC 9457 has it."""
        assert self.headers["content-type"] == PROBLEM, self
        assert {"type", "title", "status", "detail", "code"} <= self.data.keys()
        assert self.data["status"] == self.status
        return self.status, self.data["code"]


@dataclass
class Running:
    process: subprocess.Popen[bytes]
    port: int
    logs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, dict(headers or {}))
            got = connection.getresponse()
            lowered = {name.lower(): value for name, value in got.getheaders()}
            return Answer(got.status, lowered, got.read())
        finally:
            connection.close()

    def get(self, path: str, **query: str) -> Answer:
        pairs = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
        return self.ask(f"{path}?{pairs}" if pairs else path)

    def send(self, path: str, data: Any, method: str = "POST") -> Answer:
        body = json.dumps(data).encode()
        return self.ask(path, method, body, {"Content-Type": "application/json"})

    def raw(self, data: bytes, wait: float = 30) -> bytes:
        """Bytes as they are, and all that comes until the other side ends the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            connection.sendall(data)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def told(self, wanted: Callable[[dict[str, Any]], bool], count: int = 1) -> list[Any]:
        """The log's lines that are wanted; they come a moment after the answers."""
        end = time.monotonic() + 20
        while True:
            found = [line for line in self.logs if wanted(line)]
            if len(found) >= count or time.monotonic() > end:
                return found
            time.sleep(0.02)

    def logged(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.logs if line["event"] == event]


@contextmanager
def serving(
    *options: str, env: Mapping[str, str] | None = None, program: Sequence[str] = PROGRAM
) -> Iterator[Running]:
    """On a free port of loopback, until the block ends. The process must end well."""
    process = subprocess.Popen(
        [*program, "serve", "--port", "0", *options],
        env=environment(env),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        assert first.startswith(b"{"), first + process.stderr.read()
        line = json.loads(first)
        running = Running(process, int(line["url"].rpartition(":")[2]), [line])
        reader = threading.Thread(target=_read, args=(process, running.logs))
        reader.start()
        try:
            yield running
        finally:
            process.terminate()
            status = process.wait(timeout=40)
            reader.join()
        assert status == 0, running.logs[-5:]
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def _read(process: subprocess.Popen[bytes], logs: list[dict[str, Any]]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        logs.append(json.loads(line))
