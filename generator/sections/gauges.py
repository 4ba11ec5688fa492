"""What the engine said of itself: requests running and waiting, how full its pool was, level by level and over time."""

from __future__ import annotations

from typing import Final

from generator.across.levels import Place, Shown, at_runs, level_table, seen_places
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text
from generator.told.blocks import FigureBlock, Paragraph, Table
from generator.told.quoting import passage
from generator.told.sentence import LevelName, Quantity, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("gauge_running_mean", Text(zh="计算中，均值", en="running, mean")),
    Shown("gauge_running_most", Text(zh="最多", en="most")),
    Shown("gauge_waiting_mean", Text(zh="排队，均值", en="waiting, mean")),
    Shown("gauge_waiting_most", Text(zh="最多", en="most")),
    Shown("gauge_kv_usage_mean", Text(zh="KV 池占用，均值", en="KV pool use, mean"), "%"),
    Shown("gauge_kv_usage_most", Text(zh="最高", en="most"), "%"),
    Shown("gauge_samples", Text(zh="采样数", en="samples")),
    Shown("gauge_interval", Text(zh="间隔", en="interval"), "s"),
)


@section(checks=("gauges_sampled",))
def gauges(analysis: Analysis) -> Chapter | None:
    """Print mean and most of each gauge, and draw one run of each level."""
    known = seen_places(analysis, "gauge_samples")
    if not known:
        return None
    told = [sentence for series in analysis.round.series if (sentence := _waited(analysis, series)) is not None]
    intro = Paragraph(passage(_intro(), *told))
    return Chapter(
        say(zh="引擎自报的状态", en="What the engine said of itself"),
        (intro, FigureBlock("gauges_over_time"), _table(analysis, known)),
    )


def _intro() -> Sentence:
    return say(
        zh="以下是运行期间每隔一段时间向引擎问来的瞬时值：两次采样之间的高峰看不到，所以“最多”是下限。"
        "引擎算完一步才更新它们，所以一条长 prompt 还在 prefill 时，“计算中”可以仍是零。",
        en="These are momentary values, asked of the engine at intervals: a peak between two samples is not seen, so what is "
        "called most is a lower bound. Engines update them at the end of a step, so during the prefill of a long prompt "
        "none may be running.",
    )


def _waited(analysis: Analysis, series: Series) -> Sentence | None:
    """Say where most requests waited, if any did."""
    waited = [value for value in analysis.frame.known(at_runs("gauge_waiting_most", series)) if value.value]
    if not waited:
        return None
    most = max(waited, key=lambda value: value.value or 0.0).address
    return say(
        zh="{s} 在 {l} 最多有 {x} 条请求排队。",
        en="With {s} up to {x} {x:request|requests} waited at {l}.",
        s=SeriesName(series.id),
        l=LevelName(series.id, most.level or ""),
        x=Quantity(most),
    )


def _table(analysis: Analysis, known: list[Place]) -> Table:
    caption = say(
        zh="引擎自报的量，逐档；重复测量时取中位数", en="What the engine said, level by level; medians over trials"
    )
    return level_table(analysis, "gauges-table", caption, COLUMNS, known)
