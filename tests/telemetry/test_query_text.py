from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.telemetry.query_text import read
from generator.telemetry.samples import Samples

LOG = """
==============NVSMI LOG==============

Timestamp                                 : Fri May  1 09:00:00 2026
Driver Version                            : 580.1
Attached GPUs                             : 1
GPU 00000000:01:00.0
    Product Name                          : A GPU
    FB Memory Usage
        Total                             : 8192 MiB
        Used                              : 1024 MiB
    BAR1 Memory Usage
        Used                              : 7 MiB
    Utilization
        Gpu                               : 75 %
        Memory                            : 20 %
    Clocks Event Reasons
        Idle                              : Not Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
            HW Power Brake Slowdown       : Not Active
        SW Power Cap                      : Not Active
    Clocks Event Reasons Counters
        SW Power Capping                  : 5 us
    Temperature
        GPU Current Temp                  : 83 C
        GPU Shutdown Temp                 : 98 C
    GPU Power Readings
        Average Power Draw                : 201.50 W
        Instantaneous Power Draw          : 240.00 W
        Current Power Limit               : 250.00 W
    Module Power Readings
        Average Power Draw                : N/A
    Clocks
        Graphics                          : 1100 MHz
        SM                                : 1200 MHz
        Memory                            : 2600 MHz
    Max Clocks
        SM                                : 2000 MHz
        Memory                            : 2600 MHz
    Processes
        GPU Memory Usage                  : 900 MiB
"""


def read_text(tmp_path: Path, text: str) -> Samples:
    path = tmp_path / "nvidia-smi-q.txt"
    path.write_text(text, encoding="utf-8")
    return read(path)


def only(found: Samples) -> dict[str, float]:
    return {name: float(found.of("gpu0", name)[1][0]) for name in found.fields}


def test_keys_that_repeat_are_told_apart_by_their_sections(tmp_path: Path) -> None:
    found = read_text(tmp_path, LOG)

    # HW slowdown 0x8 with HW thermal slowdown 0x40
    assert only(found) == {
        "power": 201.5, "power_limit": 250.0, "temperature": 83.0, "sm_clock": 1.2e9, "sm_clock_most": 2e9,
        "memory_clock": 2.6e9, "utilisation_gpu": 0.75, "memory_used": 2**30, "event_reasons": 72.0,
    }  # fmt: skip
    assert (found.tool, found.clock) == ("nvidia-smi -q", "local")


def test_old_releases_have_other_sections(tmp_path: Path) -> None:
    old = LOG.replace("GPU Power Readings", "Power Readings").replace("Average Power Draw", "Power Draw")
    old = old.replace("Current Power Limit", "Power Limit").replace(
        "Clocks Event Reasons\n", "Clocks Throttle Reasons\n"
    )

    assert only(read_text(tmp_path, old)) == pytest.approx(only(read_text(tmp_path, LOG)))


def test_a_log_that_goes_on_has_a_sample_a_time(tmp_path: Path) -> None:
    later = LOG.replace("09:00:00", "09:00:05").replace("201.50 W", "210.00 W")

    at, power = read_text(tmp_path, LOG + later).of("gpu0", "power")

    assert power.tolist() == [201.5, 210]
    assert at[1] - at[0] == 5


def test_two_gpus_are_counted_in_their_order(tmp_path: Path) -> None:
    second = LOG[LOG.index("GPU 00000000") :].replace("01:00.0", "02:00.0").replace("83 C", "60 C")

    found = read_text(tmp_path, LOG + second)

    assert [found.of(gpu, "temperature")[1].tolist() for gpu in ("gpu0", "gpu1")] == [[83], [60]]


def test_what_is_not_available_is_missing(tmp_path: Path) -> None:
    found = read_text(tmp_path, LOG.replace("1024 MiB", "N/A").replace("201.50 W", "N/A").replace("240.00 W", "N/A"))

    assert found.missing == {"memory_used": "N/A", "power": "N/A"}


def test_a_log_without_a_gpu_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no sample"):
        read_text(tmp_path, LOG[: LOG.index("GPU 00000000")])
