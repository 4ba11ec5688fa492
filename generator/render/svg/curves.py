"""Distributions as static SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.curve_places import (
    Box,
    Path,
    Side,
    dot_places,
    name_boxes,
    path_of,
    simplified,
    value_range,
)
from generator.render.plotting.looks import DASHES, Look, look_of, markers
from generator.render.plotting.scales import domain
from generator.render.svg.axes import (
    BELOW,
    EDGE,
    ROW,
    Field,
    Sheet,
    field_of,
    horizontal_axis,
    upright_title,
    vertical_axis,
)
from generator.render.svg.key import key, swatch
from generator.render.wording.markup import TEXT_SIZE, group, label, path, through
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Curve, CurvePlot
from generator.told.sentence import LevelName, SeriesName

THINNEST: Final = 1.1
HEAVIER: Final = 1.3
"""By how much the line of the highest load is wider than that of the lowest, in pixels."""

OF_TRIALS: Final = 0.6
"""How wide the line of a trial is, for that of a level that was run once."""

DOT: Final = 3.4
ANCHORS: Final[Mapping[Side, str]] = {"right": "start", "left": "end"}


def draw_curves(plot: CurvePlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height."""
    series = list(dict.fromkeys(curve.series for curve in plot.drawn))
    named = [(printer.plain(SeriesName(one)), look_of(one, accents)) for one in series]
    legend, above = key(named, _sign, sheet)
    field = _field(plot, sheet, above + ROW + 2 * EDGE, printer)
    paths = [path_of(curve, field) for curve in plot.drawn]
    boxes = name_boxes(level_names(plot.drawn, printer), paths, dot_places(plot, field), field)
    parts = [
        legend,
        upright_title(plot.y, above + ROW - EDGE, sheet, printer.lang),
        vertical_axis(plot.y, field, sheet.most_y, printer.lang),
        horizontal_axis(plot.x, axis_title(plot.x, printer.lang), field, sheet.most_x, printer.lang),
        *(_curve(*drawn, look_of(drawn[0].series, accents)) for drawn in zip(plot.drawn, paths, strict=True)),
        *(_dots(one, plot, field, look_of(one, accents)) for one in series),
        *(_name(*named, accents, printer) for named in zip(plot.drawn, boxes, strict=True)),
    ]
    return Markup("").join(parts), field.bottom + BELOW


def curve_field(plot: CurvePlot, sheet: Sheet, printer: Printer) -> Field:
    """Return the plot area of a sheet, as far as names beside curves are placed by it."""
    return _field(plot, sheet, ROW + 2 * EDGE, printer)


def level_names(curves: Sequence[Curve], printer: Printer) -> list[str]:
    """Return what stands beside each curve: its level; nothing at the further trials of one.

    Where all are of one level nothing stands there: the title names it.
    """
    named = [printer.plain(LevelName(curve.series, curve.level)) for curve in curves]
    places = [(curve.series, curve.level) for curve in curves]
    several = len(set(named)) > 1
    return [name if several and places.index(places[row]) == row else "" for row, name in enumerate(named)]


def width_of(curve: Curve) -> float:
    """Return how wide the line of a curve is: the more, the higher the load; trials are thin, as there are several."""
    width = THINNEST + HEAVIER * curve.shade
    return width if curve.trial is None else OF_TRIALS * width


def _field(plot: CurvePlot, sheet: Sheet, top: float, printer: Printer) -> Field:
    return field_of(plot, (value_range(plot), domain([0.0, 100.0], plot.y.scale)), sheet, top, printer.lang)


def _curve(curve: Curve, course: Path, look: Look) -> Markup:
    drawn = simplified(course)
    corners = through(zip(drawn.x.tolist(), drawn.y.tolist(), strict=True))
    return group(path(corners, "curve", DASHES[look.dash], stroke_width=width_of(curve)), class_=look.class_)


def _dots(series: str, plot: CurvePlot, field: Field, look: Look) -> Markup:
    places = dot_places(plot, field, series)
    return group(markers(look.shape, places, radius=DOT), class_=look.class_) if places else Markup("")


def _name(curve: Curve, box: Box | None, accents: Mapping[str, int], printer: Printer) -> Markup:
    if box is None:
        return Markup("")
    name = printer.plain(LevelName(curve.series, curve.level))
    class_ = f"label measured {look_of(curve.series, accents).class_}"
    middle = (box.top + box.bottom) / 2 + TEXT_SIZE / 3
    return label(name, box.left if box.side == "right" else box.right, middle, class_, ANCHORS[box.side])


def _sign(look: Look, x: float, y: float) -> Markup:
    return path(swatch(x, y), "line") + markers(look.shape, [(x, y)], radius=DOT)
