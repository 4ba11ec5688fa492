"""The GPUs as a source of readings: through NVML, or through nvidia-smi where the library cannot be used."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing

from generator.collect.host.nvml import NvmlGpus
from generator.collect.host.readings import Reading, Source
from generator.collect.host.smi import SmiGpus

PROGRAM = "nvidia-smi"


def gpu_source(
    nvml: NvmlGpus | None = None,
    smi: Callable[[], Source] = SmiGpus,
    which: Callable[[str], str | None] = shutil.which,
) -> Source:
    """Return what can be asked for the state of the GPUs.

    Args:
        nvml: as it was opened; None to open it.
        smi: the fallback.
        which: finds a program on PATH.
    """
    gpus = nvml if nvml is not None else NvmlGpus()
    return smi() if gpus.reason and which(PROGRAM) is not None else gpus


def read_gpus() -> list[Reading]:
    """Return the state of all GPUs as it is now; empty where there is no way to ask."""
    with closing(NvmlGpus()) as nvml:
        return list(gpu_source(nvml).read())
