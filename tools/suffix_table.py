"""Writes src/sameas/policies/public_suffixes.txt from the pinned publicsuffixlist package.

Run by `make suffixes`. A changed table changes fingerprints: policies that use it need a new
version.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import publicsuffixlist

HEADER = """\
# Public suffixes, ICANN section, in ASCII; `*.x` any label under x, `!y` an exception.
# Data from the Public Suffix List (publicsuffix.org, MPL 2.0), by publicsuffixlist {version}.
"""


def ascii_rule(rule: str) -> str:
    mark = "!" if rule.startswith("!") else ""
    labels = rule.removeprefix("!").split(".")
    return mark + ".".join(
        label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in labels
    )


def main() -> None:
    source = Path(publicsuffixlist.__file__).with_name("public_suffix_list.dat")
    text = source.read_text("utf-8")
    icann = text.partition("===BEGIN ICANN DOMAINS===")[2].partition("===END ICANN DOMAINS===")[0]
    lines = (line.strip() for line in icann.splitlines())
    rules = sorted({ascii_rule(line.split()[0]) for line in lines if line and line[:2] != "//"})
    version = importlib.metadata.version("publicsuffixlist")
    target = Path(__file__).parents[1] / "src/sameas/policies/public_suffixes.txt"
    target.write_text(HEADER.format(version=version) + "\n".join(rules) + "\n", "ascii")
    print(f"{len(rules)} rules written to {target.name}")


if __name__ == "__main__":
    main()
