"""One policy file as text and as TOML, and where in it something stands.

What its words mean is the document's business.
"""

from __future__ import annotations

import re
import tomllib
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from sameas.errors import PolicyError

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\-]+)\s*\]")
_KEY = re.compile(r"""\s*(?:([\w\-]+)|"([^"]*)"|'([^']*)')(?:\s*\.\s*[\w\-]+)*\s*=""")
_TOML_LINE = re.compile(r"\(at line (\d+)")


def builtin_files() -> dict[str, Traversable]:
    return {file.name: file for file in files("sameas.policies").iterdir()}


def released_files() -> dict[str, Traversable]:
    """Every version there has been, `NAME@VERSION.toml`: whole, with what it once included."""
    return {file.name: file for file in (files("sameas.policies") / "released").iterdir()}


class Source:
    """The text of one file, and where in it a key stands."""

    def __init__(self, file: Traversable) -> None:
        self.file = file
        ours = builtin_files() | released_files()
        self.label = file.name if ours.get(file.name) == file else str(file)
        try:
            self.text = file.read_text("utf-8")
        except OSError as error:
            raise PolicyError(self.label, f"cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise PolicyError(self.label, "is not UTF-8 text") from None
        try:
            self.data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            found = _TOML_LINE.search(str(error))
            line = found.group(1) if found else len(self._lines) or 1  # at end of document
            raise PolicyError(f"{self.label}:{line}", f"is not TOML: {error}") from None
        except ValueError as error:
            raise PolicyError(self.label, f"holds a number out of range: {error}") from None
        except RecursionError:
            raise PolicyError(self.label, "is nested too deep") from None

    def place(self, *path: str | int, value: str = "") -> str:
        """`file:line` of a key, of its table where the key is not found, or of a value in it."""
        table = ".".join(str(part) for part in path if isinstance(part, str))
        number = next((part for part in path if isinstance(part, int)), None)
        best = self._places.get((table, number)) or self._places.get((table, 0))
        if best is None and len(path) > 1:
            best = self._places.get((str(path[0]), number), 1)
        if value and best:
            rest = range(best, len(self._lines) + 1)
            best = next((i for i in rest if value in self._lines[i - 1]), best)
        return f"{self.label}:{best or 1}"

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def _places(self) -> dict[tuple[str, int | None], int]:
        found: dict[tuple[str, int | None], int] = {}
        table, number = "", None
        counts: dict[str, int] = {}
        for i, line in enumerate(self._lines, 1):
            if header := _HEADER.match(line):
                table, number = header[2], None
                if header[1] == "[[":
                    number = counts.get(table, 0)
                    counts[table] = number + 1
                found.setdefault((table, number), i)
            elif key := _KEY.match(line):
                name = key[1] or key[2] or key[3] or ""
                found.setdefault((f"{table}.{name}" if table else name, number), i)
        return found
