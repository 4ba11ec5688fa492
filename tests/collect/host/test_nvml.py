"""The GPUs through NVML, and each of its errors at each of its calls."""

from __future__ import annotations

from types import SimpleNamespace

import pynvml
import pytest

from generator.collect.host.gpu_facts import Facts, gpu_facts
from generator.collect.host.nvml import FIELDS, NvmlGpus
from generator.collect.host.nvml_calls import Unread, ask
from generator.collect.host.readings import Reading
from tests.collect.host.fake_nvml import ANSWERS, ERRORS, GIB, FakeNvml, gpus


def values(found: NvmlGpus) -> dict[str, float | None]:
    return {one.field: one.value for one in found.read() if one.source == "gpu0"}


def reasons(found: NvmlGpus) -> dict[str, str]:
    return {f"{one.source}.{one.field}": one.reason for one in found.read() if one.value is None}


def only_gpu(facts: Facts) -> Facts:
    found = facts["gpus"]
    assert isinstance(found, list)
    (gpu,) = found
    assert isinstance(gpu, dict)
    return gpu


def test_each_field_is_in_base_units() -> None:
    assert values(gpus()) == {
        "utilisation_gpu": 0.37,  # 37 %
        "utilisation_memory": 0.12,
        "memory_used": 40 * GIB,
        "memory_free": 100 * GIB,
        "memory_total": 140 * GIB,
        "processes": 2,
        "process_memory": 5 * GIB,  # 3 + 2
        "power": 345.5,  # 345 500 mW
        "energy": 9876.543,  # 9 876 543 mJ
        "temperature": 61,
        "sm_clock": 1.755e9,  # 1755 MHz
        "memory_clock": 1.755e9,
        "event_reasons": 0x24,
        "pcie_tx": 2.5e6,  # 2500 KB/s
        "pcie_rx": 2.5e6,
        "performance_state": 0,
    }


def test_numbers_of_one_call_are_of_one_moment() -> None:
    nvml = FakeNvml()
    found = NvmlGpus(nvml)
    nvml.calls.clear()
    found.read()
    assert nvml.calls.count("nvmlDeviceGetMemoryInfo") == 1
    assert nvml.calls.count("nvmlDeviceGetUtilizationRates") == 1


@pytest.mark.parametrize("code", ERRORS)
@pytest.mark.parametrize("call", sorted(ANSWERS))
def test_no_error_of_any_call_escapes(call: str, code: int) -> None:
    found = gpus(fails={call: code})
    readings, facts = found.read(), gpu_facts(found)
    found.close()
    # What the call does not give, others still do: only where there is no way in at all nothing is read.
    way_in = call in {"nvmlInit", "nvmlDeviceGetCount"}
    assert bool(readings) is not way_in
    assert all(one.reason for one in readings if one.value is None)
    assert facts["source"] == "nvml"


@pytest.mark.parametrize("code", ERRORS)
def test_all_calls_may_fail_at_once_after_the_start(code: int) -> None:
    nvml = FakeNvml()
    found = NvmlGpus(nvml)
    nvml.fails = dict.fromkeys(ANSWERS, code)  # the GPU fell off the bus
    readings = found.read()
    assert [one.value for one in readings] == [None] * len(FIELDS)
    assert len({one.reason for one in readings}) == 1


def test_the_reason_is_the_name_of_the_error() -> None:
    failing = {
        "nvmlDeviceGetPowerUsage": pynvml.NVML_ERROR_NOT_SUPPORTED,
        "nvmlDeviceGetTemperature": pynvml.NVML_ERROR_NO_PERMISSION,
        "nvmlDeviceGetClockInfo": pynvml.NVML_ERROR_GPU_IS_LOST,
        "nvmlDeviceGetTotalEnergyConsumption": pynvml.NVML_ERROR_UNKNOWN,
        "nvmlDeviceGetPcieThroughput": pynvml.NVML_ERROR_TIMEOUT,
    }
    assert reasons(gpus(fails=failing)) == {
        "gpu0.power": "NotSupported",
        "gpu0.temperature": "NoPermission",
        "gpu0.sm_clock": "GpuIsLost",
        "gpu0.memory_clock": "GpuIsLost",
        "gpu0.energy": "Unknown",
        "gpu0.pcie_tx": "Timeout",
        "gpu0.pcie_rx": "Timeout",
    }


def test_a_code_without_a_class_is_told_by_its_number() -> None:
    assert ask(FakeNvml(fails={"nvmlInit": 4711}), "nvmlInit") == Unread("error 4711")


def test_what_a_release_lacks_is_asked_for_under_its_older_name() -> None:
    older = FakeNvml({"nvmlDeviceGetCurrentClocksThrottleReasons": 0x8})
    del older.answers["nvmlDeviceGetCurrentClocksEventReasons"]
    assert values(NvmlGpus(older))["event_reasons"] == 8
    del older.answers["nvmlDeviceGetCurrentClocksThrottleReasons"]
    assert reasons(NvmlGpus(older)) == {"gpu0.event_reasons": "FunctionNotFound"}


def test_a_gpu_that_shares_the_hosts_memory_has_no_memory_of_its_own() -> None:
    found = gpus(fails={"nvmlDeviceGetMemoryInfo": pynvml.NVML_ERROR_NOT_SUPPORTED})
    assert values(found)["process_memory"] == 5 * GIB
    assert reasons(found).keys() == {"gpu0.memory_used", "gpu0.memory_free", "gpu0.memory_total"}
    gpu = only_gpu(gpu_facts(found, host_memory_bytes=128 * GIB))
    assert (gpu["memory_total_bytes"], gpu["memory_source"]) == (128 * GIB, "host")


def test_a_gpu_whose_memory_may_not_be_read_is_no_such_gpu() -> None:
    found = gpus(fails={"nvmlDeviceGetMemoryInfo": pynvml.NVML_ERROR_NO_PERMISSION})
    gpu = only_gpu(gpu_facts(found, host_memory_bytes=128 * GIB))
    assert gpu["memory_total_bytes"] is None
    assert gpu["unknown"] == {"memory_total_bytes": "NoPermission"}


def test_slices_of_a_gpu_are_read_one_by_one() -> None:
    def slice_at(_: object, place: int) -> object:
        if place == 1:  # a gap: slices need not lie together
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)
        return f"slice {place}"

    def memory(handle: str) -> object:
        used = {"handle": 9, "slice 0": 4, "slice 2": 5}[handle]
        return SimpleNamespace(total=20 * GIB, free=(20 - used) * GIB, used=used * GIB)

    cut = {
        "nvmlDeviceGetMigMode": [1, 1],
        "nvmlDeviceGetMaxMigDeviceCount": 3,
        "nvmlDeviceGetMigDeviceHandleByIndex": slice_at,
        "nvmlDeviceGetMemoryInfo": memory,
    }
    found = gpus(cut, {"nvmlDeviceGetUtilizationRates": pynvml.NVML_ERROR_NOT_SUPPORTED})
    used = {one.source: one.value for one in found.read() if one.field == "memory_used"}
    assert used == {"gpu0": 9 * GIB, "gpu0.mig0": 4 * GIB, "gpu0.mig2": 5 * GIB}
    gpu = only_gpu(gpu_facts(found))
    assert gpu["mig_slices"] == 2


@pytest.mark.parametrize("memory", [None, 2**64 - 1])
def test_a_process_whose_memory_is_not_told_makes_the_sum_unknown(memory: int | None) -> None:
    processes = [SimpleNamespace(pid=1, usedGpuMemory=GIB), SimpleNamespace(pid=2, usedGpuMemory=memory)]
    found = gpus({"nvmlDeviceGetComputeRunningProcesses_v3": processes})
    assert values(found)["processes"] == 2
    assert reasons(found).keys() == {"gpu0.process_memory"}


@pytest.mark.parametrize("odd", [None, "N/A", True, float("nan"), b"7", [], object()])
def test_answers_of_the_wrong_kind_are_unknown(odd: object) -> None:
    found = gpus(
        dict.fromkeys((name for name in ANSWERS if name.startswith("nvmlDeviceGet")), odd) | {"nvmlDeviceGetCount": 1}
    )
    assert {one.value for one in found.read()} <= {None, 0.0}  # an empty list is no process
    assert gpu_facts(found)["source"] == "nvml"


def test_an_unknown_performance_state_is_not_32() -> None:
    assert reasons(gpus({"nvmlDeviceGetPerformanceState": 32})) == {"gpu0.performance_state": "Unknown"}


def test_a_gpu_without_a_handle_is_named_all_the_same() -> None:
    found = gpus(fails={"nvmlDeviceGetHandleByIndex": pynvml.NVML_ERROR_NO_PERMISSION})
    assert found.read()[0] == Reading("gpu0", "utilisation_gpu", None, "NoPermission")
    assert gpu_facts(found)["gpus"] == [{"index": "gpu0", "unknown": {"gpu": "NoPermission"}}]


def test_what_a_gpu_is() -> None:
    facts = gpu_facts(gpus())
    gpu = only_gpu(facts)
    assert (facts["driver"], facts["cuda"]) == ("580.82.09", "13.0")  # 13000
    assert (gpu["ecc"], gpu["mig"], gpu["nvlinks"], gpu["power_limit_w"]) == (True, False, 18, 700)
    assert gpu["uuid_hash"] == "b76c8d34d7ba"  # sha256sum of the UUID, its first 12 digits
    assert "8f6a2c1d" not in str(facts)
    assert "unknown" not in gpu


def test_the_stand_in_has_the_names_of_the_module() -> None:
    assert [name for name in ANSWERS if not callable(getattr(pynvml, name, None))] == []
    named = {call[0] for one in FIELDS for call in one.calls}
    assert [name for name in named if not callable(getattr(pynvml, name, None))] == []


def test_the_module_itself_is_asked_without_harm() -> None:
    found = NvmlGpus(pynvml)  # with a GPU or without
    assert found.reason or all(one.value is not None or one.reason for one in found.read())
    found.close()
