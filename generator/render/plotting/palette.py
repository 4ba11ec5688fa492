"""The colours that tell series apart: one set for light pages, one for dark, each with at least 4.5:1."""

from __future__ import annotations

from typing import Final

LIGHT_SURFACE: Final = "#fdfdfb"
DARK_SURFACE: Final = "#0f1419"
LIGHT: Final = ("#0072B2", "#B34700", "#007A5E", "#9A4F80", "#4B4FB5", "#7A5C00", "#B3125F", "#486B00")
DARK: Final = ("#56B4E9", "#E69F00", "#3ECF9B", "#CC8FB6", "#A3A8FF", "#D9C36A", "#FF8FB0", "#A6D15C")
ACCENTS: Final = len(LIGHT)
"""How many there are; the next series shares the first one's colour, with another marker."""
