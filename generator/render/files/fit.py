"""Points and their trends as numbers: rows of the CSV, the data table, and the text that stands in for the drawing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from generator.across.levels import PLACE_HEADINGS
from generator.render.plotting.axis_texts import amount_text, in_axis_unit, without_unit
from generator.render.plotting.scales import drawable
from generator.render.wording.numbers import Printer
from generator.text import Lang, same
from generator.told.blocks import Heading, Row, Table
from generator.told.figure_model import Axis, FigureModel, FitPlot, Scatter, Spot, Trend
from generator.told.sentence import Count, LevelName, Part, Quantity, Sentence, SeriesName, say

FIT_COLUMNS: Final = ("series", "level", "x", "x_unit", "y", "y_unit", "role", "name", "metric")

Place = tuple[float, float]


def has_place(x: float, y: float, plot: FitPlot) -> bool:
    """Say whether a point can be drawn on the axes of a plot."""
    return drawable(x, plot.x.scale) and drawable(y, plot.y.scale)


def drawable_points(scatter: Scatter, plot: FitPlot) -> list[Place]:
    """Return the points of a series that have a place on the axes, in their order."""
    return [(spot.x, spot.y) for spot in scatter.spots if has_place(spot.x, spot.y, plot)]


def series_of_fit(plot: FitPlot) -> set[str]:
    """Return the series of which the drawing has points."""
    return {scatter.series for scatter in plot.scatters if drawable_points(scatter, plot)}


def fit_cells(plot: FitPlot, lang: Lang) -> Iterator[tuple[str | float, ...]]:
    """Yield a row for each point, then one for each corner of a trend."""
    for scatter in plot.scatters:
        for spot in scatter.spots:
            metric = spot.address.metric if spot.address is not None else ""
            yield scatter.series, spot.level, spot.x, plot.x.unit, spot.y, plot.y.unit, "measured", "", metric
    for trend in plot.trends:
        for x, y in trend.points:
            yield trend.series, "", x, plot.x.unit, y, plot.y.unit, trend.role, trend.name[lang], ""


def fit_table(model: FigureModel, plot: FitPlot, printer: Printer) -> Table:
    """Return a row for each series and level: its point, or how many it has and from where to where they lie."""
    groups = [(scatter.series, level, spots) for scatter in plot.scatters for level, spots in _by_level(scatter)]
    has_several = any(len(spots) > 1 for _, _, spots in groups)
    headings = [*PLACE_HEADINGS, *([Heading(say("点数", "points"))] if has_several else [])]
    headings += [_heading(plot.x), _heading(plot.y)]
    rows = tuple(_row(*group, plot, printer, has_several=has_several) for group in groups)
    return Table(f"{model.key}-data", model.title, tuple(headings), rows)


def _by_level(scatter: Scatter) -> list[tuple[str, list[Spot]]]:
    levels: dict[str, list[Spot]] = {}
    for spot in scatter.spots:
        levels.setdefault(spot.level, []).append(spot)
    return list(levels.items())


def _heading(axis: Axis) -> Heading:
    return Heading(say("{label}", "{label}", label=axis.label), "" if axis.unit == "1" else axis.unit)


def _row(series: str, level: str, spots: Sequence[Spot], plot: FitPlot, printer: Printer, *, has_several: bool) -> Row:
    count: list[Part] = [Count(len(spots))] if has_several else []
    across: Part = same(_span([spot.x for spot in spots], plot.x, printer.lang, bare=True))
    return Row((SeriesName(series), LevelName(series, level), *count, across, _height(spots, plot.y, printer)))


def _height(spots: Sequence[Spot], axis: Axis, printer: Printer) -> Part:
    """Return how high points are: one alone as its value is printed."""
    if len(spots) == 1 and spots[0].address is not None:
        quantity = in_axis_unit(spots[0].address, axis, printer)
        return Quantity(quantity.address, quantity.style, quantity.decimals, quantity.unit, bare=True)
    return same(_span([spot.y for spot in spots], axis, printer.lang, bare=True))


def _span(numbers: Sequence[float], axis: Axis, lang: Lang, *, bare: bool = False) -> str:
    """Return from where to where numbers of an axis reach; the unit stands once, behind the second one."""
    known = [number for number in numbers if math.isfinite(number)] or [math.nan]
    low, high = (amount_text(number, axis, lang) for number in (min(known), max(known)))
    told = high if low == high else f"{without_unit(low, axis)}–{high}"
    return without_unit(told, axis) if bare else told


def tell_fit(plot: FitPlot, printer: Printer) -> list[str]:
    """Return a sentence for the points of each series, and one for each trend."""
    points = [_told_points(scatter, plot, printer) for scatter in plot.scatters if scatter.spots]
    trends = [_told_trend(trend, plot, printer) for trend in plot.trends if trend.points]
    return [printer.plain_sentence(sentence) for sentence in (*points, *trends)]


def _told_points(scatter: Scatter, plot: FitPlot, printer: Printer) -> Sentence:
    return say(
        zh="{s}：{n} 个点，{xl} {x}，{yl} {y}",
        en="{s}: {n} {n:point|points}, {xl} {x}, {yl} {y}",
        s=SeriesName(scatter.series),
        n=Count(len(scatter.spots)),
        xl=plot.x.label,
        x=same(_span([spot.x for spot in scatter.spots], plot.x, printer.lang)),
        yl=plot.y.label,
        y=same(_span([spot.y for spot in scatter.spots], plot.y, printer.lang)),
    )


def _told_trend(trend: Trend, plot: FitPlot, printer: Printer) -> Sentence:
    (x1, y1), (x2, y2) = trend.points[0], trend.points[-1]
    amounts = ((x1, plot.x), (y1, plot.y), (x2, plot.x), (y2, plot.y))
    a, b, c, d = (same(amount_text(number, axis, printer.lang)) for number, axis in amounts)
    return say(
        zh="{n}：从 {a} 处的 {b} 到 {c} 处的 {d}",
        en="{n}: from {b} at {a} to {d} at {c}",
        n=trend.name, a=a, b=b, c=c, d=d,
    )  # fmt: skip
