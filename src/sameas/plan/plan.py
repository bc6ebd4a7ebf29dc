"""The plan: a policy as a closed, serializable list of operations with their tables.

Engines execute it and nothing else; its fingerprint is what results may be compared under.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SEMANTICS = 1
"""The version of spec/semantics.md that an engine has to follow."""


@dataclass(frozen=True)
class Op:
    """One operation with its tables; `clause` says where its meaning is written down, `does` in a
    sentence what it is."""

    name: str
    clause: str
    does: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """`rules` make the url, `form` the compared text, `notes` what a result says beside them.
    `sites` are the site tables that operations look things up in."""

    parser: str
    sites: tuple[Mapping[str, Any], ...]
    rules: tuple[Op, ...]
    unwrap: Op | None
    form: tuple[Op, ...]
    notes: tuple[Op, ...]
    names: Mapping[str, str]
    tables: Mapping[str, str]

    def ops(self) -> Iterator[Op]:
        yield from self.rules
        if self.unwrap is not None:
            yield self.unwrap
        yield from self.form
        yield from self.notes

    def as_data(self) -> dict[str, Any]:
        def listed(ops: tuple[Op, ...]) -> list[Any]:
            return [[op.name, op.args] for op in ops]

        return {
            "semantics": SEMANTICS,
            "parser": self.parser,
            "sites": self.sites,
            "rules": listed(self.rules),
            "unwrap": None if self.unwrap is None else self.unwrap.args,
            "form": listed(self.form),
            "notes": listed(self.notes),
            "names": self.names,
            "tables": self.tables,
        }

    def fingerprint(self) -> str:
        data = json.dumps(self.as_data(), sort_keys=True, separators=(",", ":"), default=list)
        return hashlib.sha256(data.encode()).hexdigest()
