"""Logs: one JSON object a line on standard error, without queries, bodies or credentials.

What is worth a line is decided where it happens.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog

from sameas.engine.parse import masked

_Event = MutableMapping[str, Any]
_FRAMES = 12


def _fault(_: Any, __: str, event: _Event) -> _Event:
    """An exception as its name and its way. Its words could hold what somebody sent."""
    info = event.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else info
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
        event["error"] = type(error).__name__
        event["way"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return event


def _hidden(_: Any, __: str, event: _Event) -> _Event:
    for name, value in event.items():
        if isinstance(value, str) and "@" in value:
            event[name] = masked(value, everywhere=True)
    return event


def set_up() -> None:
    """Our own lines and those of the server go the same way."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _fault,
        _hidden,
    ]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )


def logger() -> Any:
    return structlog.get_logger()
