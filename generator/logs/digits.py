"""Numbers that stand at the same places of many lines, read side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Positions = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Span = tuple[int, int]

PLAIN: Final = re.compile(rb"(-?)(\d+)(?:[.,](\d+))?")
GROUPED: Final = re.compile(rb"(-?)([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?")
MOST_DIGITS: Final = 15
"""Digits of a whole number that a double holds exactly; divided by a power of ten, it is the number as printed."""


def number(text: bytes) -> float:
    """Return a number as a log prints it; NaN for ``inf``, ``-nan`` and what is none.

    Three digits behind each comma are thousands (``93,872``), others a decimal comma (``405,00``, ``0,998``).
    """
    plain = text.strip()
    if GROUPED.fullmatch(plain):
        return float(plain.replace(b",", b""))
    return float(plain.replace(b",", b".")) if PLAIN.fullmatch(plain) else float("nan")


@dataclass(frozen=True, slots=True)
class Plan:
    """How to read the numbers of all lines of one shape.

    Attributes:
        names: what the numbers are called.
        places: where the digits of all of them stand in a line.
        weights: what each digit counts in each number, (places, names).
        scales: what each number is to be divided by: a power of ten, negative behind a minus.
        odd: the parts that cannot be read side by side: commas, ``inf``, very many digits.
    """

    names: tuple[str, ...]
    places: Positions
    weights: Numbers
    scales: Numbers
    odd: Mapping[str, Span]

    def read(self, block: bytes, text: Bytes, begins: Positions) -> dict[str, Numbers]:
        """Return the numbers of the lines that begin at some places of a block, by name."""
        digits = text[begins[:, None] + self.places] - ord("0")
        columns = dict(zip(self.names, (digits.astype(np.float64) @ self.weights / self.scales).T, strict=True))
        return columns | {name: _one_by_one(block, begins, span) for name, span in self.odd.items()}


def plan(shape: bytes, spans: Mapping[str, Span]) -> Plan:
    """Return how to read the numbers that stand at some parts of a line of a shape."""
    plain = {name: span for name, span in spans.items() if _is_plain(shape[slice(*span)])}
    cells = [(at, column) for column, span in enumerate(plain.values()) for at in _digits(shape, span)]
    weights = np.zeros((len(cells), len(plain)))
    for row, (at, column) in enumerate(cells):
        following = [place for place, other in cells if other == column and place > at]
        weights[row, column] = 10.0 ** len(following)
    scales = np.array([_scale(shape[slice(*span)]) for span in plain.values()], np.float64)
    places = np.array([at for at, _ in cells], np.int64)
    return Plan(tuple(plain), places, weights, scales, {name: spans[name] for name in spans if name not in plain})


def _is_plain(part: bytes) -> bool:
    # What a comma stands for depends on the digits, which a shape has not.
    return PLAIN.fullmatch(part.strip()) is not None and b"," not in part and len(part) <= MOST_DIGITS


def _digits(shape: bytes, span: Span) -> list[int]:
    return [at for at in range(*span) if shape[at] == ord("0")]


def _scale(part: bytes) -> float:
    scale = 10.0 ** len(part.strip().partition(b".")[2])
    return -scale if part.strip().startswith(b"-") else scale


def _one_by_one(block: bytes, begins: Positions, span: Span) -> Numbers:
    first, end = span
    return np.array([number(block[begin + first : begin + end]) for begin in begins.tolist()], np.float64)
