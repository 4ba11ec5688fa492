"""Strips of who leads where as numbers: rows of the CSV, the data table, and the text in place of the drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Final

from generator.render.plotting.axis_texts import amount_text
from generator.render.plotting.lead_places import SIGNS, name_of
from generator.render.wording.numbers import Printer, spaced, unit_sign
from generator.render.wording.rounding import exact, written
from generator.text import Text, same
from generator.told.blocks import Heading, Row, Table
from generator.told.figure_model import Basis, FigureModel, LeadPlot, LeadStrip, Reach
from generator.told.sentence import Listing, Sentence, SeriesName, say

LEAD_COLUMNS: Final = ("baseline", "compared", "metric", "leader", "begin", "end", "state")
BASES: Final[Mapping[Basis, Text]] = {
    "measured": Text(zh="两侧的测量", en="measured on both sides"),
    **SIGNS,
}
NOTHING: Final = Text(zh="没有一段定得下来", en="nothing is settled")


def lead_cells(plot: LeadPlot) -> Iterator[tuple[str | float, ...]]:
    """Yield a row for each stretch of each strip."""
    for strip in plot.strips:
        for reach in strip.reaches:
            yield *strip.sides, strip.metric, reach.leader or "", reach.begin, reach.end, reach.basis


def lead_table(model: FigureModel, plot: LeadPlot, printer: Printer) -> Table:
    """Return a row for each stretch of each strip; of several pairs, with the series compared with the baseline."""
    several = len({strip.sides for strip in plot.strips}) > 1
    headings = (
        Heading(say("量", "quantity")),
        *([Heading(say("系列", "series"), is_text=True)] if several else []),
        Heading(say("数更好的一方", "ahead"), is_text=True),
        Heading(say("从", "from")),
        Heading(say("到", "to")),
        Heading(say("依据", "rests on"), is_text=True),
    )
    rows = tuple(
        Row(
            (
                strip.name,
                *([SeriesName(strip.sides[1])] if several else []),
                same(name_of(None, printer)) if reach.leader is None else SeriesName(reach.leader),
                same(_end_text(reach.begin, plot, printer)),
                same(_end_text(reach.end, plot, printer)),
                BASES[reach.basis],
            )
        )
        for strip in plot.strips
        for reach in strip.reaches
    )
    return Table(f"{model.key}-data", model.title, headings, rows)


def _end_text(load: float, plot: LeadPlot, printer: Printer) -> str:
    """Return where a stretch ends: a tenth of a load is all that an interpolated one bears, as sentences quote it."""
    if load < 1 or float(load).is_integer():
        return amount_text(load, plot.x, printer.lang)
    return written(exact(load), 1, printer.lang) + spaced(unit_sign(plot.x.unit, "plain"))


def _sides(strip: LeadStrip) -> Sentence:
    return say("{a} 与 {b}", "{a} and {b}", a=SeriesName(strip.sides[0]), b=SeriesName(strip.sides[1]))


def tell_leads(plot: LeadPlot, printer: Printer) -> list[str]:
    """Return a sentence a strip: who leads from where to where as far as that is settled, and where it is open."""
    told = []
    for strip in plot.strips:
        known = tuple(same(reach_text(reach, plot, printer)) for reach in strip.reaches if reach.basis == "measured")
        listed = Listing(known) if known else NOTHING
        sentence = say(
            "{pair}，{what}：{all}", "{pair}, {what}: {all}", pair=_sides(strip), what=strip.name, all=listed
        )
        left = tuple(_from_to(*ends, plot, printer) for ends in _open_ends(strip))
        if left:
            sentence = say("{told}；未定：{left}", "{told}; open: {left}", told=sentence, left=Listing(left))
        told.append(printer.plain_sentence(sentence))
    return told


def _open_ends(strip: LeadStrip) -> Iterator[tuple[float, float]]:
    """Yield from where to where it is open who leads, whoever has the better number there."""
    for basis, alike in groupby(strip.reaches, key=attrgetter("basis")):
        if basis == "open":
            joined = list(alike)
            yield joined[0].begin, joined[-1].end


def _from_to(begin: float, end: float, plot: LeadPlot, printer: Printer) -> Sentence:
    low, high = (same(_end_text(one, plot, printer)) for one in (begin, end))
    return say("从 {low} 到 {high}", "from {low} to {high}", low=low, high=high)


def reach_text(reach: Reach, plot: LeadPlot, printer: Printer) -> str:
    """Return what a stretch says when it is asked."""
    ends = _from_to(reach.begin, reach.end, plot, printer)
    told = say("{who}，{ends}", "{who} {ends}", who=same(name_of(reach.leader, printer)), ends=ends)
    if reach.basis != "measured":
        told = say("{told}（{why}）", "{told} ({why})", told=told, why=BASES[reach.basis])
    return printer.plain_sentence(told)
