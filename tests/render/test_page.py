"""What a page's template is given."""

from __future__ import annotations

import pytest

from generator.blocks import LedgerLine
from generator.catalogue import load
from generator.findings import Finding
from generator.frame import Analysis
from generator.render.derivations import derivations_behind
from generator.render.environment import environment
from generator.render.numbers import anchor
from generator.render.page import Location, ReportView, Site, render, render_panels, report_view
from generator.sentence import Quantity, say
from generator.text import Lang, Text
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, small_analysis
from tests.support.sites import fragment, text_of

ITL = Address("itl_p50", "level", BASELINE, "c8")
FLOOR = Address("decode_floor", "level", BASELINE, "c8")


def site(base_url: str | None = None) -> Site:
    return Site(Text(zh="站", en="Site"), "zh", base_url, environment())


def view(lang: Lang = "en", analysis: Analysis | None = None) -> ReportView:
    return report_view(analysis or small_analysis(), load(), {}, lang, "../data/")


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
    assert text_of(cell).split() == ["16.63", "ms†"]
    assert cell.findall("a")[1].attrib == {
        "class": "doubt", "href": "#findings",
        "title": "a check puts this number in doubt; see the self-checks",
        "aria-label": "a check puts this number in doubt; see the self-checks",
    }  # fmt: skip
    assert "†" not in view("en", analysis).cell(Quantity(ITL))


def test_a_ledger_line_shows_arithmetic_or_where_the_number_was_read() -> None:
    # The floor is (W + C × L × kv) ÷ BW, here 14.14 GB, 8, 1152 tok, 56 KiB and 1008 GB/s.
    shown = text_of(fragment(view().expression(LedgerLine(Quantity(FLOOR)))))
    assert shown.replace("\u202f", " ").strip() == "(14.14 GB + 8 × 1,152 tok × 56.0 KiB) ÷ 1,008 GB/s"
    assert f"{BASELINE}/published.csv, itl_p50" in view().expression(LedgerLine(Quantity(ITL)))
    assert view("zh").label(LedgerLine(Quantity(FLOOR))) == "解码步长地板 <i>t<sub>floor</sub></i>"


def test_evidence_says_what_it_is_the_number_of() -> None:
    shown = text_of(fragment(view().named(Address("itl_p50", "level", COMPARED, "c64"))))
    assert shown.strip() == "ITL p50, llama.cpp Q4_K_M C=64: —"


def test_links_between_languages_are_there_only_where_the_address_is_known() -> None:
    page = render(site("https://example.org/bench"), "about.html", Location("en", "about.html"), prose="")
    assert '<link rel="canonical" href="https://example.org/bench/en/about.html">' in page
    assert '<link rel="alternate" hreflang="zh-CN" href="https://example.org/bench/zh/about.html">' in page
    assert 'hreflang="x-default" href="https://example.org/bench/zh/about.html"' in page
    assert "canonical" not in render(site(), "about.html", Location("en", "about.html"), prose="")


def test_panels_share_the_rows_of_their_inputs() -> None:
    told = view()
    derivations = derivations_behind([told.printer.html(Quantity(FLOOR))], told.printer)
    data = render_panels(site(), Location("en", "rounds/round-2/derivations.html"), derivations)
    floor = fragment(data["panels"][anchor(FLOOR)])
    (body,) = floor.iter("tbody")
    rows = body.attrib["data-rows"].split()
    assert rows[0] == f"series~weight_bytes_per_step~{BASELINE}"
    assert set(rows) <= set(data["rows"])
    assert "weight bytes a step" in data["rows"][rows[0]]
