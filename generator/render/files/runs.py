"""Distributions and clouds as numbers: rows of the CSV, the data table, and the text that stands in for the drawing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.render.files.run_rows import fact, fact_heading, place_cells, place_headings, run_told
from generator.render.plotting.axis_texts import amount_text, without_unit
from generator.render.wording.numbers import Printer
from generator.text import same
from generator.told.blocks import Heading, Row, Table
from generator.told.figure_model import Axis, Cloud, CloudPlot, Curve, CurvePlot, FigureModel
from generator.told.sentence import Quantity, Sentence, say

RUN_COLUMNS: Final = ("series", "level", "trial", "x", "x_unit", "y", "y_unit", "state")
LARGEST: Final = say(zh="最大", en="largest")

Run = Curve | Cloud
RunPlot = CurvePlot | CloudPlot


def run_cells(plot: RunPlot) -> Iterator[tuple[str | float, ...]]:
    """Yield a row for each point: of every curve, also those that are not drawn; of clouds also what failed."""
    for run in runs_of(plot):
        trial = "" if run.trial is None else float(run.trial)
        for x, y, state in _points(run):
            yield run.series, run.level, trial, x, plot.x.unit, y, plot.y.unit, state


def runs_of(plot: RunPlot) -> tuple[Run, ...]:
    """Return what the plot is of."""
    return plot.curves if isinstance(plot, CurvePlot) else plot.clouds


def shown_runs(plot: RunPlot) -> tuple[Run, ...]:
    """Return what the drawings show of it."""
    return plot.drawn if isinstance(plot, CurvePlot) else plot.clouds


def _points(run: Run) -> Iterator[tuple[float, float | str, str]]:
    if isinstance(run, Curve):
        yield from ((x, y, "usable" if run.spoilt is None else "spoilt") for x, y in run.points)
    else:
        yield from ((x, y, "answered") for x, y in run.points)
        yield from ((x, "", "failed") for x in run.failed)


def run_table(model: FigureModel, plot: RunPlot, printer: Printer) -> Table:
    """Return a row for each run: how many there are of what it is of, their percentiles, and the largest."""
    runs, axis = runs_of(plot), _axis(plot)
    has_trials = any(run.trial is not None for run in runs)
    headings = place_headings(has_trials=has_trials)
    headings += [fact_heading(address, printer) for run in runs[:1] for address in run.facts]
    headings.append(Heading(LARGEST, axis.unit))
    rows = tuple(_row(run, axis, printer, has_trials=has_trials) for run in runs)
    return Table(f"{model.key}-data", model.title, tuple(headings), rows)


def _row(run: Run, axis: Axis, printer: Printer, *, has_trials: bool) -> Row:
    facts = [Quantity(address, bare=True) for address in run.facts]
    spoilt = run.spoilt if isinstance(run, Curve) else None
    largest = same(without_unit(amount_text(_top(run), axis, printer.lang), axis))
    return Row((*place_cells(run, has_trials=has_trials), *facts, largest), spoilt)


def _top(run: Run) -> float:
    if isinstance(run, Curve):
        return run.points[-1][0]
    return max((y for _, y in run.points), default=float("nan"))


def tell_runs(plot: RunPlot, printer: Printer) -> list[str]:
    """Return a sentence for each run that is drawn."""
    return [printer.plain_sentence(_told(run, _axis(plot), printer)) for run in shown_runs(plot)]


def _axis(plot: RunPlot) -> Axis:
    """Return the axis of what is measured of each request."""
    return plot.x if isinstance(plot, CurvePlot) else plot.y


def _told(run: Run, axis: Axis, printer: Printer) -> Sentence:
    facts = [fact(address, printer) for address in run.facts]
    facts.append(say(zh="最大 {x}", en="largest {x}", x=same(amount_text(_top(run), axis, printer.lang))))
    return run_told(run, facts, printer)
