from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from generator.declared.round_tables import SeriesTable
from generator.errors import InputError
from generator.model import Level, Series
from generator.store.beside import Beside
from generator.store.telemetry import read_telemetry
from generator.values import Address, Observation
from tests.support.memory_round import GRAPH
from tests.support.sampled import BOOTED, QUERY, Line, put_own_run, put_samples

ZONED: Final = QUERY.replace("2026/05/01 09:00:0", "2026-05-01T09:00:0").replace(".000,", "Z,")
"""The same moments with their zone: 1777626000 s since 1970 and on."""
BEGAN: Final = 1777626000.0
SECONDS: Final[list[Line]] = [(100.0 + t, "gpu0", {"power": 10.0 * t, "utilisation_gpu": 1.0}) for t in range(10)]
"""Ten seconds from 100 s on, in which the power rises by 10 W a second."""
TRIAL: Final = "s/levels/c1/1"


def sampled(folder: Path, *others: str, trials: int = 1) -> Beside:
    level = Level("c1", 1.0, trials=trials, from_runs=True)
    series = [Series(SeriesTable(id="s"), (level,)), *(Series(SeriesTable(id=other), ()) for other in others)]
    return read_telemetry(folder, series, GRAPH.places())


def seen(found: Beside, metric: str, trial: int | None = None) -> Observation | None:
    return next((o for o in found.observations if o.address == Address(metric, "level", "s", "c1", trial=trial)), None)


def of_series(found: Beside, metric: str) -> Observation | None:
    wanted = Address(f"{metric}_of_series", "series", "s")
    return next((o for o in found.observations if o.address == wanted), None)


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / TRIAL).mkdir(parents=True)
    return tmp_path


def test_nothing_is_said_where_nothing_was_sampled(folder: Path) -> None:
    found = sampled(folder)

    assert (found.observations, found.unread) == ([], {})


# In the folder of a run


def test_samples_in_the_folder_of_a_run_are_of_that_run(folder: Path) -> None:
    put(folder / TRIAL / "gpu.csv", QUERY)

    power = seen(sampled(folder), "gpu_power_mean")

    assert power is not None
    assert (power.value, power.origin) == (230, "reported")
    assert power.source.file == f"{TRIAL}/gpu.csv"
    assert power.source.place.endswith("of nvidia-smi --query-gpu, whole file")


def test_they_are_cut_to_it_where_the_zone_is_known(folder: Path) -> None:
    put(folder / TRIAL / "gpu.csv", ZONED)
    put_own_run(folder / TRIAL, 5.0, 6.0, started="2026-05-01T09:00:01Z")  # and so up to 09:00:02

    power = seen(sampled(folder), "gpu_power_mean")

    assert power is not None
    assert power.value == 230  # (220 + 240) ÷ 2
    assert power.source.place.endswith("cut to the run by UTC")


def test_a_field_that_is_not_supported_has_the_reason(folder: Path) -> None:
    put(folder / TRIAL / "gpu.csv", QUERY.replace("1024 MiB", "[N/A]").replace("2048 MiB", "[N/A]"))

    found = sampled(folder)

    assert seen(found, "gpu_memory_used_max") is None
    assert found.unread[Address("gpu_memory_used_max", "level", "s", "c1")].en.endswith(
        "gpu.csv says [N/A] in its place"
    )
    assert found.unread[Address("gpu_energy", "level", "s", "c1")].en.endswith("gpu.csv does not have it")


def test_the_first_file_that_tells_a_number_gives_it(folder: Path) -> None:
    put(folder / TRIAL / "gpu.csv", "index, power.draw [W]\n0, 90 W\n")
    put(folder / TRIAL / "dmon.txt", "# gpu   pwr gtemp\n# Idx     W     C\n    0    80    55\n")

    found = sampled(folder)

    power, heat = seen(found, "gpu_power_max"), seen(found, "gpu_temperature_max")
    assert power is not None
    assert (power.value, power.source.file) == (90, f"{TRIAL}/gpu.csv")
    assert heat is not None
    assert (heat.value, heat.source.file) == (55, f"{TRIAL}/dmon.txt")


# Above the runs


def test_samples_of_a_session_are_cut_to_the_run_by_the_monotonic_clock(folder: Path) -> None:
    put_samples(folder / "s/sessions/1/samples.parquet", SECONDS)
    put_own_run(folder / TRIAL, 102.0, 104.0)

    found = sampled(folder)

    power, whole = seen(found, "gpu_power_mean"), of_series(found, "gpu_power_mean")
    assert power is not None
    assert (power.value, power.origin) == (30, "measured")  # (20 + 30 + 40) ÷ 3
    assert power.source.place == "6 numbers of rounds collect, cut to the run by CLOCK_MONOTONIC"
    assert whole is not None
    assert whole.value == 45  # (0 + 10 + … + 90) ÷ 10


def test_each_run_has_its_own_samples(folder: Path) -> None:
    put_samples(folder / "s/sessions/1/samples.parquet", SECONDS)
    put_own_run(folder / TRIAL, 101.0, 102.0)
    put_own_run(folder / "s/levels/c1/2", 107.0, 108.0)

    found = sampled(folder, trials=2)

    most = [seen(found, "gpu_power_max", trial) for trial in (1, 2)]
    assert [one.value for one in most if one is not None] == [20, 80]


def test_after_a_reboot_the_clock_alone_does_not_tell_the_session(folder: Path) -> None:
    put_samples(folder / "s/sessions/1/samples.parquet", SECONDS)
    put_own_run(folder / TRIAL, 102.0, 104.0, started="2026-05-01T09:00:00Z")  # years after these samples

    assert BEGAN > BOOTED + 100 * 86_400
    assert seen(sampled(folder), "gpu_power_mean") is None


def test_requests_before_the_clock_leave_the_wall_clock_of_a_run_open(folder: Path) -> None:
    put(folder / "s/gpu.csv", ZONED)
    put_own_run(folder / TRIAL, 5.0, 6.0, started="2026-05-01T09:00:01Z", warm=3)

    found = sampled(folder)

    assert seen(found, "gpu_power_mean") is None
    assert "share no clock that is known" in found.unread[Address("gpu_power_mean", "level", "s", "c1")].en


def test_the_samples_of_its_session_tell_the_wall_clock_of_a_run(folder: Path) -> None:
    put_samples(folder / "s/sessions/1/samples.parquet", [(t, source, {"cpu": 0.5}) for t, source, _ in SECONDS])
    begin = BEGAN + 1 - BOOTED
    shifted: list[Line] = [(begin + t, "client", {"cpu": 0.5}) for t in range(-3, 9)]
    put_samples(folder / "s/sessions/2/samples.parquet", shifted)
    put(folder / "s/gpu.csv", ZONED)
    put_own_run(folder / TRIAL, begin, begin + 1.0, started="2026-05-01T09:00:00Z", warm=3)

    power = seen(sampled(folder), "gpu_power_mean")

    assert power is not None
    assert power.value == 230  # 09:00:01 and 09:00:02: (220 + 240) ÷ 2


def test_samples_without_a_zone_are_of_the_series_alone(folder: Path) -> None:
    put(folder / "s/gpu.csv", QUERY)
    put_own_run(folder / TRIAL, 5.0, 6.0, started="2026-05-01T09:00:01Z")

    found = sampled(folder)

    whole = of_series(found, "gpu_throttled_share")
    assert whole is not None
    assert whole.value == 0.5
    assert seen(found, "gpu_throttled_share") is None


def test_samples_that_miss_the_run_say_so(folder: Path) -> None:
    put(folder / "s/gpu.csv", ZONED)
    put_own_run(folder / TRIAL, 5.0, 6.0, started="2026-05-01T17:00:00Z")

    found = sampled(folder)

    assert (
        "no sample of s/gpu.csv falls into the time of the run"
        in found.unread[Address("gpu_power_mean", "level", "s", "c1")].en
    )


def test_samples_beside_the_round_are_of_its_only_series(folder: Path) -> None:
    put(folder / "gpu.csv", QUERY)

    assert of_series(sampled(folder), "gpu_power_mean") is not None
    assert of_series(sampled(folder, "another"), "gpu_power_mean") is None


def test_several_sessions_come_together(folder: Path) -> None:
    put_samples(folder / "s/sessions/1/samples.parquet", SECONDS[:2])
    put_samples(folder / "s/sessions/2/samples.parquet", SECONDS[4:8])

    whole = of_series(sampled(folder), "gpu_power_mean")

    assert whole is not None
    assert whole.value == pytest.approx(38.3333333)  # (5 × 2 + 55 × 4) ÷ 6
    assert whole.source.file == "s/sessions/1/samples.parquet, s/sessions/2/samples.parquet"


# What cannot be used


def test_a_link_out_of_the_round_is_refused(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "gpu.csv"
    outside.write_text(QUERY, encoding="utf-8")
    (folder / "s/gpu.csv").symlink_to(outside)

    with pytest.raises(InputError, match="leads out of the round's folder"):
        sampled(folder)


def test_a_pipe_is_refused_and_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "s/gpu.csv")

    with pytest.raises(InputError, match="is not a file"):
        sampled(folder)
