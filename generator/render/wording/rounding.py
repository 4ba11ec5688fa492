"""How a number is written: rounded once, half up, and grouped the way each language does it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Final

from babel import Locale
from babel.numbers import NumberPattern, format_decimal, parse_pattern

from generator.text import Lang
from generator.told.sentence import Style

LOCALES: Final[Mapping[Lang, Locale]] = {"zh": Locale.parse("zh_CN"), "en": Locale.parse("en")}
SMALLEST_WRITTEN_OUT: Final = Decimal("1e-4")
FIRST_TOO_LONG: Final = Decimal("1e15")
MOST_DECIMALS: Final = 20
"""No double carries more; a number typed with hundreds of zeros is cut here."""

EXACT: Final = Context(prec=60)
"""Room for every digit before ``FIRST_TOO_LONG`` and after the point."""

MINUS: Final = "−"
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
THOUSAND: Final = 1000
MANY_TIMES: Final = 10
"""From 1,000 % on a share is printed as times."""
HUNDRED: Final = 100


def exact(number: float) -> Decimal:
    """Return a float as the decimal number that it prints as, so that 0.005 is a half and no less."""
    return Decimal(repr(number))


def half_up(number: Decimal, decimals: int) -> Decimal:
    """Return a number rounded half away from zero; a negative zero becomes zero.

    From ``FIRST_TOO_LONG`` on there is nothing to round: no double has decimals there.
    """
    if abs(number) >= FIRST_TOO_LONG:
        return number
    step = Decimal(1).scaleb(-min(decimals, MOST_DECIMALS))
    rounded = number.quantize(step, rounding=ROUND_HALF_UP, context=EXACT)
    return abs(rounded) if rounded.is_zero() else rounded


def usual_decimals(number: Decimal, style: Style, digits: int) -> int:
    """Return how many decimals a number gets where nobody says otherwise.

    Args:
        number: what is printed: for percent, already multiplied by 100.
        style: plain numbers get ``digits`` significant digits, percent one decimal, times two.
        digits: significant digits of plain numbers; integer digits are never cut.
    """
    if number.is_zero():
        return 0
    if style == "percent" and abs(number) < THOUSAND:
        return 1 if abs(number) >= Decimal("0.1") else max(2, -number.adjusted())
    if style == "times" and abs(number) < HUNDRED:
        return max(2, -number.adjusted())
    wanted = _decimals_for(number, digits)
    return _decimals_for(half_up(number, wanted), digits)


@lru_cache(maxsize=1 << 16)  # a number of a report is printed a dozen times, on its pages and in its drawings
def written(number: Decimal, decimals: int, lang: Lang) -> str:
    """Return a number rounded to some decimals, grouped; far from 1 as a power of ten."""
    rounded = half_up(number, decimals)
    is_small = abs(number) < SMALLEST_WRITTEN_OUT and not rounded.is_zero()
    if is_small or abs(rounded) >= FIRST_TOO_LONG:
        return _power_of_ten(number)
    pattern = _grouped(min(decimals, MOST_DECIMALS))
    return with_minus(format_decimal(rounded, format=pattern, locale=LOCALES[lang], decimal_quantization=False))


@lru_cache
def _grouped(places: int) -> NumberPattern:
    return parse_pattern("#,##0" + ("." + "0" * places if places > 0 else ""))


def with_minus(number: str) -> str:
    """Return a number for readers: its sign is a minus, as wide as a digit, and no hyphen."""
    return number.replace("-", MINUS)


def _decimals_for(number: Decimal, digits: int) -> int:
    return max(0, digits - 1 - number.adjusted())


def _power_of_ten(number: Decimal) -> str:
    mantissa = half_up(number.scaleb(-number.adjusted(), context=EXACT), 2)
    return f"{with_minus(str(mantissa))} × 10{str(number.adjusted()).translate(SUPERSCRIPTS)}"
