"""Waves: what the wall clock says of scheduling, and what it cannot say."""

from __future__ import annotations

from generator.blocks import Block, Heading, Paragraph, Row, Table
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Level, Series
from generator.quoting import level_value
from generator.sentence import LevelName, Sentence, SeriesName, say

LARGE = 0.05
"""A mean this far from the median means a skewed latency: some requests wait much longer than most."""


@section(order=80)
def waves(analysis: Analysis) -> Chapter | None:
    """Compare the mean latency by Little's law with the median, and say what follows from it."""
    known = [
        (series, level)
        for series in analysis.round.series
        for level in series.levels
        if analysis.frame.of_level("wave_closure", series.id, level.id).value is not None
    ]
    if not known:
        return None
    blocks: list[Block] = [Paragraph(_intro()), _table(analysis, known)]
    blocks += [Paragraph(sentence) for sentence in _skewed(analysis, known)]
    blocks.append(Paragraph(_not_sampled(), "callout"))
    heading = say(zh="波次：墙钟时间说明不了调度", en="Waves: the wall clock does not reveal the scheduler")
    return Chapter(heading, tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="闭环负载里，请求数 ÷ 并发 就是“批数”，墙钟 ÷ 批数 就是平均时延：这是 Little 定律，任何调度方式都满足。"
        "把它与 E2EL 的中位数比，只能看出时延的分布偏不偏。",
        en="In a closed loop, requests ÷ concurrency is a number of “waves”, and the wall clock over it is the mean latency. "
        "That is Little's law, and every scheduler obeys it. Against the median E2EL it shows whether latencies are "
        "skewed, and nothing else.",
    )


def _table(analysis: Analysis, known: list[tuple[Series, Level]]) -> Table:
    headings = (
        Heading(say(zh="系列", en="series")),
        Heading(say(zh="档位", en="level")),
        Heading(say(zh="批数", en="waves")),
        Heading(say(zh="E2EL p50", en="E2EL p50"), "ms"),
        Heading(say(zh="由 Little 定律的均值", en="mean by Little's law"), "s"),
        Heading(say(zh="偏差", en="departure"), "%"),
        Heading(say(zh="TTFT 占 E2EL", en="TTFT of E2EL"), "%"),
    )
    keys = ("waves", "e2el_p50", "littles_law_e2el", "wave_closure", "ttft_share")
    rows = tuple(
        Row(
            (
                SeriesName(s.id),
                LevelName(s.id, level.id),
                *(level_value(key, s.id, level.id, bare=True) for key in keys),
            ),
            spoilt.message if (spoilt := analysis.spoilt.get((s.id, level.id))) else None,
        )
        for s, level in known
    )
    caption = say(
        zh="均值（Little 定律）与中位数：偏差为零表示两者相等",
        en="Mean (by Little's law) and median: no departure where they are equal",
    )
    return Table("waves-table", caption, headings, rows)


def _skewed(analysis: Analysis, known: list[tuple[Series, Level]]) -> list[Sentence]:
    told = []
    for series in analysis.round.series:
        found = [
            (value.value, level)
            for one, level in known
            if one == series
            and (value := analysis.frame.of_level("wave_closure", series.id, level.id)).value is not None
            and value.value > LARGE
        ]
        if found:
            worst = max(found, key=lambda pair: pair[0] or 0.0)[1]
            told.append(
                say(
                    zh="{s} 在 {l} 偏差最大，均值比中位数高 {d}：有一部分请求等得远比多数久。",
                    en="{s} departs most at {l}, where the mean is {d} above the median: some requests wait much longer "
                    "than most.",
                    s=SeriesName(series.id),
                    l=LevelName(series.id, worst.id),
                    d=level_value("wave_closure", series.id, worst.id),
                )
            )
    return told


def _not_sampled() -> Sentence:
    return say(
        zh="引擎有没有整批换手，要看槽位占用：有请求在等时槽位是否空着。这一轮没有按秒采样，也没有逐条释放的时间，所以这个问题在这里没有答案。",
        en="Whether an engine swaps whole batches shows in its slots: do they stay empty while requests wait? This round has "
        "no samples by the second and no release times, so that question stays open here.",
    )
