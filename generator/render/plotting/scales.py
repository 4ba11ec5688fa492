"""From numbers to positions: domains, rulers and the ticks that a reader expects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np
import numpy.typing as npt

from generator.render.wording.rounding import exact, written
from generator.text import Lang
from generator.told.figure_model import Axis, Scale

STEPS: Final = (1, 2, 5)
ROOM: Final = 0.04
"""Share of a domain that is kept free at either end, so that no point sits on the border."""

NEAR_ZERO: Final = 0.35
"""A linear axis starts at zero when the smallest value is below this share of the largest."""

NAMES_ROOM: Final = 0.4
"""Room for half a name beyond the first and the last one, in units of the axis."""
NEAR_TICK: Final = 0.8
WITHIN_DECADE: Final = 6
"""Ticks at most of a log axis that is too narrow for two of its own."""
LEAST: Final = 1e-300
GREATEST: Final = 1e300


@dataclass(frozen=True, slots=True)
class Ruler:
    """Places values of a domain between two positions in pixels."""

    scale: Scale
    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the position of a value."""
        low, high = _linearised(self.low, self.scale), _linearised(self.high, self.scale)
        return self.start + (_linearised(value, self.scale) - low) / (high - low) * (self.end - self.start)

    def each(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the positions of many values, each as ``at`` does: numpy's logarithm is not alike everywhere."""
        low, high = _linearised(self.low, self.scale), _linearised(self.high, self.scale)
        here = np.array(list(map(math.log10, values.tolist()))) if self.scale == "log" else values
        return self.start + (here - low) / (high - low) * (self.end - self.start)


def drawable(value: float, scale: Scale) -> bool:
    """Say whether a value has a place on an axis: a log axis has none for zero and below."""
    return math.isfinite(value) and abs(value) < GREATEST and (scale == "linear" or value > LEAST)


def domain(values: Iterable[float], scale: Scale) -> tuple[float, float]:
    """Return the smallest and largest value that an axis shows, with some room; never the same twice."""
    known = [value for value in values if drawable(value, scale)]
    low, high = (min(known), max(known)) if known else (1.0, 10.0)
    if scale == "log":
        room = (high / low) ** ROOM if high > low else 2.0
        return low / room, high * room
    if 0 <= low <= NEAR_ZERO * high:
        return 0.0, high * (1 + ROOM) if high else 1.0
    room = (high - low) * ROOM or abs(high) / 2 or 1.0
    return low - room, high + room


def snapped(low: float, high: float, scale: Scale) -> tuple[float, float]:
    """Return a domain that reaches to the next tick of a log axis where that is near."""
    if scale == "linear":
        return low, high
    offered = [float(Decimal(f).scaleb(p)) for p in _powers(low, high) for f in STEPS]
    below = max((tick for tick in offered if tick <= low), default=low)
    above = min((tick for tick in offered if tick >= high), default=high)
    return (below if below >= NEAR_TICK * low else low), (above if above * NEAR_TICK <= high else high)


def ticks(axis: Axis, low: float, high: float, most: int) -> list[float]:
    """Return where an axis is labelled: where it says so itself, else at 1, 2 and 5 times powers of ten."""
    fixed = [tick for tick in axis.ticks if low <= tick <= high and drawable(tick, axis.scale)]
    if fixed:
        return _thinned(fixed, most)
    if axis.scale == "linear":
        return _linear_ticks(low, high, most)
    return _log_ticks(low, high, most)


def tick_name(axis: Axis, tick: float, lang: Lang) -> str:
    """Return what stands at a tick: its name where the axis has one for it, else the number."""
    named = dict(zip(axis.ticks, axis.names, strict=True)) if axis.names else {}
    return named.get(tick) or tick_text(tick, lang)


def span(axis: Axis, values: Iterable[float]) -> tuple[float, float]:
    """Return what an axis shows of values: from zero where it is to start there, with room for names at its ends."""
    if axis.names:
        return axis.ticks[0] - NAMES_ROOM, max([axis.ticks[-1], *values]) + NAMES_ROOM
    base = [0.0] if axis.from_zero and axis.scale == "linear" else []
    return domain([*base, *values], axis.scale)


def tick_text(tick: float, lang: Lang) -> str:
    """Return a tick as written: with as many decimals as it has."""
    number = exact(tick).normalize()
    exponent = number.as_tuple().exponent
    return written(number, max(0, -int(exponent)), lang)


def _linearised(value: float, scale: Scale) -> float:
    return math.log10(value) if scale == "log" else value


def _linear_ticks(low: float, high: float, most: int) -> list[float]:
    step = _step((high - low) / most)
    first, last = math.ceil(low / step), math.floor(high / step)
    exact_step = exact(step)
    return [float(exact_step * count) for count in range(first, last + 1)]


def _step(least: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is no less."""
    power = math.floor(math.log10(least))
    candidates = (float(Decimal(factor).scaleb(power)) for factor in (*STEPS, 10, 20))
    return next(step for step in candidates if step >= least)


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    powers = _powers(low, high)
    offered = [
        [tick for p in powers for f in factors if low <= (tick := float(Decimal(f).scaleb(p))) <= high]
        for factors in (STEPS, (1, 3), (1,))
    ]
    if len(offered[0]) < 2:  # noqa: PLR2004  # one tick gives no sense of scale
        return [tick for tick in _linear_ticks(low, high, min(most, WITHIN_DECADE)) if tick > 0]
    return next((shown for shown in offered if 0 < len(shown) <= most), _thinned(offered[-1] or offered[0], most))


def _powers(low: float, high: float) -> range:
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def _thinned(shown: Sequence[float], most: int) -> list[float]:
    return list(shown[:: math.ceil(len(shown) / most)])
