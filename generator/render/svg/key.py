"""The key of a drawing: what each sign stands for, in rows above the plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.render.plotting.looks import Look
from generator.render.svg.axes import EDGE, ROW, Sheet
from generator.render.wording.markup import BOLD, TEXT_SIZE, group, in_lines, label, rounded, text_width
from generator.told.figure_model import Role

SWATCH: Final = 26.0
BETWEEN: Final = 16.0
LINE: Final = 15.0
"""From one line of a name to the next, in pixels."""

MOST_LINES: Final = 2
"""Lines that a name may take: what is longer is shortened in the last one."""

Sign = Callable[[Look, float, float], Markup]
"""Draws the sign of a look around a place: its middle, in pixels."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a key, and how its sign is drawn: of what was measured it is bold, of no series without a colour."""

    name: str
    look: Look
    sign: Sign
    role: Role = "measured"
    is_of_series: bool = True


def key(names: Sequence[tuple[str, Look]], sign: Sign, sheet: Sheet) -> tuple[Markup, float]:
    """Return the names with their signs, and how high they stand together; one name alone needs none."""
    if len(names) < 2:  # noqa: PLR2004  # there is nothing to tell apart
        return Markup(""), 0.0
    return rows([Entry(name, look, sign) for name, look in names], sheet)


def rows(entries: Sequence[Entry], sheet: Sheet) -> tuple[Markup, float]:
    """Return names with their signs in as many rows as they take, and how high those stand together."""
    x, y, deepest, drawn = EDGE, ROW - EDGE, ROW - EDGE, []
    for one in entries:
        lines = in_lines(one.name, (sheet.width - SWATCH - 3 * EDGE) / BOLD, MOST_LINES)
        width = SWATCH + EDGE + max(name_width(line, one.role) for line in lines)
        if x > EDGE and x + width > sheet.width:
            x, y = EDGE, deepest + ROW
        class_ = one.look.class_ if one.is_of_series else ""
        drawn.append(group(one.sign(one.look, x + SWATCH / 2, y - EDGE), class_=class_))
        drawn += named(lines, x + SWATCH + EDGE, y, f"label {one.role} {class_}".strip())
        deepest = max(deepest, y + LINE * (len(lines) - 1))
        x += width + BETWEEN
    return Markup("").join(drawn), deepest + 2 * EDGE if drawn else 0.0


def named(lines: Sequence[str], x: float, y: float, class_: str) -> list[Markup]:
    """Return the lines of a name, the first one at a place and the others below it."""
    return [label(line, x, y + LINE * row, class_) for row, line in enumerate(lines)]


def swatch(x: float, y: float) -> str:
    """Return the course of a line of a key around a place."""
    return f"M{rounded(x - SWATCH / 2)} {rounded(y)}h{rounded(SWATCH)}"


def name_width(name: str, role: Role) -> float:
    """Return how wide the name of a line is: bold for what was measured."""
    return text_width(name, TEXT_SIZE * BOLD if role == "measured" else TEXT_SIZE)
