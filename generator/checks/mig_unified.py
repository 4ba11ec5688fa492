"""Is it a slice of a GPU, or one without memory of its own? Then some numbers mean less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from generator.across.levels import machine_of
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.records import Machine
from generator.model import Series
from generator.text import Text
from generator.themes import MACHINE
from generator.told.findings import Finding
from generator.told.quoting import series_names
from generator.told.sentence import SeriesName, say

ON: Final = "true"
SLICE: Final = re.compile(r"\bMIG\b|\b\dg\.\d+gb\b", re.IGNORECASE)
UNIFIED: Final = re.compile(r"\bGB10\b|\bDGX Spark\b|\bJetson\b|\bOrin\b|\bThor\b|\bApple M\d", re.IGNORECASE)
"""Devices whose memory is that of the machine."""


@check(
    theme=MACHINE,
    title=Text(zh="MIG 与统一内存", en="MIG and unified memory"),
    question=Text(
        zh="是否独占一块带专用显存的 GPU？",
        en="Did it run on a whole GPU with memory of its own?",
    ),
    rule=Text(
        zh="开了 MIG，或显存就是主机内存，就提示哪些数因此说明不了那么多；只凭名字看不出来的，算无从检查。",
        en="A note where MIG is on or the GPU's memory is the machine's, with what numbers mean less for it; unchecked where neither is on record.",
    ),
)
def mig_unified(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series; those of which nothing is special are told together."""
    found: list[Finding] = []
    whole: list[Series] = []
    unknown: list[Series] = []
    for series in analysis.round.with_gpu:
        machine = machine_of(analysis.round, series)
        if _is_slice(machine):
            found.append(_slice(series))
        if _is_unified(machine):
            found.append(_unified(series))
        if not _is_slice(machine) and not _is_unified(machine):
            (whole if _is_told(machine) else unknown).append(series)
    found += [_unknown(unknown)] if unknown else []
    found += [_whole(whole)] if whole else []
    return found or [_no_gpu()]


def _name(machine: Machine) -> str:
    return machine.text("gpu.gpus.name") or ""


def _is_slice(machine: Machine) -> bool:
    return ON in (machine.text("gpu.gpus.mig") or "").split(" / ") or bool(SLICE.search(_name(machine)))


def _is_unified(machine: Machine) -> bool:
    return "host" in (machine.text("gpu.gpus.memory_source") or "") or bool(UNIFIED.search(_name(machine)))


def _is_told(machine: Machine) -> bool:
    """Say whether it is known that nothing is special: MIG is said to be off, or cannot be on."""
    name = _name(machine)
    has_no_mig = bool(re.search(r"\bRTX\b|\bGTX\b|\bL40S?\b|\bL4\b|\bT4\b|\bV100\b", name)) and "PRO" not in name
    return machine.text("gpu.gpus.mig") is not None or has_no_mig


def _slice(series: Series) -> Finding:
    return Finding(
        check="mig_unified",
        status="note",
        series=series.id,
        message=say(
            zh="{series} 跑在一块开了 MIG 的 GPU 上：带宽与算力是切片的，功耗、温度与利用率却是整块卡的，其他切片也在用同一块卡。",
            en="{series} ran on a GPU with MIG: bandwidth and compute are those of the slice, but power, heat and utilisation are "
            "those of the whole card, which other slices share.",
            series=SeriesName(series.id),
        ),
        bias=say(
            zh="下限若按整块卡的带宽算，就算低了，{series} 显得离硬件极限更远。",
            en="A floor by the bandwidth of the whole card is too low: {series} looks further from the hardware's limit than it is.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="在 [hardware] 里写切片自己的带宽与显存，或者关掉 MIG 重测。",
            en="Declare bandwidth and memory of the slice in [hardware], or switch MIG off and measure again.",
        ),
    )


def _unified(series: Series) -> Finding:
    return Finding(
        check="mig_unified",
        status="note",
        series=series.id,
        message=say(
            zh="{series} 的 GPU 没有自己的显存，用的是主机内存：显存占用里有别的进程，带宽与 CPU 共享，“显存容量”也不只归它用。",
            en="The GPU of {series} has no memory of its own but uses the machine's: memory in use includes other processes, the "
            "bandwidth is shared with the CPU, and the capacity is not its own alone.",
            series=SeriesName(series.id),
        ),
        bias=say(
            zh="下限按峰值带宽算，CPU 占去的那份没有扣掉：{series} 显得离硬件极限更远。",
            en="Floors are by the peak bandwidth, of which the CPU takes its share: {series} looks further from the hardware's "
            "limit than it is.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="量出 GPU 实际拿得到的带宽，写进 [hardware]，bandwidth_source 写 measured。",
            en="Measure the bandwidth that the GPU gets, and declare it in [hardware] with bandwidth_source measured.",
        ),
    )


def _whole(series: Sequence[Series]) -> Finding:
    return Finding(
        check="mig_unified",
        status="pass",
        message=say(
            zh="{series} 没有跑在 MIG 切片上，也没有把主机内存当显存。",
            en="{series} did not run on a MIG slice, nor on a GPU that uses the machine's memory.",
            series=series_names(one.id for one in series),
        ),
    )


def _no_gpu() -> Finding:
    message = say(zh="没有 GPU，不适用。", en="There was no GPU: not applicable.")
    return Finding("mig_unified", "pass", message, is_empty=True)


def _unknown(series: Sequence[Series]) -> Finding:
    return Finding(
        check="mig_unified",
        status="unknown",
        message=say(
            zh="{series} 跑在整块 GPU 上还是一个切片上，没有记录。",
            en="Whether {series} ran on a whole GPU or on a slice is not on record.",
            series=series_names(one.id for one in series),
        ),
        remedy=say(
            zh="用 rounds collect 采集，或者把 nvidia-smi 的 mig.mode.current 写进 fingerprint.json。",
            en="Collect with rounds collect, or put mig.mode.current of nvidia-smi into fingerprint.json.",
        ),
    )
