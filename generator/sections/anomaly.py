"""Anomaly: the levels that conclusions leave out, and what else happened there."""

from __future__ import annotations

from typing import Final

from generator.across.levels import Shown, known_at, level_table
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Paragraph, Subheading
from generator.told.findings import Finding
from generator.told.quoting import listed_levels
from generator.told.sentence import Count, Listing, Sentence, SeriesName, say

ITL: Final = Shown("itl_p50", same("ITL p50"), "ms")
FLOOR: Final = Shown("floor_ratio", Text(zh="下限 ÷ 步长", en="floor ÷ step"), "%")
RATES: Final = (
    Shown("slot_decode_rate", Text(zh="逐槽速率", en="rate of a slot"), "tok/s"),
    Shown("undisturbed_throughput", Text(zh="逐槽速率 × 并发", en="slot rate × concurrency"), "tok/s"),
    Shown("output_throughput", Text(zh="实测吞吐", en="measured throughput"), "tok/s"),
    ITL,
    FLOOR,
    Shown("failed", Text(zh="失败", en="failed")),
    Shown("output_tokens_mean", Text(zh="输出均值", en="mean output"), "tok"),
)
REUSE: Final = (
    Shown("log_timing_lines", Text(zh="日志条数", en="log lines")),
    Shown("decode_steps", Text(zh="解码步数", en="decode steps")),
    Shown("graphs_reused_increment", Text(zh="计数器增量", en="counter increment")),
    Shown("graph_reuse_per_step", Text(zh="按步计的计算图复用率", en="graph reuse per step"), "%"),
    ITL,
    FLOOR,
)


@section(checks=("log_lines",))
def anomaly(analysis: Analysis) -> Chapter | None:
    """Set the spoilt levels beside their neighbours; silent where no level is spoilt."""
    struck = [analysis.round.series_by_id(one) for one in dict.fromkeys(series for series, _ in analysis.spoilt)]
    if not struck and analysis.round.prose_of("anomaly", "en") is None:
        return None
    blocks: list[Block] = [block for series in struck for block in _of_series(analysis, series)]
    if struck:
        blocks.append(Paragraph(_rule(analysis, struck), "callout"))
    return Chapter(_heading(analysis, struck), tuple(blocks))


def _heading(analysis: Analysis, struck: list[Series]) -> Sentence:
    match struck:
        case []:
            return say(zh="异常", en="Anomaly")
        case [only]:
            return say(zh="异常：{levels} 已排除", en="Anomaly: {levels} excluded", levels=_levels(analysis, only))
        case _:
            number = Count(len(analysis.spoilt))
            return say(zh="异常：{n} 个档位已排除", en="Anomaly: {n} {n:level|levels} excluded", n=number)


def _levels(analysis: Analysis, series: Series) -> Listing:
    return listed_levels(series.id, (level for one, level in analysis.spoilt if one == series.id))


def _of_series(analysis: Analysis, series: Series) -> list[Block]:
    caption = say(zh="{s} 逐档", en="{s}, level by level", s=SeriesName(series.id))
    places = [(series, level) for level in series.levels]
    return [
        *(Paragraph(finding.message) for finding in _reasons(analysis, series)),
        level_table(analysis, f"anomaly-{series.id}", caption, RATES, places),
        *(_graph_reuse(analysis, series) if known_at(analysis, "graph_reuse_per_step", series, series.levels) else ()),
    ]


def _reasons(analysis: Analysis, series: Series) -> list[Finding]:
    """Return what spoils the levels of a series; one finding may spoil several."""
    found = [finding for (one, _), finding in analysis.spoilt.items() if one == series.id]
    return [finding for at, finding in enumerate(found) if finding not in found[:at]]


def _graph_reuse(analysis: Analysis, series: Series) -> list[Block]:
    caption = say(
        zh="graphs reused 计数器每个批处理步加一；步数 = 日志条数 × 输出长度 ÷ 并发，按槽位全忙估计，所以计算图复用率是上限",
        en="The counter “graphs reused” moves by one per batched step; steps = log lines × output length ÷ concurrency takes "
        "all slots as busy, which makes the reuse an upper bound",
    )
    places = [(series, level) for level in series.levels]
    return [
        Subheading(f"clue-{series.id}", say(zh="线索：计算图复用率", en="A clue: compute-graph reuse")),
        level_table(analysis, f"graph-reuse-{series.id}", caption, REUSE, places),
        Paragraph(_no_cause(), "callout"),
    ]


def _no_cause() -> Sentence:
    return say(
        zh="这是相关，不是因果：计算图复用率与步长可能受同一原因影响。要确认，得关掉计算图复用，"
        "把已排除的档位和它们的相邻档位重跑一遍。",
        en="This is correlation, not cause: reuse and step may both follow from something else. To settle it, switch "
        "graph reuse off and rerun the excluded levels and their neighbours.",
    )


def _rule(analysis: Analysis, struck: list[Series]) -> Sentence:
    names = tuple(
        say(zh="{s} 的 {l}", en="{l} of {s}", s=SeriesName(series.id), l=_levels(analysis, series)) for series in struck
    )
    return say(
        zh="在对照实验说明原因之前，{levels} 排除在交叉点、斜率与关键数字之外，图上画成空心点。",
        en="Until a control experiment explains what happened there, the crossover, the slopes and the key numbers "
        "exclude {levels}; figures draw such points hollow.",
        levels=Listing(names),
    )
