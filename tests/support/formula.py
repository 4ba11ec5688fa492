"""A reader of formulas that knows nothing of the functions that they describe.

A formula is arithmetic over names, with functions of columns and of numbers. A name that stands where a function
takes a column is one; there, operators work row by row.
"""

from __future__ import annotations

import ast
import math
import operator
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

Amount = float | list[float]

SIGNS: Final = str.maketrans({"×": "*", "÷": "/", "−": "-"})
OPERATORS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class FormulaError(ValueError):
    """A formula says something that no reader could check."""


def evaluate(formula: str, inputs: Mapping[str, Sequence[float]]) -> float:
    """Return what a formula says of its inputs: one number under each name, for a column one a row."""
    tree = ast.parse(formula.translate(SIGNS), mode="eval")
    answer = _amount(tree.body, inputs, in_column=False)
    return _number(answer)


def _amount(node: ast.expr, inputs: Mapping[str, Sequence[float]], *, in_column: bool) -> Amount:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return _input(name, inputs[name], in_column=in_column)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
            sides = (_amount(side, inputs, in_column=in_column) for side in (left, right))
            return _row_by_row(OPERATORS[type(sign)], *sides)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as arguments, keywords=[]) if name in FUNCTIONS:
            takes, compute = FUNCTIONS[name]
            if len(takes) != len(arguments):
                raise FormulaError(f"{name} takes {len(takes)}: {ast.unparse(node)}")
            return compute(*(_argument(*one, inputs) for one in zip(takes, arguments, strict=True)))
    raise FormulaError(f"not arithmetic: {ast.unparse(node)}")


def _argument(takes: str, node: ast.expr, inputs: Mapping[str, Sequence[float]]) -> float | list[float]:
    """Return one argument of a function: a column where it takes ``c``, a number where it takes ``n``."""
    if takes == "c":
        return _column(_amount(node, inputs, in_column=True))
    return _number(_amount(node, inputs, in_column=False))


def _input(name: str, rows: Sequence[float], *, in_column: bool) -> Amount:
    if in_column:
        return list(rows)
    if len(rows) != 1:
        raise FormulaError(f"{name} stands for {len(rows)} numbers where one is meant")
    return rows[0]


def _row_by_row(compute: Callable[[float, float], float], left: Amount, right: Amount) -> Amount:
    if isinstance(left, list) and isinstance(right, list):
        return [compute(a, b) for a, b in zip(left, right, strict=True)]
    return compute(_number(left), _number(right))


def _number(amount: Amount) -> float:
    if isinstance(amount, list):
        raise FormulaError("a column stands where a number is meant")
    return amount


def _column(amount: Amount) -> list[float]:
    if not isinstance(amount, list):
        raise FormulaError("a number stands where a column is meant")
    return amount


def _count_crossings(ratios: list[float]) -> float:
    """Count how often a ratio reaches 1 or passes it, coming from either side."""
    crossed = 0
    for before, after in pairwise(ratios):
        fell = before > 1 >= after
        rose = before < 1 <= after
        crossed += fell or rose
    return float(crossed)


def _peak(starts: list[float], ends: list[float]) -> float:
    """Walk through what begins and what ends, in the order of time; of one moment the ends come first."""
    under_way, most = 0, -math.inf
    for _, change in sorted([*((end, -1) for end in ends), *((start, 1) for start in starts)]):
        under_way += change
        if change > 0:
            most = max(most, under_way)
    return most


def _quiet(came: list[float], starts: list[float], ends: list[float]) -> list[tuple[float, float]]:
    """Walk from one thing that came to the next: since when and how long nothing came though something was due."""
    found = []
    for before, after in pairwise([starts[0], *came]):
        under_way = sum(start <= before for start in starts) - sum(end <= before for end in ends)
        later = [start for start in starts if start > before]
        begins = before if under_way > 0 else min([*later, after]) if later else after
        found.append((begins, max(after - begins, 0.0)))
    return found


def _longest_quiet(came: list[float], starts: list[float], ends: list[float]) -> float:
    return max(length for _, length in _quiet(came, starts, ends))


def _start_of_quiet(came: list[float], starts: list[float], ends: list[float]) -> float:
    return next(begins for begins, length in _quiet(came, starts, ends) if length == _longest_quiet(came, starts, ends))


def _knee(loads: list[float], delivered: list[float], latency: list[float]) -> float:
    """Walk down from the highest load for as long as twice the load would deliver less than 1.05 times as much."""
    knee = len(loads) - 1
    for low in range(len(loads) - 2, -1, -1):
        gained = (delivered[low + 1] / delivered[low]) ** (1 / math.log2(loads[low + 1] / loads[low]))
        if gained >= 1.05 or latency[low + 1] <= latency[low]:
            break
        knee = low
    return loads[knee]


def _percentile(rows: list[float], percent: float) -> float:
    return float(np.percentile(rows, percent, method="linear"))


def _count_between(rows: list[float], begins: float, ends: float) -> float:
    return float(sum(begins < row <= ends for row in rows))


FUNCTIONS: Final[Mapping[str, tuple[str, Callable[..., Amount]]]] = {
    "first": ("c", lambda rows: rows[0]),
    "last": ("c", lambda rows: rows[-1]),
    "sum": ("c", math.fsum),
    "mean": ("c", statistics.fmean),
    "median": ("c", statistics.median),
    "count": ("c", lambda rows: float(len(rows))),
    "count_crossings": ("c", _count_crossings),
    "percentile": ("cn", _percentile),
    "count_below": ("cn", lambda rows, limit: float(sum(row < limit for row in rows))),
    "count_between": ("cnn", _count_between),
    "drop_first": ("cn", lambda rows, few: rows[int(few) :]),
    "drop_last": ("cn", lambda rows, few: rows[: len(rows) - int(few)]),
    "longest_quiet": ("ccc", _longest_quiet),
    "start_of_quiet": ("ccc", _start_of_quiet),
    "knee": ("ccc", _knee),
    "peak": ("cc", _peak),
    "ln": ("n", math.log),
    "exp": ("n", math.exp),
}
"""Each function, and what it takes: columns (c) and numbers (n)."""
