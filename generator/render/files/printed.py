"""Where a round's reports print each of its metrics: a file for machines, and what the glossary leads to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from generator.render.page import ReportView
from generator.render.wording.numbers import Printer
from generator.told.blocks import Table
from generator.told.sentence import Quantity

PRINTED: Final = "printed.json"
"""Its name in the folder of a round's data."""
MARK: Final = re.compile(r'<section id="([^"]+)"|href="how\.html#([^"]+)"')
"""The start of a section, or a number in it."""

Printed = dict[str, list[str]]
"""Metric -> the places that print it, ``page#anchor``, those of sections before those of figures."""


def printed(views: Iterable[ReportView], pages: Mapping[str, str]) -> Printed:
    """Return where the reports of a round print each metric.

    Args:
        views: the reports, in order, in one language.
        pages: their HTML, by the name of their page.
    """
    listed = list(views)
    found: dict[str, dict[str, None]] = {}
    for metric, place in (*_in_sections(listed, pages), *_in_figures(listed)):
        found.setdefault(metric, {})[place] = None
    return {metric: list(places) for metric, places in found.items()}


def _in_sections(views: Iterable[ReportView], pages: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for view in views:
        metrics = _by_anchor(view.printer)
        section = ""
        for opened, number in MARK.findall(pages[view.report.page]):
            section = opened or section
            if number:
                yield metrics[number], f"{view.report.page}#{section}"


def _by_anchor(printer: Printer) -> dict[str, str]:
    return {anchor: address.metric for address, anchor in printer.anchors.items()}


def _in_figures(views: Iterable[ReportView]) -> Iterator[tuple[str, str]]:
    for view in views:
        for key, figure in view.shown.items():
            yield from ((metric, f"{view.report.page}#fig-{key}") for metric in _of_table(figure.table))


def _of_table(table: Table) -> Iterator[str]:
    cells = (cell for row in table.rows for cell in row.cells)
    return (cell.address.metric for cell in cells if isinstance(cell, Quantity))
