"""A figure as numbers: the CSV to download, the data table behind it, and the text that stands in for it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from generator.across.levels import PLACE_HEADINGS
from generator.render.files.fit import FIT_COLUMNS, fit_cells, fit_table, series_of_fit, tell_fit
from generator.render.files.leads import LEAD_COLUMNS, lead_cells, lead_table, tell_leads
from generator.render.files.runs import RUN_COLUMNS, run_cells, run_table, shown_runs, tell_runs
from generator.render.files.timelines import TIMELINE_COLUMNS, tell_timeline, timeline_cells, timeline_table
from generator.render.files.traces import TRACE_COLUMNS, runs_of_traces, tell_traces, trace_cells, trace_table
from generator.render.plotting.axis_texts import amount_text, in_axis_unit, without_unit
from generator.render.plotting.scales import drawable
from generator.render.wording.numbers import UNKNOWN, Printer
from generator.text import Lang, Text, same
from generator.told.blocks import Heading, Row, Table
from generator.told.figure_model import (
    Axis,
    Bar,
    BarPlot,
    FigureModel,
    Fill,
    FitPlot,
    LeadPlot,
    Line,
    LinePlot,
    Plot,
    Point,
    Segment,
    TimelinePlot,
    TracePlot,
)
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say
from generator.units import FACTORS, from_base

COLUMNS: Final = ("series", "level", "x", "y", "unit", "role", "state", "metric")
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that starts so for a formula."""

FILL_STATES: Final[dict[Fill, str]] = {"solid": "read", "hatched": "computed", "empty": "free"}
SAME: Final = 1e-9
"""Relative difference below which a length is the value that its segment points to."""

ColumnKey = tuple[str, str | None]
"""A metric and its basis: a column of the table of a line plot."""


def csv_text(model: FigureModel, printer: Printer) -> str:
    """Return the numbers of a figure as CSV with CRLF; text that a spreadsheet would execute gets an apostrophe."""
    columns, rows = _cells(model.plot, printer.lang)
    return as_csv(columns, (map(_csv_cell, row) for row in rows))


def _csv_cell(cell: str | float) -> str:
    return harmless(cell) if isinstance(cell, str) else f"{cell:.15g}"


def as_csv(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return rows of cells below their columns as CSV with CRLF."""
    written_to = io.StringIO()
    csv.writer(written_to, lineterminator="\r\n").writerows([columns, *rows])
    return written_to.getvalue()


def _cells(plot: Plot, lang: Lang) -> tuple[tuple[str, ...], Iterator[tuple[str | float, ...]]]:
    cells: tuple[tuple[str, ...], Iterator[tuple[str | float, ...]]]
    match plot:
        case LinePlot():
            cells = COLUMNS, _line_cells(plot)
        case BarPlot():
            cells = COLUMNS, _bar_cells(plot, lang)
        case FitPlot():
            cells = FIT_COLUMNS, fit_cells(plot, lang)
        case TracePlot():
            cells = TRACE_COLUMNS, trace_cells(plot, lang)
        case TimelinePlot():
            cells = TIMELINE_COLUMNS, timeline_cells(plot, lang)
        case LeadPlot():
            cells = LEAD_COLUMNS, lead_cells(plot)
        case _:
            cells = RUN_COLUMNS, run_cells(plot)
    return cells


def harmless(cell: str) -> str:
    """Return a text cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def table_rows(model: FigureModel, printer: Printer) -> Table:
    """Return the data table behind a figure: a row for each series and level, segment of a bar, or run."""
    match model.plot:
        case LinePlot() as plot:
            table = _line_table(model, plot, printer)
        case BarPlot() as plot:
            table = _bar_table(model, plot, printer)
        case FitPlot() as plot:
            table = fit_table(model, plot, printer)
        case TracePlot() as plot:
            table = trace_table(model, plot, printer)
        case TimelinePlot() as plot:
            table = timeline_table(model, plot, printer)
        case LeadPlot() as plot:
            table = lead_table(model, plot, printer)
        case plot:
            table = run_table(model, plot, printer)
    return table


def alt_text(model: FigureModel, printer: Printer) -> str:
    """Return what a figure shows in words: a sentence for each line, bar or run, with its numbers."""
    told = _told(model.plot, printer)
    end = "。" if printer.lang == "zh" else "."
    joined = (end if printer.lang == "zh" else ". ").join(told)
    return joined + end if joined else UNKNOWN


def _told(plot: Plot, printer: Printer) -> list[str]:
    match plot:
        case LinePlot():
            told = [sentence for line in plot.lines for sentence in _tell_line(line, plot, printer)]
        case BarPlot():
            limit = limit_text(plot, printer.lang)
            told = [*(_tell_bar(bar, plot.x, printer) for bar in plot.bars), *([limit] if limit else [])]
        case FitPlot():
            told = tell_fit(plot, printer)
        case TracePlot():
            told = tell_traces(plot, printer)
        case TimelinePlot() as plot:
            told = tell_timeline(plot, printer)
        case LeadPlot() as plot:
            told = tell_leads(plot, printer)
        case _:
            told = tell_runs(plot, printer)
    return told


def point_quantity(point: Point, axis: Axis, printer: Printer) -> Quantity:
    """Return the value of a point in the unit of its axis, where that is a unit of the same kind."""
    return in_axis_unit(point.address, axis, printer)


def segment_text(segment: Segment, axis: Axis, printer: Printer) -> str:
    """Return the length of a segment with its unit: as its value is printed, where it shows exactly that."""
    if segment.address is not None:
        value = printer.value(segment.address)
        unit = axis.unit if axis.unit in FACTORS else printer.metric(segment.address).unit
        if value is not None and value.value is not None:
            shown = from_base(value.value, unit)
            if math.isclose(shown, segment.length, rel_tol=SAME):
                return printer.plain(in_axis_unit(segment.address, axis, printer))
    return amount_text(segment.length, axis, printer.lang)


def limit_text(plot: BarPlot, lang: Lang) -> str:
    """Return what stands at the limit of a bar plot; empty where there is none."""
    if plot.limit is None:
        return ""
    name = plot.limit_name[lang] + " " if plot.limit_name is not None else ""
    return name + amount_text(plot.limit, plot.x, lang)


def point_text(line: Line, point: Point, plot: LinePlot, printer: Printer) -> str:
    """Return what a point says when it is asked: level and value, and why it is spoilt where it is."""
    colon = "：" if printer.lang == "zh" else ": "
    level = printer.plain(LevelName(line.series, point.level))
    told = level + colon + printer.plain(point_quantity(point, plot.y, printer))
    if point.spoilt is None:
        return told
    reason = printer.plain_sentence(point.spoilt).rstrip("。.")
    return f"{told}（{reason}）" if printer.lang == "zh" else f"{told} ({reason})"


def left_out(line: Line, plot: LinePlot) -> list[Point]:
    """Return the points that have no place on the axes: zero or less on a log axis, or no number at all."""
    return [p for p in line.points if not (drawable(p.x, plot.x.scale) and drawable(p.y, plot.y.scale))]


def _series_drawn(plot: Plot) -> set[str]:
    match plot:
        case TimelinePlot():
            drawn = {plot.series}
        case LinePlot():
            drawn = {line.series for line in plot.lines}
        case BarPlot():
            drawn = {bar.series for bar in plot.bars}
        case FitPlot():
            drawn = series_of_fit(plot)
        case TracePlot():
            drawn = {run.series for run in runs_of_traces(plot, drawn=True)}
        case LeadPlot():
            drawn = {side for strip in plot.strips for side in strip.sides}
        case _:
            drawn = {run.series for run in shown_runs(plot)}
    return drawn


def absent(model: FigureModel) -> Sentence | None:
    """Return which series a figure has nothing of; None where it shows them all."""
    if isinstance(model.plot, TimelinePlot):  # which is of one run, and says of which
        return None
    drawn = _series_drawn(model.plot)
    names = tuple(SeriesName(series) for series in model.accents if series not in drawn)
    if not names:
        return None
    return say(
        zh="图中没有 {names}：没有这项数据，或没有能落在坐标轴上的数。",
        en="Not shown (no such number, or none that has a place on these axes): {names}.",
        names=Listing(names),
    )


def _line_cells(plot: LinePlot) -> Iterator[tuple[str | float, ...]]:
    for line in plot.lines:
        for point in line.points:
            state = "usable" if point.spoilt is None else "spoilt"
            metric = point.address.metric
            yield line.series, point.level, point.x, point.y, plot.y.unit, line.role, state, metric


def _bar_cells(plot: BarPlot, lang: Lang) -> Iterator[tuple[str | float, ...]]:
    for bar in plot.bars:
        for part in bar.segments:
            metric = part.address.metric if part.address is not None else ""
            state = FILL_STATES[part.fill]
            yield bar.series, bar.level or "", part.length, "", plot.x.unit, part.name[lang], state, metric
    if plot.limit is not None:
        name = plot.limit_name[lang] if plot.limit_name is not None else ""
        yield "", "", plot.limit, "", plot.x.unit, name, "limit", ""


def _line_table(model: FigureModel, plot: LinePlot, printer: Printer) -> Table:
    cells: dict[tuple[str, str], dict[ColumnKey, Point]] = {}
    columns: dict[ColumnKey, Heading] = {}
    for line in plot.lines:
        for point in line.points:
            key = (point.address.metric, point.address.basis)
            columns.setdefault(key, _heading(point, plot.y, printer))
            cells.setdefault((line.series, point.level), {})[key] = point
    headings = (*PLACE_HEADINGS, *columns.values())
    rows = tuple(_line_row(where, found, list(columns), plot, printer) for where, found in cells.items())
    return Table(f"{model.key}-data", model.title, headings, rows)


def _line_row(
    where: tuple[str, str], found: dict[ColumnKey, Point], columns: list[ColumnKey], plot: LinePlot, printer: Printer
) -> Row:
    series, level = where
    numbers: list[Part] = [
        _bare(point_quantity(found[key], plot.y, printer)) if key in found else same(UNKNOWN) for key in columns
    ]
    spoilt = next((point.spoilt for point in found.values() if point.spoilt is not None), None)
    return Row((SeriesName(series), LevelName(series, level), *numbers), spoilt)


def _heading(point: Point, axis: Axis, printer: Printer) -> Heading:
    metric = printer.metric(point.address)
    basis: Text = Text(zh=f"（{metric.basis}）", en=f" ({metric.basis})") if metric.basis else same("")
    label = Sentence(Text(zh="{title}{basis}", en="{title}{basis}"), {"title": metric.title, "basis": basis})
    return Heading(label, printer.unit(point_quantity(point, axis, printer)))


def _bare(quantity: Quantity) -> Quantity:
    return Quantity(quantity.address, quantity.style, quantity.decimals, quantity.unit, bare=True)


def _bar_table(model: FigureModel, plot: BarPlot, printer: Printer) -> Table:
    of_levels = any(bar.level is not None for bar in plot.bars)
    headings = (
        *PLACE_HEADINGS[: 2 if of_levels else 1],
        Heading(say("部分", "part")),
        Heading(Sentence(Text(zh="{label}", en="{label}"), {"label": plot.x.label}), plot.x.unit),
    )
    rows = tuple(
        Row((*_whose(bar, of_levels), part.name, same(without_unit(segment_text(part, plot.x, printer), plot.x))))
        for bar in plot.bars
        for part in bar.segments
    )
    return Table(f"{model.key}-data", model.title, headings, rows)


def _whose(bar: Bar, of_levels: bool) -> tuple[Part, ...]:
    """Return whose bar it is: its series, and its level where bars are of levels."""
    level = LevelName(bar.series, bar.level) if bar.level is not None else same("")
    return (SeriesName(bar.series), level) if of_levels else (SeriesName(bar.series),)


def _tell_line(line: Line, plot: LinePlot, printer: Printer) -> list[str]:
    dropped = left_out(line, plot)
    shown = [point for point in line.points if point not in dropped]
    name = {"name": line.name}
    told = [printer.plain_sentence(_course(line, shown, plot, printer))] if shown else []
    for points, sentence in (
        ([p for p in shown if p.spoilt], say("{name} 已排除的档位：{levels}", "{name}, excluded: {levels}", **name)),
        (dropped, say("{name} 画不出的档位：{levels}", "{name}, not drawable: {levels}", **name)),
    ):
        if points:
            levels = Listing(tuple(same(point_text(line, point, plot, printer)) for point in points))
            told.append(printer.plain_sentence(Sentence(sentence.text, {**name, "levels": levels})))
    return told


def _course(line: Line, shown: list[Point], plot: LinePlot, printer: Printer) -> Sentence:
    def told(point: Point) -> dict[str, Part]:
        level = LevelName(line.series, point.level)
        return {"level": level, "y": point_quantity(point, plot.y, printer)}

    first, last = told(shown[0]), told(shown[-1])
    if len(shown) == 1:
        return say("{name}：{level} 为 {y}", "{name}: {y} at {level}", name=line.name, **first)
    ends = sorted(shown, key=lambda point: point.y)
    if {ends[0].y, ends[-1].y} == {shown[0].y, shown[-1].y}:
        return _between(line, first, last)
    low, high = told(ends[0]), told(ends[-1])
    return say(
        "{name}：从 {l1} 的 {y1} 到 {l2} 的 {y2}，最低 {y3}（{l3}），最高 {y4}（{l4}）",
        "{name}: from {y1} at {l1} to {y2} at {l2}; lowest {y3} ({l3}), highest {y4} ({l4})",
        name=line.name, l1=first["level"], y1=first["y"], l2=last["level"], y2=last["y"],
        l3=low["level"], y3=low["y"], l4=high["level"], y4=high["y"],
    )  # fmt: skip


def _between(line: Line, first: Mapping[str, Part], last: Mapping[str, Part]) -> Sentence:
    return say(
        "{name}：从 {l1} 的 {y1} 到 {l2} 的 {y2}，中间不出这个范围",
        "{name}: from {y1} at {l1} to {y2} at {l2}, staying between the two",
        name=line.name, l1=first["level"], y1=first["y"], l2=last["level"], y2=last["y"],
    )  # fmt: skip


def _tell_bar(bar: Bar, axis: Axis, printer: Printer) -> str:
    parts = [
        Sentence(Text("{name} {length}", "{name} {length}"),
                 {"name": part.name, "length": same(segment_text(part, axis, printer))})
        for part in bar.segments
    ]  # fmt: skip
    listed = Listing(tuple(same(printer.plain_sentence(part)) for part in parts))
    return printer.plain_sentence(say("{name}：{parts}", "{name}: {parts}", name=bar.name, parts=listed))
