"""A reader of formulas that knows nothing of the functions that they describe.

A formula is arithmetic over names, with six functions. A name inside ``first``, ``last``, ``sum`` or
``count_crossings`` is a column; there, operators work row by row.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

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
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in OF_COLUMN:
            column = _amount(argument, inputs, in_column=True)
            return OF_COLUMN[name](_column(column))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in OF_NUMBER:
            return OF_NUMBER[name](_number(_amount(argument, inputs, in_column=in_column)))
    raise FormulaError(f"not arithmetic: {ast.unparse(node)}")


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


OF_COLUMN: Final[Mapping[str, Callable[[list[float]], float]]] = {
    "first": lambda rows: rows[0],
    "last": lambda rows: rows[-1],
    "sum": math.fsum,
    "count_crossings": _count_crossings,
}
OF_NUMBER: Final[Mapping[str, Callable[[float], float]]] = {"ln": math.log, "exp": math.exp}
