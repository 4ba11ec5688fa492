"""The GPUs through nvidia-smi: its tables, and what it prints for what it does not know."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import pytest

from generator.collect.host.readings import Reading
from generator.collect.host.smi import SmiGpus, run_command
from generator.redaction import hashed

HEAD = (
    "utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.free [MiB], memory.total [MiB], "
    "power.draw [W], temperature.gpu, clocks.current.sm [MHz], clocks.current.memory [MHz], pstate, "
    "clocks_event_reasons.active"
)
ROW = "37 %, 12 %, 1024 MiB, 23552 MiB, 24576 MiB, 76.78 W, 61, 1755 MHz, 9501 MHz, P2, 0x0000000000000020"
GB10 = "0 %, [N/A], [Not Supported], [N/A], [N/A], [Unknown Error], 45, 208 MHz, [Insufficient Permissions], P8, 0x1"


def read(text: str) -> dict[str, float | None]:
    return {one.field: one.value for one in SmiGpus(lambda _: text).read() if one.source == "gpu0"}


def test_a_row_in_base_units() -> None:
    assert read(f"{HEAD}\n{ROW}\n") == {
        "utilisation_gpu": 0.37,
        "utilisation_memory": 0.12,
        "memory_used": 2**30,  # 1024 MiB
        "memory_free": 23552 * 2**20,
        "memory_total": 24576 * 2**20,
        "power": 76.78,
        "temperature": 61,
        "sm_clock": 1.755e9,
        "memory_clock": 9.501e9,
        "performance_state": 2,
        "event_reasons": 0x20,
    }


def test_what_is_not_known_has_the_reason_that_is_printed() -> None:
    found = SmiGpus(lambda _: f"{HEAD}\n{GB10}\n").read()
    assert {one.field: one.reason for one in found if one.value is None} == {
        "utilisation_memory": "N/A",
        "memory_used": "Not Supported",
        "memory_free": "N/A",
        "memory_total": "N/A",
        "power": "Unknown Error",
        "memory_clock": "Insufficient Permissions",
    }


def test_several_gpus_are_told_apart() -> None:
    found = SmiGpus(lambda _: f"{HEAD}\n{ROW}\n{GB10}\n").read()
    assert [(one.source, one.value) for one in found if one.field == "temperature"] == [("gpu0", 61), ("gpu1", 45)]


def test_an_old_driver_is_asked_for_the_old_name_of_the_reasons() -> None:
    asked: list[str] = []

    def run(command: Sequence[str]) -> str:
        asked.append(command[1].rpartition(",")[2])
        if "clocks_event_reasons" in command[1]:
            raise subprocess.CalledProcessError(2, command)
        return HEAD.replace("event", "throttle") + "\n" + ROW

    found = {one.field: one.value for one in SmiGpus(run).read()}
    assert asked == ["clocks_event_reasons.active", "clocks_throttle_reasons.active"]
    assert found["event_reasons"] == 0x20


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (FileNotFoundError(), "FileNotFoundError"),
        (subprocess.TimeoutExpired("nvidia-smi", 5), "TimeoutExpired"),
        (subprocess.CalledProcessError(9, "nvidia-smi"), "exit status 9"),
    ],
)
def test_a_program_that_fails_is_a_reason(error: Exception, reason: str) -> None:
    def run(_: Sequence[str]) -> str:
        raise error

    assert SmiGpus(run).read() == [Reading("nvidia-smi", "answer", None, reason)]
    assert SmiGpus(run).facts() == []


@pytest.mark.parametrize("text", ["", "\n", "No devices were found\n", "a, b\n1", f"{HEAD}\n1,2\n", '"', "\0\n\0"])
def test_odd_output_gives_no_number_that_is_not_there(text: str) -> None:
    assert set(read(text).values()) <= {None, 0.01, 0.02}


def test_facts_hold_no_uuid() -> None:
    text = "name, uuid, power.limit [W], ecc.mode.current\nNVIDIA L40S, GPU-12ab, 350.00 W, [N/A]\n"
    assert SmiGpus(lambda _: text).facts() == [
        {"name": "NVIDIA L40S", "power.limit": "350.00 W", "ecc.mode.current": None, "uuid_hash": hashed("GPU-12ab")}
    ]


def test_a_command_is_run_and_its_failure_raised() -> None:
    assert run_command(["echo", "a b"]) == "a b\n"
    with pytest.raises(subprocess.CalledProcessError):
        run_command(["false"])
