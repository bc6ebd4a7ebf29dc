"""What the examples of `registry` and `review` need beside them: a folder, a store, a question.

No example asks the network: its link has been asked just before.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sameas.cli.options import store_target
from sameas.policy import named
from sameas.store.link_types import Link, Review
from sameas.store.opening import open_store

URL = "https://www.boe.es/buscar/act.php?id=BOE-A-2000-544"
_DEAD = Review(
    kind="dead",
    key=named("clara").key(URL),
    url=URL,
    file="",
    line=1,
    suggestion="replace https://www.boe.es/buscar/act.php?id=1",
    reason="it is an example",
    evidence=("404",),
    asked_at=datetime.now(UTC),
    seen_at=datetime.now(UTC),
)
_QUESTIONS = {
    "accept_home": replace(_DEAD, kind="homepage"),
    " domain ": replace(_DEAD, kind="http_only", key="example.es"),
    " drop ": replace(_DEAD, kind="parameter", key="www.boe.es?v"),
    " --undo": replace(_DEAD, kind="homepage"),
}


def prepared(line: str, folder: Path) -> dict[str, str]:
    """Makes what the line needs, and gives what its words stand for."""
    if "sameas re" not in line:
        return {}
    tramites = folder / "data" / "tramites"
    tramites.mkdir(parents=True, exist_ok=True)
    (tramites / "nie.json").write_text(json.dumps({"fuente_url": URL}))
    (folder / "links.csv").write_text(f"url,enlace\n{URL},{URL}\n")
    Path(store_target("")).unlink(missing_ok=True)
    asked = next((q for words, q in _QUESTIONS.items() if words in line), _DEAD)
    now = datetime.now(UTC)
    with closing(open_store(store_target(""))) as store:
        store.save_links([Link(named("clara").key(URL), URL, "ok", now)])
        store.ask([asked])
        if " --undo" in line or " --decided" in line:
            store.decide(asked.review_id, "keep", "", "ana", now)
    return {"ID": asked.review_id}
