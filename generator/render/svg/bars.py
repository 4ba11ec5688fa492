"""Stacked horizontal bars as static SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from generator.render.files.figures import limit_text, segment_text
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.looks import accent_of
from generator.render.plotting.palette import ACCENTS
from generator.render.plotting.scales import Ruler
from generator.render.svg.axes import BELOW, EDGE, ROW, Field, Sheet, horizontal_axis
from generator.render.wording.markup import fitted, label, rounded, shortened, stroke, tag, text_width
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Bar, BarPlot, Segment

BAR: Final = 34.0
GAP: Final = 14.0
PADDING: Final = 8.0
SEAM: Final = 2.0
"""Gap between two segments, so that equal fills stay apart."""

ROOM: Final = 1.03
TILE: Final = 7.0


def draw_bars(
    plot: BarPlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet, prefix: str
) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height; ``prefix`` keeps the ids of its patterns apart."""
    top = ROW + 2 * EDGE if plot.limit is not None else EDGE
    ruler = Ruler("linear", 0.0, _furthest(plot) * ROOM, EDGE, sheet.width - 4 * EDGE)
    drawn, y = [], top
    for bar in plot.bars:
        accent = accent_of(bar.series, accents)
        row, y = _bar(bar, accent, plot, ruler, y, printer, prefix)
        drawn.append(row)
    field = Field(ruler, Ruler("linear", 0.0, 1.0, y, top))
    hatched = {accent_of(b.series, accents) for b in plot.bars if any(s.fill == "hatched" for s in b.segments)}
    return (
        Markup("").join(
            [
                tag("defs", *(hatch(accent, prefix) for accent in range(ACCENTS) if accent in hatched)),
                horizontal_axis(plot.x, axis_title(plot.x, printer.lang), field, sheet.most_x, printer.lang),
                *drawn,
                _limit(plot, field, printer),
            ]
        ),
        y + BELOW,
    )


def _furthest(plot: BarPlot) -> float:
    ends = [math.fsum(_length(part) for part in bar.segments) for bar in plot.bars]
    limit = plot.limit if plot.limit is not None and math.isfinite(plot.limit) else 0.0
    return max([*ends, limit], default=0.0) or 1.0


def _length(segment: Segment) -> float:
    """Return how far a segment reaches; one below zero cannot be stacked and has no length."""
    return segment.length if math.isfinite(segment.length) and segment.length > 0 else 0.0


def _bar(
    bar: Bar, accent: int, plot: BarPlot, ruler: Ruler, top: float, printer: Printer, prefix: str
) -> tuple[Markup, float]:
    """Return a bar with its name above it and where the next one starts."""
    name = shortened(printer.words(bar.name), ruler.end - ruler.start)
    drawn = [label(name, EDGE, top + ROW - EDGE, f"label s{accent}")]
    y, at, outside = top + ROW + EDGE, 0.0, []
    for part in bar.segments:
        start, end = ruler.at(at), ruler.at(at + _length(part))
        at += _length(part)
        told = f"{printer.words(part.name)} {segment_text(part, plot.x, printer)}"
        drawn.append(_segment(part, accent, start, end, y, f"{printer.words(bar.name)} · {told}", prefix))
        if text_width(told) + 2 * PADDING <= end - start:
            drawn.append(label(told, start + PADDING, y + BAR / 2 + 4.5, f"inside {part.fill}"))
        else:
            outside.append(told)
    below = y + BAR
    if outside:
        lines = _wrapped(outside, ruler.end - ruler.start)
        drawn.extend(_below(line, ruler, ruler.at(at), below + ROW * n - 3) for n, line in enumerate(lines, 1))
        below += ROW * len(lines)
    return Markup("").join(drawn), below + GAP


def _wrapped(told: list[str], width: float) -> list[str]:
    """Return texts joined into lines as long as fit."""
    lines = [fitted(told[0], width)]
    for text in told[1:]:
        joined = f"{lines[-1]} · {text}"
        if text_width(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(fitted(text, width))
    return lines


def _below(text: str, ruler: Ruler, end: float, y: float) -> Markup:
    """Return what did not fit into the segments, below the bar, ending where it ends as far as it can."""
    return label(text, max(end, ruler.start + text_width(text)), y, "label below", "end")


def _segment(part: Segment, accent: int, start: float, end: float, y: float, told: str, prefix: str) -> Markup:
    width = max(0.0, end - start - SEAM)
    fill: dict[str, str | float] = {}
    if part.fill == "hatched":
        fill = {"fill": f"url(#{prefix}-hatch-{accent})"}
    return tag("rect", tag("title", told), class_=f"bar {part.fill} s{accent}", x=start, y=y,
               width=width, height=BAR, **fill)  # fmt: skip


def hatch(accent: int, prefix: str) -> Markup:
    """Return the pattern of what is hatched in the colour of a series."""
    d = f"M0 {rounded(TILE)}L{rounded(TILE)} 0"
    return tag(
        "pattern",
        tag("rect", class_="ground", width=TILE, height=TILE),
        tag("path", class_="hatch", d=d),
        id=f"{prefix}-hatch-{accent}", class_=f"s{accent}", width=TILE, height=TILE, patternUnits="userSpaceOnUse",
    )  # fmt: skip


def _limit(plot: BarPlot, field: Field, printer: Printer) -> Markup:
    if plot.limit is None or not math.isfinite(plot.limit) or plot.limit < 0:
        return Markup("")
    x = field.x.at(plot.limit)
    text = fitted(limit_text(plot, printer.lang), field.right - field.left)
    anchor, at = ("end", x + EDGE) if x > (field.left + field.right) / 2 else ("start", x - EDGE)
    at = max(at, field.left + text_width(text)) if anchor == "end" else at
    return stroke(x, ROW + 2, x, field.bottom, "limit") + label(text, at, ROW - EDGE, "label limit", anchor)
