"""SVG to PNG with the fonts of this machine, and which characters those have."""

from __future__ import annotations

from functools import cache
from typing import Final

import resvg_py

from generator.render.wording.markup import tag
from generator.text import LANGS, Lang

FAMILIES: Final = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Heiti SC", "Noto Sans", "Helvetica Neue", "Segoe UI", "DejaVu Sans",
)  # fmt: skip
"""Faces that are asked for first: without serifs, and with the forms of characters of the mainland."""
FONTS: Final = ", ".join(f"'{one}'" for one in FAMILIES) + ", sans-serif"
SAMPLE: Final[dict[Lang, str]] = {"zh": "汉测轮", "en": "abg"}
"""Characters that differ; those that no font has look alike, or like nothing."""
NOWHERE: Final = "\U0010fffd"
"""A character for private use that fonts do not have."""
PROBE: Final = 32.0


def png(svg: str) -> bytes:
    """Return a drawing as PNG, the same bytes for the same drawing as long as the fonts stay.

    Raises:
        ValueError: it is no SVG.
    """
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


@cache
def readable_languages() -> tuple[Lang, ...]:
    """Return the languages that the fonts of this machine can be set in."""
    return tuple(lang for lang in LANGS if all(map(is_drawn, SAMPLE[lang])))


@cache
def is_drawn(letter: str) -> bool:
    """Say whether a font has a character: what none has is drawn as what no font can have, or not at all."""
    return letter.isspace() or _drawn(letter) not in (_drawn(NOWHERE), _drawn(" "))


def drawable(text: str) -> str:
    """Return a text without the characters that would be drawn as an empty box."""
    return "".join(letter for letter in text if is_drawn(letter))


@cache
def _drawn(letter: str) -> bytes:
    text = tag("text", letter, x=2, y=24, font_size=20, font_family=FONTS, xml_space="preserve")
    return png(tag("svg", text, xmlns="http://www.w3.org/2000/svg", width=PROBE, height=PROBE))
