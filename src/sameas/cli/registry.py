"""`sameas registry`: a folder of links checked, from the options to the exit status.

What is asked, what is wrong and what is mended is for `sameas.registry`; what is shown, for
registry_report.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from sameas.cli.options import (
    Allow,
    AllowNetworks,
    CaCert,
    ConnectTos,
    Contact,
    Json,
    Overrides,
    PolicyName,
    StoreTarget,
    all_extras,
    allowlist,
    examples,
    net_settings,
    own_store,
    store_target,
)
from sameas.cli.outputs import check_apart
from sameas.cli.progress import counted
from sameas.cli.registry_report import Form, Report
from sameas.cli.terminal import on_terminal, say
from sameas.errors import SettingError
from sameas.policy import Policy
from sameas.registry.files import format_of

if TYPE_CHECKING:
    from sameas.net.settings import Settings
    from sameas.registry.check import Check
    from sameas.registry.ledger import Ledger
    from sameas.registry.mend import Mending
    from sameas.registry.tally import Tally
    from sameas.resolve.allowlist import Allowlist
    from sameas.store.link_protocol import LinkStore

commands = typer.Typer(
    help="Check the links of a registry: folders of records with a link in each.",
    epilog=examples("sameas registry check data", "sameas registry check --offline --fix data"),
    no_args_is_help=True,
    rich_markup_mode=None,
)

HELP = """Check every link of a registry, and tell what to write instead.

DIR is looked through for files in folders named tramites; where it has none, for
every .json, .jsonl, .ndjson, .csv and .tsv below it. A file can be named, too. In
them every value of a field fuente_url, at any depth, is a link.

Problems are invalid, not_canonical, homepage, section, dead, moved, soft_404,
http_only, duplicate, not_allowed. What is not sure is put into a queue: see
`sameas review list`. The exit status is 1 where something is wrong."""

EXAMPLES = examples(
    "sameas registry check data",
    "sameas registry check --offline --json data | jq -r .suggestion",
    "sameas registry check --offline --fix data",
    "sameas registry check --html report.html --contact me@example.org data",
    "sameas registry check --field url --field enlace links.csv",
    "sameas registry check --offline --format github data",
)

RECHECK_DAYS = 7
_AT_ONCE = 50


@commands.command("check", help=HELP, epilog=EXAMPLES)
def check(  # noqa: PLR0913, PLR0917 (its options)
    ctx: typer.Context,
    places: Annotated[list[str], typer.Argument(metavar="DIR", hidden=True)],
    fields: Annotated[
        list[str] | None,
        typer.Option("--field", metavar="NAME", help="A field that holds links (fuente_url)."),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask nobody: only what the files and the store tell.")
    ] = False,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help="Write what is sure into the files. In git they must be committed; elsewhere a "
            "copy is left beside each.",
        ),
    ] = False,
    backup: Annotated[
        bool, typer.Option("--backup", help="With --fix: leave a copy beside each, in git too.")
    ] = False,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a report with charts as a page.")
    ] = None,
    form: Annotated[
        Form, typer.Option("--format", help="How results are written; github: annotations.")
    ] = Form.text,
    as_json: Json = False,
    recheck_days: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=36_500,
            envvar="SAMEAS_RECHECK_DAYS",
            help="Ask a link again after so many days.",
        ),
    ] = RECHECK_DAYS,
    allow: Allow = None,
    policy: PolicyName = "clara",
    overrides: Overrides = None,
    store: StoreTarget = "",
    contact: Contact = "",
    connect_to: ConnectTos = None,
    cacert: CaCert = None,
    allow_network: AllowNetworks = None,
) -> None:
    if backup and not fix:
        ctx.fail("--backup goes with --fix")
    if html is not None:
        check_apart({"--html": html, "--store": store or None})
        _want_place(html)
    chosen = _policy(policy, overrides)
    allowed = allowlist(allow, chosen)
    settings = net_settings(contact, connect_to, cacert, allow_network)
    report = Report(Form.json if as_json else form)
    needed = () if offline else ("net", "store")
    with all_extras("checking links", *needed), _opened(store, offline, _is_named(ctx)) as kept:
        if not offline:
            import sameas.net.client  # noqa: F401 (missing, it is told before anything is done)
        run = _Run(chosen, kept, allowed, report)
        run.over(
            places,
            frozenset(fields or (_field(),)),
            None if offline else settings,
            timedelta(days=recheck_days),
            (fix, backup),
            html,
        )
    raise typer.Exit(1 if run.tally.wrong or report.troubles else 0)


def _field() -> str:
    from sameas.registry.types import FIELD

    return FIELD


def _policy(name: str, overrides: str | None) -> Policy:
    loaded = Policy.load(name, overrides)
    if not loaded.canonicalize("https://example.com/a").url.startswith("https://"):
        reason = "gives texts to compare, and no addresses to write into a file"
        raise SettingError(f"the policy {loaded.name}", reason, "an example that does: clara")
    return loaded


def _want_place(html: str) -> None:
    """A run may take an hour: that its page has no place is told before."""
    folder = os.path.dirname(os.path.abspath(html))
    if os.path.isdir(html) or not os.path.isdir(folder):
        reason = "is a folder" if os.path.isdir(html) else "there is no such folder"
        raise SettingError(f"--html {html}", reason, "name a file to write")
    if format_of(html):
        reason = "has the ending of files that are checked, and might be one"
        raise SettingError(f"--html {html}", reason, "give it the ending .html")


def _is_named(ctx: typer.Context) -> bool:
    source = ctx.get_parameter_source("store")
    return source is not None and source.name != "DEFAULT"


@contextmanager
def _opened(target: str, offline: bool, named: bool) -> Iterator[LinkStore]:
    """Offline a store is used where there is one, and not made unasked: the check works without."""
    own = own_store()
    if offline and not named and not (own and os.path.exists(own)):
        from sameas.store.memory import MemoryStore

        yield MemoryStore()
        return
    from sameas.store.opening import open_store

    with closing(open_store(store_target(target))) as store:
        yield store


class _Run:
    def __init__(
        self, policy: Policy, store: LinkStore, allow: Allowlist | None, report: Report
    ) -> None:
        from sameas.registry.tally import Tally

        self._policy, self._store, self._allow, self._report = policy, store, allow, report
        self._now = datetime.now(UTC)
        self._left: dict[str, int] = {}
        self.tally: Tally = Tally()

    def over(
        self,
        places: list[str],
        fields: frozenset[str],
        settings: Settings | None,
        recheck: timedelta,
        fixing: tuple[bool, bool],
        html: str | None,
    ) -> None:
        from sameas.registry.check import Check
        from sameas.registry.files import check_places
        from sameas.registry.ledger import Ledger
        from sameas.review.rekey import stamp

        check_places(places)
        self._store.claim_links(*stamp(self._policy), self._now)
        with Ledger() as ledger:
            check = Check(self._policy, self._store, self._allow, ledger, self._now)
            check.read(places, fields, self._report.unread)
            mending = self._mending(places, ledger, fixing)
            if settings is not None:
                self._ask(check, check.find_due(recheck), settings)
            self._judge(check, mending)
            check.withdraw(places)
            if all(map(os.path.isdir, places)):
                named = os.pathsep.join(map(os.path.realpath, places))
                self._store.note_check(named, self._now.date(), self.tally.kinds)
            files, _ = ledger.counts()
            self._report.summarize(self.tally, files, self._left)
            self._report.questions(check.questions, self._store.place != "memory")
            if mending is not None:
                self._report.mended(mending.mend())
            if html is not None:
                self._write_page(html, files, check.questions)

    def _mending(
        self, places: list[str], ledger: Ledger, fixing: tuple[bool, bool]
    ) -> Mending | None:
        from sameas.registry.mend import Mending

        fix, backup = fixing
        return Mending(places, ledger, backup) if fix else None

    def _ask(self, check: Check, due: int, settings: Settings) -> None:
        import asyncio  # slow to load, and most commands don't need it

        from sameas.net.client import Client
        from sameas.registry.ask import Asking
        from sameas.registry.facts import StoreFacts
        from sameas.resolve.probe import Resolver

        def now() -> datetime:
            return datetime.now(UTC)

        async def over(drawn: Callable[[int, int], None]) -> None:
            async with Client(settings) as client:
                facts = StoreFacts(self._store)
                resolver = Resolver(client, self._policy, facts, self._allow, now)
                asking = Asking(self._policy, self._store, resolver, now, lambda n: drawn(n, due))
                try:
                    await asking.over(check.turns(), _AT_ONCE)
                finally:
                    self._left = dict(asking.left)

        if not due:
            return
        try:
            with counted("links") as drawn:
                asyncio.run(over(drawn))
        except KeyboardInterrupt:
            say("sameas: stopped: what was asked is kept, the next run goes on from there")
            raise

    def _judge(self, check: Check, mending: Mending | None) -> None:
        for judged in check.judged():
            self.tally.add(judged)
            self._report.link(judged)
            if mending is not None:
                mending.note(judged)

    def _write_page(self, path: str, files: int, questions: int) -> None:
        from sameas.records.aside import written
        from sameas.registry.page import registry_page

        self.tally.unread = self._report.troubles
        text = registry_page(self.tally, files, questions, self._now)
        with written(path) as stream:
            stream.write(text.encode())
        if on_terminal():
            say(f"sameas: the report is {path}")
