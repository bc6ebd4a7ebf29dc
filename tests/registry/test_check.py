"""The run: every problem there is, what is asked of whom, and what a second run knows."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from sameas.errors import StoreError
from sameas.policy import named
from sameas.registry.case import PROBLEMS
from sameas.registry.check import Check
from sameas.registry.ledger import Ledger
from sameas.registry.types import FIELD
from sameas.resolve.allowlist import Allowlist
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Domain
from sameas.store.memory import MemoryStore
from tests.registry.runs import GOOD, NOW, WEEK, Answer, TableResolver, run, tramites

U = "https://sede.uno.gob.es"
DAY = timedelta(days=1)

CASES: dict[str, tuple[str | None, Answer | None, tuple[str, ...], str | None]] = {
    "fine": (GOOD, Answer(), (), None),
    "invalid": ("tramite/12", None, ("invalid",), None),
    "empty": ("", None, ("invalid",), None),
    "null": (None, None, ("invalid",), None),
    "not_canonical": (
        "HTTP://SEDE.uno.gob.es/a/b-c;jsessionid=1?utm_source=x&id=7",
        Answer(),
        ("not_canonical",),
        f"{U}/a/b-c?id=7",
    ),
    "homepage": (f"{U}/es", Answer(), ("homepage",), None),
    "told_by_title": (f"{U}/ayudas", Answer(notes={"link_type": "informative"}), (), None),
    "section": (f"{U}/personas/ayudas", Answer(), ("section",), None),
    "dead": (f"{U}/a/b/dead", Answer("dead", hop=404), ("dead",), None),
    "dead_and_badly_written": (
        "http://sede.uno.gob.es/a/b/gone/",
        Answer("dead", hop=404),
        ("not_canonical", "dead"),
        None,
    ),
    "moved": (f"{U}/a/b/old", Answer(url=f"{U}/x/y/new"), ("moved",), f"{U}/x/y/new"),
    "soft_404": (f"{U}/a/b/soft", Answer("soft_404"), ("soft_404",), None),
    "http_only": (
        "http://viejo.gob.es/a/b/c",
        Answer(url="http://viejo.gob.es/a/b/c", flags=("http_only",)),
        ("http_only",),
        None,
    ),
    "not_allowed": ("https://tienda.example/a/b/c", Answer("rejected"), ("not_allowed",), None),
    "slash": (f"{U}/a/b/d/", Answer(url=f"{U}/a/b/d/", flags=("slash_kept",)), (), None),
    "walled": (f"{U}/a/b/wall", Answer("unknown", hop=403), (), None),
}


def _table() -> dict[str, Answer]:
    policy = named("clara")
    return {
        policy.canonicalize(link).url: answer
        for link, answer, _, _ in CASES.values()
        if link and answer is not None
    }


def test_every_problem_is_found_and_told_what_to_write_instead(store: LinkStore, tmp_path: Path):
    tramites(tmp_path, **{name: case[0] for name, case in CASES.items()})
    found = run(store, [tmp_path], TableResolver(_table()))
    for name, (_, _, problems, suggestion) in CASES.items():
        one = found.one(name)
        assert (name, one.verdict.problems) == (name, problems)
        assert (name, one.verdict.suggestion) == (name, suggestion)
    assert {problem for case in CASES.values() for problem in case[2]} == set(PROBLEMS) - {
        "duplicate"
    }


def test_a_page_in_two_records_is_a_duplicate_whichever_way_it_is_written(tmp_path: Path):
    twice = f"{U}/a/b/one"
    tramites(tmp_path, a=twice, b=f"{twice}/?utm_source=x", c=f"{U}/a/b/old", d=GOOD)
    inside = tmp_path / "tramites" / "e.json"
    inside.write_text(f'{{"fuente_url": ["{U}/p/q/r", "{U}/p/q/r"]}}')
    resolver = TableResolver({f"{U}/a/b/old": Answer(url=twice)})
    found = run(MemoryStore(), [tmp_path], resolver).problems()
    assert found == {
        "a": ("duplicate",),
        "b": ("not_canonical", "duplicate"),
        "c": ("moved", "duplicate"),
    }


def test_records_of_one_file_are_told_apart_by_their_lines(tmp_path: Path):
    file = tmp_path / "links.csv"
    file.write_text(f"id,fuente_url\n1,{GOOD}\n2,{U}/a/b/c\n3,{GOOD}\n")
    found = run(MemoryStore(), [file])
    wrong = [(one.entry.found.line, one.verdict.said) for one in found.judged if one.verdict.said]
    assert wrong == [
        (2, (f"the same page as in {file}:4",)),
        (4, (f"the same page as in {file}:2",)),
    ]


def test_a_second_run_asks_nobody_until_its_time_has_come(store: LinkStore, tmp_path: Path):
    tramites(tmp_path, **{f"n{i}": f"{U}/a/b/{i}" for i in range(30)})
    assert run(store, [tmp_path], TableResolver()).asked == 30
    assert run(store, [tmp_path], TableResolver(), now=NOW + 6 * DAY).asked == 0
    tramites(tmp_path, n3=f"{U}/a/b/changed")
    resolver = TableResolver()
    assert run(store, [tmp_path], resolver, now=NOW + 6 * DAY).asked == 1
    assert resolver.asked == [f"{U}/a/b/changed"]
    assert run(store, [tmp_path], TableResolver(), now=NOW + WEEK).asked == 29


def test_what_could_not_be_told_is_asked_again_the_next_day(tmp_path: Path):
    store, table = MemoryStore(), {f"{U}/a/b/1": Answer("unknown", hop=503)}
    tramites(tmp_path, a=f"{U}/a/b/1", b=f"{U}/a/b/2")
    assert run(store, [tmp_path], TableResolver(table)).asked == 2
    assert run(store, [tmp_path], TableResolver(table), now=NOW + DAY / 2).asked == 0
    assert run(store, [tmp_path], TableResolver(), now=NOW + DAY).asked == 1


def test_a_run_that_is_stopped_is_taken_up_where_it_was(store: LinkStore, tmp_path: Path):
    tramites(tmp_path, **{f"n{i:03}": f"{U}/a/b/{i}" for i in range(100)})

    class Stopped(Exception):
        pass

    class Stopping(TableResolver):
        async def resolve(self, url: str):  # type: ignore[no-untyped-def]
            if len(self.asked) == 40:
                raise Stopped
            return await super().resolve(url)

    first = Stopping()
    with pytest.raises(Stopped):
        run(store, [tmp_path], first)
    kept = len(store.links([named("clara").key(url) for url in first.asked]))
    assert 30 <= kept <= 40
    second = TableResolver()
    assert run(store, [tmp_path], second).asked == 100 - kept
    assert len(set(first.asked) | set(second.asked)) == 100


def test_a_host_that_hangs_is_left_after_a_few_tries_and_named(tmp_path: Path):
    hanging = {f"https://lento.gob.es/a/b/{i}": Answer("unknown", hop=None) for i in range(20)}
    links = {f"h{i}": url for i, url in enumerate(hanging)}
    tramites(tmp_path, **links, **{f"f{i}": f"{U}/a/b/{i}" for i in range(20)})
    store = MemoryStore()
    resolver = TableResolver(hanging)
    found = run(store, [tmp_path], resolver)
    tried = sum("lento" in url for url in resolver.asked)
    assert 3 <= tried <= 4
    assert found.left == {"lento.gob.es": 20 - tried}
    assert sum("uno" in url for url in resolver.asked) == 20
    again = TableResolver()
    assert run(store, [tmp_path], again).asked == 20 - tried


def test_hosts_take_turns(tmp_path: Path):
    links = {f"a{i}": f"{U}/a/b/{i}" for i in range(5)}
    links |= {f"b{i}": f"https://dos.gob.es/a/b/{i}" for i in range(5)}
    tramites(tmp_path, **links)
    with Ledger() as ledger:
        check = Check(named("clara"), MemoryStore(), None, ledger, NOW)
        check.read([str(tmp_path)], {FIELD}, lambda *_: None)
        assert check.find_due(WEEK) == 10
        hosts = [host for host, _ in check.turns()]
    assert hosts == ["sede.uno.gob.es", "dos.gob.es"] * 5


def test_no_host_is_asked_more_than_twice_at_once(tmp_path: Path):
    tramites(tmp_path, **{f"a{i}": f"{U}/a/b/{i}" for i in range(20)})
    resolver = TableResolver()
    run(MemoryStore(), [tmp_path], resolver)
    assert resolver.most_at_once == 2


def test_offline_nobody_is_asked_and_what_was_found_out_before_still_counts(tmp_path: Path):
    store = MemoryStore()
    tramites(tmp_path, a=f"{U}/a/b/1")
    assert run(store, [tmp_path]).problems() == {}
    run(store, [tmp_path], TableResolver({f"{U}/a/b/1": Answer("dead")}))
    assert run(store, [tmp_path]).problems() == {"a": ("dead",)}


def test_a_rejected_link_is_asked_again_when_more_is_allowed(tmp_path: Path):
    store, link = MemoryStore(), "https://tienda.example/a/b/c"
    tramites(tmp_path, a=link)
    rejected = TableResolver({link: Answer("rejected")})
    assert run(store, [tmp_path], rejected).problems() == {"a": ("not_allowed",)}
    allow = Allowlist(["tienda.example"])
    assert run(store, [tmp_path], TableResolver(), allow).problems() == {}
    assert run(store, [tmp_path], allow=None).problems() == {}


def test_a_link_that_now_leads_to_a_shallow_page_is_not_mended_unasked(tmp_path: Path):
    tramites(tmp_path, a=f"{U}/a/b/old", b=f"{U}/a/b/old2", c=f"{U}/a/b/old3")
    table = {
        f"{U}/a/b/old": Answer(url=f"{U}/portada"),
        f"{U}/a/b/old2": Answer(url=f"{U}/x/y/z"),
        f"{U}/a/b/old3": Answer(url=f"{U}/x/y/w", flags=("canonical_differs",)),
    }
    found = run(MemoryStore(), [tmp_path], TableResolver(table))
    assert {name: found.one(name).verdict.is_sure for name in "abc"} == {
        "a": False,
        "b": True,
        "c": False,
    }
    assert found.one("a").verdict.suggestion == f"{U}/portada"


def test_a_link_that_moved_where_there_is_no_https_is_not_mended_unasked(tmp_path: Path):
    """That a site has no HTTPS may be true for an hour, whatever else is true of the link."""
    store, link = MemoryStore(), "https://viejo.gob.es/a/b/old"
    new = "http://viejo.gob.es/x/y/new"
    tramites(tmp_path, a=link)
    resolver = TableResolver({link: Answer(url=new, flags=("http_only",))})
    verdict = run(store, [tmp_path], resolver).one("a").verdict
    assert verdict.problems == ("moved", "http_only")
    assert (verdict.suggestion, verdict.is_sure) == (new, False)
    store.save_domain(Domain("viejo.gob.es", "viejo.gob.es", False, NOW, decided=True))
    verdict = run(store, [tmp_path]).one("a").verdict
    assert (verdict.suggestion, verdict.is_sure) == (new, True)


def test_a_link_that_moved_to_another_host_without_https_says_nothing_about_its_own(tmp_path: Path):
    store, link, new = MemoryStore(), f"{U}/a/b/old", "http://viejo.gob.es/x/y/new"
    tramites(tmp_path, a=link)
    resolver = TableResolver({link: Answer(url=new, flags=("http_only",))})
    verdict = run(store, [tmp_path], resolver).one("a").verdict
    assert verdict.problems == ("moved",)
    assert (verdict.suggestion, verdict.is_sure) == (new, False)
    assert [(review.kind, review.suggestion) for review in store.reviews()] == [
        ("moved", f"replace {new}")
    ]


def test_an_object_is_no_text_and_told_as_what_it_is(tmp_path: Path):
    inside = tramites(tmp_path) / "tramites" / "a.json"
    inside.write_text('{"fuente_url": [{"x": 1}, 5]}')
    judged = run(MemoryStore(), [tmp_path]).judged
    assert [one.verdict.said for one in judged] == [("an object is not text",), ("5 is not text",)]
    assert [one.url for one in judged] == ["{…}", "5"]


def test_what_cannot_be_read_is_told_with_its_place_and_the_rest_is_done(tmp_path: Path):
    tramites(tmp_path, a=f"{U}/", z=f"{U}/")
    (tmp_path / "tramites" / "m.json").write_text('{\n"fuente_url": ')
    (tmp_path / "tramites" / "n.jsonl").write_text(f'oops\n{{"fuente_url": "{U}/es"}}\n')
    os.symlink(tmp_path / "nowhere", tmp_path / "tramites" / "o.json")
    found = run(MemoryStore(), [tmp_path])
    places = [(Path(path).name, piece.line) for path, piece in found.unread]
    assert places == [("m.json", 2), ("n.jsonl", 1), ("o.json", 0)]
    assert sorted(found.problems()) == ["a", "n", "z"]


def test_files_of_a_folder_named_tramites_are_chosen_where_there_is_one(tmp_path: Path):
    record = f'{{"fuente_url": "{U}/"}}'
    for name in ("tramites/a.json", "tramites/b/c.json", "d.json", ".git/tramites/e.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(record)
    assert sorted(run(MemoryStore(), [tmp_path]).problems()) == ["a", "c"]
    assert sorted(run(MemoryStore(), [tmp_path / "tramites" / "b"]).problems()) == ["c"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "f.ndjson").write_text(record)
    (tmp_path / "other" / "g.txt").write_text(record)
    assert sorted(run(MemoryStore(), [tmp_path / "other"]).problems()) == ["f"]
    assert sorted(run(MemoryStore(), [tmp_path / "d.json"]).problems()) == ["d"]


def test_a_file_is_read_once_however_often_it_is_named(tmp_path: Path):
    tramites(tmp_path, a=f"{U}/a/b/c")
    file = tmp_path / "tramites" / "a.json"
    os.symlink(file, tmp_path / "tramites" / "b.json")
    places = [tmp_path, file, tmp_path / "tramites" / ".." / "tramites"]
    found = run(MemoryStore(), places)
    assert len(found.judged) == 1
    assert found.problems() == {}


def test_names_and_values_that_are_no_text_are_carried_along(tmp_path: Path):
    folder = os.fsencode(tmp_path) + b"/tramites"
    os.mkdir(folder)
    with open(folder + b"/\xff.json", "wb") as stream:
        stream.write(b'{"a\\ud800": [{"fuente_url": "http://x\\udc80y"}]}')
    (judged,) = run(MemoryStore(), [tmp_path]).judged
    assert judged.verdict.problems == ("invalid",)
    assert judged.entry.found.field == "a\ud800[0].fuente_url"
    assert os.fsencode(judged.entry.path).endswith(b"/\xff.json")


def test_passwords_are_never_shown(tmp_path: Path):
    link = "https://user:secret@sede.uno.gob.es/a/b/c"
    tramites(tmp_path, a=link, b="http://user:secret@:x/")
    store = MemoryStore()
    found = run(store, [tmp_path], TableResolver())
    written = repr([(one.url, one.verdict) for one in found.judged])
    written += repr(list(store.reviews())) + repr(store.links([found.one("a").entry.key]))
    assert "secret" not in written
    assert found.one("a").verdict.suggestion == f"{U}/a/b/c"


def test_a_store_that_is_lost_on_the_way_is_told_as_what_it_is(tmp_path: Path):
    class Lost(MemoryStore):
        def save_links(self, _: object) -> None:
            raise StoreError("full", "here", "is full")

    tramites(tmp_path, **{f"n{i}": f"{U}/a/b/{i}" for i in range(50)})
    with pytest.raises(StoreError, match="is full"):
        run(Lost(), [tmp_path], TableResolver())


def test_nobody_is_asked_about_what_holds_no_text(tmp_path: Path):
    tramites(tmp_path, a=None, b="", c=" ")
    store = MemoryStore()
    assert set(run(store, [tmp_path]).problems()) == {"a", "b", "c"}
    assert list(store.reviews()) == []


def test_what_is_said_where_a_home_page_is_cited_all_the_same(tmp_path: Path):
    store = MemoryStore()
    tramites(tmp_path, a=f"{U}/")
    run(store, [tmp_path])
    (review,) = store.reviews()
    told = "it would be cited with: Puedes consultar mas informacion en la web (sede.uno.gob.es)"
    assert told in review.evidence


def test_a_site_without_https_is_suggested_so_and_written_when_a_person_agrees(tmp_path: Path):
    store, link = MemoryStore(), "https://viejo.gob.es/a/b/c"
    tramites(tmp_path, a=link)
    resolver = TableResolver({link: Answer(url=f"http{link[5:]}", flags=("http_only",))})
    verdict = run(store, [tmp_path], resolver).one("a").verdict
    assert verdict.problems == ("not_canonical", "http_only")
    assert (verdict.suggestion, verdict.is_sure) == ("http://viejo.gob.es/a/b/c", False)
    store.save_domain(Domain("viejo.gob.es", "viejo.gob.es", False, NOW, decided=True))
    verdict = run(store, [tmp_path]).one("a").verdict
    assert verdict.problems == ("not_canonical",)
    assert (verdict.suggestion, verdict.is_sure) == ("http://viejo.gob.es/a/b/c", True)
