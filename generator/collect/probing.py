"""When the machine itself is measured before a round: where its engines run here, and no GPU does their work."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import closing
from typing import Final

import psutil

from generator.collect.engine_process.ports import value_of
from generator.collect.host.nvml import NvmlGpus
from generator.collect.host.probe import Probe, probe_machine
from generator.declared.round_tables import SeriesTable
from generator.text import counted

THREADS: Final = ("-t", "--threads")
MOST_THREADS: Final = 1024


def probe_of(series: Iterable[SeriesTable]) -> Probe | None:
    """Measure what the engines of a round have; None where one is elsewhere, is simulated, or there is a GPU."""
    planned = list(series)
    if any(one.endpoint is not None or one.kind == "reference" for one in planned) or _has_gpu():
        return None
    return probe_machine(threads_of(planned))


def threads_of(series: Iterable[SeriesTable]) -> int:
    """Return by how many threads the engines compute: the most that one is told, else as many as there are CPUs."""
    said = [value_of(THREADS, one.argv or ()) for one in series]
    told = [int(one) for one in said if one is not None and one.isdecimal() and 0 < int(one[:6]) <= MOST_THREADS]
    return max(told) if told else usable_cpus()


def usable_cpus() -> int:
    """Return the CPUs that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return psutil.cpu_count() or 1


def _has_gpu() -> bool:
    with closing(NvmlGpus()) as gpus:
        return bool(gpus.devices)


def told(found: Probe) -> str:
    """Return what was measured as a line says it."""
    memory, compute = found.bandwidth_gb_s, found.compute_tflops
    return (
        f"{memory.median:.1f} GB/s ({memory.how}, {memory.low:.1f}–{memory.high:.1f}), "
        f"{compute.median:.3g} TFLOP/s ({compute.how}, {compute.low:.3g}–{compute.high:.3g}), "
        f"{counted('{n} {n:thread|threads}', n=found.threads)}"
    )
