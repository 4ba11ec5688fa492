"""The machine for the fingerprint: CPU, NUMA, memory, kernel, container, clock. Its name and addresses are left out.

Each entry is None where this system does not say. Files are read below ``root``, so that tests can show other machines.
"""

from __future__ import annotations

import os
import platform
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import psutil

from generator.collect.host.kernel_clock import kernel_clock
from generator.collect.host.proc import FAULTS

Facts = dict[str, object]
Known = TypeVar("Known")

MOST_BYTES: Final = 1 << 20
ROOT: Final = Path("/")
TELLING_FLAGS: Final = (
    "avx2",
    "avx512f",
    "avx512_bf16",
    "avx512_vnni",
    "amx_bf16",
    "amx_int8",
    "f16c",
    "sve",
    "asimddp",
)
"""Instructions that decide how fast an engine runs on the CPU."""

CONTAINERS: Final = ("kubepods", "docker", "containerd", "libpod", "lxc")


def text_of(path: Path) -> str | None:
    """Return the text of a small file of the system without white space around it; None where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8", "replace").strip()
    except (OSError, ValueError):
        return None


def _known(ask: Callable[[], Known]) -> Known | None:
    try:
        return ask()
    except FAULTS:
        return None


def machine_facts(root: Path = ROOT) -> Facts:
    """Return what the machine is."""
    return {
        "cpu": cpu_facts(root),
        "numa": numa_facts(root),
        "memory": memory_facts(root),
        "system": system_facts(root),
        "clock": clock_facts(root),
    }


def cpu_facts(root: Path = ROOT) -> Facts:
    """Return model, counts, governors and limits; ``usable`` is how many this process may run on."""
    info = text_of(root / "proc/cpuinfo") or ""
    flags = set((_entry(info, "flags") or _entry(info, "Features") or "").split())
    affinity = _known(lambda: len(os.sched_getaffinity(0)))
    return {
        "model": _entry(info, "model name") or _entry(info, "Model") or platform.processor() or None,
        "cores": psutil.cpu_count(logical=False),
        "threads": psutil.cpu_count(),
        "usable": affinity,
        "quota_cores": _quota(root),
        "instructions": [flag for flag in TELLING_FLAGS if flag in flags],
        "virtual": "hypervisor" in flags if flags else None,
        "governors": governors(root),
        "frequency_max_hz": _frequency_max(root),
    }


def _entry(info: str, name: str) -> str | None:
    found = re.search(rf"^{re.escape(name)}\s*:\s*(.+)$", info, re.MULTILINE)
    return " ".join(found[1].split()) if found else None


def governors(root: Path = ROOT) -> dict[str, int] | None:
    """Return how many CPUs each frequency governor has; None where the system has none (virtual machines)."""
    paths = sorted((root / "sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor"))
    return dict(sorted(Counter(text_of(path) or "unreadable" for path in paths).items())) or None


def _frequency_max(root: Path) -> int | None:
    khz = text_of(root / "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") or ""
    return int(khz) * 1000 if khz.isdecimal() else None


def _quota(root: Path) -> float | None:
    """Return the CPU time that the container may take, in cores (cgroup 2, then 1); None where there is no limit."""
    group = root / "sys/fs/cgroup"
    quota, _, period = (text_of(group / "cpu.max") or "").partition(" ")
    if not quota:
        quota = text_of(group / "cpu/cpu.cfs_quota_us") or ""
        period = text_of(group / "cpu/cpu.cfs_period_us") or ""
    usable = quota.isdecimal() and period.isdecimal() and int(period) > 0
    return int(quota) / int(period) if usable else None


def numa_facts(root: Path = ROOT) -> list[Facts] | None:
    """Return the nodes with their CPUs and memory."""
    nodes = sorted((root / "sys/devices/system/node").glob("node[0-9]*"), key=lambda path: int(path.name[4:]))
    return [
        {"node": int(path.name[4:]), "cpus": text_of(path / "cpulist"), **_node_memory(path)} for path in nodes
    ] or None


def _node_memory(path: Path) -> Facts:
    found = re.search(r"MemTotal:\s*(\d+) kB", text_of(path / "meminfo") or "")
    return {"memory_bytes": int(found[1]) * 1024 if found else None}


def memory_facts(root: Path = ROOT) -> Facts:
    """Return bytes of memory and swap, the container's limit, and how the kernel hands out huge pages."""
    limit = text_of(root / "sys/fs/cgroup/memory.max") or ""
    pages = re.search(r"\[(\w+)\]", text_of(root / "sys/kernel/mm/transparent_hugepage/enabled") or "")
    return {
        "total_bytes": _known(lambda: psutil.virtual_memory().total),
        "swap_bytes": _known(lambda: psutil.swap_memory().total),
        "limit_bytes": int(limit) if limit.isdecimal() else None,
        "transparent_huge_pages": pages[1] if pages else None,
    }


def system_facts(root: Path = ROOT) -> Facts:
    """Return kernel, C library and kind of container; of the name of the machine nothing."""
    return {
        "kernel": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()).strip() or None,
        "container": container(root),
    }


def container(root: Path = ROOT) -> str | None:
    """Return the kind of container that this runs in; None where nothing speaks for one."""
    groups = f"{text_of(root / 'proc/1/cgroup') or ''} {text_of(root / 'proc/self/mountinfo') or ''}"
    if os.environ.get("KUBERNETES_SERVICE_HOST"):
        return "kubernetes"
    if (root / ".dockerenv").exists():
        return "docker"
    if (root / "run/.containerenv").exists():
        return "podman"
    named = next((kind for kind in CONTAINERS if f"/{kind}" in groups), None)
    release = (text_of(root / "proc/sys/kernel/osrelease") or "").lower()
    return named or ("wsl" if "microsoft" in release else None)


def clock_facts(root: Path = ROOT) -> Facts:
    """Return time zone, the kernel's source of time, and how far the wall clock is known to be right."""
    source = text_of(root / "sys/devices/system/clocksource/clocksource0/current_clocksource")
    return {
        "zone": time.strftime("%Z"),
        "utc_offset_s": time.localtime().tm_gmtoff,
        "source": source,
        "monotonic_resolution_s": time.get_clock_info("monotonic").resolution,
        "wall": kernel_clock(),
    }
