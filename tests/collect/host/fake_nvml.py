"""A stand-in for pynvml: the same names, the same error classes, and any call may raise any of its errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final

import pynvml

from generator.collect.host.nvml import NvmlGpus

GIB: Final = 2**30
ERRORS: Final = sorted(
    value for name, value in vars(pynvml).items() if name.startswith("NVML_ERROR_") and isinstance(value, int)
)
UUID: Final = "GPU-8f6a2c1d-0b3e-4f5a-9c7d-112233445566"

ANSWERS: Final[Mapping[str, object]] = {
    "nvmlInit": None,
    "nvmlShutdown": None,
    "nvmlDeviceGetCount": 1,
    "nvmlDeviceGetHandleByIndex": "handle",
    "nvmlSystemGetDriverVersion": "580.82.09",
    "nvmlSystemGetCudaDriverVersion_v2": 13000,
    "nvmlDeviceGetName": "NVIDIA H200",
    "nvmlDeviceGetUUID": UUID,
    "nvmlDeviceGetVbiosVersion": "96.00.BC.00.01",
    "nvmlDeviceGetCudaComputeCapability": (9, 0),
    "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=140 * GIB, free=100 * GIB, used=40 * GIB),
    "nvmlDeviceGetMemoryBusWidth": 6144,
    "nvmlDeviceGetEccMode": [1, 1],
    "nvmlDeviceGetMigMode": [0, 0],
    "nvmlDeviceGetMaxMigDeviceCount": 0,
    "nvmlDeviceGetMigDeviceHandleByIndex": "slice",
    "nvmlDeviceGetPersistenceMode": 1,
    "nvmlDeviceGetEnforcedPowerLimit": 700_000,
    "nvmlDeviceGetPowerManagementLimit": 650_000,
    "nvmlDeviceGetPowerManagementDefaultLimit": 700_000,
    "nvmlDeviceGetMaxClockInfo": 1980,
    "nvmlDeviceGetMaxPcieLinkGeneration": 5,
    "nvmlDeviceGetMaxPcieLinkWidth": 16,
    "nvmlDeviceGetCurrPcieLinkGeneration": 1,
    "nvmlDeviceGetCurrPcieLinkWidth": 16,
    "nvmlDeviceGetNumaNodeId": 0,
    "nvmlDeviceGetNvLinkState": 1,
    "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=37, memory=12),
    "nvmlDeviceGetComputeRunningProcesses_v3": [
        SimpleNamespace(pid=11, usedGpuMemory=3 * GIB),
        SimpleNamespace(pid=12, usedGpuMemory=2 * GIB),
    ],
    "nvmlDeviceGetPowerUsage": 345_500,
    "nvmlDeviceGetTotalEnergyConsumption": 9_876_543,
    "nvmlDeviceGetTemperature": 61,
    "nvmlDeviceGetClockInfo": 1755,
    "nvmlDeviceGetCurrentClocksEventReasons": 0x24,
    "nvmlDeviceGetPcieThroughput": 2500,
    "nvmlDeviceGetPerformanceState": 0,
}
"""One H200 at work. What is asked for as a second choice (older names) is not here: this driver lacks it."""


class FakeNvml:
    """The module. ``fails`` maps names to the code of the error that the call raises."""

    NVMLError = pynvml.NVMLError

    def __init__(self, answers: Mapping[str, object] | None = None, fails: Mapping[str, int] | None = None) -> None:
        self.answers = {**ANSWERS, **(answers or {})}
        self.fails = dict(fails or {})
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__") or name not in self.answers:
            raise AttributeError(name)

        def call(*arguments: object) -> object:
            self.calls.append(name)
            if name in self.fails:
                raise pynvml.NVMLError(self.fails[name])
            answer = self.answers[name]
            return answer(*arguments) if callable(answer) else answer

        return call


def gpus(answers: Mapping[str, object] | None = None, fails: Mapping[str, int] | None = None) -> NvmlGpus:
    return NvmlGpus(FakeNvml(answers, fails))
