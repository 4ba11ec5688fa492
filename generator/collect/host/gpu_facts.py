"""What a GPU is, for the fingerprint: what may change a result from one machine or driver to the next.

The UUID is hashed; the serial number is not asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from generator.collect.host.nvml import Device, NvmlGpus, mig_enabled
from generator.collect.host.nvml_calls import Call, Nvml, Unread, ask, ask_first, number, taken
from generator.redaction import hashed

Facts = dict[str, object]
"""Names and what is known of them; what is not is None, with its reason in the entry ``unknown``."""

MOST_NVLINKS: Final = 18
CUDA_MAJOR: Final = 1000


def as_text(answer: object) -> str:
    """Return a text that old bindings give as bytes."""
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)


def _on(modes: Any) -> bool:  # noqa: ANN401  # [current, pending]
    return bool(modes[0])


def _watts(milliwatts: object) -> float:
    return number(milliwatts) / 1000


def _hertz(megahertz: object) -> float:
    return number(megahertz) * 10**6


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a GPU says of itself."""

    key: str
    calls: tuple[Call, ...]
    shape: Callable[[Any], object] = number


FACTS: Final = (
    Fact("name", (("nvmlDeviceGetName",),), as_text),
    Fact("uuid_hash", (("nvmlDeviceGetUUID",),), lambda uuid: hashed(as_text(uuid))),
    Fact("vbios", (("nvmlDeviceGetVbiosVersion",),), as_text),
    Fact("compute_capability", (("nvmlDeviceGetCudaComputeCapability",),), lambda pair: f"{pair[0]}.{pair[1]}"),
    Fact("memory_total_bytes", (("nvmlDeviceGetMemoryInfo",),), lambda info: number(info.total)),
    Fact("memory_bus_bits", (("nvmlDeviceGetMemoryBusWidth",),)),
    Fact("ecc", (("nvmlDeviceGetEccMode",),), _on),
    Fact("mig", (("nvmlDeviceGetMigMode",),), _on),
    Fact("persistence", (("nvmlDeviceGetPersistenceMode",),), bool),
    Fact("power_limit_w", (("nvmlDeviceGetEnforcedPowerLimit",), ("nvmlDeviceGetPowerManagementLimit",)), _watts),
    Fact("power_limit_default_w", (("nvmlDeviceGetPowerManagementDefaultLimit",),), _watts),
    Fact("sm_clock_max_hz", (("nvmlDeviceGetMaxClockInfo", 1),), _hertz),
    Fact("memory_clock_max_hz", (("nvmlDeviceGetMaxClockInfo", 2),), _hertz),
    Fact("pcie_generation_max", (("nvmlDeviceGetMaxPcieLinkGeneration",),)),
    Fact("pcie_width_max", (("nvmlDeviceGetMaxPcieLinkWidth",),)),
    Fact("pcie_generation_now", (("nvmlDeviceGetCurrPcieLinkGeneration",),)),
    Fact("pcie_width_now", (("nvmlDeviceGetCurrPcieLinkWidth",),)),
    Fact("numa_node", (("nvmlDeviceGetNumaNodeId",),)),
)
"""The link's generation falls while a GPU is idle: what it is now is no fault of the slot."""


def gpu_facts(gpus: NvmlGpus, host_memory_bytes: int | None = None) -> Facts:
    """Return what is known of the driver and of each GPU.

    Args:
        gpus: those that were found; where NVML cannot be used, the reason is given and nothing else.
        host_memory_bytes: memory of the machine: it stands in, and is said to, where a GPU has none of its own.
    """
    if gpus.reason:
        return {"source": "nvml", "gpus": [], "unknown": {"gpus": gpus.reason}}
    driver = taken(ask(gpus.nvml, "nvmlSystemGetDriverVersion"), as_text)
    cuda = ask_first(gpus.nvml, (("nvmlSystemGetCudaDriverVersion_v2",), ("nvmlSystemGetCudaDriverVersion",)))
    facts = _known({"driver": driver, "cuda": taken(cuda, _cuda_version)})
    whole = [device for device in gpus.devices if "." not in device.name]
    return {"source": "nvml", **facts, "gpus": [_of_device(device, gpus, host_memory_bytes) for device in whole]}


def _cuda_version(version: object) -> str:
    """Return 13000 as 13.0."""
    whole = int(number(version))
    return f"{whole // CUDA_MAJOR}.{whole % CUDA_MAJOR // 10}"


def _of_device(device: Device, gpus: NvmlGpus, host_memory_bytes: int | None) -> Facts:
    if isinstance(device.handle, Unread):
        return {"index": device.name, "unknown": {"gpu": device.handle.reason}}
    nvml, handle = device.nvml, device.handle
    said: dict[str, object] = {one.key: taken(ask_first(nvml, one.calls, handle), one.shape) for one in FACTS}
    said["nvlinks"] = _nvlinks(nvml, handle)
    facts = {"index": device.name, **_known(said)}
    if mig_enabled(nvml, handle):
        facts["mig_slices"] = sum(other.name.startswith(f"{device.name}.") for other in gpus.devices)
    if facts["memory_total_bytes"] is None and said["memory_total_bytes"] == Unread("NotSupported"):
        facts |= {"memory_total_bytes": host_memory_bytes, "memory_source": "host"}
    return facts


def _nvlinks(nvml: Nvml, handle: object) -> int | Unread:
    """Return how many NVLinks are up; a link that the GPU does not have is an error of its own, and the end."""
    states = [taken(ask(nvml, "nvmlDeviceGetNvLinkState", handle, link), number) for link in range(MOST_NVLINKS)]
    if isinstance(states[0], Unread):
        return states[0]
    return sum(state == 1 for state in states)


def _known(said: dict[str, object]) -> Facts:
    """Return what was said, with None and a reason for what was not."""
    unknown = {key: answer.reason for key, answer in said.items() if isinstance(answer, Unread)}
    facts: Facts = {key: None if key in unknown else answer for key, answer in said.items()}
    return facts | ({"unknown": unknown} if unknown else {})
