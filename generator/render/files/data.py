"""The data of a round as files beside its pages: everything for machines, and what a page offers to download."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from generator.render.files.drawn import BOM, as_json, figure_files
from generator.render.files.figures import as_csv, harmless
from generator.render.files.report_json import report_json
from generator.render.files.value_tables import values_csv
from generator.render.page import ReportView
from generator.render.views.figure import DRAWN_IN
from generator.render.views.reports import Drawn
from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.text import Lang
from generator.told.blocks import Heading, Row, Table
from generator.told.figure_model import FigureModel
from generator.told.sentence import LevelName, Part, Quantity, SeriesName
from generator.units import from_base

FULL: Final = "full"
"""The table of all that was measured, which can be downloaded as it stands."""


def data_files(views: Mapping[Lang, Sequence[ReportView]], drawn: Drawn) -> dict[str, str]:
    """Return the files of a round's data folder, by their names in it: language-neutral, but for the drawings.

    Args:
        views: the reports in each language; what they draw is what the files hold.
        drawn: the figures as descriptions.
    """
    printers = {lang: of_lang[0].printer for lang, of_lang in views.items()}
    shown = {lang: dict(ChainMap(*(dict(view.shown) for view in of_lang))) for lang, of_lang in views.items()}
    models = {key: model for key in shown[DRAWN_IN] if isinstance(model := drawn[key], FigureModel)}
    printer = printers[DRAWN_IN]
    report = report_json(printer.analysis, printer.graph, models)
    files = {"report.json": as_json(report), "values.csv": BOM + values_csv(report)}
    files |= figure_files(models, shown, printers)
    for table in _tables(section.chapter for view in views[DRAWN_IN] for section in view.sections):
        if table.key == FULL:
            files[f"{FULL}.csv"] = BOM + table_csv(table, printer)
    return files


def table_csv(table: Table, printer: Printer) -> str:
    """Return a table as CSV with CRLF: numbers unrounded and in the unit of their column, ids instead of names."""
    columns = [*(_head(heading, printer) for heading in table.headings), "state"]
    return as_csv(columns, ([*(_cell(part, printer) for part in row.cells), _state(row)] for row in table.rows))


def _tables(chapters: Iterable[Chapter]) -> Iterator[Table]:
    return (block for chapter in chapters for block in chapter.blocks if isinstance(block, Table))


def _head(heading: Heading, printer: Printer) -> str:
    label = printer.plain_sentence(heading.label)
    return harmless(f"{label} ({heading.unit})" if heading.unit else label)


def _cell(part: Part, printer: Printer) -> str:
    match part:
        case Quantity():
            return _number(part, printer)
        case SeriesName(series):
            return harmless(series)
        case LevelName(_, level):
            return harmless(level)
        case _:
            return harmless(printer.plain(part))


def _state(row: Row) -> str:
    return "usable" if row.spoilt is None else "spoilt"


def _number(quantity: Quantity, printer: Printer) -> str:
    value, metric = printer.value(quantity.address), printer.metric(quantity.address)
    if value is None or value.value is None:
        return ""
    amount = from_base(value.value, quantity.unit or metric.unit)
    return f"{amount * 100 if (quantity.style or metric.style) == 'percent' else amount:.15g}"
