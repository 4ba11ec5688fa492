"""Findings as a page prints them: grouped, their remedy said once, what passes in a line."""

from __future__ import annotations

from generator.catalogue import load
from generator.findings import Finding
from generator.frame import Analysis
from generator.render.finding_groups import FindingPrinter, alike, quoted_by
from generator.sentence import Listing, Quantity, Sentence, say
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
    (group,) = printed(*both).groups(both, whole=False)
    assert (group.title, group.status) == ("KV accounting", "unknown")
    assert [found.id for found in group.found] == ["finding-1", "finding-2"]
    assert [found.remedy for found in group.found] == [None, None]
    assert group.remedy == "Run it again."


def test_a_remedy_that_is_not_shared_stays_with_its_finding() -> None:
    differing = (unknown(BASELINE), unknown(COMPARED, say("问作者。", "Ask the author.")))
    (group,) = printed(*differing).groups(differing, whole=False)
    assert group.remedy is None
    assert [found.remedy for found in group.found] == ["Run it again.", "Ask the author."]
    (alone,) = printed(unknown(BASELINE)).groups([unknown(BASELINE)], whole=False)
    assert (alone.remedy, alone.found[0].remedy) == (None, "Run it again.")


def test_a_report_lists_the_evidence_that_a_finding_does_not_quote_and_the_page_of_checks_all() -> None:
    message = say("{n}", "The step is {n}.", n=Quantity(ITL))
    finding = Finding("faster_than_the_floor", "warn", message, BASELINE, evidence=(ITL, FLOOR))
    shown = {whole: printed(finding).groups([finding], whole=whole)[0].found[0].evidence for whole in (False, True)}
    assert [text_of(fragment(one)).split(",")[0].strip() for one in shown[False]] == ["decode step floor"]
    assert len(shown[True]) == 2


def test_checks_that_pass_are_named_with_their_series_only_where_another_does_not() -> None:
    all_pass = printed(passing(BASELINE), passing(COMPARED))
    assert [note.where for note in all_pass.passed(all_pass.printer.analysis.findings)] == [""]
    mixed = printed(passing(BASELINE), unknown(COMPARED))
    (note,) = mixed.passed(mixed.printer.analysis.findings)
    assert note.where.striptags() == "vLLM BF16"


def test_what_passes_is_told_on_the_page_of_checks() -> None:
    told = printed(passing(BASELINE), unknown(COMPARED))
    links = [told.link(finding) for finding in told.printer.analysis.findings]
    assert links == ["checks.html#finding-1", "#finding-2"]


def test_alike_keeps_the_order_of_the_first_of_each() -> None:
    one, other, third = unknown(BASELINE), passing(None), unknown(COMPARED)
    assert alike([one, other, third]) == [[one, third], [other]]


def test_all_that_a_sentence_prints_is_quoted() -> None:
    inner = say("{a}", "{a}", a=Quantity(FLOOR))
    sentence = say("{x}{y}", "{x}{y}", x=Listing((Quantity(ITL),)), y=inner)
    assert list(quoted_by(sentence)) == [ITL, FLOOR]
    assert list(quoted_by(None)) == []
