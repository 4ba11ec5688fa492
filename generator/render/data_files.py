"""The data of a round as files beside its pages: everything for machines, and what a page offers to download."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from generator.blocks import Heading, Row, Table
from generator.figure_model import FigureModel
from generator.kinds import Chapter
from generator.render.figure_files import as_csv, harmless
from generator.render.figure_json import figure_json
from generator.render.figure_view import DRAWN_IN, drawing_name
from generator.render.numbers import Printer
from generator.render.page import Drawn, ReportView
from generator.render.report import report_json, values_csv
from generator.render.svg import adaptive, standalone
from generator.sentence import LevelName, Part, Quantity, SeriesName
from generator.text import Lang
from generator.units import from_base

BOM: Final = "\ufeff"
"""Without it, spreadsheets read a UTF-8 CSV as if it were in the local encoding."""

FULL: Final = "full"
"""The table of all that was measured, which can be downloaded as it stands."""


def data_files(views: Mapping[Lang, ReportView], drawn: Drawn) -> dict[str, str]:
    """Return the files of a round's data folder, by their names in it: language-neutral, but for the drawings.

    Args:
        views: the report in each language; what it draws is what the files hold.
        drawn: the figures as descriptions.
    """
    printer = views[DRAWN_IN].printer
    report = report_json(printer.analysis, printer.graph, drawn)
    files = {"report.json": _json(report), "values.csv": BOM + values_csv(report)}
    for key, model in drawn.items():
        if isinstance(model, FigureModel):
            files |= {f"figures/{name}": text for name, text in _figure(key, model, views).items()}
    for table in _tables(section.chapter for section in views[DRAWN_IN].sections):
        if table.key == FULL:
            files[f"{FULL}.csv"] = BOM + table_csv(table, printer)
    return files


def table_csv(table: Table, printer: Printer) -> str:
    """Return a table as CSV with CRLF: numbers unrounded and in the unit of their column, ids instead of names."""
    columns = [*(_head(heading, printer) for heading in table.headings), "state"]
    return as_csv(columns, ([*(_cell(part, printer) for part in row.cells), _state(row)] for row in table.rows))


def _figure(key: str, model: FigureModel, views: Mapping[Lang, ReportView]) -> dict[str, str]:
    figures = {lang: view.shown[key] for lang, view in views.items()}
    printers = {lang: view.printer for lang, view in views.items()}
    files = {f"{key}.csv": BOM + figures[DRAWN_IN].csv, f"{key}.json": _json(figure_json(model, printers))}
    for lang, figure in figures.items():
        files[f"{drawing_name(key, lang)}.svg"] = standalone(figure.wide)
        files[f"{drawing_name(f'{key}.narrow', lang)}.svg"] = adaptive(figure.narrow_drawing)
    return files


def _json(thing: object) -> str:
    return json.dumps(thing, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


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
