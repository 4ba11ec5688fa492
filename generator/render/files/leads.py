"""Strips of who leads where as numbers: rows of the CSV, the data table, and the text in place of the drawing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.render.plotting.axis_texts import amount_text
from generator.render.plotting.lead_places import name_of
from generator.render.wording.numbers import Printer, spaced, unit_sign
from generator.render.wording.rounding import exact, written
from generator.text import Text, same
from generator.told.blocks import Heading, Row, Table
from generator.told.figure_model import FigureModel, LeadPlot, LeadStrip, Reach
from generator.told.sentence import Listing, Sentence, SeriesName, say

LEAD_COLUMNS: Final = ("baseline", "compared", "metric", "leader", "begin", "end", "state")
MEASURED: Final = Text(zh="测过", en="measured")
NOT_MEASURED: Final = Text(zh="没有可用的测量", en="no usable measurement")


def lead_cells(plot: LeadPlot) -> Iterator[tuple[str | float, ...]]:
    """Yield a row for each stretch of each strip."""
    for strip in plot.strips:
        for reach in strip.reaches:
            state = "measured" if reach.is_measured else "extrapolated"
            yield *strip.sides, strip.metric, reach.leader or "", reach.begin, reach.end, state


def lead_table(model: FigureModel, plot: LeadPlot, printer: Printer) -> Table:
    """Return a row for each stretch of each strip; of several pairs, with the series compared with the baseline."""
    several = len({strip.sides for strip in plot.strips}) > 1
    headings = (
        Heading(say("量", "quantity")),
        *([Heading(say("系列", "series"), is_text=True)] if several else []),
        Heading(say("领先者", "leader"), is_text=True),
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
                MEASURED if reach.is_measured else NOT_MEASURED,
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
    """Return a sentence for each strip: who leads from where to where, as far as that was measured."""
    told = []
    for strip in plot.strips:
        known = tuple(same(reach_text(reach, plot, printer)) for reach in strip.reaches if reach.is_measured)
        listed = Listing(known) if known else NOT_MEASURED
        told.append(
            printer.plain_sentence(
                say("{pair}，{what}：{all}", "{pair}, {what}: {all}", pair=_sides(strip), what=strip.name, all=listed)
            )
        )
    return told


def reach_text(reach: Reach, plot: LeadPlot, printer: Printer) -> str:
    """Return what a stretch says when it is asked."""
    begin, end = (same(_end_text(end, plot, printer)) for end in (reach.begin, reach.end))
    told = say(
        "{who}，从 {begin} 到 {end}", "{who} from {begin} to {end}",
        who=same(name_of(reach.leader, printer)), begin=begin, end=end,
    )  # fmt: skip
    if not reach.is_measured:
        told = say("{told}（{why}）", "{told} ({why})", told=told, why=NOT_MEASURED)
    return printer.plain_sentence(told)
