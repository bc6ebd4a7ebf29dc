"""Which files are looked at: those named, and those of a folder that may hold links.

How they are read is json_links.py's and csv_links.py's business.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from sameas.errors import SettingError

FOLDER = "tramites"
"""Where a folder has some of this name, the files in them are looked at and no others."""

FORMATS = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv"}
_SKIPPED = {"node_modules", "__pycache__"}


def format_of(path: str) -> str:
    """The format a name tells, "" for none."""
    return FORMATS.get(PurePath(path).suffix.lower(), "")


def files_in(places: Sequence[str]) -> Iterator[str]:
    """Every file once, each under the name that leads to it from here, a folder's in order."""
    for place in dict.fromkeys(map(os.path.normpath, places)):
        if os.path.isdir(place):
            yield from _below(place)
        elif format_of(place):
            yield place
        else:
            known = " ".join(FORMATS)
            raise SettingError(place, "its name tells no format", f"what can be read: {known}")


def check_places(places: Sequence[str]) -> None:
    for place in places:
        if not os.path.exists(place):
            raise SettingError(place, "there is no such file or folder")


def _below(folder: str) -> Iterator[str]:
    chosen = _is_chosen(folder) or any(_is_chosen(place) for place, _ in _walk(folder))
    for place, names in _walk(folder):
        if chosen and not _is_chosen(place):
            continue
        for name in sorted(names):
            if format_of(name) and not name.startswith("."):
                yield os.path.normpath(os.path.join(place, name))


def _walk(folder: str) -> Iterator[tuple[str, list[str]]]:
    """Folders in order, without hidden ones; links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        yield place, names


def _is_chosen(place: str) -> bool:
    return FOLDER in Path(os.path.abspath(place)).parts
