"""Throughput over the load, and what latency it costs."""

from __future__ import annotations

from generator.across.ladders import ladder
from generator.across.levels import amount
from generator.figures import makes_line
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.told.blocks import Block, FigureBlock, Paragraph
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Sentence, SeriesName, say


@section(checks=("non_monotonic_throughput", "repeated_load", "rate_reached"))
def curve_throughput(analysis: Analysis) -> Chapter | None:
    """Draw throughput over the load, then latency over throughput."""
    if not makes_line(analysis, "output_throughput"):
        return None
    told = [sentence for series in analysis.round.series if (sentence := _trade(analysis, series)) is not None]
    blocks: list[Block] = [FigureBlock("throughput")]
    if told:
        blocks += [Paragraph(passage(_intro(), *told)), FigureBlock("throughput_latency")]
    return Chapter(say(zh="吞吐", en="Throughput"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="吞吐是用时延换来的：每一档是交换曲线上的一个点，曲线越往上翘，多出来的吞吐就越贵。",
        en="Throughput costs latency: each level is one point of the trade-off, and where the curve turns upward, further throughput is "
        "expensive.",
    )


def _trade(analysis: Analysis, series: Series) -> Sentence | None:
    """Say what the lowest and the highest load deliver, and how long a request takes there."""
    keys = ("output_throughput", "e2el_p50")
    levels = [
        level
        for level in ladder(analysis, series)
        if all(amount(analysis, key, (series, level)) is not None for key in keys)
    ]
    if len(levels) < len(keys):
        return None
    low, high = levels[0], levels[-1]
    return say(
        zh="{s} 从 {l} 到 {h}，吞吐从 {x} 变为 {y}，E2EL p50 从 {a} 变为 {b}。",
        en="From {l} to {h}, throughput of {s} goes from {x} to {y} and E2EL p50 from {a} to {b}.",
        s=SeriesName(series.id),
        l=LevelName(series.id, low.id),
        h=LevelName(series.id, high.id),
        x=level_value("output_throughput", series.id, low.id),
        y=level_value("output_throughput", series.id, high.id),
        a=level_value("e2el_p50", series.id, low.id),
        b=level_value("e2el_p50", series.id, high.id),
    )
