"""The key of a drawing: what each sign stands for, in rows above the plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from markupsafe import Markup

from generator.render.looks import Look
from generator.render.markup import BOLD, TEXT_SIZE, group, label, shortened, text_width
from generator.render.svg_axes import EDGE, ROW, Sheet

SWATCH: Final = 26.0
BETWEEN: Final = 16.0

Sign = Callable[[Look, float, float], Markup]
"""Draws the sign of a look around a place: its middle, in pixels."""


def key(names: Sequence[tuple[str, Look]], sign: Sign, sheet: Sheet) -> tuple[Markup, float]:
    """Return the names with their signs, and how high they stand together; one name alone needs none."""
    if len(names) < 2:  # noqa: PLR2004  # there is nothing to tell apart
        return Markup(""), 0.0
    x, y, drawn = EDGE, ROW - EDGE, []
    for name, look in names:
        short = shortened(name, (sheet.width - SWATCH - 3 * EDGE) / BOLD)
        width = SWATCH + EDGE + text_width(short, TEXT_SIZE * BOLD)
        if x > EDGE and x + width > sheet.width:
            x, y = EDGE, y + ROW
        drawn.append(group(sign(look, x + SWATCH / 2, y - EDGE), class_=look.class_))
        drawn.append(label(short, x + SWATCH + EDGE, y, f"label measured {look.class_}"))
        x += width + BETWEEN
    return Markup("").join(drawn), y + 2 * EDGE
