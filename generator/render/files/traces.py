"""Quantities over time as numbers: rows of the CSV, the data table, and the text that stands in for the drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from generator.render.files.run_rows import fact, fact_heading, place_cells, place_headings, run_told
from generator.render.wording.numbers import UNKNOWN, Printer
from generator.text import Lang, same
from generator.told.blocks import Heading, Row, Table
from generator.told.figure_model import FigureModel, Trace, TracePlot
from generator.told.sentence import Part, Quantity, Sentence
from generator.values import Address

TRACE_COLUMNS: Final = ("series", "level", "trial", "quantity", "x", "x_unit", "y", "y_unit")

Run = tuple[str, str, int | None]


def run_of(trace: Trace) -> Run:
    """Return which run a trace is of."""
    return trace.series, trace.level, trace.trial


def runs_of_traces(plot: TracePlot, *, drawn: bool = False) -> list[Trace]:
    """Return a trace of each run, in order; those that the drawings show, or all."""
    found: dict[Run, Trace] = {}
    for panel in plot.panels:
        for trace in panel.traces:
            if trace.is_drawn or not drawn:
                found.setdefault(run_of(trace), trace)
    return list(found.values())


def trace_cells(plot: TracePlot, lang: Lang) -> Iterator[tuple[str | float, ...]]:
    """Yield a row for each point, of all traces: also of those that are not drawn."""
    for panel in plot.panels:
        for trace in panel.traces:
            trial = "" if trace.trial is None else float(trace.trial)
            for x, y in trace.points:
                yield trace.series, trace.level, trial, panel.y.label[lang], x, plot.x.unit, y, panel.y.unit


def trace_table(model: FigureModel, plot: TracePlot, printer: Printer) -> Table:
    """Return a row for each run: of each quantity the numbers that sum it up."""
    runs = runs_of_traces(plot)
    has_trials = any(run.trial is not None for run in runs)
    facts = {run_of(run): _facts_of(run, plot) for run in runs}
    columns = list(dict.fromkeys(key for found in facts.values() for key in found))
    headings = place_headings(has_trials=has_trials) + [_heading(key, facts.values(), printer) for key in columns]
    rows = tuple(_row(run, facts[run_of(run)], columns, has_trials=has_trials) for run in runs)
    return Table(f"{model.key}-data", model.title, tuple(headings), rows)


def _facts_of(run: Trace, plot: TracePlot) -> dict[str, Address]:
    """Return the values that sum up a run, by their metrics."""
    traces = (trace for panel in plot.panels for trace in panel.traces if run_of(trace) == run_of(run))
    return {address.metric: address for trace in traces for address in trace.facts}


def _heading(key: str, facts: Iterable[dict[str, Address]], printer: Printer) -> Heading:
    return fact_heading(next(found[key] for found in facts if key in found), printer)


def _row(run: Trace, facts: dict[str, Address], columns: list[str], *, has_trials: bool) -> Row:
    cells: list[Part] = [Quantity(facts[key], bare=True) if key in facts else same(UNKNOWN) for key in columns]
    return Row((*place_cells(run, has_trials=has_trials), *cells))


def tell_traces(plot: TracePlot, printer: Printer) -> list[str]:
    """Return a sentence for each run that is drawn."""
    return [printer.plain_sentence(_told(run, plot, printer)) for run in runs_of_traces(plot, drawn=True)]


def _told(run: Trace, plot: TracePlot, printer: Printer) -> Sentence:
    return run_told(run, [fact(address, printer) for address in _facts_of(run, plot).values()], printer)
