"""docs/expectations.md: each verdict is one, each test named there exists, and enough of what is in scope is met."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parent.parent
DOCUMENT: Final = ROOT / "docs" / "expectations.md"
VERDICTS: Final = frozenset({"met", "open", "out of scope"})
REFERENCE: Final = re.compile(r"[\w.-]+/[\w.-]+#\d+")
TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
LEAST: Final = 0.9


class Entry(NamedTuple):
    """A row of a table: the thread, what a report does, whether this one does it, and where or why not."""

    thread: str
    expectation: str
    verdict: str
    told: str

    @property
    def tests(self) -> list[tuple[str, str]]:
        """Return the file and the name of each test that it names."""
        return TEST.findall(self.told)


def entries(document: str) -> list[Entry]:
    rows = [line.strip("|").split("|") for line in document.splitlines() if line.startswith("| ")]
    return [Entry(*(cell.strip() for cell in row)) for row in rows if row[0].strip() not in ("thread", "---")]


def share_met(found: list[Entry]) -> float:
    counted = Counter(one.verdict for one in found)
    return counted["met"] / (counted["met"] + counted["open"])


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8")) if (ROOT / file).exists() else ast.Module([], [])
    return frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


ENTRIES: Final = entries(DOCUMENT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.thread)
def test_every_entry_has_a_verdict_and_what_it_rests_on(entry: Entry) -> None:
    assert REFERENCE.fullmatch(entry.thread)
    assert entry.expectation.endswith(".")
    assert entry.verdict in VERDICTS
    if entry.verdict == "met":
        assert re.sub(TEST, "", entry.told).replace("<br>", "") == ""  # tests, and nothing but tests
        assert entry.tests
    else:
        assert len(re.sub(TEST, "", entry.told)) > 20, "say why, or what is missing"


def test_every_test_that_is_named_exists() -> None:
    missing = [f"{file}::{name}" for one in ENTRIES for file, name in one.tests if name not in names_in(file)]
    assert missing == []


def test_no_thread_is_there_twice() -> None:
    assert [thread for thread, times in Counter(one.thread for one in ENTRIES).items() if times > 1] == []


def test_nine_of_ten_in_scope_are_met_and_counted_as_the_page_says() -> None:
    counted = Counter(one.verdict for one in ENTRIES)
    says = re.search(r"(\d+) threads: (\d+) met, (\d+) open, (\d+) out of scope", DOCUMENT.read_text(encoding="utf-8"))

    assert says is not None
    assert [int(number) for number in says.groups()] == [
        len(ENTRIES), counted["met"], counted["open"], counted["out of scope"],
    ]  # fmt: skip
    assert share_met(ENTRIES) >= LEAST


def test_a_test_that_is_gone_would_be_found() -> None:
    row = "| a/b#1 | It does. | met | `tests/test_expectations.py::test_gone`<br>`tests/gone.py::test_x` |"
    [entry] = entries(row)

    assert [name in names_in(file) for file, name in entry.tests] == [False, False]


def test_what_is_out_of_scope_counts_neither_way() -> None:
    rows = "\n".join(f"| a/b#{n} | It does. | {v} | - |" for n, v in enumerate(("met", "met", "open", "out of scope")))
    # 2 ÷ (2 + 1)
    assert share_met(entries(rows)) == pytest.approx(2 / 3)
