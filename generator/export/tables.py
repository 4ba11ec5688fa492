"""A round as tables: its values as CSV, values and requests as Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from generator.model import Trial
from generator.render.files.drawn import BOM
from generator.render.files.value_tables import values_csv
from generator.runs.requests import Requests

VALUES: Final = "values"
VALUE_COLUMNS: Final = (
    "scope", "series", "level", "concurrency", "rate", "trial", "metric", "basis", "value", "unit", "n", "low", "high",
    "origin", "reason_en",
)  # fmt: skip
NUMBERS: Final = ("concurrency", "rate", "trial", "value", "n", "low", "high")
MEASURED: Final = ("start", "ttft", "e2el", "input_tokens", "output_tokens")
REQUEST_COLUMNS: Final = pa.schema(
    [
        ("series", pa.string()),
        ("level", pa.string()),
        ("trial", pa.int32()),
        ("request", pa.int32()),
        ("answered", pa.bool_()),
        ("start_s", pa.float64()),
        ("ttft_s", pa.float64()),
        ("e2el_s", pa.float64()),
        ("input_tokens", pa.float64()),
        ("output_tokens", pa.float64()),
        ("chunk_gaps_us", pa.list_(pa.int32())),
    ]
)
"""A row a request, in the order of its file. What is not known is null; times are seconds after the first sending."""


def csv_files(report: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the values of report.json as the CSV that the site offers."""
    return {f"{VALUES}.csv": f"{BOM}{values_csv(dict(report))}".encode()}


def parquet_files(report: Mapping[str, Any], requests: Mapping[Trial, Requests]) -> dict[str, bytes]:
    """Return the values as Parquet and, where the round has them, the requests of all its runs."""
    files = {f"{VALUES}.parquet": _packed(_values(report))}
    if requests:
        files["requests.parquet"] = _packed(pa.concat_tables(list(_tables(requests))))
    return files


def _values(report: Mapping[str, Any]) -> pa.Table:
    rows = [{**value, "reason_en": (value["reason"] or {}).get("en")} for value in report["values"]]
    frame = pd.DataFrame(rows, columns=list(VALUE_COLUMNS))
    numbers = {name: pd.to_numeric(frame[name]) for name in NUMBERS}
    return pa.Table.from_pandas(frame.assign(**numbers), preserve_index=False)


def _tables(requests: Mapping[Trial, Requests]) -> Iterator[pa.Table]:
    for (series, level, trial), found in requests.items():
        count = len(found)
        offsets = pa.array([0, *found.gap_counts.cumsum()], pa.int32())
        columns = [
            pa.repeat(series, count), pa.repeat(level, count), pa.array([trial or 1] * count, pa.int32()),
            pa.array(range(1, count + 1), pa.int32()), pa.array(found.answered),
            *(pa.array(getattr(found, name), from_pandas=True) for name in MEASURED),
            pa.ListArray.from_arrays(offsets, pa.array(found.gaps)),
        ]  # fmt: skip
        yield pa.table(columns, schema=REQUEST_COLUMNS)


def _packed(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()
