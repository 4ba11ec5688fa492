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


@pytest.mark.parametrize(
    ("name", "sparse"),
    [("NVIDIA H100 80GB HBM3", 1979), ("NVIDIA H100 PCIe", 1513), ("NVIDIA H200", 1979), ("NVIDIA B200", 4500),
     ("NVIDIA GB200", 5000), ("NVIDIA L4", 242), ("NVIDIA L40S", 733), ("NVIDIA A10", 250), ("NVIDIA L40", 362.1),
     ("NVIDIA A100-SXM4-80GB", 624)],
)  # fmt: skip
def test_compute_is_half_of_what_the_sheet_gives_with_sparsity(name: str, sparse: float) -> None:
    found = device_named(name)
    assert found is not None
    assert found.tflops == pytest.approx(sparse / 2, rel=0.015)


@pytest.mark.parametrize(
    ("name", "fp32", "times"),
    [("RTX 3090", 35.58, 2), ("RTX 4090", 82.58, 2), ("RTX 5090", 104.8, 2), ("RTX A6000", 38.71, 4),
     ("RTX 6000 Ada", 91.06, 4)],
)  # fmt: skip
def test_products_with_fp32_accumulation_are_a_multiple_of_plain_fp32(name: str, fp32: float, times: int) -> None:
    # 128 SMs × 128 cores × 2 × 2.52 GHz = 82.6 TFLOP/s of an RTX 4090; its tensor cores do twice that, those of
    # cards for workstations four times
    found = device_named(name)
    assert found is not None
    assert found.tflops == pytest.approx(fp32 * times, rel=0.005)


def test_no_name_finds_two_devices() -> None:
    titles = [one.title for one in DEVICES]
    assert len(set(titles)) == len(titles)
