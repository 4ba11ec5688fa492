"""The values of report.json as tables: CSV, and text for the terminal.

pandas is imported when a table for the terminal is asked for: it takes a quarter of a second.
"""

from __future__ import annotations

import importlib
from operator import itemgetter
from types import ModuleType
from typing import Final

from generator.render.files.figures import as_csv, harmless
from generator.render.files.report_json import Json
from generator.text import LANGS

CSV_COLUMNS: Final = (
    "metric", "basis", "scope", "series", "level", "concurrency", "rate", "trial", "value", "unit", "origin",
    "rests_on", "source", "reason_zh", "reason_en",
)  # fmt: skip
BEFORE_REASON: Final = itemgetter(*CSV_COLUMNS[: -len(LANGS)])


def values_csv(report: Json) -> str:
    """Return the values of report.json as a flat CSV, with CRLF."""
    return as_csv(CSV_COLUMNS, map(_cells, report["values"]))


def _cells(value: Json) -> list[str]:
    """Return a row of the CSV: numbers as Python writes them, text that no spreadsheet executes."""
    whole = (*BEFORE_REASON(value), *map((value["reason"] or {}).get, LANGS))
    return ["" if one is None else harmless(one) if isinstance(one, str) else f"{one:.15g}" for one in whole]


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
