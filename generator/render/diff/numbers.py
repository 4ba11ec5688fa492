"""How the numbers of a comparison are written: amounts, changes as shares, intervals, chances."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

from generator.comparing.records import Difference
from generator.kinds import Metric
from generator.render.wording.numbers import COUNTED, UNKNOWN
from generator.render.wording.rounding import MANY_TIMES, exact, half_up, usual_decimals, written
from generator.text import Lang
from generator.units import from_base

SMALLEST_P: Final = 1e-4
"""Chances below it are only said to be so."""
P_DIGITS: Final = 3
PLUS: Final = "+"


def amount(value: float | None, metric: Metric, lang: Lang) -> str:
    """Return a number in base units as its metric is printed, without its unit; a dash where it is unknown."""
    if value is None:
        return UNKNOWN
    number = exact(from_base(value, metric.unit))
    shown = number.scaleb(2) if metric.style == "percent" else number
    is_count = metric.unit in COUNTED and shown == shown.to_integral_value()
    return written(shown, 0 if is_count else usual_decimals(shown, metric.style, metric.digits), lang)


def difference(row: Difference, metric: Metric, lang: Lang) -> str:
    """Return head − base with its sign; a dash where one of them is unknown."""
    before, after = row.base.value, row.head.value
    if before is None or after is None:
        return UNKNOWN
    return _signed(amount(after - before, metric, lang), after - before)


def percent(share: float | None, lang: Lang, *, signed: bool = True) -> str:
    """Return a share in hundredths, a large one as times, with its sign; a dash where there is none."""
    if share is None or not math.isfinite(share):
        return UNKNOWN
    is_many = abs(share) >= MANY_TIMES
    number = exact(share) if is_many else exact(share).scaleb(2)
    decimals = usual_decimals(number, "times" if is_many else "percent", P_DIGITS)
    text = written(number, decimals, lang) + ("×" if is_many else "%")
    return _signed(text, float(half_up(number, decimals))) if signed else text


def interval(row: Difference, lang: Lang) -> str:
    """Return the interval of the change; a dash where the method gives none."""
    found = None if row.estimate is None else row.estimate.interval
    if found is None:
        return UNKNOWN
    return " … ".join(percent(end - 1, lang) for end in found)


def chance(p: float | None, lang: Lang) -> str:
    """Return a p value; a dash where there is none."""
    if p is None:
        return UNKNOWN
    if p < SMALLEST_P:
        return "< " + written(Decimal(repr(SMALLEST_P)), 4, lang)
    return written(exact(p), usual_decimals(exact(p), "plain", P_DIGITS), lang)


def threshold(row: Difference, lang: Lang) -> str:
    """Return what the change is compared with: the bound of the noise, else the margin; exact tests have none."""
    if row.method == "exact":
        return UNKNOWN
    return "±" + percent(row.margin if row.bound is None else row.bound, lang, signed=False)


def _signed(text: str, number: float) -> str:
    return PLUS + text if number > 0 else text
