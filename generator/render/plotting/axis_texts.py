"""Numbers and names of an axis as text."""

from __future__ import annotations

import math
import re
from typing import Final

from generator.render.wording.numbers import UNKNOWN, Printer, spaced, unit_sign
from generator.render.wording.rounding import exact, usual_decimals, written
from generator.text import Lang
from generator.told.figure_model import Axis
from generator.told.sentence import Quantity
from generator.units import FACTORS
from generator.values import Address

DIGITS: Final = 3


def axis_title(axis: Axis, lang: Lang) -> str:
    """Return the label of an axis with its unit."""
    label = axis.label[lang]
    if axis.unit in {"", "1"} or _names(label, axis.unit):
        return label
    return f"{label}（{axis.unit}）" if lang == "zh" else f"{label} ({axis.unit})"


def _names(label: str, unit: str) -> bool:
    """Say whether a label names a unit: one of a letter as a word, and not as a letter of one."""
    return re.search(rf"\b{unit}\b", label) is not None if unit.isalpha() and len(unit) == 1 else unit in label


def amount_text(amount: float, axis: Axis, lang: Lang) -> str:
    """Return a number of an axis with its unit."""
    if not math.isfinite(amount):
        return UNKNOWN
    number = exact(float(f"{amount:.12g}"))
    decimals = 0 if number == number.to_integral_value() else usual_decimals(number, "plain", DIGITS)
    return written(number, decimals, lang) + spaced(unit_sign(axis.unit, "plain"))


def without_unit(told: str, axis: Axis) -> str:
    """Return the text of a number of an axis as a cell below the unit has it: the number alone."""
    return told.removesuffix(spaced(unit_sign(axis.unit, "plain")))


def in_axis_unit(address: Address, axis: Axis, printer: Printer) -> Quantity:
    """Return a value in the unit of an axis, where that is a unit of the same kind."""
    metric = printer.metric(address)
    if axis.unit != metric.unit and axis.unit in FACTORS and FACTORS[axis.unit][0] == FACTORS[metric.unit][0]:
        return Quantity(address, unit=axis.unit)
    return Quantity(address)
