"""What the doctor tells of a machine with everything, and of one with nothing."""

from __future__ import annotations

from pathlib import Path

import pynvml

from generator.collect.host.doctor import Line, Place, examine
from tests.collect.host.fake_nvml import gpus


def told(place: Place) -> dict[str, Line]:
    return {line.name: line for line in examine(place)}


def nothing(tmp_path: Path) -> Place:
    missing = gpus(fails={"nvmlInit": pynvml.NVML_ERROR_LIBRARY_NOT_FOUND})
    return Place(missing, which=lambda _: None, importable=lambda _: False, root=tmp_path)


def everything(tmp_path: Path) -> Place:
    (tmp_path / "proc/sys/vm").mkdir(parents=True)
    (tmp_path / "proc/sys/vm/drop_caches").touch()
    (tmp_path / "proc/self").mkdir()
    (tmp_path / "proc/self/stat").touch()
    governor = tmp_path / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    governor.parent.mkdir(parents=True)
    governor.write_text("performance\n")
    return Place(gpus(), which=lambda name: f"/usr/bin/{name}", importable=lambda _: True, root=tmp_path)


def test_with_nothing_each_line_says_what_the_report_lacks(tmp_path: Path) -> None:
    found = told(nothing(tmp_path))
    assert not any(line.here for name, line in found.items() if name != "wall clock")
    assert all(line.lacks for line in found.values() if not line.here)
    assert found["NVML"].found == "LibraryNotFound"
    assert "power" in found["NVML"].lacks
    assert found["xllamacpp"].remedy == "pip install xllamacpp"


def test_with_everything_nothing_is_lacking(tmp_path: Path) -> None:
    found = told(everything(tmp_path))
    assert [name for name, line in found.items() if not line.here and name != "wall clock"] == []
    assert [name for name, line in found.items() if line.lacks and name != "wall clock"] == []
    assert found["GPU driver"].found == "580.82.09, CUDA 13.0"
    assert found["gpu0"].found == "NVIDIA H200"
    assert found["vLLM"].found == "vllm on PATH"  # where it lies is nobody's business


def test_a_field_that_the_gpu_does_not_give_is_named(tmp_path: Path) -> None:
    partly = gpus(
        fails={
            "nvmlDeviceGetPowerUsage": pynvml.NVML_ERROR_NOT_SUPPORTED,
            "nvmlDeviceGetTotalEnergyConsumption": pynvml.NVML_ERROR_NO_PERMISSION,
        }
    )
    found = told(Place(partly, which=lambda _: None, importable=lambda _: False, root=tmp_path))
    assert found["gpu0 power"] == Line("gpu0 power", False, "NotSupported", "power of gpu0", "")
    assert found["gpu0 energy"].remedy.startswith("run as root")
    assert found["nvidia-smi"].lacks == ""  # NVML is there


def test_a_driver_without_gpus_says_so(tmp_path: Path) -> None:
    found = told(Place(gpus({"nvmlDeviceGetCount": 0}), root=tmp_path))
    assert found["GPU"].lacks == "everything of the GPU"


def test_a_governor_that_saves_power_is_named(tmp_path: Path) -> None:
    place = everything(tmp_path)
    (tmp_path / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").write_text("powersave")
    line = told(place)["CPU governor"]
    assert (line.here, line.found) == (False, "powersave on 1")
    assert line.remedy == "cpupower frequency-set -g performance"


def test_the_real_machine_is_examined_without_harm() -> None:
    names = [line.name for line in examine()]
    assert {"nvidia-smi", "vLLM", "llama.cpp", "SGLang", "wall clock"} <= set(names)
