"""Writes docs/policies from the policies themselves, so that the pages cannot go stale.

It decides how a policy is told to people; what it does, its file and its plan say.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sameas import InvalidURL, Policy
from sameas.plan import document
from sameas.plan.document import Document
from sameas.plan.plan import Op, Plan

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "policies"
SEMANTICS = ROOT / "spec" / "semantics.md"
NOTE = "<!-- Written by `make docs` from the policy's own file. -->"

Args = Mapping[str, Any]


def slug(heading: str) -> str:
    """The anchor that a heading gets on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def code(names: Iterable[str]) -> str:
    """Names as code, safe in a table."""
    return " ".join(f"`{name}`".replace("|", "\\|") for name in names)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def _links() -> dict[str, str]:
    headings = re.findall(r"^### (([CT]\d+) .*)$", SEMANTICS.read_text("utf-8"), re.M)
    return {
        clause: f"[{clause}](../../spec/semantics.md#{slug(head)})" for head, clause in headings
    }


# What the arguments of an operation mean, in words. An operation without a row has none to tell.

_SPELLINGS = {
    "capitals": ["`%e9` becomes `%E9`, and nothing is decoded."],
    "rfc3986": ["`%e9` becomes `%E9`; letters, digits and `-._~` are decoded, all else stays."],
}
_ROOTS = {
    "registrable": ["The root is the registrable domain: `bbc.co.uk` of `news.bbc.co.uk`."],
    "last-two-labels": ["The root is the last two labels: `co.uk` of `news.bbc.co.uk`."],
}


def _listed(*rows: tuple[str, Sequence[str]]) -> list[str]:
    return [f"{label}: {code(names)}" for label, names in rows if names]


def _fragment(args: Args) -> list[str]:
    told = (
        ["Fragments that begin with `!` or `/` stay: they name a page."] if args["routes"] else []
    )
    return told + ([f"The note `{args['note']}` holds what was dropped."] if args["note"] else [])


def _drop(args: Args) -> list[str]:
    groups = [" with ".join(f"`{name}`" for name in group) for group in args["together"]]
    told = [f"Only together: {', '.join(groups)}"] if groups else []
    lists = _listed(("Dropped", args["names"]), ("Session ids", args["session"]))
    return lists + told + _listed(("Kept, whatever a list says", args["keep"]))


def _language(args: Args) -> list[str]:
    return _listed(("Codes", args["codes"]), ("Parameters", args["parameters"]))


def _link_type(args: Args) -> list[str]:
    lists = ("Documents", args["documents"]), ("Identifiers", args["identifiers"])
    return _listed(*lists, ("Languages that count for nothing", args["languages"]))


TOLD: dict[str, Callable[[Args], list[str]]] = {
    "path.encoding": lambda args: _SPELLINGS[args["spelling"]],
    "query.encoding": lambda args: _SPELLINGS[args["spelling"]],
    "path.session": lambda args: _listed(("`;name=…` goes for", args["names"])),
    "query.drop": _drop,
    "fragment.drop": _fragment,
    "path.trailing_slash": lambda args: [
        "At the root too: `https://example.com`." if args["root"] else "The root keeps its slash."
    ],
    "host.map": lambda args: [f"`{bare}` → `{host}`" for bare, host in args["domains"].items()],
    "query.pagination": lambda args: _listed(
        ("Names", args["names"]), ("At the root these stay", args["below_root"])
    ),
    "query.unknown": lambda args: _listed(("Known", args["known"])),
    "note.language": _language,
    "note.link_type": _link_type,
    "flags": lambda args: _listed(("Flags", args["names"])),
    "unwrap": lambda args: [f"At most {args['deepest']} deep; deeper nests stay, flagged."],
    "tk.drop_parameters": lambda args: _listed(("Dropped", args["names"])),
    "tk.roots": lambda args: _ROOTS[args["root"]],
}


def told(ops: Iterable[Op]) -> list[str]:
    """Operations as a numbered list, each with its clause and its lists."""
    links, lines = _links(), []
    for i, op in enumerate(ops, 1):
        lines.append(f"{i}. {links[op.clause]} `{op.name}`: {op.does}.")
        details = TOLD[op.name](op.args) if op.name in TOLD else []
        lines += [f"   - {line}" for line in details]
    return lines


def _examples(policy: Policy, loaded: Document) -> list[str]:
    rows = []
    for example in loaded.examples:
        if not example.place.startswith(f"{policy.name}.toml:"):
            continue
        try:
            result = policy.canonicalize(example.url)
            form = "the same" if result.form == result.url else code([result.form])
            rows.append((code([example.url]), code([result.url]), form, code(result.flags)))
        except InvalidURL as error:
            rows.append((code([example.url]), f"refused: `{error.code}`", "", ""))
    return table(("in", "url", "compared", "flags"), rows)


def _merged(sites: Sequence[Args]) -> dict[tuple[str, str], dict[str, list[str]]]:
    """The site tables by host and path, with what goes and what stays there."""
    merged: dict[tuple[str, str], dict[str, list[str]]] = {}
    for site in sites:
        for host in site["host"]:
            row = merged.setdefault((host, site.get("path", "")), {"goes": [], "keep": []})
            row["goes"] += site.get("drop", ())
            row["goes"] += [f"/{begin}…" for begin in site.get("path_drop", ())]
            row["keep"] += site.get("keep", ())
    return {place: row for place, row in merged.items() if any(row.values())}


def _sites(sites: Sequence[Args]) -> list[str]:
    rules = _merged(sites)
    hosts, names = {host for host, _ in rules}, sum(len(row["goes"]) for row in rules.values())
    alike: dict[tuple[str, str, str], list[str]] = {}
    for (host, path), row in sorted(rules.items()):
        alike.setdefault((path, code(row["goes"]), code(row["keep"])), []).append(host)
    rows = [
        (code(where) + (f" under `{path}`" if path else ""), goes, keep)
        for (path, goes, keep), where in alike.items()
    ]
    return [
        "## Rules for single sites",
        f"{names} names for {len(hosts)} hosts, which hold for everything below them too. "
        "`name.*` is that name under any public suffix; `/begin…` is a path piece.",
        "",
        "<details>",
        f"<summary>All {len(hosts)} hosts</summary>",
        "",
        *table(("hosts", "goes", "stays"), rows),
        "",
        "</details>",
        "",
    ]


def _redirectors(sites: Sequence[Args]) -> list[str]:
    rows = []
    for site in sites:
        if site.get("target_path"):
            how = f"what follows `{site['target_path']}`, as {site['target_scheme']}"
        elif site.get("target"):
            how = f"parameter {' or '.join(f'`{name}`' for name in site['target'])}"
        else:
            continue
        where = f" under `{site['path']}`" if site.get("path") else ""
        rows += [(f"`{host}`{where}", how) for host in site["host"]]
    told = f"{len(rows)} redirectors name their target in the open, and are replaced by it."
    head = ["## Redirectors", told, "", "<details>", f"<summary>All {len(rows)}</summary>", ""]
    return [*head, *table(("host", "target"), sorted(rows)), "", "</details>", ""]


def _beginning(plan: Plan) -> str:
    links = _links()
    if plan.parser.startswith("tk"):
        return (
            f"The URL is read as the package does ({links['T1']}) or refused ({links['T2']}). Then:"
        )
    read = f"The URL is read as browsers do ({links['C2']}) or refused ({links['C4']})."
    return f"{read} Then, again until nothing changes ({links['C5']}):"


def page(name: str) -> str:
    policy, loaded = Policy.load(name), document.load(name)
    plan, words = policy.plan, loaded.words
    lines = [
        NOTE,
        f"# The policy `{name}`",
        words["summary"],
        "",
        f"**For whom.** {words['audience']}",
    ]
    facts = (f"`{name}@{policy.version}`", f"`{policy.fingerprint}`", f"`{plan.parser}`")
    lines += ["", *table(("version", "fingerprint", "parser"), [facts]), ""]
    lines += ["## What it does, in order", _beginning(plan), "", *told(plan.rules), ""]
    if plan.unwrap is not None:
        lines += ["Then redirectors, whose targets go through all of it again:", ""]
        lines += [*told([plan.unwrap]), ""]
    lines += ["## What is compared"]
    compared = ["The form, made of the url:", "", *told(plan.form)]
    lines += compared if plan.form else ["The url itself."]
    notes = [f"- The note `{note}` repeats the {source}." for note, source in plan.names.items()]
    if plan.notes or notes:
        lines += ["", "## What a result says besides", "", *told(plan.notes), *notes]
    if policy.allow:
        told_by = "Links to these hosts, and no others, are [resolved](../links.md):"
        lines += ["", "## Whose links are resolved", f"{told_by} {code(policy.allow)}"]
    if words["deviations"]:
        lines += ["", "## Decisions", *(f"- {line}" for line in words["deviations"])]
    lines += ["", "## Examples", *_examples(policy, loaded), ""]
    if loaded.sites:
        lines += _sites(loaded.sites) + _redirectors(loaded.sites)
    lines += ["[All policies](README.md) · [Writing your own](../policy-files.md)", ""]
    return "\n".join(lines)


_KEPT = {"keep": "keep", "drop": "drop"}


def _part(loaded: Document, part: str, key: str, words: Mapping[str, str]) -> str:
    """What a policy's file says about one thing, in a word or two, and what its form adds."""
    value = loaded.tables.get(part, {}).get(key, "keep")
    in_form = loaded.tables.get("form", {}).get(key, "keep")
    told = words.get(value, value)
    return told if in_form == "keep" else f"{told}; {words.get(in_form, in_form)} in the form"


def _counted(loaded: Document, part: str, key: str) -> str:
    names = loaded.tables.get(part, {}).get(key, [])
    return f"{len(names)} names" if names else "–"


def _dropped(loaded: Document) -> str:
    sites = sum(len(row["goes"]) for row in _merged(loaded.sites).values())
    return _counted(loaded, "query", "drop") + (f", {sites} for sites" if sites else "")


def _fragments(loaded: Document) -> str:
    table = loaded.tables.get("fragment", {})
    routes = "; routes stay" if table.get("routes") == "keep" else ""
    return "drop" + (", noted" if table.get("note") else "") + routes


_SLASH = {"drop": "drop, at the root too", "drop-below-root": "drop, not at the root"}
_ENCODING = {"keep": "as parsed", "rfc3986": "RFC 3986", "decode": "decoded", "form": "as a form"}

ROWS: dict[str, Callable[[Document], str]] = {
    "scheme": lambda d: _part(d, "scheme", "write", _KEPT),
    "`www.`": lambda d: _part(d, "host", "www", {"drop-always": "drop always"}),
    "host map": lambda d: f"{len(d.tables.get('host', {}).get('map', {})) or '–'}",
    "path case": lambda d: _part(d, "path", "case", _KEPT),
    "path encoding": lambda d: _part(d, "path", "encoding", _ENCODING),
    "query encoding": lambda d: _part(d, "query", "encoding", _ENCODING),
    "repeated slashes": lambda d: _part(d, "path", "slashes", _KEPT),
    "trailing slash": lambda d: _part(d, "path", "trailing_slash", _SLASH),
    "session ids": lambda d: _counted(d, "query", "session"),
    "tracking parameters": _dropped,
    "parameter order": lambda d: _part(d, "query", "order", {"sort": "sorted", "keep": "as given"}),
    "repeated pairs": lambda d: _part(d, "query", "repeats", _KEPT),
    "pagination": lambda d: _counted(d, "query", "pagination"),
    "fragment": _fragments,
}


BEFORE = "Keys may be compared under one fingerprint alone: choose a policy, and stay with it."
BEHIND = """\
Every policy drops credentials. All but `tk` read URLs as browsers do, which drops default ports and
resolves dot segments; `tk` has a reading of its own. All but `tk` take
[an overrides file](../policy-files.md#an-overrides-file)."""


def overview() -> str:
    loaded = {name: document.load(name) for name in document.builtin_names()}
    heads = [f"[{name}]({name}.md)" for name in loaded]
    rows = [[what, *(tell(each) for each in loaded.values())] for what, tell in ROWS.items()]
    told = zip(heads, loaded.values(), strict=True)
    summaries = [(head, d.words["summary"], d.words["audience"]) for head, d in told]
    lines = [NOTE, "# The policies that come with sameas", BEFORE, ""]
    lines += table(("policy", "what it is", "for whom"), summaries)
    lines += ["", "## Side by side", *table(["", *heads], rows), "", BEHIND, ""]
    return "\n".join([*lines, "[Writing your own](../policy-files.md)", ""])


def pages() -> dict[Path, str]:
    found = {PAGES / f"{name}.md": page(name) for name in document.builtin_names()}
    return {PAGES / "README.md": overview()} | found


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Write docs/policies from the policies.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if one is stale"
    )
    wanted = pages()
    if not parser.parse_args(words).check:
        PAGES.mkdir(parents=True, exist_ok=True)
        for file, text in wanted.items():
            file.write_text(text, "utf-8")
        return 0
    stale = [f for f, text in wanted.items() if not f.is_file() or f.read_text("utf-8") != text]
    stale += [file for file in sorted(PAGES.glob("*.md")) if file not in wanted]
    for file in stale:
        print(f"{file.relative_to(ROOT)} is stale: run `make docs`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
