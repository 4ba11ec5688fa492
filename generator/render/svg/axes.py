"""The sheet a figure is drawn on, and its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from markupsafe import Markup

from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.scales import Ruler, tick_name, tick_text, ticks
from generator.render.wording.markup import fitted, group, label, rounded, tag, text_width
from generator.text import Lang
from generator.told.figure_model import Axis, CloudPlot, CurvePlot, FitPlot, LinePlot

Width = Literal["wide", "narrow"]
Range = tuple[float, float]
EDGE: Final = 4.0
ROW: Final = 18.0
TICK_SIZE: Final = 12
TICK_GAP: Final = 8.0
BELOW: Final = 46.0
"""Room below the plot for ticks and the title of the axis."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """How large a drawing is, in pixels, and how many ticks it has room for."""

    name: Width
    width: float
    plot_height: float
    most_x: int
    most_y: int


SHEETS: Final[dict[Width, Sheet]] = {
    "wide": Sheet("wide", 920, 350, 12, 10),
    "narrow": Sheet("narrow", 360, 230, 7, 7),
}


@dataclass(frozen=True, slots=True)
class Field:
    """The plot area: a ruler along each side."""

    x: Ruler
    y: Ruler

    @property
    def left(self) -> float:
        """Return the left border."""
        return self.x.start

    @property
    def right(self) -> float:
        """Return the right border."""
        return self.x.end

    @property
    def bottom(self) -> float:
        """Return the lower border."""
        return self.y.start

    @property
    def top(self) -> float:
        """Return the upper border."""
        return self.y.end


def field_of(
    plot: LinePlot | CurvePlot | CloudPlot | FitPlot,
    ranges: tuple[Range, Range],
    sheet: Sheet,
    top: float,
    lang: Lang,
    *,
    right: float = 3 * EDGE,
) -> Field:
    """Return the plot area of a sheet.

    Args:
        plot: whose axes are drawn.
        ranges: those of the level axis and of the upright one.
        sheet: what it is drawn on.
        top: its upper border.
        lang: the language of the labels beside it.
        right: the room that is left free on its right.
    """
    across, up = ranges
    left = left_margin(plot.y, *up, sheet.most_y, lang)
    return Field(
        Ruler(plot.x.scale, *across, left, sheet.width - right),
        Ruler(plot.y.scale, *up, top + sheet.plot_height, top),
    )


def upright_title(axis: Axis, y: float, sheet: Sheet, lang: Lang) -> Markup:
    """Return the title of an upright axis, set above it: Chinese is not read sideways."""
    return label(fitted(axis_title(axis, lang), sheet.width), EDGE, y, "title")


def left_margin(axis: Axis, low: float, high: float, most: int, lang: Lang) -> float:
    """Return the room that the labels of a vertical axis take."""
    widths = [text_width(tick_text(tick, lang), TICK_SIZE) for tick in ticks(axis, low, high, most)]
    return EDGE + max(widths, default=0.0) + TICK_GAP


def vertical_axis(axis: Axis, field: Field, most: int, lang: Lang) -> Markup:
    """Return grid lines and the labels beside them."""
    marked = ticks(axis, field.y.low, field.y.high, most)
    heights = {tick: field.y.at(tick) for tick in _apart(marked, field.y, [TICK_SIZE] * len(marked))}
    grid = "".join(f"M{rounded(field.left)} {rounded(y)}H{rounded(field.right)}" for y in heights.values())
    labels = [tag("text", tick_text(t, lang), x=field.left - TICK_GAP, y=y + 4) for t, y in heights.items()]
    return tag("path", class_="grid", d=grid) + group(*labels, class_="tick", text_anchor="end")


def horizontal_axis(axis: Axis, title: str, field: Field, most: int, lang: Lang) -> Markup:
    """Return the base line with its ticks, their labels and the title below."""
    marked = ticks(axis, field.x.low, field.x.high, most)
    widths = [text_width(tick_name(axis, tick, lang), TICK_SIZE) for tick in marked]
    base, middle = field.bottom, (field.left + field.right) / 2
    places = {tick: field.x.at(tick) for tick in _apart(marked, field.x, widths)}
    line = f"M{rounded(field.left)} {rounded(base)}H{rounded(field.right)}"
    line += "".join(f"M{rounded(x)} {rounded(base)}v4" for x in places.values())
    labels = [tag("text", tick_name(axis, tick, lang), x=x, y=base + 18) for tick, x in places.items()]
    return (
        tag("path", class_="axis", d=line)
        + group(*labels, class_="tick", text_anchor="middle")
        + label(fitted(title, field.right - field.left), middle, base + 38, "title", "middle")
    )


def _apart(marked: Sequence[float], ruler: Ruler, sizes: Sequence[float]) -> list[float]:
    """Return the ticks whose labels do not touch the one before."""
    kept: list[float] = []
    free_from = float("-inf")
    away = 1 if ruler.end > ruler.start else -1
    for tick, size in zip(marked, sizes, strict=True):
        here = ruler.at(tick) * away
        if here - size / 2 >= free_from:
            kept.append(tick)
            free_from = here + size / 2 + 4
    return kept
