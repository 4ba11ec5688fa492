"""Strips of who leads where, as static SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from markupsafe import Markup

from generator.render.files.leads import reach_text
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.lead_places import (
    BAR,
    SIGNS,
    Placed,
    ends_of,
    leaders,
    name_of,
    placed,
    strips_of,
    unsettled,
)
from generator.render.plotting.looks import Look, accent_of
from generator.render.plotting.palette import ACCENTS
from generator.render.plotting.scales import Ruler, drawable, span, ticks
from generator.render.svg.axes import BELOW, EDGE, Field, Sheet, horizontal_axis
from generator.render.svg.bars import hatch
from generator.render.svg.key import SWATCH, Entry, rows
from generator.render.wording.markup import BOLD, group, label, rounded, shortened, tag
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Basis, LeadPlot, Reach

SIGN: Final = 11.0
HATCHES: Final = (0.0, 5.0, 10.0, 15.0)
"""Where the lines of a hatched sign begin, from its left."""
FILLS: Final[Mapping[Basis, str]] = {"measured": "solid", "open": "hatched", "extrapolated": "empty"}
ABOVE: Final = 1.5 * EDGE
"""How far a name stands above its bar: letters that reach below the line stay clear of it."""


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
        if reach.leader is not None and reach.basis == "open"
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
    drawn = [label(words, EDGE, at - ABOVE)]
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
        class_ = f"bar {FILLS[reach.basis]} s{accent}"
        fill = {"fill": f"url(#{prefix}-hatch-{accent})"} if reach.basis == "open" else {}
    return tag("rect", tag("title", told), class_=class_, x=begin, y=y, width=end - begin, height=BAR, **fill)


def _entries(plot: LeadPlot, accents: Mapping[str, int], printer: Printer) -> list[Entry]:
    """Return the key: whose colour is whose, and what is not solid."""
    named = [_entry(leader, accents, printer) for leader in leaders(plot)]
    return named + [_sign_of(SIGNS[basis][printer.lang], basis) for basis in unsettled(plot)]


def _entry(leader: str | None, accents: Mapping[str, int], printer: Printer) -> Entry:
    if leader is None:
        return _sign_of(name_of(None, printer), None)
    return Entry(name_of(leader, printer), Look(accent_of(leader, accents), 0, 0), partial(_sign, "measured"))


def _sign_of(name: str, basis: Basis | None) -> Entry:
    return Entry(name, Look(0, 0, 0), partial(_sign, basis), "floor", is_of_series=False)


def _sign(basis: Basis | None, _: Look, x: float, y: float) -> Markup:
    """Return a small bar; None is one of neither."""
    left, top = x - SWATCH / 2, y - SIGN / 2
    class_ = "frame" if basis is None else "bar solid" if basis == "measured" else "bar empty"
    bar = tag("rect", class_=class_, x=left, y=top, width=SWATCH, height=SIGN)
    if basis != "open":
        return group(bar)
    lines = "".join(f"M{rounded(left + at)} {rounded(top + SIGN)}l{rounded(SIGN)} {rounded(-SIGN)}" for at in HATCHES)
    return group(bar, tag("path", class_="hatch", d=lines))
