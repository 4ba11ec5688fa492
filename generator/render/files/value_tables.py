"""The values of report.json as tables: CSV, and text for the terminal.

pandas is imported when a table for the terminal is asked for: it takes a quarter of a second.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Final

from generator.render.files.figures import as_csv, harmless
from generator.render.files.report_json import Json
from generator.text import LANGS

CSV_COLUMNS: Final = (
    "metric", "basis", "scope", "series", "level", "concurrency", "rate", "trial", "value", "unit", "origin",
    "rests_on", "source", "reason_zh", "reason_en",
)  # fmt: skip


def values_csv(report: Json) -> str:
    """Return the values of report.json as a flat CSV, with CRLF."""
    return as_csv(CSV_COLUMNS, (map(_cell, _row(value)) for value in report["values"]))


def _row(value: Json) -> Iterator[object]:
    yield from map(value.__getitem__, CSV_COLUMNS[:-2])
    yield from map((value["reason"] or {}).get, LANGS)


def _cell(content: object) -> str:
    """Return a cell of the CSV: numbers as Python writes them, text that no spreadsheet executes."""
    if content is None:
        return ""
    return harmless(content) if isinstance(content, str) else f"{content:.15g}"


def values_text(values: list[dict[str, object]]) -> str:
    """Return the values that are known as a table for the terminal."""
    columns = ["scope", "series", "level", "metric", "basis", "value", "unit", "origin"]
    known = _pandas().DataFrame(values).dropna(subset="value")[columns]
    return str(known.to_string(index=False, na_rep="", float_format="{:.10g}".format))


def claims_text(claims: list[dict[str, object]]) -> str:
    """Return the statements that were compared with the data as a table for the terminal."""
    columns = ["verdict", "id", "kind", "metric", "series", "level", "op", "stated", "recomputed", "unit"]
    table = _pandas().DataFrame(claims)[columns]
    return str(table.to_string(index=False, na_rep="", float_format="{:.10g}".format))


def _pandas() -> ModuleType:
    return importlib.import_module("pandas")
