"""The picture that goes with a link to a page: its title, what it says, and its figure or its key numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.render.plotting.palette import LIGHT_SURFACE
from generator.render.preview.pixels import FONTS, drawable, png
from generator.render.svg.drawing import LIGHT_COLOURS, size, standalone
from generator.render.wording.markup import BOLD, TEXT_SIZE, fitted, rounded, tag, text_width

WIDTH: Final = 1200
HEIGHT: Final = 630
EDGE: Final = 64
GAP: Final = 48
FIGURE_WIDTH: Final = 500
FIGURE_HEIGHT: Final = 440
FIGURE_TOP: Final = 96
FOOT: Final = HEIGHT - 44
KICKER_SIZE: Final = 24
TITLE_SIZES: Final = (64, 54, 46, 38)
LEAD_SIZES: Final = (34, 27)
"""Without a figure, and beside one."""
LEAD_LEADING: Final = 1.45
NUMBER_SIZE: Final = 44
LABEL_SIZE: Final = 21
LEADING: Final = 1.3
MOST_TITLE: Final = 3
MOST_LEAD: Final = 5
MOST_NUMBERS: Final = 4
PIECE: Final = re.compile(r"\s+|[A-Za-z0-9_.,:;/%+\-−×÷=<>()'’]+|.", re.DOTALL)
"""What stays in one line: words of letters and digits; Chinese may be broken behind each character."""
NO_START: Final = frozenset("，。、：；！？）》”’」』…—")
"""Signs that begin no line."""


@dataclass(frozen=True, slots=True)
class KeyNumber:
    """A number with its unit, and what it is of."""

    amount: str
    label: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a picture shows; all of it is text of any kind. ``figure`` is a drawing of a page, in classes."""

    kicker: str
    title: str
    lead: str
    site: str
    figure: str | None = None
    numbers: tuple[KeyNumber, ...] = ()


def picture(card: Card) -> bytes:
    """Return the card as PNG."""
    return png(drawing(card))


def drawing(card: Card) -> str:
    """Return the card as SVG."""
    beside = FIGURE_WIDTH + GAP if card.figure is not None else 0
    room = WIDTH - 2 * EDGE - beside
    parts = [
        tag("rect", width=WIDTH, height=HEIGHT, fill=LIGHT_SURFACE),
        tag("rect", width=WIDTH, height=8, fill=LIGHT_COLOURS["ink"]),
        *_texts(card, room),
        _text(fitted(drawable(card.site), WIDTH - 2 * EDGE, LABEL_SIZE), EDGE, FOOT, LABEL_SIZE, "muted"),
    ]
    if card.figure is not None:
        parts.append(_placed(card.figure))
    box = f"0 0 {WIDTH} {HEIGHT}"
    return tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", width=WIDTH, height=HEIGHT, viewBox=box)


def _texts(card: Card, room: float) -> Iterator[Markup]:
    """Yield the column of texts, from its head down."""
    at = 72.0 + KICKER_SIZE
    yield _text(fitted(drawable(card.kicker), room, KICKER_SIZE), EDGE, at, KICKER_SIZE, "muted")
    title, title_size = _title(drawable(card.title), room, TITLE_SIZES[card.figure is not None :])
    at += 18
    for line in title:
        at += title_size * LEADING
        yield _text(line, EDGE, at, title_size, "ink", bold=True)
    at += 26
    letters = LEAD_SIZES[card.figure is not None]
    end = FOOT - 46 - (NUMBER_SIZE + LABEL_SIZE * 2 if card.numbers else 0)
    most = min(MOST_LEAD, int((end - at) / (letters * LEAD_LEADING)))
    for line in wrapped(drawable(card.lead), room, letters, most):
        at += letters * LEAD_LEADING
        yield _text(line, EDGE, at, letters, "ink")
    yield from _numbers(card.numbers, room)


def _title(title: str, room: float, sizes: Sequence[int]) -> tuple[list[str], int]:
    """Return the lines of a title, in the largest letters in which it has room."""
    for each in sizes[:-1]:
        lines = wrapped(title, room, each * BOLD, MOST_TITLE + 1)
        if len(lines) <= MOST_TITLE:
            return lines, each
    return wrapped(title, room, sizes[-1] * BOLD, MOST_TITLE), sizes[-1]


def _numbers(numbers: Sequence[KeyNumber], room: float) -> Iterator[Markup]:
    """Yield the key numbers, side by side at the foot."""
    width = (room - GAP / 2 * (len(numbers) - 1)) / max(len(numbers), 1)
    top = FOOT - 40 - NUMBER_SIZE - LABEL_SIZE
    for number, one in enumerate(numbers):
        x = EDGE + number * (width + GAP / 2)
        yield tag("rect", x=x, y=top, width=width, height=1.5, fill=LIGHT_COLOURS["ink"])
        yield _text(fitted(drawable(one.amount), width, NUMBER_SIZE), x, top + NUMBER_SIZE + 4, NUMBER_SIZE, "ink")
        label = fitted(drawable(one.label), width, LABEL_SIZE)
        yield _text(label, x, top + NUMBER_SIZE + LABEL_SIZE + 14, LABEL_SIZE, "muted")


def wrapped(text: str, room: float, letters: float, most: int) -> list[str]:
    """Return a text in lines that are not wider than the room, the last of so many cut where there is more."""
    lines = [""]
    for piece in PIECE.findall(" ".join(text.split())):
        is_over = text_width(lines[-1] + piece, letters) > room and piece not in NO_START
        if is_over and lines[-1] and not piece.isspace():
            lines.append("")
        lines[-1] += piece if lines[-1] or not piece.isspace() else ""
    kept = [line.rstrip() for line in lines][: max(most, 0)]
    if kept and len(lines) > len(kept):
        kept[-1] = _cut(kept[-1], room, letters)
    return [fitted(line, room + letters, letters) for line in kept if line]


def _cut(line: str, room: float, letters: float) -> str:
    """Return a line with an ellipsis behind it, without the letters that this leaves no room for."""
    while line and text_width(line + "…", letters) > room:
        line = line[:-1]
    return line.rstrip() + "…"


def _text(text: str, x: float, y: float, letters: float, colour: str, *, bold: bool = False) -> Markup:
    weight: dict[str, str | float] = {"font_weight": "700"} if bold else {}
    return tag("text", text, x=x, y=y, font_family=FONTS, font_size=letters, fill=LIGHT_COLOURS[colour], **weight)


def _placed(figure: str) -> Markup:
    """Return a figure at the right, as large as there is room, with its own style inside.

    It becomes a group: a drawing within a drawing is cut at its border, which takes as long as all else.
    """
    width, height = size(figure)
    factor = min(FIGURE_WIDTH / width, FIGURE_HEIGHT / height)
    x, y = WIDTH - EDGE - FIGURE_WIDTH, FIGURE_TOP + (FIGURE_HEIGHT - height * factor) / 2
    inside = standalone(figure).partition(">")[2].removesuffix("</svg>")
    return tag(
        "g", Markup(inside),  # noqa: S704  # our own writer escapes
        class_="plot", transform=f"translate({rounded(x)} {rounded(y)}) scale({factor:.4f})",
        font_family=FONTS, font_size=TEXT_SIZE,
    )  # fmt: skip
