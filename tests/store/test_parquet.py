from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.store.parquet import batches, no_parquet, numbers

PRINTS_WHETHER: Final = """
import sys
import pyarrow.parquet as pq
from generator.store.parquet import batches, numbers
with pq.ParquetFile(sys.argv[1]) as file:
    for batch in batches(file, 10):
        numbers(batch.column(0))
print("pandas" in sys.modules)
"""


def test_rows_come_group_by_group(tmp_path: Path) -> None:
    # five rows in groups of 3 and 2, at most two rows at a time: 2 + 1 of the first group, then 2 of the second
    pq.write_table(pa.table({"x": [1, 2, 3, 4, 5]}), tmp_path / "x.parquet", row_group_size=3)

    with pq.ParquetFile(tmp_path / "x.parquet") as file:
        assert [batch.column(0).to_pylist() for batch in batches(file, 2)] == [[1, 2], [3], [4, 5]]


def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    told = str(no_parquet(tmp_path / "x.parquet", "restore it"))

    assert told.endswith("x.parquet: is not a Parquet file that can be read; restore it")


@pytest.mark.parametrize(
    "column",
    [
        pa.array([True, False, True, True]),
        pa.array([1, 2, 3], pa.int64()),
        pa.array([1, None, 3], pa.int64()),
        pa.array([0.5, None, 2.5]),
        pa.array([True] * 11 + [False])[9:],
        pa.array([0.5, None, 2.5, 3.5, None])[1:4],
        pa.array([], pa.float64()),
        pa.array([], pa.bool_()),
    ],
)
def test_numbers_are_those_that_pyarrow_gives(column: pa.Array) -> None:
    expected = column.to_numpy(zero_copy_only=False)

    assert numbers(column).dtype == expected.dtype
    np.testing.assert_array_equal(numbers(column), expected)


def test_numbers_are_taken_without_pandas(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1.5, None]}), tmp_path / "x.parquet")

    told = subprocess.run(
        [sys.executable, "-c", PRINTS_WHETHER, str(tmp_path / "x.parquet")], capture_output=True, text=True, check=True
    )

    assert told.stdout == "False\n"
