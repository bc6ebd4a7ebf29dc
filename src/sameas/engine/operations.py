"""Every operation of the plan, by its name: the one place where plan and engine meet."""

from __future__ import annotations

from collections.abc import Callable

from sameas.engine import annotate, encoding, fragment, host, override, path, query, scheme, tk
from sameas.engine.parts import Operation
from sameas.engine.sites import Sites
from sameas.plan.plan import Op

OPERATIONS: dict[str, Callable[..., Operation]] = {
    "scheme.https": scheme.https,
    "scheme.drop": scheme.without,
    "path.encoding": encoding.path_triplets,
    "query.encoding": encoding.query_triplets,
    "path.session": path.drop_session,
    "path.slashes": path.collapse,
    "path.trailing_slash": path.trailing_slash,
    "override": override.override,
    "query.pagination": query.pagination,
    "query.unknown": query.flag_unknown,
    "query.sort": query.sort,
    "query.repeats": query.drop_repeats,
    "fragment.drop": fragment.drop,
    "host.www": host.drop_www,
    "host.map": host.mapped,
    "note.language": annotate.language,
    "note.link_type": annotate.link_type,
    "flags": annotate.flag,
    **tk.OPERATIONS,
}


BY_SITE: dict[str, Callable[..., Operation]] = {
    "path.pieces": path.drop_pieces,
    "query.drop": query.drop,
}
"""Operations that also ask the site tables."""


def operation(op: Op, sites: Sites) -> Operation:
    if op.name in BY_SITE:
        return BY_SITE[op.name](sites=sites, **op.args)
    return OPERATIONS[op.name](**op.args)
