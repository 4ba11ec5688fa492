"""Columns in files: the same numbers as in memory, and little of it."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.numeric import spilled
from generator.numeric.spilled import Pile, column, filled, held, let_go, ordered, pieces, total

Numbers = np.ndarray[Any, np.dtype[np.float64]]
PARTS = st.lists(st.lists(st.integers(0, 9).map(float), max_size=9), max_size=9)
"""Pieces of a column, with few different numbers, so that many of them are the same."""


@pytest.fixture(autouse=True)
def small() -> Iterator[None]:
    """Let columns of more than two numbers lie in files, and be gone through by four."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("MOST_HELD", 16), ("PIECE", 4), ("STEP", 2)):
            patch.setattr(spilled, name, value)
        yield


def is_mapped(numbers: np.ndarray[Any, Any]) -> bool:
    return spilled._mapping(numbers) is not None


def test_a_short_column_is_held_and_a_long_one_lies_in_a_file() -> None:
    assert not is_mapped(column(2, np.float64))
    assert is_mapped(column(3, np.float64))
    assert is_mapped(column(3, np.float64)[1:])


def test_numbers_that_are_let_go_are_still_there() -> None:
    made = column(5000, np.int32)
    made[:] = np.arange(5000)
    let_go(made[100:3000])
    let_go(made)
    assert made.tolist() == list(range(5000))


def test_a_file_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    made = column(5000, np.float64)
    assert list(tmp_path.iterdir()) == []
    assert len(made) == 5000


def test_what_is_held_where_it_costs_nothing_is_the_same() -> None:
    few, many = np.array([1.0, 2.0]), np.arange(9.0)
    assert held(few) is few
    kept = held(many)
    assert is_mapped(kept)
    assert kept.tolist() == many.tolist()
    assert held(kept) is kept


def test_pieces_are_all_of_a_column() -> None:
    # Nine numbers by four: 4 + 4 + 1.
    assert [piece.tolist() for piece in pieces(np.arange(9.0))] == [[0, 1, 2, 3], [4, 5, 6, 7], [8]]


def test_a_column_may_turn_out_shorter_than_it_could_be() -> None:
    assert filled(9, np.int32, iter([np.array([3, 1]), np.array([], np.int64), np.array([2])])).tolist() == [3, 1, 2]


@pytest.mark.parametrize("count", [0, 1, 4, 5, 9, 127, 128, 129, 1000, 4099])
def test_a_sum_is_that_of_numpy_to_the_bit(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "PIECE", 128)  # numpy itself adds up to 128 numbers one after another
    numbers = np.random.default_rng(1).random(count)
    assert total(numbers) == float(numbers.sum())


@given(PARTS)
def test_numbers_come_in_rising_order_whatever_pieces_they_came_in(parts: list[list[float]]) -> None:
    flat = [number for part in parts for number in part]
    assert ordered(len(flat), np.float64, (np.array(part) for part in parts)).tolist() == sorted(flat)


def test_many_equal_numbers_are_not_sorted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    longest: list[int] = []
    sort: Callable[[Any], Any] = np.sort

    def watched(numbers: Any) -> Any:
        longest.append(len(numbers))
        return sort(numbers)

    monkeypatch.setattr(np, "sort", watched)
    parts = [np.array([7.0, 7.0, 7.0, float(n)]) for n in range(100)]
    assert ordered(400, np.float64, iter(parts)).tolist() == sorted(np.concatenate(parts).tolist())
    # The sample is a half of all, 200; what lies between two cuts is far less than the 301 sevens.
    assert max(longest) <= 200


def test_a_pile_is_what_was_put_on_it_in_memory_and_beyond() -> None:
    few, many = Pile("d"), Pile("i")
    few.extend([1.5])
    for number in range(1000):
        many.extend([number, -number])
    assert (len(few), few.column().tolist()) == (1, [1.5])
    assert len(many) == 2000
    made = many.column()
    assert made.tolist() == [number for n in range(1000) for number in (n, -n)]
    assert is_mapped(made)
    assert Pile("i").column().tolist() == []


def test_a_full_disk_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(InputError, match=r"no room for a column of 8 MiB; make room, or name another one in TMPDIR"):
        column(2**20, np.float64)


def test_a_disk_that_fills_up_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(spilled, "_new_file", Full)
    with pytest.raises(InputError, match="has no room for a column"):
        Pile("d").extend(range(1000))


MOST_MIB = 120
MEASURED = """
import resource, sys
from pathlib import Path
import numpy as np
from generator.numeric import spilled
from generator.runs.requests import SAMPLES
from generator.store.request_columns import unpack, write_columns
from generator.store.request_rows import RequestRows
from generator.numeric.statistics import longest_quiet, mean, percentile
from generator.values import Source

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

spilled.MOST_HELD, spilled.PIECE = 2**20, 2**16
folder, source, rows = Path(sys.argv[1]), Source("x", ""), RequestRows()
each = np.linspace(0.01, 0.03, 20_000).tolist()
rows.add(start=0.0, ttft=0.1, e2el=0.1 + sum(each), output_tokens=20_001, gaps=each)
write_columns(folder, rows.requests(source))
for key in SAMPLES:
    unpack(folder, source).sample(key)
for name in ("requests.parquet", "chunks.parquet"):
    (folder / name).unlink()

before, rows = peak(), RequestRows()
for n in range(200):
    rows.add(start=n * 0.5, ttft=0.1, e2el=0.1 + sum(each), output_tokens=20_001, gaps=each)
write_columns(folder, rows.requests(source))
requests = unpack(folder, source)
for key in SAMPLES:
    requests.sample(key)
itl, times = requests.sample("request_itl"), requests.sample("chunk_time")
longest_quiet(times, requests.sample("answer_start"), requests.sample("answer_end"))
print(mean(itl), percentile(itl, 99))
print((peak() - before) / 2**20, len(itl))
"""


def test_four_million_gaps_are_kept_and_sampled_in_less_memory_than_they_take(tmp_path: Path) -> None:
    # As int32 they are 16 MB, and each of their five samples is 32 MB of float64: 176 MB where all are held,
    # and with what comes between, 430 MiB. Here it is 50 MiB.
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path)], check=True, capture_output=True, text=True, timeout=300
    )
    told, measured = done.stdout.splitlines()
    # Evenly from 10 to 30 ms: 20 ms on average, and 10 + 0.99 × 20 = 29.8 ms.
    assert [round(float(number), 4) for number in told.split()] == [0.02, 0.0298]
    grown, count = measured.split()
    assert (int(count), float(grown) < MOST_MIB) == (4_000_000, True), f"took {grown} MiB"
