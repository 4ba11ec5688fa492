"""What a page's template is given."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from generator.catalogue import load
from generator.frame import Analysis
from generator.render.environment import environment
from generator.render.page import Location, ReportView, Site, render, report_view
from generator.render.views.reports import tell
from generator.render.wording.article import Article
from generator.text import Lang, Text
from generator.told.blocks import Heading, LedgerLine, Paragraph, Row, Table
from generator.told.findings import SHOWN, Finding
from generator.told.sentence import Quantity, SeriesName, say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, printer, small_analysis
from tests.support.sites import fragment, text_of

NOTHING = Article(Markup(), ())
ITL = Address("itl_p50", "level", BASELINE, "c8")
FLOOR = Address("decode_floor", "level", BASELINE, "c8")


def site(base_url: str | None = None) -> Site:
    return Site(Text(zh="站", en="Site"), "zh", base_url, environment())


def view(lang: Lang = "en", analysis: Analysis | None = None, report: str = "comparison") -> ReportView:
    analysis, catalogue = analysis or small_analysis(), load()
    reports = tell(analysis, catalogue, {})
    told = next(one for one in reports if one.report.key == report)
    return report_view(told, reports, catalogue.checks, {}, printer(lang, analysis), "../data/")


@pytest.mark.parametrize(
    ("path", "root"), [("index.html", "../"), ("rounds/round-2/index.html", "../../../")]
)  # fmt: skip
def test_a_page_knows_its_way_up(path: str, root: str) -> None:
    where = Location("zh", path)
    assert (where.root, where.in_language("en"), where.other) == (root, f"en/{path}", "en")


def test_a_number_in_doubt_is_marked_where_it_stands_in_a_table() -> None:
    analysis = small_analysis()
    finding = Finding("tail_percentiles", "note", say("疑", "doubt"), doubts=(ITL,))
    doubtful = Analysis(analysis.round, analysis.frame, (finding,))
    cell = fragment(view("en", doubtful).cell(Quantity(ITL)))
    assert text_of(cell).split() == ["16.63", "ms", "†"]
    assert "†" not in view("en", analysis).cell(Quantity(ITL))


def test_a_table_names_once_what_doubts_its_numbers() -> None:
    analysis = small_analysis()
    finding = Finding("tail_percentiles", "note", say("疑", "doubt"), series=BASELINE, doubts=(ITL, FLOOR))
    told = view("en", Analysis(analysis.round, analysis.frame, (finding,)))
    heading = Heading(say("数", "number"))
    doubtful, sound = (
        Table("t", say("表", "table"), (heading,), tuple(Row((Quantity(one),)) for one in addresses))
        for addresses in ((ITL, FLOOR), (Address("itl_p50", "level", BASELINE, "c1"),))
    )
    assert [note.finding for note in told.doubts_in(doubtful)] == [finding]
    assert told.doubts_in(sound) == ()


def test_a_ledger_line_shows_arithmetic_or_where_the_number_was_read() -> None:
    # The floor is (W + C × L × kv) ÷ BW, here 14.14 GB, 8, 1152 tok, 56 KiB and 1008 GB/s.
    shown = text_of(fragment(view().expression(LedgerLine(Quantity(FLOOR)))))
    assert shown.replace("\u202f", " ").strip() == "(14.14 GB + 8 × 63.0 MiB) ÷ 1,008 GB/s"
    assert f"{BASELINE}/<wbr>published.csv, itl_p50" in view().expression(LedgerLine(Quantity(ITL)))
    assert view("zh").label(LedgerLine(Quantity(FLOOR))) == "解码步长下限 <i>t<sub>floor</sub></i>"


def test_evidence_says_what_it_is_the_number_of() -> None:
    shown = text_of(fragment(view().findings.named(Address("itl_p50", "level", COMPARED, "c64"))))
    assert shown.strip() == "ITL p50, llama.cpp Q4_K_M C=64: —"


def test_links_between_languages_are_there_only_where_the_address_is_known() -> None:
    page = render(
        site("https://example.org/bench"),
        "article.html",
        Location("en", "about.html"),
        title="",
        article=NOTHING,
        example=None,
    )
    assert '<link rel="canonical" href="https://example.org/bench/en/about.html">' in page
    assert '<link rel="alternate" hreflang="zh-CN" href="https://example.org/bench/zh/about.html">' in page
    assert 'hreflang="x-default" href="https://example.org/bench/zh/about.html"' in page
    assert "canonical" not in render(
        site(), "article.html", Location("en", "about.html"), title="", article=NOTHING, example=None
    )


def noted(*findings: Finding, lang: Lang = "en") -> dict[str, list[tuple[str, str]]]:
    """Return the notes of each section that has any: the id of the finding, and what it speaks of."""
    analysis = small_analysis()
    found = Analysis(analysis.round, analysis.frame, findings)
    views = [view(lang, found, report) for report in ("comparison", "measurement")]
    shown = {
        section.key: [(told.findings.id(note.finding), note.where.striptags()) for note in section.notes]
        for told in views
        for section in told.sections
    }
    return {key: notes for key, notes in shown.items() if notes}


def warning(*levels: str, series: str | None = BASELINE) -> Finding:
    return Finding("data_integrity", "warn", say("疑", "doubt"), series=series, levels=levels)


def test_a_section_shows_the_grave_findings_of_its_checks() -> None:
    passed = Finding("data_integrity", "pass", say("够", "enough"))
    failed = Finding("output_tokens", "fail", say("缺", "short"), series=COMPARED)
    assert noted(warning("c1"), passed, failed) == {
        "crossover": [("finding-3", "llama.cpp Q4_K_M")], "data": [("finding-1", "vLLM BF16 C=1")],
    }  # fmt: skip


def test_a_note_names_a_few_levels_and_no_long_list() -> None:
    assert noted(warning("c1", "c8"))["data"] == [("finding-1", "vLLM BF16 C=1 and C=8")]
    assert noted(warning("c1", "c8", "c64", "c64"))["data"] == [("finding-1", "vLLM BF16")]


def test_what_is_of_the_whole_round_stands_beside_no_section() -> None:
    assert noted(warning(series=None)) == {}


def test_findings_of_several_series_share_a_note() -> None:
    both = noted(warning("c1"), warning("c1", series=COMPARED))
    assert both["data"] == [("finding-1", "vLLM BF16 and llama.cpp Q4_K_M")]
    assert noted(*(warning("c1", series=f"s{n}") for n in range(4)), lang="zh")["data"] == [("finding-1", "4 个系列")]
    assert noted(*[warning("c1", "c8")] * 4, lang="zh")["data"] == [("finding-1", "vLLM BF16")]


def test_the_page_of_checks_lists_everything_by_status() -> None:
    told = view()
    listed = [found.id for groups in told.by_status.values() for group in groups for found in group.found]
    assert sorted(listed) == sorted(told.findings.id(finding) for finding in told.analysis.findings)
    assert list(told.by_status) == [one for one in SHOWN if one in {f.shown for f in told.analysis.findings}]


def test_every_section_names_checks_that_there_are() -> None:
    catalogue = load()
    assert {check for section in catalogue.sections.values() for check in section.checks} <= set(catalogue.checks)


def test_every_check_stands_in_the_margin_of_a_section() -> None:
    catalogue = load()
    named = {check for section in catalogue.sections.values() for check in section.checks}
    assert set(catalogue.checks) - named == {"prose_references"}  # the authors may write anywhere


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_description_is_the_first_sentence_of_the_verdict(lang: Lang) -> None:
    told = view(lang)
    lead = told.printer.plain_sentence(
        next(b for b in told.sections[0].chapter.blocks if isinstance(b, Paragraph)).sentence
    )
    assert lead.startswith(told.description)
    assert told.description.endswith("。" if lang == "zh" else ".")
    assert 20 < len(told.description) < len(lead)
    assert not [sign for sign in "<>{}" if sign in told.description]


def test_a_number_behind_a_figure_leads_nowhere() -> None:
    told = view()
    assert told.printer.unlinked(Quantity(ITL, bare=True)) == "16.63"
    assert told.printer.unlinked(SeriesName(BASELINE)) == '<b class="s0">vLLM BF16</b>'
