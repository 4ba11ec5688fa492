"""What ``rounds doctor`` tells: what this machine has for collecting, what is missing, and what a report lacks then."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.collect.host.gpu_facts import gpu_facts
from generator.collect.host.machine import ROOT, clock_facts, cpu_facts
from generator.collect.host.nvml import FIELDS, NvmlGpus
from generator.collect.host.readings import Reading

SERVERS: Final = (("vllm", "vLLM"), ("llama-server", "llama.cpp"), ("sglang", "SGLang"))
DROP_CACHES: Final = "proc/sys/vm/drop_caches"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked for.

    Attributes:
        name: what it is.
        here: whether it is there.
        found: what was found, or why nothing was.
        lacks: what a report lacks without it; empty where it is there.
        remedy: what to do about it; empty where there is nothing to do.
    """

    name: str
    here: bool
    found: str
    lacks: str = ""
    remedy: str = ""


def _line(name: str, here: bool, yes: str, no: str, lacks: str, remedy: str = "") -> Line:
    """Return a line of which what is lacking, and what to do, matters only where the thing is not there."""
    return Line(name, True, yes) if here else Line(name, False, no, lacks, remedy)


def _importable(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


@dataclass(frozen=True, slots=True)
class Place:
    """How to look around: the real machine, unless a test shows another."""

    gpus: NvmlGpus = field(default_factory=NvmlGpus)
    which: Callable[[str], str | None] = shutil.which
    importable: Callable[[str], bool] = _importable
    root: Path = ROOT


def examine(place: Place | None = None) -> list[Line]:
    """Return what is here and what is missing, GPU first."""
    place = place or Place()
    return [*_gpus(place), *_engines(place), *_system(place)]


def _gpus(place: Place) -> Iterator[Line]:
    smi = place.which("nvidia-smi") is not None
    if place.gpus.reason:
        lacks = (
            "GPU power, energy, memory, clocks and throttling" if not smi else "energy, PCIe and processes of the GPU"
        )
        remedy = "install the NVIDIA driver, or pass the GPU into the container" if not smi else ""
        yield Line("NVML", False, place.gpus.reason, lacks, remedy)
    else:
        yield from _devices(place)
    lacks = "" if smi or not place.gpus.reason else "the fallback for NVML"
    yield Line("nvidia-smi", smi, "on PATH" if smi else "not on PATH", lacks)


def _devices(place: Place) -> Iterator[Line]:
    facts = gpu_facts(place.gpus)
    yield Line("GPU driver", facts.get("driver") is not None, f"{facts.get('driver')}, CUDA {facts.get('cuda')}")
    names = facts["gpus"] if isinstance(facts["gpus"], list) else []
    for gpu in names:
        yield Line(str(gpu["index"]), gpu.get("name") is not None, str(gpu.get("name") or gpu.get("unknown")))
    if not names:
        yield Line("GPU", False, "the driver shows none", "everything of the GPU", "check CUDA_VISIBLE_DEVICES and MIG")
    yield from _fields(place.gpus.read())


def _fields(readings: list[Reading]) -> Iterator[Line]:
    """Yield a line for each field that a GPU cannot give."""
    known = {one.key for one in FIELDS}
    for one in readings:
        if one.value is None and one.field in known:
            remedy = "run as root, or lift the driver's restriction" if one.reason == "NoPermission" else ""
            yield Line(f"{one.source} {one.field}", False, one.reason, f"{one.field} of {one.source}", remedy)


def _engines(place: Place) -> Iterator[Line]:
    for program, name in SERVERS:
        lacks = f"rounds of {name} that are started here (a running server can be attached to)"
        there = place.which(program) is not None
        yield _line(name, there, f"{program} on PATH", f"{program} not on PATH", lacks)
    lacks = "the demo on a real engine: it runs on the reference server, and says simulated"
    native = place.importable("xllamacpp")
    yield _line("xllamacpp", native, "importable", "not installed", lacks, "pip install xllamacpp")


def _system(place: Place) -> Iterator[Line]:
    yield _governor(place.root)
    yield _clock(place.root)
    lacks = "cold starts from an empty page cache: they are recorded as they were found"
    caches = os.access(place.root / DROP_CACHES, os.W_OK)
    yield _line("page cache", caches, "can be dropped", "cannot be dropped", lacks, "run as root")
    stat = (place.root / "proc/self/stat").exists()
    yield _line("/proc", stat, "readable", "missing", "CPU and memory of the server")


def _governor(root: Path) -> Line:
    found = cpu_facts(root)["governors"]
    if not isinstance(found, dict):
        return Line("CPU governor", False, "the system does not say", "the CPU's frequency in the fingerprint")
    told = ", ".join(f"{name} on {count}" for name, count in found.items())
    lacks, remedy = "a steady client: its CPU changes frequency", "cpupower frequency-set -g performance"
    return _line("CPU governor", set(found) == {"performance"}, told, told, lacks, remedy)


def _clock(root: Path) -> Line:
    wall = clock_facts(root)["wall"]
    kept = isinstance(wall, dict) and wall.get("synchronised") is True
    lacks = "times that can be laid beside those of other machines"
    return _line("wall clock", kept, "synchronised", "not known to be right", lacks, "run chrony or NTP")
