"""Findings as a page prints them: grouped, their remedy said once, what passes in a line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.catalogue import load
from generator.frame import Analysis
from generator.render.views.finding_groups import FindingPrinter, Tally, alike, tallies
from generator.told.findings import Finding, Status
from generator.told.sentence import Quantity, Sentence, say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer, small_analysis
from tests.support.sites import fragment, text_of

ITL = Address("itl_p50", "level", BASELINE, "c8")
FLOOR = Address("decode_floor", "level", BASELINE, "c8")
AGAIN = say("再跑一遍。", "Run it again.")


def printed(*findings: Finding) -> FindingPrinter:
    analysis = small_analysis()
    return FindingPrinter(printer("en", Analysis(analysis.round, analysis.frame, findings)), load().checks)


def unknown(series: str, remedy: Sentence | None = AGAIN) -> Finding:
    return Finding("kv_accounting", "unknown", say("不知", "cannot be known"), series, remedy=remedy)


def passing(series: str | None) -> Finding:
    return Finding("kv_accounting", "pass", say("对上了", "meets"), series, evidence=(ITL,))


def test_findings_of_one_check_and_status_share_title_and_remedy() -> None:
    both = (unknown(BASELINE), unknown(COMPARED))
    (group,) = printed(*both).groups(both)
    assert (group.check, group.title, group.shown) == ("kv_accounting", "KV accounting", "unknown")
    assert [found.id for found in group.found] == ["finding-1", "finding-2"]
    assert [found.remedy for found in group.found] == [None, None]
    assert group.remedy == "Run it again."


def test_a_remedy_that_is_not_shared_stays_with_its_finding() -> None:
    differing = (unknown(BASELINE), unknown(COMPARED, say("问作者。", "Ask the author.")))
    (group,) = printed(*differing).groups(differing)
    assert group.remedy is None
    assert [found.remedy for found in group.found] == ["Run it again.", "Ask the author."]
    (alone,) = printed(unknown(BASELINE)).groups([unknown(BASELINE)])
    assert (alone.remedy, alone.found[0].remedy) == (None, "Run it again.")


def test_the_page_of_checks_lists_all_evidence() -> None:
    message = say("{n}", "The step is {n}.", n=Quantity(ITL))
    finding = Finding("faster_than_the_floor", "warn", message, BASELINE, evidence=(ITL, FLOOR))
    shown = printed(finding).groups([finding])[0].found[0].evidence
    assert [text_of(fragment(one)).split(",")[0].strip() for one in shown] == ["ITL p50", "decode step floor"]


def warning(check: str = "failed_requests", status: Status = "warn") -> Finding:
    return Finding(check, status, say("坏", "is bad"), BASELINE)


def test_every_finding_is_told_whole_on_the_page_of_checks() -> None:
    told = printed(passing(BASELINE), unknown(COMPARED), warning(), warning(status="note"))
    links = [told.link(finding) for finding in told.printer.analysis.findings]
    assert links == [f"checks.html#finding-{n}" for n in (1, 2, 3, 4)]


def test_what_spoils_levels_goes_first_then_what_failed_then_what_favours_a_series() -> None:
    found = (
        warning("a"),
        replace(warning("b"), looks="worse"),
        warning("c", "fail"),
        replace(warning("d", "fail"), spoils=("c8",)),
    )
    told = printed(*found)
    assert [one.finding.check for one in told.grave(found)] == ["d", "c", "b", "a"]


@pytest.mark.parametrize(
    ("failures", "warnings", "first"),
    [
        pytest.param(0, 5, 6, id="few"),
        pytest.param(0, 7, 7, id="one more does not unfold alone"),
        pytest.param(1, 9, 6, id="many"),
        pytest.param(8, 2, 8, id="failures are never folded"),
    ],
)
def test_a_report_lists_six_findings_and_every_failure(failures: int, warnings: int, first: int) -> None:
    found = [warning(f"f{n}", "fail") for n in range(failures)] + [warning(f"w{n}") for n in range(warnings)]
    told = printed(*found)
    assert told.shown_first(told.grave(found)) == first


def test_a_finding_is_told_in_its_first_sentence_with_the_other_series_that_have_it() -> None:
    message = say("甲。乙。", "One thing. Another thing.")
    both = (replace(warning(), message=message), replace(warning(), message=message, series=COMPARED))
    (told,) = printed(*both).grave(both)
    assert (told.said, told.also.striptags()) == ("One thing.", "(also llama.cpp Q4_K_M)")


def test_findings_are_counted_as_they_are_shown() -> None:
    found = (passing(None), replace(passing(None), is_empty=True), passing(BASELINE), warning())
    assert tallies(found) == (Tally("warn", 1), Tally("pass", 2), Tally("empty", 1))


def test_alike_keeps_the_order_of_the_first_of_each() -> None:
    one, other, third = unknown(BASELINE), passing(None), unknown(COMPARED)
    assert alike([one, other, third]) == [[one, third], [other]]


def test_a_series_with_two_findings_of_a_check_is_named_once() -> None:
    twice = (unknown(BASELINE), replace(unknown(BASELINE), levels=("c8",)), unknown(COMPARED))
    (brief,) = printed(*twice).briefs(twice)
    (note,) = printed(*twice).notes(twice)

    assert text_of(fragment(str(brief.also))).strip() == "(also llama.cpp Q4_K_M)"
    assert text_of(fragment(str(note.where))).strip() == "vLLM BF16 and llama.cpp Q4_K_M"
