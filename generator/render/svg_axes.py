"""The sheet a figure is drawn on, and its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from markupsafe import Markup

from generator.figure_model import Axis
from generator.render.markup import fitted, label, stroke, text_width
from generator.render.scales import Ruler, tick_text, ticks
from generator.text import Lang

Width = Literal["wide", "narrow"]
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


def left_margin(axis: Axis, low: float, high: float, most: int, lang: Lang) -> float:
    """Return the room that the labels of a vertical axis take."""
    widths = [text_width(tick_text(tick, lang), TICK_SIZE) for tick in ticks(axis, low, high, most)]
    return EDGE + max(widths, default=0.0) + TICK_GAP


def vertical_axis(axis: Axis, field: Field, most: int, lang: Lang) -> Markup:
    """Return grid lines and the labels beside them."""
    drawn = []
    marked = ticks(axis, field.y.low, field.y.high, most)
    for tick in _apart(marked, field.y, [TICK_SIZE] * len(marked)):
        y = field.y.at(tick)
        drawn.append(stroke(field.left, y, field.right, y, "grid"))
        drawn.append(label(tick_text(tick, lang), field.left - TICK_GAP, y + 4, "tick", "end"))
    return Markup("").join(drawn)


def horizontal_axis(axis: Axis, title: str, field: Field, most: int, lang: Lang) -> Markup:
    """Return the base line with its ticks, their labels and the title below."""
    marked = ticks(axis, field.x.low, field.x.high, most)
    widths = [text_width(tick_text(tick, lang), TICK_SIZE) for tick in marked]
    base, middle = field.bottom, (field.left + field.right) / 2
    drawn = [stroke(field.left, base, field.right, base, "axis")]
    for tick in _apart(marked, field.x, widths):
        x = field.x.at(tick)
        drawn.append(stroke(x, base, x, base + 4, "axis"))
        drawn.append(label(tick_text(tick, lang), x, base + 18, "tick", "middle"))
    drawn.append(label(fitted(title, field.right - field.left), middle, base + 38, "title", "middle"))
    return Markup("").join(drawn)


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
