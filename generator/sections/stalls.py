"""Stalls: how much of the decode time is spent waiting for somebody else's prefill."""

from __future__ import annotations

from typing import Final

from generator.across.levels import (
    Place,
    Shown,
    amount,
    at_level,
    highest,
    known_at,
    level_table,
    number_at,
    places_with,
)
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Paragraph, Table
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say

COLUMNS: Final = (
    Shown("itl_p50", same("ITL p50"), "ms"),
    Shown("itl_mean", Text(zh="ITL 均值", en="ITL mean"), "ms"),
    Shown("tpot_mean", Text(zh="TPOT 均值", en="TPOT mean"), "ms"),
    Shown("itl_mean_over_p50", Text(zh="均值 ÷ 中位数", en="mean ÷ median"), "×"),
    Shown("stall_overhead", Text(zh="开销", en="overhead"), "%"),
    Shown("stall_share", Text(zh="占解码时间", en="share of decode time"), "%"),
)


@section(checks=("latency_identity", "tpot_bound", "percentile_order", "tokens_and_chunks"))
def stalls(analysis: Analysis) -> Chapter | None:
    """Print mean over median of the gaps, as an overhead and as a share of time."""
    known = places_with(analysis, "stall_share")
    if not known and analysis.round.prose_of("stalls", "en") is None:
        return None
    blocks: list[Block] = [Paragraph(_intro()), _table(analysis, known)] if known else []
    blocks += [Paragraph(sentence) for s in analysis.round.series if (sentence := _worst(analysis, s)) is not None]
    return Chapter(say(zh="停顿：均值与中位数为什么不同", en="Stalls: why mean and median differ"), tuple(blocks))


def _intro() -> Sentence:
    return say(
        zh="间隔的中位数是没被打断的步长，均值则含有停顿。两者之差除以中位数是开销，除以均值才是停顿占解码时间的比例。",
        en="The median gap is the undisturbed step; the mean includes the stalls. Their difference divided by the median "
        "is an overhead; divided by the mean, it is the share of decode time spent stalled.",
    )


def _table(analysis: Analysis, known: list[Place]) -> Table:
    caption = say(zh="逐档停顿", en="Stalls, level by level")
    if any(amount(analysis, "itl_mean", place) is None for place in known):
        caption = say(
            zh="逐档停顿；没有记录 ITL 均值的档位用 TPOT 均值代替",
            en="Stalls, level by level; where no mean ITL is recorded, the mean TPOT stands in for it",
        )
    return level_table(analysis, "stalls-table", caption, COLUMNS, known)


def _worst(analysis: Analysis, series: Series) -> Sentence | None:
    usable = known_at(analysis, "stall_share", series, analysis.usable(series.id))
    stalled = [(share, level) for share, level in usable if share > 0]
    if not stalled:
        return None
    worst = highest(stalled)
    parts: dict[str, Part] = {
        "s": SeriesName(series.id),
        "l": LevelName(series.id, worst.id),
        "share": level_value("stall_share", series.id, worst.id),
        "p50": level_value("itl_p50", series.id, worst.id),
    }
    if amount(analysis, "itl_p99", (series, worst)) is None:
        return Sentence(WITHOUT_TAIL, parts)
    told = Sentence(WITH_TAIL, {**parts, "p99": level_value("itl_p99", series.id, worst.id)})
    return passage(told, *_beyond_the_tail(analysis, series, worst))


def _beyond_the_tail(analysis: Analysis, series: Series, worst: Level) -> list[Sentence]:
    """Say what a p99 of the gaps is not, and how many gaps and requests the two kinds of statistic rest on."""
    if worst.trials > 1:  # medians over runs: the longest of all is none of them
        return []
    keys = {"gaps": "itl_samples", "longest": "longest_gap", "requests": "ttft_samples"}
    if any(number_at(analysis, at_level(key, series, worst)) is None for key in keys.values()):
        return []
    return [Sentence(NOT_THE_LONGEST, {name: level_value(key, series.id, worst.id) for name, key in keys.items()})]


NOT_THE_LONGEST: Final = Text(
    zh="p99 不是最长的停顿：在 {gaps} 个间隔里，最长的是 {longest}；TTFT 的分位数则只取自 {requests} 条请求。",
    en="The p99 is not the longest stall: of {gaps} {gaps:gap|gaps} the longest took {longest}. Percentiles of TTFT rest on "
    "only {requests} {requests:request|requests}.",
)
WITHOUT_TAIL: Final = Text(
    zh="在可用档位中，{s} 在 {l} 停顿最多：解码时间有 {share} 花在等待上，间隔的中位数是 {p50}。",
    en="Across its usable levels {s} stalls most at {l}: {share} of the decode time is spent waiting, with a median "
    "gap of {p50}.",
)
WITH_TAIL: Final = Text(
    zh="在可用档位中，{s} 在 {l} 停顿最多：解码时间有 {share} 花在等待上，间隔的中位数是 {p50}，p99 是 {p99}。",
    en="Across its usable levels {s} stalls most at {l}: {share} of the decode time is spent waiting, with a median "
    "gap of {p50} and a p99 of {p99}.",
)
