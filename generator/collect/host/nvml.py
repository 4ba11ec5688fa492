"""The GPUs once a second, through NVML: each field of each GPU is known, or has a reason why it is not.

Consumer cards, MIG, GPUs that share the host's memory and old drivers each lack other fields, so nothing is decided
by kind of device: every field is asked for, every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

import pynvml

from generator.collect.host.nvml_calls import Call, NoNumberError, Nvml, Unread, ask, ask_first, number, taken
from generator.collect.host.readings import Reading

KB: Final = 1000
PSTATE_UNKNOWN: Final = 32
MIG_ENABLED: Final = 1


@dataclass(frozen=True, slots=True)
class Field:
    """One number of a GPU.

    Attributes:
        key: its name among the readings.
        unit: its unit there.
        calls: functions of NVML that give it, the preferred one first.
        part: what is taken of the answer.
        times: what makes base units of it, ``part × times ÷ per``.
        per: the same.
    """

    key: str
    unit: str
    calls: tuple[Call, ...]
    part: Callable[[object], object] = lambda answer: answer
    times: int = 1
    per: int = 1


def _process_bytes(processes: object) -> float:
    """Return the memory of all processes; unknown where that of one is (no rights, Windows, MIG)."""
    if not isinstance(processes, list):
        raise NoNumberError("not a list")
    return sum(number(one.usedGpuMemory) for one in processes)


def _count(processes: object) -> int:
    if not isinstance(processes, list):
        raise NoNumberError("not a list")
    return len(processes)


def _performance_state(state: object) -> float:
    if state == PSTATE_UNKNOWN:
        raise NoNumberError("Unknown")
    return number(state)


_RATES: Final[tuple[Call, ...]] = (("nvmlDeviceGetUtilizationRates",),)
_MEMORY: Final[tuple[Call, ...]] = (("nvmlDeviceGetMemoryInfo",),)
_PROCESSES: Final[tuple[Call, ...]] = (
    ("nvmlDeviceGetComputeRunningProcesses_v3",),
    ("nvmlDeviceGetComputeRunningProcesses",),
)
_REASONS: Final[tuple[Call, ...]] = (
    ("nvmlDeviceGetCurrentClocksEventReasons",),
    ("nvmlDeviceGetCurrentClocksThrottleReasons",),
)

OF_MEMORY: Final = (
    Field("memory_used", "B", _MEMORY, attrgetter("used")),
    Field("memory_free", "B", _MEMORY, attrgetter("free")),
    Field("memory_total", "B", _MEMORY, attrgetter("total")),
    Field("processes", "1", _PROCESSES, _count),
    Field("process_memory", "B", _PROCESSES, _process_bytes),
)
"""What a slice of a GPU (MIG) has of its own."""

FIELDS: Final = (
    Field("utilisation_gpu", "share", _RATES, attrgetter("gpu"), per=100),
    Field("utilisation_memory", "share", _RATES, attrgetter("memory"), per=100),
    *OF_MEMORY,
    Field("power", "W", (("nvmlDeviceGetPowerUsage",),), per=1000),
    Field("energy", "J", (("nvmlDeviceGetTotalEnergyConsumption",),), per=1000),
    Field("temperature", "°C", (("nvmlDeviceGetTemperature", 0), ("nvmlDeviceGetTemperatureV", 0))),
    Field("sm_clock", "Hz", (("nvmlDeviceGetClockInfo", 1),), times=10**6),
    Field("memory_clock", "Hz", (("nvmlDeviceGetClockInfo", 2),), times=10**6),
    Field("event_reasons", "bits", _REASONS),
    Field("pcie_tx", "B/s", (("nvmlDeviceGetPcieThroughput", 0),), times=KB),
    Field("pcie_rx", "B/s", (("nvmlDeviceGetPcieThroughput", 1),), times=KB),
    Field("performance_state", "1", (("nvmlDeviceGetPerformanceState",),), _performance_state),
)
"""What is read of each GPU. Utilisation is the share of the driver's last period in which something ran, not how full
the GPU was. Power is averaged over a second by most GPUs since Ampere; energy counts from the loading of the driver,
and its differences are the better account. A reading of PCIe takes the driver 20 ms."""


@dataclass(frozen=True, slots=True)
class Device:
    """A GPU, or a slice of one, and what is read of it."""

    name: str
    nvml: Nvml
    handle: object
    fields: tuple[Field, ...] = FIELDS

    def read(self) -> list[Reading]:
        """Return all fields. Numbers of one call are of one moment: it is made once."""
        if isinstance(self.handle, Unread):
            return [Reading(self.name, field.key, None, self.handle.reason) for field in self.fields]
        answers = {calls: ask_first(self.nvml, calls, self.handle) for calls in {one.calls for one in self.fields}}
        return [self._reading(field, answers[field.calls]) for field in self.fields]

    def _reading(self, field: Field, answer: object) -> Reading:
        value = taken(answer, lambda known: number(field.part(known)) * field.times / field.per)
        if isinstance(value, Unread):
            return Reading(self.name, field.key, None, value.reason)
        return Reading(self.name, field.key, value)


class NvmlGpus:
    """All GPUs that NVML shows, slices of MIG among them. Nothing that NVML does escapes.

    Attributes:
        reason: why there are none, where NVML cannot be used; empty otherwise.
        devices: what is read.
    """

    name = "nvml"

    def __init__(self, nvml: Nvml = pynvml) -> None:
        """Open NVML: the driver's library, its version and the rights to it all matter."""
        self._nvml = nvml
        opened = ask(nvml, "nvmlInit")
        count = opened if isinstance(opened, Unread) else taken(ask(nvml, "nvmlDeviceGetCount"), number)
        self.reason = count.reason if isinstance(count, Unread) else ""
        known = int(count) if isinstance(count, int | float) else 0
        self.devices = tuple(device for index in range(known) for device in _devices(nvml, index))

    @property
    def nvml(self) -> Nvml:
        """The module, for those who ask more of it."""
        return self._nvml

    def read(self) -> list[Reading]:
        """Return all fields of all devices."""
        return [reading for device in self.devices for reading in device.read()]

    def close(self) -> None:
        """Let go of NVML; nothing can be read any more."""
        ask(self._nvml, "nvmlShutdown")


def _devices(nvml: Nvml, index: int) -> Iterator[Device]:
    handle = ask(nvml, "nvmlDeviceGetHandleByIndex", index)
    yield Device(f"gpu{index}", nvml, handle)
    if isinstance(handle, Unread) or not mig_enabled(nvml, handle):
        return
    most = taken(ask(nvml, "nvmlDeviceGetMaxMigDeviceCount", handle), number)
    for place in range(0 if isinstance(most, Unread) else int(most)):
        slice_ = ask(nvml, "nvmlDeviceGetMigDeviceHandleByIndex", handle, place)
        if not isinstance(slice_, Unread):
            yield Device(f"gpu{index}.mig{place}", nvml, slice_, OF_MEMORY)


def mig_enabled(nvml: Nvml, handle: object) -> bool:
    """Say whether a GPU is cut into slices now; one that cannot be is not."""
    return taken(ask(nvml, "nvmlDeviceGetMigMode", handle), lambda modes: modes[0] == MIG_ENABLED) is True
