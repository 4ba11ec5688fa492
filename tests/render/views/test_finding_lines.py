"""What ``rounds check`` prints."""

from __future__ import annotations

from dataclasses import replace

from generator.render.views.finding_lines import finding_lines
from generator.text import Lang
from generator.told.findings import Finding, Status
from generator.told.sentence import say
from tests.support.analyses import printer, small_analysis


def finding(check: str, status: Status, words: str, *, is_empty: bool = False) -> Finding:
    return Finding(check, status, say("话", words), is_empty=is_empty)


FOUND = (
    finding("a", "fail", "is broken"),
    finding("bbb", "warn", "is odd"),
    finding("c", "warn", "is odder"),
    finding("d", "pass", "fits"),
    finding("e", "pass", "has nothing", is_empty=True),
)


def lines(*findings: Finding, whole: bool = False, lang: Lang = "en") -> list[str]:
    return list(finding_lines(printer(lang, replace(small_analysis(), findings=findings)), whole=whole))


def test_findings_stand_below_their_status_and_what_passed_is_counted() -> None:
    assert lines(*FOUND) == [
        "Failed: 1",
        "  a  is broken",
        "Warnings: 2",
        "  bbb  is odd",
        "  c    is odder",
        "Passed: 1; --all lists them",
        "Not applicable: 1; --all lists them",
    ]


def test_all_of_them_are_listed_where_that_is_asked() -> None:
    assert lines(*FOUND, whole=True)[5:] == ["Passed: 1", "  d  fits", "Not applicable: 1", "  e  has nothing"]


def test_chinese_has_its_own_punctuation() -> None:
    assert lines(FOUND[3], FOUND[4], lang="zh") == ["通过的：1 条；--all 逐条列出", "不适用的：1 条；--all 逐条列出"]
    assert lines(FOUND[0], lang="zh") == ["不通过的：1 条", "  a  话"]
    assert lines(FOUND[3], lang="zh") == ["通过的：1 条；--all 逐条列出"]


def test_names_cannot_command_the_terminal() -> None:
    (_, line) = lines(finding("a", "warn", "\x1b[31mred"))

    assert "\x1b" not in line
