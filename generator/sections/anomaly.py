"""Anomaly: the levels that conclusions leave out, and what else happened there."""

from __future__ import annotations

from collections.abc import Sequence

from generator.blocks import Block, Heading, Paragraph, Row, Subheading, Table
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Series
from generator.quoting import level_value
from generator.sentence import LevelName, Listing, Sentence, SeriesName, say
from generator.text import Text

RATES = (
    ("slot_decode_rate", Text(zh="逐槽速率", en="rate of a slot"), "tok/s"),
    ("undisturbed_throughput", Text(zh="逐槽速率 × 并发", en="slot rate × concurrency"), "tok/s"),
    ("output_throughput", Text(zh="实测吞吐", en="measured throughput"), "tok/s"),
    ("itl_p50", Text(zh="ITL p50", en="ITL p50"), "ms"),
    ("floor_ratio", Text(zh="达到地板", en="of the floor"), "%"),
    ("failed", Text(zh="失败", en="failed"), ""),
    ("output_tokens_mean", Text(zh="输出均值", en="output, mean"), "tok"),
)
REUSE = (
    ("log_timing_lines", Text(zh="日志条数", en="log lines"), ""),
    ("decode_steps", Text(zh="解码步数", en="decode steps"), ""),
    ("graphs_reused_increment", Text(zh="graph 增量", en="graphs reused"), ""),
    ("graph_reuse_per_step", Text(zh="按步复用率", en="reuse a step"), "%"),
    ("itl_p50", Text(zh="ITL p50", en="ITL p50"), "ms"),
    ("floor_ratio", Text(zh="达到地板", en="of the floor"), "%"),
)

Columns = Sequence[tuple[str, Text, str]]


@section(order=100)
def anomaly(analysis: Analysis) -> Chapter | None:
    """Set the spoilt levels beside their neighbours; silent where no level is spoilt."""
    struck = list(dict.fromkeys(series for series, _ in analysis.spoilt))
    if not struck:
        return None
    blocks: list[Block] = []
    for series in (analysis.round.series_by_id(one) for one in struck):
        blocks += _of_series(analysis, series)
    blocks.append(Paragraph(_rule(analysis), "callout"))
    return Chapter(_heading(analysis), tuple(blocks))


def _heading(analysis: Analysis) -> Sentence:
    names = tuple(LevelName(series, level) for series, level in analysis.spoilt)
    return say(zh="反常：{levels} 不可信", en="Anomaly: {levels} cannot be trusted", levels=Listing(names))


def _of_series(analysis: Analysis, series: Series) -> list[Block]:
    found = [analysis.spoilt[key] for key in analysis.spoilt if key[0] == series.id]
    blocks: list[Block] = [Paragraph(finding.message) for finding in found]
    caption = say(zh="{s} 逐档", en="{s}, level by level", s=SeriesName(series.id))
    blocks.append(_table(analysis, series, f"anomaly-{series.id}", caption, RATES))
    if _is_known(analysis, series, "graph_reuse_per_step"):
        blocks += _graph_reuse(analysis, series)
    return blocks


def _graph_reuse(analysis: Analysis, series: Series) -> list[Block]:
    key = f"graph-reuse-{series.id}"
    caption = say(
        zh="graphs reused 计数器每个批处理步加一次；步数 = 日志条数 × 输出长度 ÷ 并发，按槽位全忙估计，复用率是上限",
        en="The counter moves once a batched step; steps = log lines × output length ÷ concurrency takes all slots as busy, "
        "so that the reuse is an upper bound",
    )
    return [
        Subheading(f"clue-{series.id}", say(zh="线索：计算图复用", en="A clue: compute-graph reuse")),
        _table(analysis, series, key, caption, REUSE),
        Paragraph(
            say(
                zh="这是相关，不是因果：复用率与步长同时变化，可能有共同的原因。要确认，得关掉计算图复用，在失效档位和相邻两档上重跑。",
                en="This is correlation, not cause: reuse and step may move together for another reason. To settle it, switch "
                "graph reuse off and run the spoilt level and both neighbours again.",
            ),
            "callout",
        ),
    ]


def _table(analysis: Analysis, series: Series, key: str, caption: Sentence, columns: Columns) -> Table:
    shown = [column for column in columns if _is_known(analysis, series, column[0])]
    headings = (
        Heading(say(analysis.round.load_label.zh, analysis.round.load_label.en)),
        *(Heading(say(name.zh, name.en), unit) for _, name, unit in shown),
    )
    rows = tuple(
        Row(
            (
                LevelName(series.id, level.id),
                *(level_value(metric, series.id, level.id, bare=True) for metric, _, _ in shown),
            ),
            spoilt.message if (spoilt := analysis.spoilt.get((series.id, level.id))) else None,
        )
        for level in series.levels
    )
    return Table(key, caption, headings, rows)


def _is_known(analysis: Analysis, series: Series, metric: str) -> bool:
    return any(analysis.frame.of_level(metric, series.id, level.id).value is not None for level in series.levels)


def _rule(analysis: Analysis) -> Sentence:
    names = tuple(
        say(zh="{s} {l}", en="{s} {l}", s=SeriesName(series), l=LevelName(series, level))
        for series, level in analysis.spoilt
    )
    return say(
        zh="在对照实验补上之前，{levels} 不进入任何结论：交叉点、斜率、关键数字与范围都绕开它。",
        en="Until a control experiment is done, no conclusion rests on {levels}: crossover, slopes, key numbers and ranges "
        "leave it out.",
        levels=Listing(names),
    )
