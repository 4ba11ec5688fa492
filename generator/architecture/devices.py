"""What common devices can do by their data sheets: memory bandwidth, and dense BF16 matrix products.

A name is looked for whole: variants of a card differ (SXM and PCIe, 40 and 80 GB, laptop), so one that is not told
apart finds nothing.

Sources: the data sheets and architecture whitepapers of NVIDIA and AMD, Apple's technical specifications. Bandwidths of
NVIDIA cards were also compared with memory clock × 2 × bus width. TFLOP/s are without sparsity and with FP32
accumulation: where a sheet gives them with sparsity, as for Hopper and Blackwell, half of that. Of cards without BF16
(T4, V100) they are those of FP16. None: the sheet gives no such number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Device:
    """A device by its data sheet.

    Attributes:
        title: what it is called.
        names: a pattern of its names, without the maker's, in small letters.
        gb_s: GB/s that its memory gives at most.
        tflops: TFLOP/s of dense matrix products; None where no sheet says so.
        precision: of these products.
    """

    title: str
    names: re.Pattern[str]
    gb_s: float
    tflops: float | None = None
    precision: str = "BF16"


def _device(title: str, names: str, gb_s: float, tflops: float | None = None, precision: str = "BF16") -> Device:
    return Device(title, re.compile(names), gb_s, tflops, precision)


DEVICES: Final = (
    _device("NVIDIA GeForce RTX 3090", r"rtx 3090", 936, 71),
    _device("NVIDIA GeForce RTX 4090", r"rtx 4090", 1008, 165.2),
    _device("NVIDIA GeForce RTX 5090", r"rtx 5090", 1792, 209.5),
    _device("NVIDIA T4", r"t4", 320, 65, "FP16"),
    _device("NVIDIA V100 SXM2", r"v100-sxm2-(?:16|32)gb", 900, 125, "FP16"),
    _device("NVIDIA A10", r"a10", 600, 125),
    _device("NVIDIA A10G", r"a10g", 600),
    _device("NVIDIA A40", r"a40", 696, 149.7),
    _device("NVIDIA RTX A6000", r"rtx a6000", 768, 154.8),
    _device("NVIDIA A100 40GB", r"a100-(?:sxm4|pcie)-40gb", 1555, 312),
    _device("NVIDIA A100 80GB SXM", r"a100-sxm4-80gb|a100 sxm4? 80gb|a100 80gb sxm4?", 2039, 312),
    _device("NVIDIA A100 80GB PCIe", r"a100 80gb pcie|a100-pcie-80gb", 1935, 312),
    _device("NVIDIA L4", r"l4", 300, 121),
    _device("NVIDIA L40", r"l40", 864, 181),
    _device("NVIDIA L40S", r"l40s", 864, 362),
    _device("NVIDIA RTX 6000 Ada Generation", r"rtx 6000 ada(?: generation)?", 960, 364.2),
    _device("NVIDIA H100 SXM", r"h100 80gb hbm3|h100[- ]sxm5?(?:[- ]80gb)?|h100 80gb sxm5?", 3350, 989.4),
    _device("NVIDIA H100 PCIe", r"h100 pcie", 2000, 756),
    _device("NVIDIA H200", r"h200|h200[- ]sxm", 4800, 989.4),
    _device("NVIDIA B200", r"b200", 7700, 2250),
    _device("NVIDIA GB200", r"gb200", 8000, 2500),
    _device("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", r"rtx pro 6000 blackwell workstation edition", 1792),
    _device("NVIDIA GB10", r"gb10", 273),
    _device("AMD Instinct MI300X", r"(?:instinct )?mi300x", 5300, 1307.4),
    _device("AMD Instinct MI325X", r"(?:instinct )?mi325x", 6000, 1307.4),
    _device("Apple M1", r"m1", 68), _device("Apple M1 Pro", r"m1 pro", 200), _device("Apple M1 Max", r"m1 max", 400),
    _device("Apple M1 Ultra", r"m1 ultra", 800), _device("Apple M2", r"m2", 100),
    _device("Apple M2 Pro", r"m2 pro", 200), _device("Apple M2 Max", r"m2 max", 400),
    _device("Apple M2 Ultra", r"m2 ultra", 800), _device("Apple M3", r"m3", 100),
    _device("Apple M3 Pro", r"m3 pro", 150), _device("Apple M3 Ultra", r"m3 ultra", 819),
    _device("Apple M4", r"m4", 120), _device("Apple M4 Pro", r"m4 pro", 273),
)  # fmt: skip

MAKER: Final = re.compile(r"\b(?:nvidia|amd|apple|tesla|geforce|graphics)\b|^1\s*[x×]\s*")
MEMORY: Final = re.compile(r"\s*[,(]?\s*\b\d{1,3}\s*gi?b\)?$")
NVML_FACTOR: Final = 2
"""Transfers of a cycle of the memory clock as NVML gives it: of GDDR6, GDDR6X, GDDR7 and HBM, half the data rate."""


def device_named(name: str) -> Device | None:
    """Return the device of a name, as a driver or an author gives it; None where the table does not tell it apart."""
    whole = " ".join(MAKER.sub(" ", name.lower()[:100]).split())
    for tried in (whole, MEMORY.sub("", whole)):
        found = next((one for one in DEVICES if one.names.fullmatch(tried)), None)
        if found is not None:
            return found
    return None


def nvml_bandwidth(clock_hz: float, bus_bits: float) -> float:
    """Return the peak bandwidth in B/s of the highest memory clock and the width of the bus, as NVML gives both."""
    return clock_hz * NVML_FACTOR * bus_bits / 8
