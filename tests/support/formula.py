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
from fractions import Fraction
from itertools import pairwise
from typing import Final

import numpy as np

Amount = float | list[float]

SIGNS: Final = str.maketrans({"×": "*", "÷": "/", "−": "-", "[": "(", "]": ")"})
OPERATORS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.Eq: operator.eq,
    ast.Lt: operator.lt,
}
"""What stands in brackets: 1 where it holds, 0 where it does not."""


class FormulaError(ValueError):
    """A formula says something that no reader could check."""


def evaluate(formula: str, inputs: Mapping[str, Sequence[float]]) -> float:
    """Return what a formula says of its inputs: one number under each name, for a column one a row."""
    tree = ast.parse(formula.translate(SIGNS).replace(" = ", " == "), mode="eval")
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
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in COMPARISONS:
            held = (_number(_amount(side, inputs, in_column=False)) for side in (left, right))
            return float(COMPARISONS[type(sign)](*held))
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
        rows = max(len(left), len(right))
        return [compute(a, b) for a, b in zip(_stretched(left, rows), _stretched(right, rows), strict=True)]
    return compute(_number(left), _number(right))


def _stretched(column: list[float], rows: int) -> list[float]:
    """Return a column; a number that stands in one is the same in every row."""
    return column * rows if len(column) == 1 else column


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


def _start_of_longest(begins: list[float], ends: list[float]) -> float:
    return max(zip(begins, ends, strict=True), key=lambda span: span[1] - span[0])[0]


def _knee(loads: list[float], delivered: list[float], latency: list[float]) -> float:
    """Return the lowest load that no higher one beats by 1.05 a doubling, one at least, or by waiting no longer."""

    def is_beaten(low: int, high: int) -> bool:
        allowed = 1.05 ** max(1.0, math.log2(loads[high] / loads[low]))
        return delivered[high] / delivered[low] >= allowed or latency[high] <= latency[low]

    count = len(loads)
    return next(loads[low] for low in range(count) if not any(is_beaten(low, high) for high in range(low + 1, count)))


def _highest_served(rates: list[float], shares: list[float], due: list[float]) -> float:
    """Walk up for as long as no more than a twentieth of those due, and twice their square root, is missing."""
    served = -math.inf
    for rate, share, requests in zip(rates, shares, due, strict=True):
        if share * requests < 0.95 * requests - 2 * math.sqrt(requests):
            break
        served = rate
    return served


def _first_sign(loads: list[float], *columns: list[float]) -> float:
    """Walk up until the engine says that not all fitted in; one that says nothing of it must be felt to be full."""
    preempted, waiting, full, delivered, *first_tokens = columns
    count = range(len(loads))

    def is_felt(at: int) -> bool:
        gained = delivered[at] / delivered[at - 1] if at and delivered[at] else math.nan
        flat = gained < 1.05 ** (math.log2(loads[at] / loads[at - 1]) if at else 1)
        return flat and any(waits[at] > 3 * waits[at - 1] > 0 for waits in first_tokens)

    said = [at for at in count if preempted[at] > 0 or waiting[at] >= 0.5 or full[at] > 0]
    is_mute = all(math.isnan(number) for number in (*waiting, *full))
    found = said or ([at for at in count if is_felt(at)] if is_mute else [])
    return loads[found[0]]


def _percentile(rows: list[float], percent: float) -> float:
    return float(np.percentile(rows, percent, method="linear"))


def _terms(x: list[float], y: list[float], degree: int) -> list[float]:
    """Solve the normal equations by exact elimination over fractions."""
    points, heights, size = [Fraction(one) for one in x], [Fraction(one) for one in y], degree + 1
    rows = [
        [
            *(sum((one ** (i + j) for one in points), Fraction(0)) for j in range(size)),
            sum((one**i * height for one, height in zip(points, heights, strict=True)), Fraction(0)),
        ]
        for i in range(size)
    ]
    for i in range(size):
        rows[i] = [cell / rows[i][i] for cell in rows[i]]
        for j in set(range(size)) - {i}:
            rows[j] = [cell - rows[j][i] * own for cell, own in zip(rows[j], rows[i], strict=True)]
    return [float(row[-1]) for row in rows]


def _fit(x: list[float], y: list[float], degree: float, power: float) -> float:
    return _terms(x, y, int(degree))[int(power)]


def _left_over(x: list[float], y: list[float], degree: float) -> float:
    terms = _terms(x, y, int(degree))
    fitted = [math.fsum(term * one**power for power, term in enumerate(terms)) for one in x]
    return math.fsum((height - guess) ** 2 for height, guess in zip(y, fitted, strict=True))


def _fit_error(x: list[float], y: list[float], degree: float, power: float) -> float:
    """Leave out each point in turn and see how far a term moves."""
    whole = _fit(x, y, degree, power)
    without = [(x[:at] + x[at + 1 :], y[:at] + y[at + 1 :]) for at in range(len(x))]
    return math.hypot(*(_fit(some, heights, degree, power) - whole for some, heights in without))


def _fit_r2(x: list[float], y: list[float], degree: float) -> float:
    return 1 - _left_over(x, y, degree) / math.fsum((height - statistics.fmean(y)) ** 2 for height in y)


def _count_between(rows: list[float], begins: float, ends: float) -> float:
    return float(sum(begins < row <= ends for row in rows))


def _correlation(xs: list[float], ys: list[float]) -> float:
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        return 0.0
    return float(np.corrcoef(xs, ys)[0, 1])


def _line(*columns: list[float]) -> dict[str, float]:
    """Fit a line to samples of several runs, told by count, mean and spread of both, and how these go together.

    By raw moments: Σx² of a run is n × (s² + x̄²), and Σxy is n × (r × s_x × s_y + x̄ × ȳ).
    """
    rows = list(zip(*columns, strict=True))
    n = math.fsum(row[0] for row in rows)
    x, y = (math.fsum(row[0] * row[at] for row in rows) / n for at in (1, 3))
    xx = math.fsum(k * (sx**2 + mx**2) for k, mx, sx, _, _, _ in rows) - n * x**2
    yy = math.fsum(k * (sy**2 + my**2) for k, _, _, my, sy, _ in rows) - n * y**2
    xy = math.fsum(k * (r * sx * sy + mx * my) for k, mx, sx, my, sy, r in rows) - n * x * y
    left = yy - xy**2 / xx
    error = math.sqrt(max(left, 0.0) / (n - 2) / xx)
    return {"slope": xy / xx, "intercept": y - xy / xx * x, "r2": xy**2 / xx / yy, "error": error}


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
    "longest_span": ("cc", lambda begins, ends: max(end - begin for begin, end in zip(begins, ends, strict=True))),
    "start_of_longest": ("cc", _start_of_longest),
    "knee": ("ccc", _knee),
    "highest_served": ("ccc", _highest_served),
    "first_sign": ("ccccccc", _first_sign),
    "ceil": ("n", lambda amount: float(math.ceil(amount))),
    "floor": ("n", lambda amount: float(math.floor(amount))),
    "peak": ("cc", _peak),
    "fit": ("ccnn", _fit),
    "fit_error": ("ccnn", _fit_error),
    "fit_r2": ("ccn", _fit_r2),
    "sd": ("c", statistics.pstdev),
    "correlation": ("cc", _correlation),
    "line_slope": ("cccccc", lambda *runs: _line(*runs)["slope"]),
    "line_intercept": ("cccccc", lambda *runs: _line(*runs)["intercept"]),
    "line_r2": ("cccccc", lambda *runs: _line(*runs)["r2"]),
    "line_error": ("cccccc", lambda *runs: _line(*runs)["error"]),
    "line_samples": ("cc", lambda samples, _: math.fsum(samples)),
    "ln": ("n", math.log),
    "exp": ("n", math.exp),
    "min": ("nn", min),
    "max": ("nn", max),
}
"""Each function, and what it takes: columns (c) and numbers (n)."""
