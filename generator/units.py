"""Units: base units inside (s, B, B/s, tok), the units of reports only on the way in and out."""

from __future__ import annotations

from typing import Final

GIBIBYTE: Final = 2**30
UNITLESS: Final = frozenset({"1", "ratio"})
"""Units of pure numbers: nothing is printed behind those, and percent and × make sense of them alone."""

FACTORS: Final[dict[str, tuple[str, float]]] = {
    "1": ("1", 1.0),
    "ratio": ("ratio", 1.0),
    "s": ("s", 1.0),
    "h": ("s", 3600.0),
    "1/d": ("1/s", 1 / 86400),
    "ms": ("s", 1e-3),
    "µs": ("s", 1e-6),
    "ns": ("s", 1e-9),
    "B": ("B", 1.0),
    "KiB": ("B", float(2**10)),
    "MiB": ("B", float(2**20)),
    "GiB": ("B", float(GIBIBYTE)),
    "GB": ("B", 1e9),
    "B/s": ("B/s", 1.0),
    "GB/s": ("B/s", 1e9),
    "tok": ("tok", 1.0),
    "Mtok": ("tok", 1e6),
    "h/Mtok": ("s/tok", 3600 / 1e6),
    "µs/tok": ("s/tok", 1e-6),
    "ns/tok²": ("s/tok²", 1e-9),
    "tok/s": ("tok/s", 1.0),
    "1/Mtok": ("1/tok", 1e-6),
    "tok/chunk": ("tok/chunk", 1.0),
    "req/s": ("req/s", 1.0),
    "ms/slot": ("s/slot", 1e-3),
    "W": ("W", 1.0),
    "J": ("J", 1.0),
    "Hz": ("Hz", 1.0),
    "MHz": ("Hz", 1e6),
    "°C": ("°C", 1.0),
    "TFLOP/s": ("FLOP/s", 1e12),
    "FLOP": ("FLOP", 1.0),
    "TFLOP": ("FLOP", 1e12),
    "kWh/Mtok": ("J/tok", 3.6e6 / 1e6),
    "¤": ("¤", 1.0),
    "¤/h": ("¤/s", 1 / 3600),
    "¤/Mtok": ("¤/tok", 1e-6),
    "¤/kWh": ("¤/J", 1 / 3.6e6),
}
"""Unit -> (base unit, how many of the base unit it is). ¤ is the currency of the round."""

LARGEST: Final = 1e200
"""The largest amount, in base units, that is called known: it is finite in every unit, and so are sums of it."""

SIGNIFICANT_DIGITS: Final = 15
"""Digits that survive a double: 15.83 ms, held as 0.01583 s, is 15.83 again on the way out."""


def base_unit(unit: str) -> str:
    """Return the base unit in which a quantity of this unit is held."""
    return FACTORS[unit][0]


def to_base(amount: float, unit: str) -> float:
    """Return an amount of ``unit`` in base units."""
    return amount * FACTORS[unit][1]


def from_base(amount: float, unit: str) -> float:
    """Return an amount in base units as an amount of ``unit``, free of conversion noise."""
    return float(f"{amount / FACTORS[unit][1]:.{SIGNIFICANT_DIGITS}g}")


def half_a_digit(decimals: int, unit: str) -> float:
    """Return how far, in base units, a number may be from the one that was rounded to so many decimals of a unit."""
    return to_base(0.5 * 10.0**-decimals, unit)
