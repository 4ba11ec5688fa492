"""Strips of who leads where, as static SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from markupsafe import Markup

from generator.render.files.leads import reach_text
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.lead_places import BAR, Placed, ends_of, leaders, name_of, placed, strips_of
from generator.render.plotting.looks import Look, accent_of
from generator.render.plotting.palette import ACCENTS
from generator.render.plotting.scales import Ruler, drawable, span, ticks
from generator.render.svg.axes import BELOW, EDGE, Field, Sheet, horizontal_axis
from generator.render.svg.bars import hatch
from generator.render.svg.key import SWATCH, Entry, rows
from generator.render.wording.markup import BOLD, group, label, rounded, shortened, tag
from generator.render.wording.numbers import Printer
from generator.told.figure_model import LeadPlot, Reach

SIGN: Final = 11.0


def draw_leads(
    plot: LeadPlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet, prefix: str
) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height; ``prefix`` keeps the ids of its patterns apart."""
    legend, above = rows(_entries(plot, accents, printer), sheet)
    strips, height = placed(plot, printer)
    top = above + EDGE
    ruler = Ruler(plot.x.scale, *span(plot.x, ends_of(plot)), EDGE, sheet.width - 3 * EDGE)
    field = Field(ruler, Ruler("linear", 0.0, 1.0, top + height, top))
    parts = [
        tag("defs", *(hatch(accent, prefix) for accent in _hatched(plot, accents))),
        legend,
        _grid(plot, strips, field, sheet),
        horizontal_axis(plot.x, axis_title(plot.x, printer.lang), field, sheet.most_x, printer.lang),
        *(_strip(one, plot, accents, field, printer, prefix) for one in strips),
    ]
    return Markup("").join(parts), field.bottom + BELOW


def _hatched(plot: LeadPlot, accents: Mapping[str, int]) -> list[int]:
    found = {
        accent_of(reach.leader, accents)
        for strip in plot.strips
        for reach in strip.reaches
        if reach.leader is not None and not reach.is_measured
    }
    return [accent for accent in range(ACCENTS) if accent in found]


def _grid(plot: LeadPlot, strips: Sequence[Placed], field: Field, sheet: Sheet) -> Markup:
    """Return a line at each tick, beside the bars alone: the words between them stay clear."""
    marked = [field.x.at(tick) for tick in ticks(plot.x, field.x.low, field.x.high, sheet.most_x)]
    bars = [field.top + bar for _, bar in strips_of(strips)]
    d = "".join(f"M{rounded(x)} {rounded(y - EDGE)}v{rounded(BAR + 2 * EDGE)}" for x in marked for y in bars)
    return tag("path", class_="axis", d=d)


def _strip(
    one: Placed, plot: LeadPlot, accents: Mapping[str, int], field: Field, printer: Printer, prefix: str
) -> Markup:
    words, at = shortened(one.words, (field.right - field.left) / BOLD), field.top + one.base
    if isinstance(one.of, str):
        return label(words, EDGE, at - EDGE, f"label measured s{accent_of(one.of, accents)}")
    drawn = [label(words, EDGE, at - EDGE)]
    drawn += [
        _reach(reach, at, accents, field, reach_text(reach, plot, printer), prefix)
        for reach in one.of.reaches
        if drawable(reach.begin, plot.x.scale) and drawable(reach.end, plot.x.scale)
    ]
    return Markup("").join(drawn)


def _reach(reach: Reach, y: float, accents: Mapping[str, int], field: Field, told: str, prefix: str) -> Markup:
    begin, end = field.x.at(reach.begin), field.x.at(reach.end)
    class_, fill = "frame", {}
    if reach.leader is not None:
        accent = accent_of(reach.leader, accents)
        class_ = f"bar {'solid' if reach.is_measured else 'hatched'} s{accent}"
        fill = {} if reach.is_measured else {"fill": f"url(#{prefix}-hatch-{accent})"}
    return tag("rect", tag("title", told), class_=class_, x=begin, y=y, width=end - begin, height=BAR, **fill)


def _entries(plot: LeadPlot, accents: Mapping[str, int], printer: Printer) -> list[Entry]:
    return [
        Entry(
            name_of(leader, printer),
            Look(accent_of(leader, accents) if leader is not None else 0, 0, 0),
            partial(_sign, leader is None),
            "measured" if leader is not None else "floor",
        )
        for leader in leaders(plot)
    ]


def _sign(is_even: bool, _: Look, x: float, y: float) -> Markup:
    class_ = "frame" if is_even else "bar solid"
    return group(tag("rect", class_=class_, x=x - SWATCH / 2, y=y - SIGN / 2, width=SWATCH, height=SIGN))
