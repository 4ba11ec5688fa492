"""Parquet as it is read here: group by group, and refused in one line where it cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from generator.errors import InputError
from generator.store.files import shown


def batches(file: pq.ParquetFile, rows: int) -> Iterator[pa.RecordBatch]:
    """Yield so many rows of a file at a time, a group after the other: asked for together, all are read ahead."""
    for group in range(file.num_row_groups):
        yield from file.iter_batches(rows, row_groups=[group], use_threads=False)


def numbers(column: pa.Array) -> np.ndarray[tuple[int], np.dtype[Any]]:
    """Return the numbers of a column, of its own type; where any of them is null, as floats, and that one is NaN.

    pyarrow's own way there imports pandas, which takes a quarter of a second.
    """
    is_bool = pa.types.is_boolean(column.type)
    whole = column.cast(pa.uint8()) if is_bool else column
    dtype = np.dtype(whole.type.to_pandas_dtype())
    if not len(whole):
        return np.empty(0, np.bool_ if is_bool else dtype)
    found = np.frombuffer(whole.buffers()[1], dtype, whole.offset + len(whole))[whole.offset :]
    if whole.null_count:
        return np.where(numbers(whole.is_valid()), found, np.nan)
    return found.view(np.bool_) if is_bool else found


def no_parquet(path: Path, remedy: str) -> InputError:
    """Return what to say of a file that cannot be read as Parquet."""
    return InputError(shown(path), "", "is not a Parquet file that can be read", remedy)
