from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.errors import InputError
from generator.telemetry import own_samples
from generator.telemetry.own_samples import read
from tests.support.sampled import BOOTED, put_samples


def test_samples_are_on_the_monotonic_clock_and_know_the_wall(tmp_path: Path) -> None:
    path = put_samples(
        tmp_path / "samples.parquet", [(100.0, "gpu0", {"power": 61.5}), (101.0, "gpu0", {"power": 62.5})]
    )

    found = read(path)

    at, power = found.of("gpu0", "power")
    assert (found.tool, found.clock) == ("rounds collect", "monotonic")
    assert at.tolist() == [100, 101]
    assert power.tolist() == [61.5, 62.5]
    assert found.utc_offset == pytest.approx(BOOTED)


def test_only_fields_that_are_of_use_are_kept(tmp_path: Path) -> None:
    lines = [
        (1.0, "gpu0", {"power": 60.0, "pcie_tx": 7.0}),
        (1.0, "gpu0.mig0", {"memory_used": 8.0}),
        (1.0, "server", {"rss": 9.0, "threads": 2.0}),
        (1.0, "client", {"cpu": 0.5}),
        (1.0, "engine", {"kv_usage": 0.25, "prompt_tokens": 12.0}),
        (1.0, "host", {"load_1min": 1.0}),
    ]

    found = read(put_samples(tmp_path / "samples.parquet", lines))

    assert set(found.devices) == {"gpu0", "server", "client", "engine"}
    assert set(found.fields) == {"power", "rss", "cpu", "kv_usage"}


def test_why_a_field_could_not_be_read_is_kept(tmp_path: Path) -> None:
    path = put_samples(tmp_path / "samples.parquet", [(1.0, "gpu0", {"power": 60.0})], {"memory_used": "NotSupported"})

    assert read(path).missing == {"memory_used": "NotSupported"}


def test_a_collector_that_was_stopped_at_once_leaves_none(tmp_path: Path) -> None:
    assert len(read(put_samples(tmp_path / "samples.parquet", []))) == 0


def test_other_columns_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"t": [1.0]}), tmp_path / "samples.parquet")

    with pytest.raises(InputError, match="expected the columns t_mono_ns"):
        read(tmp_path / "samples.parquet")


def test_rows_without_a_time_are_passed_over(tmp_path: Path) -> None:
    rows = {
        "t_mono_ns": [None, 10**9], "t_wall_ns": [5, 6], "source": ["gpu0", "gpu0"], "field": ["power", "power"],
        "value": [1.0, 2.0], "note": [None, None],
    }  # fmt: skip
    pq.write_table(pa.table(rows, schema=own_samples.COLUMNS), tmp_path / "samples.parquet")

    assert read(tmp_path / "samples.parquet").of("gpu0", "power")[1].tolist() == [2.0]


@pytest.mark.parametrize("data", [b"", b"PAR1", b"{}"])
def test_what_is_no_table_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "samples.parquet").write_bytes(data)
    with pytest.raises(InputError, match="is not a Parquet file"):
        read(tmp_path / "samples.parquet")
