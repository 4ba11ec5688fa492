"""Latencies over the load: the gap between tokens, the first token, the whole request."""

from __future__ import annotations

from typing import Final

from generator.blocks import FigureBlock, Paragraph
from generator.figures import makes_line
from generator.frame import Analysis
from generator.ladders import ladder
from generator.levels import highest, known_at
from generator.model import Series
from generator.quoting import level_value, passage
from generator.report_kinds import Chapter, section
from generator.sentence import LevelName, Sentence, SeriesName, say

FIGURES: Final = {"itl_by_load": "itl_p50", "ttft_by_load": "ttft_p50", "e2el_by_load": "e2el_p50"}
"""Each figure, and what it draws."""


@section(checks=("tail_percentiles", "queue_dominated"))
def curve_latency(analysis: Analysis) -> Chapter | None:
    """Draw median and p99 of each latency that is on record."""
    drawn = [key for key, of in FIGURES.items() if makes_line(analysis, of)]
    if not drawn:
        return None
    intro = say(
        zh="中位数说典型的请求，p99 说最慢的那百分之一：两条线分开的地方，就是有请求在等别人。",
        en="The median tells of a typical request, the p99 of the slowest hundredth: where the two lines part, some wait for others.",
    )
    told = [sentence for series in analysis.round.series if (sentence := _apart(analysis, series)) is not None]
    return Chapter(
        say(zh="时延", en="Latencies"), (Paragraph(passage(intro, *told)), *(FigureBlock(key) for key in drawn))
    )


def _apart(analysis: Analysis, series: Series) -> Sentence | None:
    """Say at which level of the ladder the gaps at the tail are furthest from the typical one."""
    tails = {level: tail for tail, level in known_at(analysis, "itl_p99", series, ladder(analysis, series))}
    typical = known_at(analysis, "itl_p50", series, tails)
    apart = [(tails[level] / step, level) for step, level in typical if step > 0]
    if not apart:
        return None
    level = highest(apart)
    return say(
        zh="{s} 的 ITL 在 {l} 分得最开：p50 {a}，p99 {b}。",
        en="The ITL of {s} parts most at {l}: p50 {a}, p99 {b}.",
        s=SeriesName(series.id),
        l=LevelName(series.id, level.id),
        a=level_value("itl_p50", series.id, level.id),
        b=level_value("itl_p99", series.id, level.id),
    )
