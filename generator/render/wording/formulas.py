"""Formulas as HTML: with symbols in them, or with the numbers that they were computed from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from markupsafe import Markup, escape

from generator.analysis.graph import FORMULA_FUNCTIONS, NAME, Graph, Port, Side
from generator.render.wording.numbers import Piece, Pieces, Printer
from generator.runs.requests import SAMPLES
from generator.told.sentence import Quantity
from generator.values import Value

INDEX: Final = re.compile(r"_(\w+)")
ROW_OF_COLUMN: Final = re.compile(r"(first|last)\(([a-z][a-z0-9_]*)\)")
Made = TypeVar("Made", Markup, Piece)


def symbolic(value: Value, printer: Printer) -> Markup:
    """Return how a value is computed: ``t_floor = (W + C × L × kv) ÷ BW``; of a read one, its symbol."""
    if value.formula is None:
        return symbol_html(printer.metric(value.address).symbol)
    at = (value.address.metric, value.address.basis, value.formula, value.address.series)
    if at not in printer.formulas:
        printer.formulas[at] = _with_symbols(value, value.formula, printer)
    return printer.formulas[at]


def _with_symbols(value: Value, formula: str, printer: Printer) -> Markup:
    ports = _ports(value, printer.graph)
    body = replaced(formula, NAME, lambda found: _symbol(found[0], ports, value, printer))
    return Markup("{} = {}").format(symbol_html(printer.metric(value.address).symbol), body)


def numeric(value: Value, printer: Printer) -> Markup:
    """Return the right-hand side of ``symbolic`` with numbers and units for all that is one number.

    ``first(x)`` and ``last(x)`` are the numbers of those rows; other columns stay symbols. Empty for a value
    that was read.
    """
    pieces = numeric_pieces(value, printer)
    return Markup("").join(
        printer.html(Quantity(value.inputs[one].address)) if isinstance(one, int) else one for one in pieces
    )


def numeric_pieces(value: Value, printer: Printer) -> Pieces:
    """Return the same in pieces: HTML, and for a number the place of its input among the inputs of the value.

    It is the same for all values that are computed by one formula from inputs of the same names.
    """
    if value.formula is None:
        return ()
    names = tuple(one.name for one in value.inputs)
    at = (value.address.metric, value.address.basis, value.formula, value.address.series, names)
    if at not in printer.pieces:
        printer.pieces[at] = _in_pieces(value, value.formula, names, printer)
    return printer.pieces[at]


def _in_pieces(value: Value, formula: str, names: Sequence[str], printer: Printer) -> Pieces:
    if formula == f"median({value.address.metric})":
        trials = [piece for trial in range(len(names)) for piece in (Markup(", "), trial)][1:]
        return (Markup("median("), *trials, Markup(")"))
    ports = _ports(value, printer.graph)

    def number(found: re.Match[str]) -> Markup | int:
        row, name = found[1] or "first", found[2] or found[0]
        if name not in ports or (ports[name].is_column and found[1] is None):
            return _symbol(name, ports, value, printer)
        there = [place for place, one in enumerate(names) if one == name]
        return there[-1 if row == "last" else 0]

    return tuple(_pieces(formula, re.compile(f"{ROW_OF_COLUMN.pattern}|{NAME.pattern}"), number))


@lru_cache(maxsize=1 << 12)  # most formulas of the series of a round are the same
def symbol_html(symbol: str, side: str = "") -> Markup:
    """Return a symbol with its index, and the side of a pair behind it, set below the line."""
    if " " in symbol:
        body = replaced(symbol, INDEX, lambda found: Markup("<sub>{}</sub>").format(found[1]))
        return Markup("({})<sub>{}</sub>").format(body, side) if side else Markup("({})").format(body)
    name, _, index = symbol.partition("_")
    below = ", ".join(part for part in (index, side) if part)
    return Markup("{}<sub>{}</sub>").format(name, below) if below else escape(name)


def _ports(value: Value, graph: Graph) -> dict[str, Port]:
    steps = graph.steps[value.address.metric, value.address.basis]
    ways = [step for step in steps if step.derivation.formula == value.formula]
    return {port.name: port for step in ways for port in step.ports}  # none for the median of trials


def _symbol(name: str, ports: dict[str, Port], value: Value, printer: Printer) -> Markup:
    if name in SAMPLES:
        return symbol_html(SAMPLES[name].symbol)
    if name == value.address.metric and name not in ports:  # the median of its trials
        return symbol_html(printer.metric(value.address).symbol)
    if name in FORMULA_FUNCTIONS or name not in ports:
        return escape(name)
    port = ports[name]
    return symbol_html(printer.graph.metrics[port.key].symbol, _side_label(port.side, value, printer))


def _side_label(side: Side | None, value: Value, printer: Printer) -> str:
    if side is None:
        return ""
    round_ = printer.analysis.round
    baseline = round_.baseline.id if round_.baseline is not None else None
    series = baseline if side == "baseline" else value.address.series
    return round_.label(series) if series is not None else ""


def replaced(formula: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], Markup]) -> Markup:
    """Return a formula with all that matches replaced and the rest escaped."""
    return Markup("").join(_pieces(formula, pattern, by))


def _pieces(formula: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], Made]) -> Iterator[Markup | Made]:
    """Yield a formula piece by piece: what matches, replaced; and the rest, escaped."""
    at = 0
    for found in pattern.finditer(formula):
        if rest := formula[at : found.start()]:
            yield escape(rest)
        yield by(found)
        at = found.end()
    if rest := formula[at:]:
        yield escape(rest)
