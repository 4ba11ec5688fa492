"""samples.parquet, as ``rounds collect`` writes it: a row a number, with CLOCK_MONOTONIC and the wall clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from generator.errors import InputError
from generator.store.files import open_file, shown, unreadable
from generator.store.parquet import batches, no_parquet, numbers
from generator.telemetry.samples import LARGEST, MOST_VALUES, WANTED, Gathering, Samples

TOOL: Final = "rounds collect"
MAGIC: Final = b"PAR1"
NS: Final = 10**9
COLUMNS: Final = pa.schema(
    [
        ("t_mono_ns", pa.int64()),
        ("t_wall_ns", pa.int64()),
        ("source", pa.string()),
        ("field", pa.string()),
        ("value", pa.float64()),
        ("note", pa.string()),
    ]
)
OF_OTHERS: Final[Mapping[str, frozenset[str]]] = {
    "client": frozenset({"cpu"}),
    "server": frozenset({"rss"}),
    "engine": frozenset({"running", "waiting", "kv_usage", "block_tokens", "pool_blocks"}),
    "slots": frozenset({"running", "slot_tokens"}),
}
"""Fields of what is no GPU that are kept."""
BATCH: Final = 2**16
REMEDY: Final = "restore it, or collect the round again"
MOST_ROWS: Final = 100_000_000
WIDEST: Final = 2**28
"""Bytes that a row group may unpack to: one is in memory at a time."""


def read(path: Path) -> Samples:
    """Read the samples of the collector, those fields of them that are of use.

    Raises:
        InputError: it is not Parquet, not of these columns, or more than any round leaves.
    """
    gathering = Gathering(path, TOOL)
    offset: float | None = None
    try:
        with open_file(path) as raw, pq.ParquetFile(raw) as file:
            _refuse_foreign(path, file)
            for batch in batches(file, BATCH):
                offset = _take(batch, gathering, offset)
    except OSError as error:
        if error.errno is None:  # pyarrow's word for what does not unpack
            raise no_parquet(path, REMEDY) from error
        raise unreadable(path, error) from error
    except (pa.ArrowException, UnicodeDecodeError, ValueError) as error:
        raise no_parquet(path, REMEDY) from error
    return gathering.samples("monotonic", offset)


def _refuse_foreign(path: Path, file: pq.ParquetFile) -> None:
    if not file.schema_arrow.equals(COLUMNS):
        raise InputError(shown(path), "", f"expected the columns {', '.join(COLUMNS.names)}", REMEDY)
    told = file.metadata
    groups = [told.row_group(number) for number in range(told.num_row_groups)]
    if told.num_rows > MOST_ROWS or any(group.total_byte_size > WIDEST for group in groups):
        raise InputError(shown(path), "", f"holds more than {MOST_VALUES} numbers", "cut it to the time of the runs")


def _take(batch: pa.RecordBatch, gathering: Gathering, offset: float | None) -> float | None:
    """Take the rows of a batch; return what makes seconds since 1970 of the monotonic clock."""
    mono, wall, value = (numbers(batch.column(place)) for place in (0, 1, 4))
    is_number = (np.isfinite(value) & (np.abs(value) < LARGEST)).tolist()
    for row, device, name in _wanted(batch):
        if is_number[row]:
            gathering.add(float(mono[row]) / NS, device, {name: float(value[row])})
        elif name not in gathering.missing:
            gathering.missing[name] = str(batch.column(5)[row].as_py() or "")
    if offset is None and len(mono) and np.isfinite(float(mono[0])) and np.isfinite(float(wall[0])):
        return (float(wall[0]) - float(mono[0])) / NS
    return offset


def _wanted(batch: pa.RecordBatch) -> Iterator[tuple[int, str, str]]:
    """Yield the rows of fields that are kept, each with its device and the name of the field."""
    columns = (batch.column(0).is_valid(), batch.column(1).is_valid(), batch.column(2), batch.column(3))
    for row, (mono, wall, source, name) in enumerate(zip(*(one.to_pylist() for one in columns), strict=True)):
        if mono and wall and source and name and _is_kept(source, name):
            yield row, source, name


@lru_cache(maxsize=1024)
def _is_kept(source: str, name: str) -> bool:
    kept = WANTED if source.startswith("gpu") and "." not in source else OF_OTHERS.get(source, frozenset())
    return name in kept
