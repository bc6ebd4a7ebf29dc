"""`sameas dedupe` as a shell sees it: what stays, why, and what is said of rows that are odd."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sameas.cli import dedupe
from sameas.dedupe import by_title, plain
from tests.cli.program import PROGRAM, Ended, in_process, on_terminal, sameas

TITLE = "Harbour bridge opens after two years"
ROWS: list[dict[str, Any]] = [
    {
        "url": "https://a.example/x?utm_source=m",
        "title": f"{TITLE} - Gazette",
        "language": "en",
        "full_text": "a longer text",
    },
    {"url": "https://b.example/y", "title": "Gold price today in Pune", "language": "en"},
    {"url": "https://a.example/x", "title": "Another headline"},
    {"url": "https://c.example/z", "title": f"{TITLE}!", "language": "en-GB"},
]
STAY = {"url": [0, 1, 3], "title": [0, 1, 2], "both": [0, 1]}


def _file(folder: Path, format: str, rows: list[dict[str, Any]] = ROWS) -> Path:
    file = folder / f"articles.{format}"
    names = list(dict.fromkeys(name for row in rows for name in row))
    if format == "parquet":
        pq.write_table(pa.table({n: [row.get(n) for row in rows] for n in names}), file)
    elif format == "jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        out = io.StringIO()
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        file.write_text(out.getvalue())
    return file


def _urls(file: Path) -> list[str]:
    if file.suffix == ".parquet":
        urls: list[str] = pq.read_table(file)["url"].to_pylist()
        return urls
    if file.suffix == ".jsonl":
        return [json.loads(line)["url"] for line in file.read_text().splitlines()]
    return [row["url"] for row in csv.DictReader(io.StringIO(file.read_text()))]


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("by", STAY)
def test_those_that_stay_are_written_in_order_in_the_file_s_own_format(
    by: str, format: str, tmp_path: Path
) -> None:
    out = tmp_path / f"out.{format}"
    ended = in_process("dedupe", str(_file(tmp_path, format)), "--by", by, "-o", str(out))
    assert ended.status == 0
    assert ended.out == ""
    assert _urls(out) == [ROWS[i]["url"] for i in STAY[by]]


def test_without_an_output_file_the_rows_go_to_standard_output(tmp_path: Path) -> None:
    file = _file(tmp_path, "csv")
    lines = file.read_text().splitlines()
    ended = sameas("dedupe", str(file), "--by", "title")
    assert ended.lines == [lines[0], lines[1], lines[2], lines[3]]
    assert ended.err == "articles 4 · stay 3 · duplicates 1 · groups 1 · by URL 0 · by title 1\n"


def test_lines_are_urls_or_titles_but_not_both() -> None:
    links = "http://www.a.example/x/\nhttp://b.example\nhttp://a.example/x?ref=1\n"
    ended = sameas("dedupe", "-", "--by", "url", stdin=links.encode())
    assert ended.lines == ["http://www.a.example/x/", "http://b.example"]
    titles = f"{TITLE}\nQuite another\n{TITLE} - Gazette\n".encode()
    assert sameas("dedupe", "-", "--by", "title", stdin=titles).lines == [TITLE, "Quite another"]
    both = sameas("dedupe", "-", stdin=links.encode())
    assert both.status == 2
    assert 'the input: has lines, but no "title"' in both.err


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_standard_input_may_be_any_format(format: str, tmp_path: Path) -> None:
    data = _file(tmp_path, format).read_bytes()
    out = tmp_path / f"out.{format}"
    ended = sameas("dedupe", "-", "--format", format, "-o", str(out), stdin=data)
    assert ended.status == 0
    assert len(_urls(out)) == 2


def test_json_has_the_counts_and_the_groups_with_their_evidence(tmp_path: Path) -> None:
    ended = in_process("dedupe", str(_file(tmp_path, "jsonl")), "--json")
    found = json.loads(ended.out)
    assert [found[name] for name in ("total", "survivors", "duplicates")] == [4, 2, 2]
    [group] = found["groups"]
    assert group["survivor"] == 1
    assert [member["row"] for member in group["members"]] == [1, 3, 4]
    assert group["members"][0]["title"] == ROWS[0]["title"]
    by_url, by_title = sorted(group["evidence"], key=lambda pair: str(pair["rule"]), reverse=True)
    assert by_url == {
        "rule": "url", "a": 1, "b": 3, "ratio": 1.0, "shared": "https://a.example/x",
    }  # fmt: skip
    assert (by_title["a"], by_title["b"]) == (1, 4)
    assert by_title["ratio"] > 0.85


def test_the_groups_and_the_report_are_files_of_their_own(tmp_path: Path) -> None:
    groups, report = tmp_path / "groups.jsonl", tmp_path / "report.html"
    file = str(_file(tmp_path, "csv"))
    ended = in_process("dedupe", file, "--groups", str(groups), "--report", str(report), "--json")
    assert [json.loads(line) for line in groups.read_text().splitlines()] == (
        json.loads(ended.out)["groups"]
    )
    page = report.read_text()
    assert page.startswith("<!doctype html>")
    assert "same URL as 2: https://a.example/x" in page
    assert re.search(r"title alike to that of 2: 0\.9\d\d", page)


def test_each_article_of_the_report_but_the_one_that_stays_has_its_reason(tmp_path: Path) -> None:
    titles = [f"Gold price today in Pune on day {number}" for number in range(40)]
    rows = [
        {"url": "", "title": title, "full_text": "x" * (i == 20)} for i, title in enumerate(titles)
    ]
    report = tmp_path / "report.html"
    in_process("dedupe", str(_file(tmp_path, "csv", rows)), "--report", str(report), "--json")
    page = report.read_text()
    assert page.count("title alike to that of") == len(rows) - 1
    assert page.count(">stays<") == 1


def test_what_a_title_spells_is_text_in_the_report(tmp_path: Path) -> None:
    title = "<script>alert(1)</script> in court again today"
    rows = [{"url": f"javascript:alert({i})", "title": title + "!" * i} for i in (0, 1)]
    report = tmp_path / "report.html"
    in_process("dedupe", str(_file(tmp_path, "csv", rows)), "--report", str(report), "--json")
    page = report.read_text()
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert 'href="javascript' not in page


def test_credentials_are_written_nowhere(tmp_path: Path) -> None:
    urls = ["http://user:s3cret@a.example/x", "http://a.example/x", "http://u:s3/cret@h:x/"]
    rows = [{"url": url, "title": TITLE} for url in urls]
    groups, report = tmp_path / "groups.jsonl", tmp_path / "report.html"
    ended = in_process(
        "dedupe", str(_file(tmp_path, "csv", rows)), "--json",
        "--groups", str(groups), "--report", str(report),
    )  # fmt: skip
    for text in (ended.out, ended.err, groups.read_text(), report.read_text()):
        assert "s3" not in text
        assert "cret" not in text


def test_a_language_column_or_one_language_for_all_can_be_named(tmp_path: Path) -> None:
    rows = [{"url": "", "title": TITLE, "spoken": code} for code in ("en", "hi", "en-IN")]
    file = str(_file(tmp_path, "csv", rows))

    def stay(*how: str) -> int:
        return int(json.loads(in_process("dedupe", file, "--json", *how).out)["survivors"])

    assert stay() == 1
    assert stay("--language-column", "spoken") == 2
    assert stay("--language", "en") == 1
    both = in_process("dedupe", file, "--language", "en", "--language-column", "spoken")
    assert both.status == 2


def test_columns_of_other_names_can_be_named(tmp_path: Path) -> None:
    rows = [{"link": "http://a.example/x", "head": TITLE + end} for end in ("", " - Post")]
    file = str(_file(tmp_path, "jsonl", rows))
    how = ("--url-column", "link", "--title-column", "head")
    assert len(in_process("dedupe", file, *how).lines) == 1
    ended = in_process("dedupe", file, "--url-column", "link")
    assert ended.status == 2
    assert ended.err == f'sameas: {file}: no row has "title" (there are "link", "head")\n'


def _ended_with(rows: str, tmp_path: Path, *how: str) -> tuple[Ended, str]:
    file = tmp_path / "articles.jsonl"
    file.write_bytes(rows.encode("utf-8", "surrogateescape"))
    return in_process("dedupe", str(file), *how), str(file)


def test_rows_that_are_odd_stay_and_rows_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    rows = (
        f'{{"url":"http://a.example","title":"{TITLE}"}}\n'
        '{"url":null,"title":17}\n'
        "{torn\n"
        '{"url":"no link","title":"Alone"}\n'
        '{"title":"Caf\udce9 reopens"}\n'
        "{}\n"
    )
    ended, file = _ended_with(rows, tmp_path)
    assert ended.status == 1
    assert len(ended.lines) == 5
    assert ended.err.splitlines() == [
        f"{file}:3: row: the line is not JSON: Expecting property name enclosed in double quotes "
        "at character 2; left out",
        f"{file}:4: relative: 'no link' has no scheme; give an absolute URL that begins with "
        "http:// or https://; kept",
        "articles 5 · stay 5 · duplicates 0 · groups 0 · by URL 0 · by title 0",
        "not compared, so they stay: 3 without a URL, 1 with a URL that is refused, 2 without a "
        "title",
        "left out: 1 that could not be read",
    ]


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"link,title\n1,2\n", 'has no column "url" (there are "link", "title")'),
        ("a.parquet", b"", "is no Parquet file"),
        ("a.parquet", b"PAR1 torn", "is no Parquet file"),
        ("a.csv", "url,title\n".encode("utf-16"), "is UTF-16 text"),
        ("none.csv", None, "there is no such file"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_nothing_is_written(
    name: str, data: bytes | None, told: str, tmp_path: Path
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    out = tmp_path / f"out{Path(name).suffix}"
    ended = in_process("dedupe", str(tmp_path / name), "-o", str(out))
    assert ended.status == 2
    assert told in ended.err
    assert not out.exists()
    assert [p.name for p in tmp_path.iterdir()] == ([name] if data is not None else [])


def test_an_empty_file_of_json_lines_is_a_file_without_articles(tmp_path: Path) -> None:
    ended, _ = _ended_with("", tmp_path)
    assert (ended.status, ended.out) == (0, "")


@pytest.mark.parametrize("option", ["-o", "--groups", "--report"])
def test_a_place_that_cannot_be_written_is_told_before_anything_is_read(
    option: str, tmp_path: Path
) -> None:
    ended = in_process("dedupe", str(_file(tmp_path, "csv")), option, str(tmp_path / "no" / "x"))
    assert ended.status == 2
    assert ended.out == ""
    assert "cannot be written: No such file or directory" in ended.err


def test_rows_are_not_written_under_the_ending_of_another_format(tmp_path: Path) -> None:
    ended = in_process("dedupe", str(_file(tmp_path, "csv")), "-o", str(tmp_path / "x.parquet"))
    assert ended.status == 2
    assert "the rows are written as they are read: as csv" in ended.err


@pytest.mark.parametrize(
    "how",
    [
        ("--groups", "articles.csv"),
        ("--report", "link.csv"),
        ("-o", "x.csv", "--groups", "./x.csv"),
        ("--groups", "x", "--report", "x"),
        ("--groups", "-"),
        ("-o", "-", "--json"),
    ],
)
def test_two_things_are_not_written_into_one_file(how: tuple[str, ...], tmp_path: Path) -> None:
    file = _file(tmp_path, "csv")
    before = file.read_text()
    (tmp_path / "link.csv").symlink_to(file.name)
    ended = sameas("dedupe", "articles.csv", *how, cwd=tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert "are one file: name another" in ended.err
    assert file.read_text() == before
    assert sorted(os.listdir(tmp_path)) == ["articles.csv", "link.csv"]


def test_rows_are_not_appended_to_the_file_they_come_from(tmp_path: Path) -> None:
    file = _file(tmp_path, "csv")
    before = file.read_text()
    with file.open("ab") as out:
        ended = subprocess.run(
            [*PROGRAM, "dedupe", str(file)], stdout=out, stderr=subprocess.PIPE, check=False
        )
    assert ended.returncode == 2
    assert b"standard output and FILE are one file" in ended.stderr
    assert file.read_text() == before


def test_a_hyphen_is_standard_output(tmp_path: Path) -> None:
    file = str(_file(tmp_path, "csv"))
    assert sameas("dedupe", file, "-o", "-", cwd=tmp_path).out == sameas("dedupe", file).out
    groups = sameas("dedupe", file, "-o", "x.csv", "--groups", "-", cwd=tmp_path)
    assert json.loads(groups.out)["survivor"] == 2
    assert sorted(os.listdir(tmp_path)) == ["articles.csv", "x.csv"]


def test_standard_input_is_read_from_where_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "with a head.csv"
    head = b"# made on Friday\n# by hand\n"
    file.write_bytes(head + _file(tmp_path, "csv").read_bytes())
    with file.open("rb", buffering=0) as stdin:
        stdin.seek(len(head))
        command = [*PROGRAM, "dedupe", "-", "--format", "csv"]
        ended = subprocess.run(command, stdin=stdin, capture_output=True, check=True)
    assert ended.stdout == sameas("dedupe", str(tmp_path / "articles.csv")).out.encode()


def test_many_titles_without_the_extra_are_told_how_to_be_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"url": "", "title": chr(0x4E00 + i)} for i in range(1001)]
    matcher, fast = by_title.tools()
    for kernel, told in ((plain, True), (fast, False)):
        monkeypatch.setattr(dedupe, "tools", lambda kernel=kernel: (matcher, kernel))
        ended = in_process("dedupe", str(_file(tmp_path, "csv", rows)), "--json")
        assert ("pip install 'sameas[titles]'" in ended.err) is told


def test_a_file_can_be_replaced_by_its_own_survivors(tmp_path: Path) -> None:
    file = _file(tmp_path, "csv")
    assert in_process("dedupe", str(file), "-o", str(file)).status == 0
    assert _urls(file) == [ROWS[i]["url"] for i in STAY["both"]]
    assert os.listdir(tmp_path) == [file.name]


def test_parquet_is_not_written_to_a_terminal(tmp_path: Path) -> None:
    ended, seen = on_terminal("dedupe", str(_file(tmp_path, "parquet")))
    assert ended.status == 2
    assert "give -o FILE" in seen


def test_progress_is_shown_on_a_terminal_alone(tmp_path: Path) -> None:
    rows = [{"url": "", "title": f"{TITLE} {i}"} for i in range(300)]
    file = str(_file(tmp_path, "csv", rows))
    _, seen = on_terminal("dedupe", file, "-o", str(tmp_path / "out.csv"), streams="err")
    assert "comparing titles" in seen
    assert "comparing titles" not in sameas("dedupe", file).err
