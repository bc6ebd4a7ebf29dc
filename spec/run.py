"""Tries the vectors on any program that reads lines and writes JSON, so that an engine can prove
itself. It decides whether two results are equal; what a right result is, the vectors say.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OVERRIDES = HERE / "overrides.json"
WITH_OVERRIDES = "-overrides"
"""Vectors of `NAME-overrides` are tried with policy NAME and overrides.json, all others without
any override."""
ENDINGS = (0, 1)
"""How a program may end: all accepted, or some inputs refused."""

USAGE = """\
%(prog)s [--policy NAME]… [--json-in] [--timeout SECONDS] -- PROGRAM ARG…

In the ARGs, {policy} becomes the policy's name and {overrides} the path of an overrides file.
The program gets one input a line and writes one JSON object a line, in the same order."""


@dataclass(frozen=True)
class Vector:
    """One line of a vectors file; `place` says where it stands."""

    place: str
    row: dict[str, Any]

    @property
    def raw(self) -> bytes | None:
        """The input as one line of bytes; None where it cannot be one."""
        try:
            line: bytes = self.row["input"].encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return None
        return None if b"\n" in line or b"\r" in line else line

    @property
    def expected(self) -> dict[str, Any]:
        """What a program has to say, the form and the key worked out."""
        if "error" in self.row:
            return {"error": self.row["error"]}
        form = self.row.get("form", self.row["url"])
        fields = {"url": self.row["url"], "form": form, "key": sha256(form.encode()).hexdigest()}
        return fields | {name: self.row[name] for name in ("flags", "notes") if name in self.row}


def suites() -> dict[str, list[Vector]]:
    """All vectors, by the name of their file."""
    found = {}
    for file in sorted((HERE / "vectors").glob("*.jsonl")):
        lines = enumerate(file.read_text("utf-8").splitlines(), 1)
        found[file.stem] = [Vector(f"{file.name}:{i}", json.loads(line)) for i, line in lines]
    return found


def differences(expected: dict[str, Any], got: Any) -> list[str]:
    """What is wrong with a result, one sentence a field; an empty list where all is right."""
    if not isinstance(got, dict):
        return [f"expected one JSON object, got {_shown(got)}"]
    given = dict(got)
    if isinstance(given.get("error"), dict):
        given["error"] = given["error"].get("code")
    wrong = []
    for name, value in expected.items():
        if name not in given:
            refused = f"; refused as {given['error']}" if "error" in given else ""
            wrong.append(f"{name}: expected {_shown(value)}, got nothing{refused}")
        elif _json(value) != _json(given[name]):
            wrong.append(f"{name}: expected {_shown(value)}, got {_shown(given[name])}")
    if "error" in expected:
        extra = [name for name in ("url", "form", "key") if name in given]
        wrong += [f"{name}: expected none, got {_shown(given[name])}" for name in extra]
    elif given.get("error") is not None and not wrong:
        wrong.append(f"error: expected none, got {_shown(given['error'])}")
    return wrong


def _json(value: Any) -> str:
    """One spelling a value: to Python alone, True is 1 and 1 is 1.0."""
    return json.dumps(value, sort_keys=True)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 300 else f"{text[:299]}…"


@dataclass
class Report:
    """What came of one file of vectors."""

    name: str
    tried: int = 0
    failed: list[tuple[str, str, list[str]]] = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)
    broken: str = ""
    """Why the program as a whole failed."""

    @property
    def good(self) -> bool:
        return not (self.failed or self.broken)

    def lines(self) -> Iterator[str]:
        for place, shown, wrong in self.failed:
            yield f"{place}  {shown}"
            yield from (f"    {sentence}" for sentence in wrong)
        if self.broken:
            yield f"{self.name}: {self.broken}"
        right = 0 if self.broken else self.tried - len(self.failed)
        summary = f"{self.name}: {self.tried} tried, {right} right"
        if self.not_tried:
            summary += f", {len(self.not_tried)} NOT TRIED: {', '.join(self.not_tried)}"
            summary += " (no line of bytes can hold them; --json-in can)"
        yield summary


class Program:
    """Somebody's engine: a command line with placeholders."""

    def __init__(self, words: Sequence[str], json_in: bool, timeout: float) -> None:
        self._words, self._json_in, self._timeout = words, json_in, timeout

    def tried_on(self, name: str, vectors: Sequence[Vector]) -> Report:
        report = Report(name)
        chosen = [v for v in vectors if self._takes(v)]
        report.not_tried = [v.place for v in vectors if not self._takes(v)]
        report.tried = len(chosen)
        lines = [self._line(vector) for vector in chosen]
        answers = self._answers(name, b"".join(line + b"\n" for line in lines), report)
        for vector, answer in zip(chosen, answers, strict=False):
            wrong = _judged(vector, answer)
            if wrong:
                report.failed.append((vector.place, _shown(vector.row["input"]), wrong))
        return report

    def _takes(self, vector: Vector) -> bool:
        return self._json_in or vector.raw is not None

    def _line(self, vector: Vector) -> bytes:
        if self._json_in:
            return json.dumps({"input": vector.row["input"]}).encode()
        return vector.raw or b""

    def _answers(self, name: str, text: bytes, report: Report) -> list[bytes]:
        """What the program wrote, line by line; what is wrong with all of it goes to the report."""
        with tempfile.TemporaryDirectory() as folder:
            overrides = OVERRIDES
            if not name.endswith(WITH_OVERRIDES):
                overrides = Path(folder, "none.json")
                overrides.write_text('{"overrides": []}')
            values = {"{policy}": name.removesuffix(WITH_OVERRIDES), "{overrides}": str(overrides)}
            command = [_filled(word, values) for word in self._words]
            try:
                done = subprocess.run(
                    command, input=text, capture_output=True, timeout=self._timeout, check=False
                )
            except subprocess.TimeoutExpired:
                report.broken = f"the program had not ended after {self._timeout:g} seconds"
                return []
        answers = done.stdout.split(b"\n")
        if answers[-1] == b"":
            answers.pop()
        ending = f"ended with {done.returncode}{_last_words(done.stderr)}"
        if len(answers) != report.tried:
            counted = f"{len(answers)} lines for {report.tried} inputs"
            report.broken = f"the program wrote {counted} and {ending}"
        elif done.returncode not in ENDINGS:
            report.broken = f"the program {ending}; 0 (all accepted) and 1 (some refused) are right"
        return answers


def _filled(word: str, values: dict[str, str]) -> str:
    for placeholder, value in values.items():
        word = word.replace(placeholder, value)
    return word


def _last_words(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return f" ({lines[-1][:200]})" if lines else ""


def _judged(vector: Vector, answer: bytes) -> list[str]:
    try:
        got = json.loads(answer)
    except (ValueError, RecursionError):
        return [f"expected one JSON object, got the line {answer[:200]!r}"]
    return differences(vector.expected, got)


def main(words: Sequence[str]) -> int:
    split = list(words).index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="spec/run.py", usage=USAGE, description=__doc__)
    parser.add_argument("--policy", action="append", metavar="NAME", help="only these vectors")
    parser.add_argument("--json-in", action="store_true", help='lines are {"input": …}')
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="a file; 60")
    options = parser.parse_args(words[:split])
    program, found = words[split + 1 :], suites()
    if not program:
        parser.error("no program: put it behind --")
    chosen = options.policy or list(found)
    for name in chosen:
        if name not in found:
            parser.error(f"there are no vectors {name!r}; there are {', '.join(found)}")
    runner, good = Program(program, options.json_in, options.timeout), True
    for name in chosen:
        try:
            report = runner.tried_on(name, found[name])
        except OSError as error:
            parser.error(f"{program[0]} cannot be started: {error.strerror}")
        print(*report.lines(), sep="\n", flush=True)
        good = good and report.good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
