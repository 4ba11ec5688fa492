from __future__ import annotations

from generator.collect.host.gpus import gpu_source
from generator.collect.host.nvml import NvmlGpus
from generator.collect.host.readings import Reading
from tests.collect.host.fake_nvml import FakeNvml, gpus


class Smi:
    name = "nvidia-smi"

    def read(self) -> list[Reading]:
        return [Reading("gpu0", "power", 76.5)]


def nowhere(_: str) -> str | None:
    return None


def on_path(program: str) -> str | None:
    return f"/usr/bin/{program}"


def unusable() -> NvmlGpus:
    found = NvmlGpus(FakeNvml(None, {"nvmlInit": 12}))  # NVML_ERROR_LIBRARY_NOT_FOUND
    assert found.reason
    return found


def test_nvml_is_asked_where_it_can_be() -> None:
    nvml = gpus()
    assert gpu_source(nvml, Smi, on_path) is nvml


def test_the_program_is_asked_where_the_library_cannot_be_used() -> None:
    assert list(gpu_source(unusable(), Smi, on_path).read()) == [Reading("gpu0", "power", 76.5)]


def test_where_neither_is_there_nothing_is_read_and_nothing_missed() -> None:
    assert list(gpu_source(unusable(), Smi, nowhere).read()) == []
