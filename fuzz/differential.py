"""The Python engine against the compiled one: on every input the same result, or the same refusal.

    make fuzz SECONDS=600    or: .venv/bin/python -m fuzz.differential --count 100000 --seed 1

It decides whether two answers are the same; what is thrown at both, inputs.py and plans.py make.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import Any

from spec.run import OVERRIDES

from fuzz import inputs, plans
from fuzz.table import SAME_KINDS, table
from sameas import Canonical, InvalidURL, Policy
from sameas.engine.native import NativeEngine
from sameas.engine.python import PythonEngine
from sameas.plan.document import builtin_names

BLOCK = 10_000
"""So many inputs have one random plan, and one look at the clock."""
ASKED_TWICE = 4
"""Of what is handed back one in so many is asked of both, door and all."""

Answer = Canonical | tuple[type[Exception], str, str]
Row = tuple[str, str, str]
"""Generator, policy, outcome."""


class Different(Exception):
    """Two answers to one question: its place and all that is needed to ask it again."""


class Pair:
    """One plan on both engines."""

    def __init__(self, name: str, policy: Policy) -> None:
        self.name, self.plan = name, policy.plan
        self.python = PythonEngine(policy.plan, policy.name, policy.fingerprint)
        self.native = NativeEngine(policy.plan, self.python)
        self._asked = 0

    def outcome(self, raw: inputs.Raw) -> str:
        """What became of the input, where both say the same."""
        decided = self.native.plan.outcome(raw)
        wanted = answer(self.python.canonicalize, raw)
        back = decided == "handed back"
        self._asked += 1
        if not back or self._asked % ASKED_TWICE == 0:
            self._compare(raw, wanted)
        if isinstance(wanted, Canonical):
            if back:
                return "handed back, accepted"
            if decided != "done":
                raise Different(f"{decided!r} is what the compiled engine says, Python accepts it")
            return "kept, as it was" if wanted.url == raw else "kept, rewritten"
        if back:
            return "handed back, refused"
        if decided != wanted[1]:
            raise Different(f"Python refuses it as {wanted[1]!r}, here it is {decided!r}")
        return "refused"

    def _compare(self, raw: inputs.Raw, wanted: Answer) -> None:
        got, key = answer(self.native.canonicalize, raw), answer(self.native.key, raw)
        if isinstance(wanted, Canonical) and isinstance(got, Canonical):
            same = got == wanted and [*got.notes] == [*wanted.notes] and got.original is raw
            if same and type(got.notes) is type(wanted.notes) and key == wanted.key:
                return
        elif wanted == got == key:
            return
        raise Different(f"Python: {wanted}\ncompiled: {got}\nits key: {key}")


def answer(ask: Callable[[inputs.Raw], Any], raw: inputs.Raw) -> Any:
    try:
        return ask(raw)
    except InvalidURL as error:
        return type(error), error.code, error.message


def builtin() -> list[Pair]:
    pairs = [Pair(name, Policy.load(name, engine="python")) for name in builtin_names()]
    overridden = Policy.load("curious-now", OVERRIDES, "python")
    return [*pairs, Pair("curious-now, overrides", overridden)]


def run(seed: int, count: int, seconds: float, data: Path | None) -> Counter[Row]:
    """The counts of one process; both limits hold, the first that is met."""
    chance = random.Random(seed)
    known = builtin()
    made = inputs.of([pair.plan for pair in known], data)
    sites = next(pair.plan.sites for pair in known if pair.name == "default")
    weights = [*accumulate(inputs.WEIGHTS[name] for name in made)]
    counts: Counter[Row] = Counter()
    end = time.monotonic() + seconds if seconds else float("inf")
    for done in range(0, count, BLOCK):
        if time.monotonic() > end:
            break
        pairs = [*known, *_at_random(chance, sites)]
        names = chance.choices([*made], cum_weights=weights, k=min(BLOCK, count - done))
        for name in names:
            pair = chance.choice(pairs)
            raw = made[name](chance)
            try:
                counts[name, pair.name, pair.outcome(raw)] += 1
            except Different as error:
                raise _told(error, name, pair, raw) from None
    return counts


def _at_random(chance: random.Random, sites: Any) -> Iterator[Pair]:
    for _ in range(2):
        yield Pair("at random", plans.at_random(chance, sites))


def _told(error: Different, name: str, pair: Pair, raw: inputs.Raw) -> Different:
    plan = "" if pair.name != "at random" else f"\nplan: {pair.plan.as_data()}"
    return Different(f"{name}, policy {pair.name}: {raw!r}\n{error}{plan}")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10**12, help="inputs, all processes together")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--data", type=Path, help="a folder with urls-100k.txt.gz and WPT's files")
    parser.add_argument("--table", type=Path, help="write the counts to this page")
    options = parser.parse_args(words)
    started, each = time.monotonic(), -(-options.count // options.processes)
    counts: Counter[Row] = Counter()
    with ProcessPoolExecutor(options.processes) as pool:
        seeds = [options.seed * 1_000 + i for i in range(options.processes)]
        jobs = [pool.submit(run, seed, each, options.seconds, options.data) for seed in seeds]
        for job in jobs:
            try:
                counts += job.result()
            except Different as error:
                print(f"not the same: {error}", file=sys.stderr)
                return 1
    took = time.monotonic() - started
    how = f"--seed {options.seed} --processes {options.processes} --count {counts.total()}"
    page = table(counts, how + (" --data …" if options.data else ""), took)
    print(page)
    if options.table:
        options.table.write_text(page, "utf-8")
    largest = max(
        SAME_KINDS, key=lambda kind: sum(n for row, n in counts.items() if row[2] == kind)
    )
    print(
        f"{counts.total()} inputs, all the same; the largest outcome is {largest!r}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
