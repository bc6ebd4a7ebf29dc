"""A driver (see tests/feeds/phases.py) that moves a store to another policy, or takes that back."""

from __future__ import annotations

import sys

from sameas import Policy
from sameas.change.rekey import rekey
from sameas.change.undo import undo
from sameas.store.opening import open_store
from tests.feeds.documents import NOW
from tests.feeds.phases import Stand, stand_still

COMMIT = {"commit": ["sqlalchemy.engine:RootTransaction._do_commit"]}
MOVING = COMMIT | {
    "links": ["sameas.store.rekey_rows:RekeyRows.put_aside"],
    "release": ["sameas.store.rekey_rows:RekeyRows.release_keys"],
    "merge": ["sameas.store.merge_rows:move", "sameas.store.rekey_rows:RekeyRows.add_former"],
    "keys": [
        "sameas.store.rekey_rows:RekeyRows.take_keys",
        "sameas.store.rekey_rows:RekeyRows.add_keys",
    ],
    "entries": [
        "sameas.store.rekey_rows:RekeyRows.rewrite",
        "sameas.store.rekey_rows:RekeyRows.write_sources",
    ],
    "stamp": ["sameas.store.rekey_rows:RekeyRows.end"],
}
TAKING_BACK = COMMIT | {
    "release": ["sameas.store.rekey_rows:RekeyRows.release_keys"],
    "part": [
        "sameas.store.merge_rows:write_entry",
        "sameas.store.merge_rows:move_back",
    ],
    "keys": ["sameas.store.undo_rows:give_keys_back"],
    "entries": ["sameas.store.rekey_rows:RekeyRows.rewrite"],
    "forget": ["sameas.store.undo_rows:forget"],
}


if __name__ == "__main__":
    phase, number, what, target, *policy = sys.argv[1:]
    opened = open_store(target)
    stand_still(Stand(phase, int(number)), MOVING if what == "rekey" else TAKING_BACK)
    if what == "rekey":
        rekey(opened, Policy.load(policy[0]), NOW, dry=False)
    else:
        undo(opened, None, NOW)
