"""Was the engine asked often enough for what its gauges are used for?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_levels, level_names, seen_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import SERVER
from generator.told.findings import Finding
from generator.told.sentence import SeriesName, say

FEWEST: Final = 20
"""Samples of a run below which a mean over them says little of the run."""
PER_REQUEST: Final = 5.0
"""Samples in the time of one request below which its growth in the pool is not seen."""


@check(
    theme=SERVER,
    title=Text(zh="引擎采样的疏密", en="Sampling of the engine"),
    question=Text(zh="运行期间对引擎的采样够不够密？", en="Was the engine sampled often enough during each run?"),
    rule=Text(
        zh="一次运行不足 {few} 个采样，或一条请求的时间里（E2EL 中位数）不足 {each} 个，就提示。没有采样的，不适用。",
        en="A note where a run has fewer than {few} samples, or the time of one request (median E2EL) fewer than {each}. Levels without samples are not examined.",
    ).format(few=FEWEST, each=f"{PER_REQUEST:g}"),
)
def gauges_sampled(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that has samples of its engine."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    sampled = [level for _, level in seen_at(analysis, "gauge_samples", series)]
    name = SeriesName(series.id)
    if not sampled:
        nothing = say(zh="{s} 没有对引擎的采样。", en="The engine of {s} was not sampled.", s=name)
        return Finding("gauges_sampled", "pass", nothing, series.id, is_empty=True)
    evidence = at_levels(series, sampled, "gauge_samples", "gauge_interval")
    sparse = [level for level in sampled if _is_sparse(analysis, series, level)]
    if not sparse:
        enough = say(zh="{s} 的引擎采样得够密。", en="The engine of {s} was sampled often enough.", s=name)
        return Finding("gauges_sampled", "pass", enough, series.id, evidence=evidence)
    message = say(
        zh="{s} 在 {l} 的采样太疏：一条请求从来到走只采到几次，最大值可能漏掉，均值也粗略。",
        en="The engine of {s} was sampled too seldom at {l}: a request comes and goes within a few samples, so the most may be "
        "missed and means are rough.",
        s=name,
        l=level_names(series, sparse),
    )
    levels = tuple(level.id for level in sparse)
    return Finding("gauges_sampled", "note", message, series.id, levels, evidence=evidence, remedy=REMEDY)


def _is_sparse(analysis: Analysis, series: Series, level: Level) -> bool:
    samples, interval, e2el = (
        amount(analysis, key, (series, level)) for key in ("gauge_samples", "gauge_interval", "e2el_p50")
    )
    if samples is not None and samples < FEWEST:
        return True
    return interval is not None and e2el is not None and e2el < PER_REQUEST * interval


REMEDY: Final = say(
    zh="在 round.toml 的 [workload] 里把 sample_every_s 设小一些。",
    en="Set a smaller sample_every_s in [workload] of round.toml.",
)
