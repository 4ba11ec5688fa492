"""Stalls: how much of the decode time is spent waiting for somebody else's prefill."""

from __future__ import annotations

from generator.blocks import Block, Heading, Paragraph, Row, Table
from generator.frame import Analysis
from generator.kinds import Chapter, section
from generator.model import Level, Series
from generator.quoting import level_value
from generator.sentence import LevelName, Sentence, SeriesName, say


@section(order=90)
def stalls(analysis: Analysis) -> Chapter | None:
    """Print mean over median of the gaps, as an overhead and as a share of time."""
    known = [
        (series, level)
        for series in analysis.round.series
        for level in series.levels
        if analysis.frame.of_level("stall_share", series.id, level.id).value is not None
    ]
    if not known:
        return None
    blocks: list[Block] = [Paragraph(_intro()), _table(analysis, known)]
    blocks += [Paragraph(sentence) for s in analysis.round.series if (sentence := _worst(analysis, s)) is not None]
    return Chapter(say(zh="停顿：均值与中位数分家", en="Stalls: where mean and median part"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="间隔的中位数是没被打断的步长，均值把停顿也摊了进去。两者之差除以中位数是开销，除以均值才是占解码时间的比例。",
        en="The median gap is the undisturbed step; the mean has the stalls in it. Their difference over the median is an "
        "overhead; over the mean it is the share of decode time.",
    )


def _table(analysis: Analysis, known: list[tuple[Series, Level]]) -> Table:
    headings = (
        Heading(say(zh="系列", en="series")),
        Heading(say(zh="档位", en="level")),
        Heading(say(zh="ITL p50", en="ITL p50"), "ms"),
        Heading(say(zh="ITL 均值", en="ITL mean"), "ms"),
        Heading(say(zh="TPOT 均值", en="TPOT mean"), "ms"),
        Heading(say(zh="均值 ÷ 中位数", en="mean ÷ median"), "×"),
        Heading(say(zh="开销", en="overhead"), "%"),
        Heading(say(zh="占解码时间", en="share of decode time"), "%"),
    )
    keys = ("itl_p50", "itl_mean", "tpot_mean", "itl_mean_over_p50", "stall_overhead", "stall_share")
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
        zh="取 ITL 的均值；没有时取 TPOT 的均值", en="The mean is that of the ITL; of the TPOT where there is none"
    )
    return Table("stalls-table", caption, headings, rows)


def _worst(analysis: Analysis, series: Series) -> Sentence | None:
    found = [
        (value.value, level)
        for level in analysis.usable(series.id)
        if (value := analysis.frame.of_level("stall_share", series.id, level.id)).value
    ]
    if not found:
        return None
    worst = max(found, key=lambda pair: pair[0] or 0.0)[1]
    return say(
        zh="{s} 停顿最多的可用档位是 {l}：解码时间的 {share} 在等，典型间隔 {p50}，尾部到 {p99}。",
        en="The usable level with most stalls on {s} is {l}: {share} of its decode time is spent waiting, with a typical "
        "gap of {p50} and a tail of {p99}.",
        s=SeriesName(series.id),
        l=LevelName(series.id, worst.id),
        share=level_value("stall_share", series.id, worst.id),
        p50=level_value("itl_p50", series.id, worst.id),
        p99=level_value("itl_p99", series.id, worst.id),
    )
