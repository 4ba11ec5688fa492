"""Requests on disk: requests.parquet has a row a request, chunks.parquet a row a gap between chunks.

Both are plain columns under zstd, which every reader of Parquet takes: about 2 bytes a gap.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from generator.errors import InputError
from generator.numeric.spilled import column as spilled_column
from generator.numeric.spilled import let_go
from generator.runs.requests import MOST_SECONDS, MOST_TOKENS, Requests
from generator.store.files import open_file, refuse_outside, shown, unreadable
from generator.store.parquet import batches, no_parquet, numbers
from generator.text import counted
from generator.values import Source

REQUESTS_FILE: Final = "requests.parquet"
CHUNKS_FILE: Final = "chunks.parquet"
MOST_REQUESTS: Final = 10_000_000
MOST_GAPS: Final = 400_000_000
"""Rows that are read of either file; a column of more than a few million lies in a file of its own."""
SMALL: Final = 2**26
MOST_UNPACKED: Final = 200
"""How many times its own size a file may unpack to, where that is more than a small table: it can claim far more."""
BATCH: Final = 2**20
"""Rows that are unpacked at a time."""

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
MOST: Final = {
    "start": MOST_SECONDS,
    "ttft": MOST_SECONDS,
    "e2el": MOST_SECONDS,
    "input_tokens": MOST_TOKENS,
    "output_tokens": MOST_TOKENS,
    "chunk_gaps": MOST_GAPS,
}
"""What no clock and no counter gives more of, by column."""
REMEDY: Final = "restore it, or import the run again"


def pack(requests: Requests) -> dict[str, bytes]:
    """Return the files that hold some requests, by name. What is not known of a request is null."""
    made: dict[str, bytes] = {}
    for name, schema, tables in _tables(requests):
        file = io.BytesIO()
        _pack(file, schema, tables)
        made[name] = file.getvalue()
    return made


def write_columns(folder: Path, requests: Requests) -> None:
    """Write the same files into a folder that has none of them, and wait until the disk has them.

    Raises:
        InputError: there are more requests or gaps than would be read again.
        OSError: something is there already, or it cannot be written.
    """
    for count, most, what in ((len(requests), MOST_REQUESTS, "requests"), (len(requests.gaps), MOST_GAPS, "gaps")):
        if count > most:
            raise InputError(requests.source.file, "", f"has {count} {what}, more than {most}", "split the run")
    for name, schema, tables in _tables(requests):
        with (folder / name).open("xb") as file:
            _pack(file, schema, tables)
            file.flush()
            os.fsync(file.fileno())


def _tables(requests: Requests) -> Iterator[tuple[str, pa.Schema, Iterator[pa.Table]]]:
    """Yield the name of each file, its columns, and its rows piece by piece."""
    columns = {
        field.name: getattr(requests, "gap_counts" if field.name == "chunk_gaps" else field.name)
        for field in REQUEST_COLUMNS
    }
    yield REQUESTS_FILE, REQUEST_COLUMNS, _rows(columns, REQUEST_COLUMNS)
    yield CHUNKS_FILE, CHUNK_COLUMNS, _rows({"gap_us": requests.gaps}, CHUNK_COLUMNS)


def _rows(columns: Mapping[str, np.ndarray], schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield rows, as many at a time as Parquet puts into a group; no rows are a group, too."""
    for begin in range(0, max(len(next(iter(columns.values()))), 1), BATCH):
        parts = {name: numbers[begin : begin + BATCH] for name, numbers in columns.items()}
        yield pa.table({name: pa.array(part, from_pandas=True) for name, part in parts.items()}, schema=schema)
        for part in parts.values():
            let_go(part)


def _pack(file: IO[bytes], schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    how = {"compression": "zstd", "compression_level": 9, "use_dictionary": False}
    with pq.ParquetWriter(file, schema, **how) as writer:
        for table in tables:
            writer.write_table(table)


def unpack(folder: Path, source: Source, within: Path | None = None) -> Requests:
    """Return the requests in a folder.

    Args:
        folder: where both files lie.
        source: what the numbers are said to have been read from.
        within: the folder that both must lie in once all links are followed; their own folder where it is None.

    Raises:
        InputError: a file is missing, leads elsewhere, or is not Parquet, or not of these columns and this size, or
            holds what cannot be; or the two do not belong together.
    """
    within = folder if within is None else within
    rows = _columns(folder / REQUESTS_FILE, within, REQUEST_COLUMNS, MOST_REQUESTS)
    gaps = _columns(folder / CHUNKS_FILE, within, CHUNK_COLUMNS, MOST_GAPS)["gap_us"]
    told = int(rows["chunk_gaps"].sum())
    if told != len(gaps):
        problem = counted("has {n} {n:gap|gaps}, where {file} counts {m}", n=len(gaps), file=REQUESTS_FILE, m=told)
        raise InputError(shown(folder / CHUNKS_FILE), "", problem, REMEDY)
    if (rows["e2el"] < rows["ttft"]).any():
        raise _cannot_be(folder / REQUESTS_FILE, "e2el")
    return Requests(
        rows["answered"], rows["start"], rows["ttft"], rows["e2el"], rows["input_tokens"], rows["output_tokens"],
        rows["chunk_gaps"], gaps, source,
    )  # fmt: skip


def _columns(path: Path, within: Path, schema: pa.Schema, most: int) -> dict[str, np.ndarray]:
    try:
        refuse_outside(path, within)
        with open_file(path) as raw, pq.ParquetFile(raw) as file:
            _refuse_unfit(path, file, schema, most, size=os.fstat(raw.fileno()).st_size)
            columns = _numbers(path, file, schema)
    except FileNotFoundError as error:
        raise InputError(shown(path), "", "is missing", REMEDY) from error
    except (OSError, RuntimeError) as error:
        if isinstance(error, OSError) and error.errno is None:  # pyarrow's word for what does not unpack
            raise no_parquet(path, REMEDY) from error
        raise unreadable(path, error) from error
    except pa.ArrowException as error:
        raise no_parquet(path, REMEDY) from error
    return columns


def _refuse_unfit(path: Path, file: pq.ParquetFile, schema: pa.Schema, most: int, *, size: int) -> None:
    """Refuse, before anything of it is unpacked, other columns and more rows than the file can hold in earnest."""
    if not file.schema_arrow.equals(schema):
        raise InputError(shown(path), "", f"expected the columns {', '.join(schema.names)}", REMEDY)
    told = file.metadata
    groups = [told.row_group(number) for number in range(told.num_row_groups)]
    rows = sum(group.num_rows for group in groups)
    if told.num_rows > most:
        raise InputError(shown(path), "", f"has {told.num_rows} rows, more than {most}", "split the run")
    columns = [(group.num_rows, group.column(at)) for group in groups for at in range(group.num_columns)]
    if rows != told.num_rows or any(column.num_values != length for length, column in columns):
        raise no_parquet(path, REMEDY)
    unpacked = max(
        rows * sum(field.type.bit_width for field in schema) // 8, sum(group.total_byte_size for group in groups)
    )
    if unpacked > max(SMALL, MOST_UNPACKED * size):
        problem = f"unpacks from {size} bytes to {unpacked}: more than {MOST_UNPACKED} times its size"
        raise InputError(shown(path), "", problem, REMEDY)


def _numbers(path: Path, file: pq.ParquetFile, schema: pa.Schema) -> dict[str, np.ndarray]:
    """Return the columns, looked through batch by batch; what is null is NaN, where a column has that."""
    rows = file.metadata.num_rows
    columns = {field.name: spilled_column(rows, field.type.to_pandas_dtype()) for field in schema}
    done = 0
    for batch in batches(file, BATCH):
        if done + len(batch) > rows:
            raise no_parquet(path, REMEDY)
        for field, column in zip(schema, batch.columns, strict=True):
            if column.null_count and not pa.types.is_floating(field.type):
                raise _cannot_be(path, field.name)
            found = numbers(column)
            if not _can_be(field.name, found):
                raise _cannot_be(path, field.name)
            written = columns[field.name][done : done + len(batch)]
            written[:] = found
            let_go(written)
        done += len(batch)
    if done != rows:
        raise no_parquet(path, REMEDY)
    return columns


def _can_be(name: str, numbers: np.ndarray) -> bool:
    """Say whether all numbers are such as a clock or a counter gives: neither below 0 nor absurdly large."""
    if name not in MOST:
        return not (numbers < 0).any()
    whole = not name.endswith("_tokens") or (np.isnan(numbers) | (numbers == np.floor(numbers))).all()
    return bool(whole and not (numbers < 0).any() and not (numbers > MOST[name]).any())


def _cannot_be(path: Path, column: str) -> InputError:
    return InputError(shown(path), f"column {column}", "holds numbers that cannot be", REMEDY)
