"""Was anybody watching the machine while it was measured?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across import watched
from generator.across.levels import at_level, level_names
from generator.across.watched import Spot, amount_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import MACHINE
from generator.told.findings import Finding
from generator.told.sentence import Sentence, SeriesName, say

LONGEST_GAP: Final = 5.0
"""Seconds without a sample, of a source that is read once a second, in which anything may have happened."""
WATCHED: Final = ("gpu_samples", "server_rss_max")
"""Numbers of which one is known wherever memory was sampled."""
GAP: Final = "gpu_sample_gap_max"

REMEDY: Final = say(
    zh="测量期间每秒采样一次显存、功率与时钟，把 gpu.csv 放进系列或运行的文件夹；rounds collect 自己会采样。",
    en="Sample memory, power and clocks once a second while measuring and put gpu.csv into the folder of the series or the run; "
    "rounds collect does so by itself.",
)


@check(
    theme=MACHINE,
    title=Text(zh="采样缺失", en="Missing samples"),
    question=Text(
        zh="测量期间有没有显存与 GPU 的采样，中间断过没有？",
        en="Were memory and GPU sampled while measuring, and without a break?",
    ),
    rule=Text(
        zh="由 rounds collect 测的档位没有采样，或采样中断超过 {gap} 秒，就警告。别处的运行没有采样，则无从得知；转录自报告的，只作说明。",
        en="A warning where rounds collect measured a level without samples, or samples have a gap of more than {gap} s. Runs of another tool without samples are unchecked; for a round transcribed from a publication it is only mentioned.",
    ).format(gap=f"{LONGEST_GAP:g}"),
    stage="conclusions",
)
def samples_missing(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [finding for series in analysis.round.series for finding in _examine(analysis, series)]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    spots = watched.spots_of(analysis, series, *WATCHED)
    if not spots:
        return [_never(analysis, series)]
    gaps = [spot for spot in spots if (amount_at(analysis, spot, GAP) or 0.0) > LONGEST_GAP]
    seen = watched.levels_of(spots)
    unseen = [level for level in series.levels if level.from_runs and seen and level.id not in seen]
    found = [_unseen(series, unseen)] if unseen else []
    return [*found, *([_gaps(analysis, gaps)] if gaps else [])] or [_watched(spots)]


def _never(analysis: Analysis, series: Series) -> Finding:
    is_ours = any(
        analysis.frame.known([at_level("warm_up_requests", series, level, trial)])
        for level in series.levels
        for trial in level.runs
    )
    name = SeriesName(series.id)
    if analysis.round.file.round.origin == "transcribed":
        return Finding("samples_missing", "note", _transcribed(name), series.id)
    if is_ours:
        return Finding("samples_missing", "warn", _none_at_all(name), series.id, remedy=REMEDY)
    if series not in analysis.round.with_gpu:
        return Finding("samples_missing", "pass", _no_gpu(name), series.id, is_empty=True)
    return Finding("samples_missing", "unknown", _none_at_all(name), series.id, remedy=REMEDY)


def _transcribed(name: SeriesName) -> Sentence:
    return say(
        zh="{series} 转录自报告，没有显存与 GPU 的采样：降频、功率与显存峰值无从得知。",
        en="{series} was transcribed from a publication without samples of memory and GPU: throttling, power and the most memory "
        "used are unknown.",
        series=name,
    )


def _no_gpu(name: SeriesName) -> Sentence:
    return say(
        zh="{series} 没有用 GPU，运行又不是 rounds collect 测的：没有采样，不适用。",
        en="{series} ran without a GPU, and was not measured by rounds collect: there are no samples, not applicable.",
        series=name,
    )


def _none_at_all(name: SeriesName) -> Sentence:
    return say(
        zh="{series} 没有显存或 GPU 的采样：测量期间机器的状态无从得知。",
        en="Neither memory nor GPU of {series} was sampled: it is unknown what state the machine was in while it was measured.",
        series=name,
    )


def _unseen(series: Series, levels: Sequence[Level]) -> Finding:
    return Finding(
        check="samples_missing",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        message=say(
            zh="{series} 在 {levels} 没有采样，别的档位有。",
            en="At {levels} nothing of {series} was sampled, where other levels have samples.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
        ),
        remedy=REMEDY,
    )


def _gaps(analysis: Analysis, spots: Sequence[Spot]) -> Finding:
    worst = watched.most(analysis, spots, GAP)
    return Finding(
        check="samples_missing",
        status="warn",
        series=worst.series.id,
        levels=watched.levels_of(spots),
        evidence=watched.evidence(spots, GAP),
        message=say(
            zh="{series} 的采样在{where}中断过：{gap}。",
            en="Samples of {series} have gaps {where}: {gap}.",
            series=SeriesName(worst.series.id),
            where=watched.where(spots),
            gap=watched.of_worst(spots, worst, say(zh="最长 {gap}", en="{gap} at most", gap=worst.value(GAP))),
        ),
        remedy=say(
            zh="每秒采样一次；查明采样器为何停过：机器过载，或 nvidia-smi 卡住。",
            en="Sample once a second, and find out what stopped the sampling: a machine that was overloaded, or a driver that hung.",
        ),
    )


def _watched(spots: Sequence[Spot]) -> Finding:
    return Finding(
        check="samples_missing",
        status="pass",
        series=spots[0].series.id,
        levels=watched.levels_of(spots),
        message=say(
            zh="{series} 测量期间有采样，没有长时间的中断。",
            en="{series} was sampled while it was measured, without a long break.",
            series=SeriesName(spots[0].series.id),
        ),
    )
