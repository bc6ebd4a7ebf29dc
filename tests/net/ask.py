"""Asking in one line: by our client, or by one that nothing holds back."""

from __future__ import annotations

import asyncio
from typing import Any

import ada_url
import aiohttp

from sameas.errors import NetError
from sameas.net.client import Client
from sameas.net.reply import Reply
from sameas.net.settings import ConnectTo, Settings, networks

LOOPBACK = networks(["127.0.0.1"])


def loopback(**options: Any) -> Settings:
    """Settings under which the test's own servers may be asked, without waiting."""
    return Settings(**{"allow_networks": LOOPBACK, "spacing": 0.0, **options})


def led(name: str, port: int, *servers: Any, **options: Any) -> Settings:
    """Settings under which one name leads to a server of the test."""
    rules = (f"{name}:{port}:{server.address}:{server.port}" for server in servers)
    return Settings(connect_to=tuple(map(ConnectTo.parse, rules)), spacing=0.0, **options)


def ask(url: str, settings: Settings | None = None, **options: Any) -> Reply:
    async def run() -> Reply:
        async with Client(settings or loopback()) as client:
            return await client.ask(url, **options)

    return asyncio.run(run())


def follow(url: str, settings: Settings | None = None, **options: Any) -> Reply:
    async def run() -> Reply:
        async with Client(settings or loopback()) as client:
            return await client.follow(url, **options)

    return asyncio.run(run())


def refused(url: str, settings: Settings | None = None, **options: Any) -> NetError:
    """The error that following it ends with."""
    try:
        reply = follow(url, settings, **options)
    except NetError as error:
        return error
    raise AssertionError(f"{url} was answered: {reply}")


def unguarded(url: str) -> int:
    """The status an ordinary client gets that reads URLs and follows redirects as browsers do."""

    async def run() -> int:
        at = ada_url.normalize_url(url)
        async with aiohttp.ClientSession() as session:
            while True:
                async with session.get(at, allow_redirects=False) as answer:
                    if "location" not in answer.headers:
                        return answer.status
                    at = ada_url.join_url(at, answer.headers["location"])

    return asyncio.run(run())
