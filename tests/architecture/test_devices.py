from __future__ import annotations

import pytest

from generator.architecture.devices import DEVICES, device_named, nvml_bandwidth


@pytest.mark.parametrize(
    ("name", "gb_s"),
    [
        ("NVIDIA GeForce RTX 4090", 1008),
        ("RTX 4090, 24 GB", 1008),
        ("1 × RTX 3090 24GB", 936),
        ("NVIDIA A100-SXM4-80GB", 2039),
        ("NVIDIA A100 80GB PCIe", 1935),
        ("NVIDIA A100-PCIE-40GB", 1555),
        ("NVIDIA H100 80GB HBM3", 3350),
        ("NVIDIA H100 PCIe", 2000),
        ("NVIDIA L40S", 864),
        ("NVIDIA L4", 300),
        ("Tesla T4", 320),
        ("Tesla V100-SXM2-16GB", 900),
        ("AMD Instinct MI300X", 5300),
        ("Apple M4 Pro", 273),
    ],
)
def test_devices_are_known_by_their_names(name: str, gb_s: float) -> None:
    found = device_named(name)
    assert found is not None
    assert found.gb_s == gb_s


@pytest.mark.parametrize(
    "name", ["", "NVIDIA H100", "NVIDIA A100", "RTX 4090 Laptop GPU", "RTX 4090 D", "2 × RTX 4090", "none", "a device"]
)
def test_a_name_that_may_be_of_several_finds_none(name: str) -> None:
    assert device_named(name) is None


@pytest.mark.parametrize(
    ("name", "clock_mhz", "bits"),
    [("RTX 3090", 9751, 384), ("RTX 4090", 10_501, 384), ("RTX 5090", 14_001, 512), ("A100-SXM4-80GB", 1593, 5120),
     ("L40S", 9001, 384), ("T4", 5001, 256), ("L4", 6251, 192)],
)  # fmt: skip
def test_clock_and_bus_come_to_the_data_sheet(name: str, clock_mhz: float, bits: int) -> None:
    found = device_named(name)
    assert found is not None
    # RTX 3090: 9751 MHz × 2 × 384 ÷ 8 = 936.1 GB/s
    assert nvml_bandwidth(clock_mhz * 1e6, bits) / 1e9 == pytest.approx(found.gb_s, rel=0.001)


def test_no_name_finds_two_devices() -> None:
    titles = [one.title for one in DEVICES]
    assert len(set(titles)) == len(titles)
