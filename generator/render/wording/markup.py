"""Pieces of SVG: elements, numbers, and texts that fit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from markupsafe import Markup, escape

TEXT_SIZE: Final = 13
BOLD: Final = 1.1
"""How much wider bold text is."""

FULL_WIDTH: Final = 1.0
CAPITAL_WIDTH: Final = 0.78
OTHER_WIDTH: Final = 0.63
NARROW_WIDTH: Final = 0.36
NARROW_LETTERS: Final = frozenset("iljtfr.,:;'|!()[] \u202f\u2009")
HAN: Final = r"\u3040-\u30ff\u3400-\u9fff"
OPENING: Final = "（《「『【"
CLOSING: Final = "、。》」』】！），：；？"
UNBROKEN: Final = re.compile(rf"[{OPENING}]*(?:[{HAN}]|[^ {HAN}{OPENING}{CLOSING}]+)?[{CLOSING}]* *")
"""What no line break parts: a word, or a single Han letter, with the signs before and behind it."""

NOT_IN_XML: Final = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")
"""Characters that make an XML document ill-formed even where they are escaped."""


def tag(name: str, /, *content: str, **attributes: str | float) -> Markup:
    """Return an element; ``class_`` is written ``class``, and an underscore a hyphen.

    Content that is not Markup is escaped; without content the element is closed at once.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_attribute(value))}"' for key, value in attributes.items()
    )
    if not content:
        return Markup(f"<{name}{written}/>")  # noqa: S704  # names are ours, values are escaped
    inside = Markup("").join(part if isinstance(part, Markup) else escape(clean(part)) for part in content)
    return Markup(f"<{name}{written}>{inside}</{name}>")  # noqa: S704  # the same


def group(*content: str, **attributes: str | float) -> Markup:
    """Return a group of elements."""
    return tag("g", *content, **attributes)


def label(text: str, x: float, y: float, class_: str = "label", anchor: str = "start") -> Markup:
    """Return a text; ``anchor`` says which end of it stands at ``x``."""
    extra: dict[str, str | float] = {} if anchor == "start" else {"text_anchor": anchor}
    return tag("text", text, class_=class_, x=x, y=y, **extra)


def stroke(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Return a straight line."""
    return tag("line", class_=class_, x1=x1, y1=y1, x2=x2, y2=y2)


def path(d: str, class_: str, dash: str = "", **attributes: str | float) -> Markup:
    """Return a path, dashed where dashes are given."""
    dashed: dict[str, str | float] = {"stroke_dasharray": dash} if dash else {}
    return tag("path", class_=class_, d=d, **attributes, **dashed)


def through(places: Iterable[tuple[float, float]]) -> str:
    """Return the course of a path through some places, straight from one to the next."""
    return "M" + " ".join(f"{rounded(x)} {rounded(y)}" for x, y in places)


def rounded(position: float) -> str:
    """Return a position in tenths of a pixel, the shortest way; zero has no sign."""
    return f"{round(position, 1) + 0.0:.1f}".removesuffix(".0")


def clean(text: str) -> str:
    """Return a text in one line, without the characters that no XML document may hold."""
    return NOT_IN_XML.sub("\ufffd", text).replace("\n", " ").replace("\r", " ")


@lru_cache(maxsize=1 << 14)  # a label stands in drawings of two widths and in a live chart
def text_width(text: str, size: float = TEXT_SIZE) -> float:
    """Return about how wide a text is set in a sans-serif face, rather too wide than too narrow."""
    return sum(_letter_width(letter) for letter in text) * size


def fitted(text: str, width: float, size: float = TEXT_SIZE) -> str:
    """Return a text cut with an ellipsis where it is wider than it may be."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def shortened(text: str, width: float, size: float = TEXT_SIZE) -> str:
    """Return a name cut where it is wider than it may be, a quarter from its left: names differ mostly at their ends.

    What begins alike is the engine, of which a few letters will do; variant, precision and level stand behind.
    """
    if text_width(text, size) <= width:
        return text
    kept = next((n for n in range(len(text) - 1, 1, -1) if text_width(_ends(text, n), size) <= width), 1)
    return _ends(text, kept)


def in_lines(text: str, width: float, most: int, size: float = TEXT_SIZE) -> list[str]:
    """Return a text in lines no wider than they may be; what so many lines cannot hold is shortened in the last one."""
    lines: list[str] = []
    rest = text
    while rest and len(lines) < most - 1 and text_width(rest, size) > width:
        line = ""
        for part in UNBROKEN.findall(rest):
            if line and text_width((line + part).rstrip(), size) > width:
                break
            line += part
        if text_width(line.rstrip(), size) > width:  # one word alone is too wide
            break
        lines.append(line.rstrip())
        rest = rest[len(line) :]
    return [*lines, shortened(rest, width, size)]


def _ends(text: str, kept: int) -> str:
    """Return so many letters of a text, from either end, with an ellipsis between."""
    head = (kept + 3) // 4
    return f"{text[:head].rstrip()}…{text[len(text) - kept + head :].lstrip()}"


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in {"W", "F"}:
        return FULL_WIDTH
    if letter in NARROW_LETTERS:
        return NARROW_WIDTH
    return CAPITAL_WIDTH if letter.isupper() or letter in "mwMW%" else OTHER_WIDTH


def _attribute(value: str | float) -> str:
    return clean(value) if isinstance(value, str) else rounded(value)
