"""What the device of a round can do: by its driver (memory clock × bus width), else by its data sheet.

A number of the round is that of every series: where they ran on unlike devices, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from generator.architecture.devices import Device, device_named, nvml_bandwidth
from generator.kinds import Metric
from generator.machines.flags import FLAG, ON
from generator.machines.records import Machine
from generator.model import Series
from generator.places import Place
from generator.store.beside import Beside, sought
from generator.text import Text
from generator.units import LARGEST, from_base
from generator.values import Address, Source

UNLIKE: Final = Text(zh="各系列的设备不同", en="the series ran on unlike devices")
SHARED: Final = Text(zh="设备是 MIG 切片，只得到一部分", en="the device is a MIG slice and gets a part only")
DRIVER: Final = "NVML"
SHEET: Final = "data sheet"
RANKS: Final = re.compile(r"[1-9][0-9]{0,2}")
WHERE: Final = Address("", "round")


class _Said(NamedTuple):
    """A number in the unit of its place, and where it stands."""

    value: float
    source: Source


def read_devices(series: Sequence[Series], machines: Mapping[str, Machine], places: Mapping[Place, Metric]) -> Beside:
    """Return what drivers and data sheets say of the device; nothing where no series names one."""
    beside = Beside()
    known = [machines[one.id] for one in series if one.id in machines and not machines[one.id].has_no_gpu]
    if not known or len(known) < len(series):
        return beside
    for number in sought(places, "device").get("round", ()):
        answers = {OF_DEVICE[number.name](one) for one in known}
        answer = answers.pop() if len(answers) == 1 else UNLIKE
        if isinstance(answer, Text):
            beside.unread.setdefault(number.at(WHERE), answer)
        elif answer is not None:
            beside.unread.pop(number.at(WHERE), None)
            beside.observations.append(number.found(WHERE, answer.value, "declared", answer.source))
    return beside


def _by_driver(machine: Machine) -> _Said | Text | None:
    """Return the bandwidth by memory clock and bus width; None where the driver gave no such thing."""
    clock, width = (_number(machine, f"gpu.gpus.{key}") for key in ("memory_clock_max_hz", "memory_bus_bits"))
    if clock is None or width is None:
        return None
    if machine.text("gpu.gpus.mig") == ON:
        return SHARED
    value = from_base(nvml_bandwidth(clock, width) * _ranks(machine), "GB/s")
    place = f"{clock / 1e6:.10g} MHz × 2 × {width:.10g} bit ÷ 8{_times(machine)}"
    return _Said(value, Source(DRIVER, place)) if 0 < value <= LARGEST else None


def _by_sheet(
    machine: Machine, of: Callable[[Device], float | None], what: Callable[[Device], str]
) -> _Said | Text | None:
    """Return a number of the data sheet, and what it is of; None where the name of the device finds none."""
    found = device_named(machine.text("gpu.gpus.name") or "")
    number = of(found) if found is not None else None
    if found is None or number is None:
        return None
    if machine.text("gpu.gpus.mig") == ON:
        return SHARED
    return _Said(number * _ranks(machine), Source(SHEET, f"{found.title}{what(found)}{_times(machine)}"))


def _ranks(machine: Machine) -> int:
    """Return over how many devices a server splits each layer: they read, and compute, at the same time."""
    said = machine.text(f"{FLAG}--tensor-parallel-size") or ""
    return int(said) if RANKS.fullmatch(said) else 1


def _number(machine: Machine, path: str) -> float | None:
    try:
        return float(machine.text(path) or "")
    except ValueError:
        return None


def _times(machine: Machine) -> str:
    ranks = _ranks(machine)
    return f" × {ranks}" if ranks > 1 else ""


def _bytes(one: Device) -> float:
    return one.gb_s


def _flops(one: Device) -> float | None:
    return one.tflops


def _products(one: Device) -> str:
    return f", dense {one.precision}"


OF_DEVICE: Final[Mapping[str, Callable[[Machine], _Said | Text | None]]] = {
    "bandwidth by its driver": _by_driver,
    "bandwidth by its data sheet": lambda machine: _by_sheet(machine, _bytes, lambda _: ""),
    "compute by its data sheet": lambda machine: _by_sheet(machine, _flops, _products),
}
"""How each number is found, by the name of its place."""
