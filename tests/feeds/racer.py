"""A process that records documents at the same moment as another one: it says when it is ready,
and goes on when it is told to. `known` makes it wait between reading and writing."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from sameas.store.opening import open_store
from sameas.store.writing import SqlWriting
from tests.feeds.documents import feed_of, item, recorded

ENTRIES = 40


def wait() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def wait_behind_the_next_reading() -> None:
    read = SqlWriting.known

    def known(*args: object) -> object:
        SqlWriting.known = read  # type: ignore[method-assign]
        found = read(*args)  # type: ignore[arg-type]
        wait()
        return found

    SqlWriting.known = known  # type: ignore[assignment,method-assign]


if __name__ == "__main__":
    target, url, where, rounds = sys.argv[1:]
    store = open_store(target)
    feed_of(store, url)
    for number in range(int(rounds)):
        items = [item(f"{number}/{n}", f"/{number}/{n}", "a") for n in range(ENTRIES)]
        if where == "known":
            wait_behind_the_next_reading()
        else:
            wait()
        print(json.dumps(asdict(recorded(store, *items, feed=url))), flush=True)
    store.close()
