"""Latencies over the load: the gap between tokens, the first token, the whole request."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder
from generator.across.levels import highest, known_at
from generator.figures import makes_line
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.told.blocks import FigureBlock, Paragraph
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Sentence, SeriesName, say

FIGURES: Final = {"itl_by_load": "itl_p50", "ttft_by_load": "ttft_p50", "e2el_by_load": "e2el_p50"}
"""Each figure, and what it draws."""


@section(checks=("tail_percentiles", "queue_dominated"))
def curve_latency(analysis: Analysis) -> Chapter | None:
    """Draw median and p99 of each latency that is on record."""
    drawn = [key for key, of in FIGURES.items() if makes_line(analysis, of)]
    if not drawn:
        return None
    intro = say(
        zh="中位数是典型的情形，p99 是最慢的一小部分：两条线分开的地方，有一部分比其余的慢得多，多半在等别的请求的 prefill。",
        en="The median shows what is typical, the p99 the slowest few: where the two lines diverge, some are much slower than the rest, "
        "mostly because they wait for the prefill of another request.",
    )
    told = [sentence for series in analysis.round.series if (sentence := _apart(analysis, series)) is not None]
    return Chapter(
        say(zh="时延", en="Latencies"), (Paragraph(passage(intro, *told)), *(FigureBlock(key) for key in drawn))
    )


def _apart(analysis: Analysis, series: Series) -> Sentence | None:
    """Say at which level of the ladder the gaps at the tail are furthest from the typical one, where there are others."""
    several = [level for level in ladder(analysis, series) if level.kind != "concurrency" or level.load > 1]
    tails = {level: tail for tail, level in known_at(analysis, "itl_p99", series, several)}
    typical = known_at(analysis, "itl_p50", series, tails)
    apart = [(tails[level] / step, level) for step, level in typical if step > 0]
    if not apart:
        return None
    level = highest(apart)
    return say(
        zh="{s} 的 ITL 在 {l} 分得最开：p50 {a}，p99 {b}。",
        en="For {s}, ITL p50 and p99 differ most at {l}: {a} and {b}.",
        s=SeriesName(series.id),
        l=LevelName(series.id, level.id),
        a=level_value("itl_p50", series.id, level.id),
        b=level_value("itl_p99", series.id, level.id),
    )
