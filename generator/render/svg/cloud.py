"""Clouds of requests as static SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from markupsafe import Markup

from generator.numeric.thinning import cloud_rows
from generator.render.files.run_names import run_name
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.looks import Look, look_of
from generator.render.plotting.scales import domain, drawable, snapped
from generator.render.svg.axes import (
    BELOW,
    EDGE,
    ROW,
    TICK_SIZE,
    Field,
    Range,
    Sheet,
    field_of,
    horizontal_axis,
    upright_title,
    vertical_axis,
)
from generator.render.svg.key import key
from generator.render.wording.markup import group, label, rounded, tag, text_width
from generator.render.wording.numbers import Printer
from generator.text import Text
from generator.told.figure_model import Cloud, CloudPlot

MOST_DOTS: Final = 500
"""Dots of a cloud: the page holds each drawing. The live chart has them all."""

FREE: Final = 0.02
"""Share of the time axis that is kept free at either end."""

CROSS: Final = 3.5
SIGNS: Final = (("round", "h0"), ("square", "h0"), ("butt", "m0-3v6"), ("butt", "m-3 0h6"))
"""How the dots of the clouds differ without their colour: caps of the stroke, and the stroke itself."""

STEADY: Final = Text(zh="稳态", en="steady part")


def draw_cloud(plot: CloudPlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height."""
    looks = [look_of(cloud.series, accents) for cloud in plot.clouds]
    names = [run_name(cloud, printer) for cloud in plot.clouds]
    legend, above = key(list(zip(names, looks, strict=True)), _sign, sheet)
    title_at, rows = above + ROW - EDGE, [cloud for cloud in plot.clouds if cloud.window is not None]
    top = above + ROW * (1 + len(rows)) + 2 * EDGE
    field = field_of(plot, (time_range(plot), latency_range(plot)), sheet, top, printer.lang)
    bars = [
        _steady(cloud.window, look_of(cloud.series, accents), title_at + ROW * (row + 1), field, printer)
        for row, cloud in enumerate(rows)
        if cloud.window is not None
    ]
    parts = [
        legend,
        upright_title(plot.y, title_at, sheet, printer.lang),
        *bars,
        *(_shade(cloud.window, looks[0], field) for cloud in plot.clouds if cloud.window and len(plot.clouds) == 1),
        vertical_axis(plot.y, field, sheet.most_y, printer.lang),
        horizontal_axis(plot.x, axis_title(plot.x, printer.lang), field, sheet.most_x, printer.lang),
        *(_cloud(cloud, look, field) for cloud, look in zip(plot.clouds, looks, strict=True)),
    ]
    return Markup("").join(parts), field.bottom + BELOW


def time_range(plot: CloudPlot) -> Range:
    """Return the range of the axis of time: from a little before zero, where the first requests stand, to the last."""
    times = [x for cloud in plot.clouds for x in (*(x for x, _ in cloud.points), *cloud.failed, *(cloud.window or ()))]
    last = max(times, default=0.0) or 1.0
    return -FREE * last, (1 + FREE) * last


def latency_range(plot: CloudPlot) -> Range:
    """Return the range of the upright axis; a linear one begins at zero, where failed requests stand."""
    heights = [y for cloud in plot.clouds for _, y in cloud.points]
    shown = [0.0, *heights] if plot.y.scale == "linear" else heights
    return snapped(*domain(shown, plot.y.scale), plot.y.scale)


def _steady(window: tuple[float, float], look: Look, row: float, field: Field, printer: Printer) -> Markup:
    """Return the steady part above the plot: its name and a bar."""
    begins, ends = (field.x.at(time) for time in window)
    name = STEADY[printer.lang]
    at = min(begins, field.right - text_width(name, TICK_SIZE))
    bar = tag("path", class_="steady", d=f"M{rounded(begins)} {rounded(row + EDGE)}H{rounded(ends)}")
    return group(bar, label(name, at, row - 1, "label floor"), class_=look.class_)


def _shade(window: tuple[float, float], look: Look, field: Field) -> Markup:
    begins, ends = (field.x.at(time) for time in window)
    height = field.bottom - field.top
    return group(
        tag("rect", class_="window", x=begins, y=field.top, width=ends - begins, height=height), class_=look.class_
    )


def _cloud(cloud: Cloud, look: Look, field: Field) -> Markup:
    points = np.array([point for point in cloud.points if drawable(point[1], field.y.scale)]).reshape(-1, 2)
    kept = points[cloud_rows(points[:, 0], points[:, 1], MOST_DOTS)].tolist()
    failed = np.array(cloud.failed)
    crosses = failed[cloud_rows(failed, failed, MOST_DOTS)].tolist()
    parts = [dots([(field.x.at(x), field.y.at(y)) for x, y in kept], look)] if kept else []
    if crosses:
        parts.append(_crosses([field.x.at(x) for x in crosses], field.bottom))
    return group(*parts, class_=look.class_)


def dots(places: Sequence[tuple[float, float]], look: Look) -> Markup:
    """Return small dots at some places, as one path."""
    cap, dot = SIGNS[look.shape % len(SIGNS)]
    d = "".join(f"M{rounded(x)} {rounded(y)}{dot}" for x, y in places)
    return tag("path", class_="cloud", d=d, stroke_linecap=cap)


def _crosses(places: list[float], base: float) -> Markup:
    arms = f"l{2 * CROSS:g} {2 * CROSS:g}m0-{2 * CROSS:g}l-{2 * CROSS:g} {2 * CROSS:g}"
    d = "".join(f"M{rounded(x - CROSS)} {rounded(base - CROSS)}{arms}" for x in places)
    return tag("path", class_="cross", d=d)


def _sign(look: Look, x: float, y: float) -> Markup:
    return dots([(x, y)], look)
