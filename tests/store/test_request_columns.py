from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.runs.requests import Requests
from generator.store.request_columns import CHUNKS_FILE, REQUESTS_FILE, pack, unpack
from generator.text import counted
from generator.values import Source
from tests.support.toy_runs import requests_of

SOURCE = Source("a/levels/c1/1/requests.parquet", "")
COLUMNS = ("answered", "start", "ttft", "e2el", "input_tokens", "output_tokens", "gap_counts", "gaps")


def write(folder: Path, requests: Requests) -> Path:
    for name, data in pack(requests).items():
        (folder / name).write_bytes(data)
    return folder


def assert_same(one: Requests, other: Requests) -> None:
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
        assert getattr(one, name).dtype == getattr(other, name).dtype, name


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    requests = requests_of([(0.0, 0.2, [50, 50]), (0.1, 0.3, [])], failed=1)

    assert_same(unpack(write(tmp_path, requests), SOURCE), requests)


rows = st.tuples(
    st.floats(0, 1e6), st.floats(1e-6, 1e4), st.lists(st.integers(0, 2_000_000).map(lambda us: us / 1000), max_size=5)
)


@settings(max_examples=50)
@given(st.lists(rows, max_size=8), st.integers(0, 3))
def test_any_requests_are_read_again(
    tmp_path_factory: pytest.TempPathFactory, seen: list[tuple[float, float, list[float]]], failed: int
) -> None:
    requests = requests_of(seen, failed=failed)

    assert_same(unpack(write(tmp_path_factory.mktemp("trial"), requests), SOURCE), requests)


def test_the_same_requests_give_the_same_bytes() -> None:
    requests = requests_of([(0.0, 0.2, [50, 50])])
    assert pack(requests) == pack(requests)


def test_what_is_unknown_is_null_in_the_file(tmp_path: Path) -> None:
    write(tmp_path, requests_of([(0.0, 0.2, [])], failed=1))

    table = pq.read_table(tmp_path / REQUESTS_FILE)
    assert table.column("ttft").to_pylist() == [0.2, None]
    assert table.column("output_tokens").to_pylist() == [1.0, None]


@pytest.mark.parametrize(("stall_ms", "noise_us"), [(0, 300), (120, 1500)], ids=["steady", "with stalls"])
def test_a_gap_takes_at_most_two_and_a_half_bytes(stall_ms: int, noise_us: int) -> None:
    # A million gaps about 22 ms; in the second case every fiftieth is a stall of a length of its own.
    drawn = np.random.default_rng(7)
    gaps = drawn.normal(22_000, noise_us, 1_000_000)
    gaps[::50] += drawn.integers(0, 1000 * stall_ms + 1, len(gaps[::50]))
    n = np.ones(1, dtype=np.int64)
    requests = Requests(
        np.array([True]), np.zeros(1), np.ones(1), np.ones(1), np.ones(1), np.ones(1), n * len(gaps),
        gaps.astype(np.int32), SOURCE,
    )  # fmt: skip

    assert len(pack(requests)[CHUNKS_FILE]) <= 2.5 * len(gaps)


# Files that are not what we wrote


def broken(folder: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        unpack(folder, SOURCE)
    return caught.value


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    write(tmp_path, requests_of([(0.0, 0.2, [50])]))
    (tmp_path / CHUNKS_FILE).write_bytes(b"PAR1 and then nothing")

    error = broken(tmp_path)
    assert error.file.endswith(CHUNKS_FILE)
    assert (error.problem, error.remedy) == (
        "is not a Parquet file that can be read",
        "restore it, or import the run again",
    )


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, requests_of([(0.0, 0.2, [50])])) / REQUESTS_FILE
    path.write_bytes(path.read_bytes()[:-20])

    assert broken(tmp_path).problem == "is not a Parquet file that can be read"


def test_other_columns_are_refused(tmp_path: Path) -> None:
    write(tmp_path, requests_of([(0.0, 0.2, [50])]))
    pq.write_table(pa.table({"gap_ms": [50.0]}), tmp_path / CHUNKS_FILE)

    assert broken(tmp_path).problem == "expected the columns gap_us"


@pytest.mark.parametrize("gaps", [[50_000], [50_000, 50_000, 50_000]])
def test_gaps_that_belong_to_other_requests_are_refused(tmp_path: Path, gaps: list[int]) -> None:
    write(tmp_path, requests_of([(0.0, 0.2, [50, 50])]))
    pq.write_table(pa.table({"gap_us": pa.array(gaps, pa.int32())}), tmp_path / CHUNKS_FILE)

    assert broken(tmp_path).problem == counted("has {n} {n:gap|gaps}, where requests.parquet counts 2", n=len(gaps))


def test_missing_chunks_are_refused(tmp_path: Path) -> None:
    write(tmp_path, requests_of([(0.0, 0.2, [50])]))
    (tmp_path / CHUNKS_FILE).unlink()

    assert broken(tmp_path).problem == "is missing"


@pytest.mark.parametrize(
    ("column", "odd"),
    [
        ("ttft", -0.2),
        ("e2el", float("inf")),
        ("chunk_gaps", None),
        ("chunk_gaps", -1),
        ("answered", None),
        ("start", 1e8),
        ("ttft", 1e8),
        ("output_tokens", 1e8),
        ("input_tokens", 1e8),
        ("output_tokens", 1.5),
        ("e2el", 0.1),  # the first token came after 0.2 s
    ],
)
def test_numbers_that_cannot_be_are_refused(tmp_path: Path, column: str, odd: float | None) -> None:
    path = write(tmp_path, requests_of([(0.0, 0.2, [50]), (0.1, 0.2, [])])) / REQUESTS_FILE
    table = pq.read_table(path)
    place = table.schema.get_field_index(column)
    cells = pa.array([odd, table.column(column)[1].as_py()], table.schema.field(column).type)
    pq.write_table(table.set_column(place, table.schema.field(column), cells), path)

    error = broken(tmp_path)
    assert (error.place, error.problem) == (f"column {column}", "holds numbers that cannot be")


def test_counts_that_would_wrap_are_refused(tmp_path: Path) -> None:
    # 4 × 2^62 is 0 in 64 bits, and so as many gaps as chunks.parquet has.
    path = write(tmp_path, requests_of([(0.0, 0.2, [])] * 4)) / REQUESTS_FILE
    table = pq.read_table(path)
    wrapping = pa.array([2**62] * 4, pa.int64())
    pq.write_table(table.set_column(table.schema.get_field_index("chunk_gaps"), "chunk_gaps", wrapping), path)

    assert broken(tmp_path).place == "column chunk_gaps"


@pytest.mark.parametrize("file", [REQUESTS_FILE, CHUNKS_FILE])
def test_a_link_that_leads_out_is_refused_and_one_to_nowhere_is_missed(tmp_path: Path, file: str) -> None:
    inside, outside = tmp_path / "round", tmp_path / "elsewhere"
    inside.mkdir()
    write(inside, requests_of([(0.0, 0.2, [50])]))
    (inside / file).rename(outside)
    (inside / file).symlink_to(outside)

    assert broken(inside).problem == "is a link that leads out of the round's folder"
    assert len(unpack(inside, SOURCE, tmp_path)) == 1
    outside.unlink()
    assert broken(inside).problem == "is missing"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, requests_of([(0.0, 0.2, [50])]))
    (tmp_path / CHUNKS_FILE).unlink()
    os.mkfifo(tmp_path / CHUNKS_FILE)

    assert broken(tmp_path).problem == "is not a file"


def test_a_small_file_that_unpacks_to_a_large_table_is_refused(tmp_path: Path) -> None:
    # 20 million equal gaps of 4 bytes: 80 MB in a file of a few kilobytes.
    write(tmp_path, requests_of([(0.0, 0.2, [])]))
    pq.write_table(pa.table({"gap_us": np.full(20_000_000, 7, np.int32)}), tmp_path / CHUNKS_FILE, compression="zstd")
    assert (tmp_path / CHUNKS_FILE).stat().st_size < 80_000_000 / 200

    assert "more than 200 times its size" in broken(tmp_path).problem


def test_more_requests_than_a_run_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.store.request_columns.MOST_REQUESTS", 2)
    write(tmp_path, requests_of([(0.0, 0.2, [])] * 3))

    assert broken(tmp_path).problem == "has 3 rows, more than 2"


def test_a_table_in_several_parts_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.store.request_columns.BATCH", 2)
    requests = requests_of([(0.0, 0.2, [50, 60]), (0.1, 0.2, []), (0.2, 0.3, [70])], failed=2)

    assert_same(unpack(write(tmp_path, requests), SOURCE), requests)
