"""All that is declared, over rounds of every shape: nothing stumbles, and both languages say the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Final

import pytest

from generator.frame import Analysis
from generator.kinds import Missing
from generator.report_kinds import Chapter
from generator.text import LANGS
from generator.told.blocks import Facts, Paragraph, Subheading
from generator.told.figure_model import FigureModel
from generator.told.findings import Finding
from generator.told.sentence import Listing, Sentence
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import all_sentences, catalogue, numbers, outer_sentences, text_of

MEANT: Final = re.compile(
    r"T[123]\b|t[123]_s\b|E2EL|e2el|p50|p95|p99|1/C|1 ÷ T|100%|− 1\b|\b1 −|大于 1|concurrency = 1\b"
    r"|--cache-ram 0|--slot-prompt-similarity 0"
)
"""Digits that belong to a name, a definition or a flag, and quote no datum."""
HALF_WIDTH: Final = re.compile(r"[\u3400-\u9fff][,.:;!?]|[,:;!?][\u3400-\u9fff]")
ILL_SPACED: Final = re.compile(r" {2}|^ | $| [,.;:](?: |$)|[a-z][.;][A-Z]", re.MULTILINE)


@cache
def analysis_of(name: str) -> Analysis:
    return ANALYSES[name]()


@cache
def told(name: str) -> tuple[Chapter | FigureModel | Missing | Finding, ...]:
    """Return all that is told of a round."""
    analysis = analysis_of(name)
    chapters = [section.tell(analysis) for section in catalogue().sections.values()]
    figures = [figure.draw(analysis) for figure in catalogue().figures.values()]
    return (*(chapter for chapter in chapters if chapter is not None), *figures, *analysis.findings)


def sentences() -> Iterator[Sentence]:
    for name in ANALYSES:
        yield from all_sentences(told(name))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def literal(text: str) -> str:
    """Return what is typed of a text: all but its placeholders."""
    return "\0".join(typed for typed, *_ in Formatter().parse(text))


# The parts in their places


def test_the_verdict_comes_first_and_findings_follow_the_data() -> None:
    assert catalogue().report("comparison").sections[0] == "verdict"
    keys = catalogue().report("measurement").sections
    assert keys.index("findings") > keys.index("data"), "findings speak of the rows of data: name them behind it"


def test_orders_and_pages_of_reports_differ() -> None:
    reports = catalogue().reports
    assert len({one.order for one in reports}) == len({one.page for one in reports}) == len(reports)
    assert [one.page for one in reports].count("index.html") == 1


@pytest.mark.parametrize("name", ANALYSES)
def test_every_check_concludes_something(name: str) -> None:
    concluded = {finding.check for finding in analysis_of(name).findings}

    assert concluded in (set(catalogue().checks), {"spoiler"})


@pytest.mark.parametrize("name", ANALYSES)
def test_every_section_and_figure_can_be_told(name: str) -> None:
    assert told(name)


# Sentences


def test_both_languages_name_the_parts_that_there_are() -> None:
    for sentence in sentences():
        parts = set(sentence.parts)
        assert [placeholders(sentence.text[lang]) for lang in LANGS] == [parts, parts], sentence


def test_no_sentence_holds_a_typed_digit() -> None:
    for text in {sentence.text for sentence in sentences()}:
        for lang in LANGS:
            assert not re.search(r"\d", MEANT.sub("", literal(text[lang]))), text


def test_chinese_has_full_width_punctuation() -> None:
    for text in {sentence.text for sentence in sentences()}:
        assert not HALF_WIDTH.search(literal(text.zh)), text


@pytest.mark.parametrize("name", ANALYSES)
def test_english_is_spaced_as_it_should_be(name: str) -> None:
    for sentence in outer_sentences(told(name)):
        assert not ILL_SPACED.search(text_of(sentence, analysis_of(name))), sentence


@pytest.mark.parametrize("name", ANALYSES)
def test_running_text_has_no_gap_where_a_number_is_unknown(name: str) -> None:
    for chapter in told(name):
        if isinstance(chapter, Chapter):
            text = [block for block in chapter.blocks if isinstance(block, (Paragraph, Facts, Subheading))]
            assert "—" not in text_of((chapter.heading, text), analysis_of(name))


@pytest.mark.parametrize("name", ANALYSES)
def test_figures_have_no_gap_in_title_and_caption(name: str) -> None:
    for figure in told(name):
        if isinstance(figure, FigureModel):
            assert "—" not in text_of((figure.title, figure.caption), analysis_of(name))


def test_listings_are_never_empty() -> None:
    for sentence in sentences():
        assert all(part.parts for part in sentence.parts.values() if isinstance(part, Listing))


# Findings


@pytest.mark.parametrize("name", ANALYSES)
def test_findings_give_the_same_numbers_in_both_languages(name: str) -> None:
    analysis = analysis_of(name)
    for finding in analysis.findings:
        for part in (finding.message, finding.bias, finding.remedy):
            zh, en = (numbers(text_of(part, analysis, lang)) for lang in LANGS)
            assert zh == en


@pytest.mark.parametrize("name", ANALYSES)
def test_findings_rest_on_values_that_there_are(name: str) -> None:
    analysis = analysis_of(name)
    rested_on = [address for finding in analysis.findings for address in (*finding.evidence, *finding.doubts)]

    assert [address for address in rested_on if address not in analysis.frame.values] == []


@pytest.mark.parametrize("name", ANALYSES)
def test_only_failures_spoil_and_only_levels_of_their_series(name: str) -> None:
    analysis = analysis_of(name)
    for finding in analysis.findings:
        levels = {level.id for level in analysis.round.series_by_id(finding.series).levels} if finding.series else set()
        assert {*finding.levels, *finding.spoils} <= levels
        assert finding.status == "fail" or not finding.spoils


@pytest.mark.parametrize("name", ANALYSES)
def test_what_is_wrong_comes_with_a_remedy(name: str) -> None:
    graver = [finding for finding in analysis_of(name).findings if finding.status in ("fail", "warn")]

    assert [finding.check for finding in graver if finding.remedy is None and finding.check != "spoiler"] == []


@pytest.mark.parametrize("name", ANALYSES)
def test_no_finding_is_repeated(name: str) -> None:
    said = Counter(text_of(finding, analysis_of(name)) for finding in analysis_of(name).findings)

    assert set(said.values()) == {1}
