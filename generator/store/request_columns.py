"""Requests on disk: requests.parquet has a row a request, chunks.parquet a row a gap between chunks.

Both are plain columns under zstd, which every reader of Parquet takes: about 2 bytes a gap.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from generator.errors import InputError
from generator.requests import Requests
from generator.store.files import shown, unreadable
from generator.values import Source

REQUESTS_FILE: Final = "requests.parquet"
CHUNKS_FILE: Final = "chunks.parquet"
MOST_ROWS: Final = 100_000_000
"""Rows that are read: as gaps 400 MB in memory. A small file can claim, and unpack to, far more."""

REQUEST_COLUMNS: Final = pa.schema(
    [
        ("answered", pa.bool_()),
        ("start", pa.float64()),
        ("ttft", pa.float64()),
        ("e2el", pa.float64()),
        ("input_tokens", pa.float64()),
        ("output_tokens", pa.float64()),
        ("chunk_gaps", pa.int64()),
    ]
)
CHUNK_COLUMNS: Final = pa.schema([("gap_us", pa.int32())])
REMEDY: Final = "restore it, or import the run again"


def pack(requests: Requests) -> dict[str, bytes]:
    """Return the files that hold some requests, by name. What is not known of a request is null."""
    numbers = {
        name: pa.array(getattr(requests, name), from_pandas=True)
        for name in ("start", "ttft", "e2el", "input_tokens", "output_tokens")
    }
    columns = {"answered": pa.array(requests.answered), **numbers, "chunk_gaps": pa.array(requests.gap_counts)}
    return {
        REQUESTS_FILE: _packed(pa.table(columns, schema=REQUEST_COLUMNS)),
        CHUNKS_FILE: _packed(pa.table({"gap_us": pa.array(requests.gaps)}, schema=CHUNK_COLUMNS)),
    }


def _packed(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", compression_level=9, use_dictionary=False)
    return file.getvalue()


def unpack(folder: Path, source: Source) -> Requests:
    """Return the requests in a folder.

    Args:
        folder: where both files lie.
        source: what the numbers are said to have been read from.

    Raises:
        FileNotFoundError: there is no requests.parquet.
        InputError: a file is not Parquet, or not of these columns, or the two do not belong together.
    """
    rows = _columns(folder / REQUESTS_FILE, REQUEST_COLUMNS)
    if not (folder / CHUNKS_FILE).exists():
        raise InputError(shown(folder / CHUNKS_FILE), "", "is missing", REMEDY)
    gaps = _columns(folder / CHUNKS_FILE, CHUNK_COLUMNS)["gap_us"]
    counted = int(rows["chunk_gaps"].sum())
    if counted != len(gaps):
        problem = f"has {len(gaps)} gaps, where {REQUESTS_FILE} counts {counted}"
        raise InputError(shown(folder / CHUNKS_FILE), "", problem, REMEDY)
    return Requests(
        rows["answered"], rows["start"], rows["ttft"], rows["e2el"], rows["input_tokens"], rows["output_tokens"],
        rows["chunk_gaps"], gaps, source,
    )  # fmt: skip


def _columns(path: Path, schema: pa.Schema) -> dict[str, np.ndarray]:
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(schema):
                raise InputError(shown(path), "", f"expected the columns {', '.join(schema.names)}", REMEDY)
            if file.metadata.num_rows > MOST_ROWS:
                problem = f"has {file.metadata.num_rows} rows, more than {MOST_ROWS}"
                raise InputError(shown(path), "", problem, "split the run")
            table = file.read(use_threads=False)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise unreadable(path, error) from error
    except pa.ArrowException as error:
        raise InputError(shown(path), "", "is not a Parquet file that can be read", REMEDY) from error
    columns = {name: table.column(name).to_numpy(zero_copy_only=False) for name in schema.names}
    for name, numbers in columns.items():
        must_be_known = not pa.types.is_floating(schema.field(name).type)
        _refuse_odd(path, name, numbers, unknown=must_be_known and table.column(name).null_count > 0)
    return columns


def _refuse_odd(path: Path, name: str, numbers: np.ndarray, *, unknown: bool) -> None:
    """Refuse what no clock and no counter gives: times and counts below 0 or without end, flags that are unknown."""
    if unknown or (numbers < 0).any() or np.isinf(numbers).any():
        raise InputError(shown(path), f"column {name}", "holds numbers that cannot be", REMEDY)
