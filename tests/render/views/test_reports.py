"""Which reports a round has, and where what another of them tells is found."""

from __future__ import annotations

from dataclasses import replace

from generator.frame import Analysis
from generator.kinds import Missing
from generator.render.site import draw_figures
from generator.render.views.reports import (
    Drawn,
    Outline,
    Reports,
    Told,
    lacking,
    outlines_beside,
    pages_elsewhere,
    tell,
)
from generator.report_kinds import NOTHING, Chapter, Report, Section
from generator.text import Text, same
from generator.told.blocks import Block, ByLoad, FigureBlock, Folded, Ledger, LoadLine, Paragraph, Subheading, Table
from generator.told.sentence import say
from tests.support.analyses import printer, small_analysis
from tests.support.telling import catalogue

WORD = Text(zh="图", en="figure")
REASON = Missing(say("没有", "nothing"))
TABLE = Table("rows", say("表", "table"), (), ())


def section(key: str, *blocks: Block, lacks: Text | None = None, heading: str = "") -> tuple[Section, Chapter]:
    chapter = Chapter(say(heading or key, heading or key), blocks, lacks)
    return Section(key, lambda _: chapter), chapter


def report(key: str, *, continues: bool = False) -> Report:
    return Report(key, 1, same(key), same("?"), (), lambda _: None, continues)


FRONT = Told(report("comparison"), (section("verdict", Paragraph(say("好", "good"))),))
WHY = Told(
    report("why", continues=True),
    (
        section("ledger", Ledger("bytes", say("账", "ledger"), ()), TABLE, Subheading("part", say("段", "part"))),
        section("steps", FigureBlock("step"), lacks=WORD),
        section("plain", Folded(say("折", "folded"), replace(TABLE, key="inner"))),
    ),
)
CURVE = Told(report("curve"), (section("curve", FigureBlock("curve")), section("verdict")))
REPORTS: Reports = (FRONT, WHY, CURVE, Told(report("cold"), lacks=WORD))
DRAWN: Drawn = {"step": REASON}


def test_a_chapter_lacks_what_its_figures_lack_unless_one_is_drawn() -> None:
    analysis = small_analysis()
    drawn = draw_figures(catalogue(), analysis)
    (bare, chapter), (other, drawable) = (
        section("a", FigureBlock("step"), lacks=WORD),
        section("b", FigureBlock("throughput"), lacks=WORD),
    )

    assert lacking(bare, chapter, analysis, DRAWN) == WORD
    assert lacking(other, drawable, analysis, drawn) is None
    assert lacking(*section("c"), analysis, DRAWN) is None  # it says so itself


def test_what_another_page_has_is_found_by_its_section_figure_or_table() -> None:
    assert pages_elsewhere(FRONT, REPORTS) == {
        "ledger": "why.html", "ledger-bytes": "why.html", "rows": "why.html", "part": "why.html",
        "steps": "why.html", "fig-step": "why.html", "plain": "why.html", "inner": "why.html",
        "curve": "curve.html", "fig-curve": "curve.html",
    }  # fmt: skip
    assert pages_elsewhere(WHY, REPORTS)["verdict"] == "index.html"  # the first of two pages that tell it


def test_what_the_guide_says_of_a_gap_has_a_place_of_its_own() -> None:
    line = LoadLine("guide-gap-turns-b-c1-c2", say("更替", "turns"), ((1.0, 2.0),))
    guide = Told(report("guide"), (section("choosing", ByLoad(say("负载", "loads"), (line,))),))

    assert pages_elsewhere(FRONT, (FRONT, guide))["guide-gap-turns-b-c1-c2"] == "guide.html"


def test_the_contents_of_what_goes_on_from_the_front_page_stand_beside_it_and_it_beside_them() -> None:
    (why,) = outlines_beside(FRONT, REPORTS, DRAWN, printer("en"))

    assert (why.report.key, why.holds) == ("why", "steps fig-step")
    assert [(one.way, one.heading, one.holds) for one in why.entries] == [
        ("why.html#ledger", "ledger", "ledger-bytes rows part"),
        ("why.html#plain", "plain", "inner"),
    ]
    (front,) = outlines_beside(WHY, REPORTS, DRAWN, printer("en"))
    assert isinstance(front, Outline)
    assert [one.way for one in front.entries] == ["index.html#verdict"]
    assert outlines_beside(CURVE, REPORTS, DRAWN, printer("en")) == ()


def told_of(analysis: Analysis, *sections: tuple[Section, Chapter]) -> Told:
    """Return a report of these sections, as it is told of a round."""
    made = catalogue()
    one = replace(report("own"), sections=tuple(found.key for found, _ in sections))
    parts = {found.key: found for found, _ in sections}
    (told,) = tell(analysis, replace(made, reports=(one,), sections=parts), DRAWN)
    return told


def test_a_report_whose_sections_only_say_what_the_round_lacks_is_not_made() -> None:
    bare, full = section("a", FigureBlock("step"), lacks=WORD), section("b", Paragraph(say("好", "good")))

    assert told_of(small_analysis(), bare).lacks == NOTHING
    made = told_of(small_analysis(), bare, full)
    assert (made.lacks, [found.key for found, _ in made.story]) == (None, ["a", "b"])
