"""A bare route of the framework the service is made with: the floor that it is compared with.

Started by the bench as a process of its own; it prints its port and serves until it is ended.
"""

from __future__ import annotations

import socket
import sys

import uvicorn
from fastapi import FastAPI, Request
from starlette.responses import Response


def application(answer: int) -> FastAPI:
    """It reads what it is sent, and answers so many bytes."""
    app, body = FastAPI(), b" " * answer

    @app.get("/bare")
    async def one(url: str) -> Response:
        return Response(body if url else b"", media_type="application/json")

    @app.post("/bare")
    async def many(request: Request) -> Response:
        await request.body()
        return Response(body, media_type="application/json")

    return app


def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(
        application(int(sys.argv[1])), http="h11", access_log=False, log_level="warning"
    )
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
