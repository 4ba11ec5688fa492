from __future__ import annotations

import pytest

from generator.declared.round_tables import SeriesTable
from generator.machines.records import Machine
from generator.model import Series
from generator.store.beside import Beside
from generator.store.devices import SHARED, UNLIKE, read_devices
from generator.values import Address
from tests.support.machines import machine
from tests.support.rounds import places

BANDWIDTH, COMPUTE = Address("memory_bandwidth", "round"), Address("peak_compute", "round")
CLOCK = {"gpu.gpus.memory_clock_max_hz": "10501000000", "gpu.gpus.memory_bus_bits": "384"}
NAMED = {"gpu.gpus.name": "NVIDIA GeForce RTX 4090"}


def found(*machines: Machine) -> Beside:
    series = [Series(SeriesTable(id=f"s{number}"), ()) for number in range(len(machines))]
    return read_devices(series, {one.id: known for one, known in zip(series, machines, strict=True)}, places())


def numbers(beside: Beside, where: Address) -> list[tuple[float, str]]:
    """Return what was found of a number, what goes first before the rest."""
    seen = sorted((one for one in beside.observations if one.address == where), key=lambda one: one.priority)
    return [(one.value, str(one.source)) for one in seen]


def test_a_driver_goes_before_a_data_sheet() -> None:
    both = found(machine({**NAMED, **CLOCK}))
    # 10 501 MHz × 2 × 384 ÷ 8
    assert numbers(both, BANDWIDTH) == [
        (1.008096e12, "NVML, 10501 MHz × 2 × 384 bit ÷ 8"),
        (1.008e12, "data sheet, NVIDIA GeForce RTX 4090"),
    ]
    assert numbers(both, COMPUTE) == [(165.2e12, "data sheet, NVIDIA GeForce RTX 4090, dense BF16")]


def test_the_source_of_compute_names_its_precision() -> None:
    turing = found(machine({"gpu.gpus.name": "Tesla T4"}))
    assert numbers(turing, COMPUTE) == [(65e12, "data sheet, NVIDIA T4, dense FP16")]


def test_ranks_read_at_the_same_time() -> None:
    four = found(machine(NAMED, engine="vLLM", flags=[("--tensor-parallel-size", "4")]))
    assert numbers(four, BANDWIDTH) == [(4.032e12, "data sheet, NVIDIA GeForce RTX 4090 × 4")]


@pytest.mark.parametrize("ranks", ["0", "-1", "1e9", "99999", "true"])
def test_odd_ranks_count_as_one(ranks: str) -> None:
    odd = found(machine(NAMED, engine="vLLM", flags=[("--tensor-parallel-size", ranks)]))
    assert numbers(odd, BANDWIDTH) == [(1.008e12, "data sheet, NVIDIA GeForce RTX 4090")]


def test_unlike_devices_have_no_common_number() -> None:
    unlike = found(machine(NAMED), machine({"gpu.gpus.name": "NVIDIA L4"}))
    assert not unlike.observations
    assert unlike.unread == {BANDWIDTH: UNLIKE, COMPUTE: UNLIKE}


def test_a_slice_gets_a_part_only() -> None:
    sliced = found(machine({**NAMED, **CLOCK, "gpu.gpus.mig": "true"}))
    assert not sliced.observations
    assert set(sliced.unread.values()) == {SHARED}


@pytest.mark.parametrize(
    "told",
    [{}, {"gpu.gpus.name": "none"}, {"gpu.gpus.name": "a device"}, {"gpu.gpus.memory_clock_max_hz": "9 / 10"},
     {**CLOCK, "gpu.gpus.memory_bus_bits": "nan"}, {**CLOCK, "gpu.gpus.memory_bus_bits": "1e300"}],
)  # fmt: skip
def test_what_nothing_is_known_of_has_neither_number_nor_reason(told: dict[str, str]) -> None:
    nothing = found(machine(told))
    assert not nothing.observations
    assert not nothing.unread
