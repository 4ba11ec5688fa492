"""Samples on disk: lines that survive a killed run, and the table that they become."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from generator.collect.host.readings import Reading
from generator.collect.host.samples import Lines, to_parquet
from generator.errors import InputError
from tests.support.sampled import read_table


def written(path: Path, *moments: list[Reading]) -> Path:
    lines = Lines(path / "s.jsonl")
    lines.open()
    for count, readings in enumerate(moments):
        lines.readings((count * 10**9, 1_790_000_000 * 10**9 + count), readings)
    lines.close()
    return lines.path


def test_a_table_has_a_row_a_number(tmp_path: Path) -> None:
    moments = [[Reading("gpu0", "power", 61.5), Reading("host", "load_1min", 0.5)], [Reading("gpu0", "power", 62.0)]]
    assert to_parquet(written(tmp_path, *moments), tmp_path / "s.parquet") == 0
    samples = read_table(tmp_path / "s.parquet")
    times, values = samples.series("gpu0", "power")
    assert (times.tolist(), values.tolist()) == ([0, 10**9], [61.5, 62.0])
    assert samples.t_wall_ns[0] == 1_790_000_000 * 10**9
    assert samples.series("gpu0", "energy")[0].tolist() == []


def test_a_reason_is_kept_once_until_there_is_a_value_again(tmp_path: Path) -> None:
    lost, back = Reading("gpu0", "ecc", None, "GpuIsLost"), Reading("gpu0", "ecc", 1.0)
    path = written(tmp_path, [lost], [lost], [back], [lost], [Reading("gpu0", "ecc", float("nan"), "odd")])
    to_parquet(path, tmp_path / "s.parquet")
    samples = read_table(tmp_path / "s.parquet")
    assert samples.note.tolist() == ["GpuIsLost", "", "GpuIsLost", "odd"]
    assert samples.unknown() == {("gpu0", "ecc"): "odd"}
    assert samples.series("gpu0", "ecc")[1].tolist() == [1.0]


def test_gaps_are_rows(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "s.jsonl")
    lines.open()
    lines.gap((7, 8), "nvml", "missed", 1.0, "busy for 2.0 s")
    lines.close()
    to_parquet(lines.path, tmp_path / "s.parquet")
    assert list(read_table(tmp_path / "s.parquet").gaps()) == [("nvml", 7, 1.0, "missed busy for 2.0 s")]


@pytest.mark.parametrize("torn", ['{"t_mono_ns":1,"t_wa', "[]", "{}", "null", "\0", '{"t_mono_ns": 1e999}', "\ud83d"])
def test_a_line_that_a_killed_run_left_spoils_no_other(tmp_path: Path, torn: str) -> None:
    path = written(tmp_path, [Reading("a", "n", 1.0)])
    with path.open("ab") as file:
        file.write(torn.encode("utf-8", "surrogatepass"))
    lines = Lines(path)
    lines.open()  # the next run goes on in the same file
    lines.readings((2, 2), [Reading("a", "n", 2.0)])
    lines.close()
    assert to_parquet(path, tmp_path / "s.parquet") == 1
    assert read_table(tmp_path / "s.parquet").series("a", "n")[1].tolist() == [1.0, 2.0]


def test_no_samples_are_a_table_without_rows(tmp_path: Path) -> None:
    to_parquet(written(tmp_path), tmp_path / "s.parquet")
    assert len(read_table(tmp_path / "s.parquet").value) == 0


def test_ten_minutes_of_a_gpu_take_two_to_three_bytes_a_sample(tmp_path: Path) -> None:
    noise = Random(1)
    moments = [
        [Reading("gpu0", f"f{field}", 60 + field + noise.randrange(40) / 10) for field in range(16)] for _ in range(600)
    ]
    to_parquet(written(tmp_path, *moments), tmp_path / "s.parquet")
    assert (tmp_path / "s.parquet").stat().st_size < 3 * 600 * 16


def test_lines_that_are_not_there_are_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        to_parquet(tmp_path / "s.jsonl", tmp_path / "s.parquet")
