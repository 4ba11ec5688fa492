"""Did the engine fall silent while requests were in flight? A build or a restart inside a run looks like that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_level, at_levels, highest, level_names, seen_at, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import DECODING
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, level_value
from generator.told.sentence import LevelName, SeriesName, say

SECONDS: Final = 5.0
"""No shorter silence is told of."""
GAPS: Final = 20
"""Longest usual gaps (ITL p99) that a silence has to exceed as well: a slow engine is slow all the time."""
PREFILLS: Final = 3
"""Median TTFTs that it has to exceed: at a low concurrency nothing comes while a long prompt is read."""


@check(
    theme=DECODING,
    title=Text(zh="长时间无输出", en="Silent gaps"),
    question=Text(
        zh="有没有一段时间，请求在途却没有一条收到 token？",
        en="Was there a time in which no request got a token though some were in flight?",
    ),
    rule=Text(
        zh="最长的静默超过 {seconds} 秒、ITL p99 的 {gaps} 倍、TTFT 中位数的 {prefills} 倍，三条都满足就警告。",
        en="A warning where the longest silence exceeds {seconds} seconds, {gaps} times the ITL p99 and {prefills} times the median TTFT, all three.",
    ).format(seconds=f"{SECONDS:g}", gaps=GAPS, prefills=PREFILLS),
)
def silent_gaps(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose requests are on record."""
    known = {
        series: found for series in analysis.round.series if (found := seen_at(analysis, "longest_silence", series))
    }
    return [_examine(analysis, series, found) for series, found in known.items()] or [_nothing()]


def _examine(analysis: Analysis, series: Series, known: list[tuple[float, Level]]) -> Finding:
    silent = [(length, level) for length, level in known if length > _usual(analysis, series, level)]
    return _silent(series, silent) if silent else _never(series, known)


def _usual(analysis: Analysis, series: Series, level: Level) -> float:
    """Return how long a silence may be at a level, in seconds."""
    gap, wait = (amount(analysis, key, (series, level)) or 0.0 for key in ("itl_p99", "ttft_p50"))
    return max(SECONDS, GAPS * gap, PREFILLS * wait)


def _silent(series: Series, silent: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in silent], highest(silent)
    keys = ("longest_silence", "longest_silence_start")
    told = say(
        zh="从第 {since} 起有 {length} 没有任何 token",
        en="for {length} from {since} on, nothing came",
        since=level_value("longest_silence_start", series.id, worst.id),
        length=level_value("longest_silence", series.id, worst.id),
    )
    return Finding(
        check="silent_gaps",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, *keys),
        doubts=at_levels(series, levels, "output_throughput", "ttft_p99", "itl_p99"),
        message=say(
            zh="{series} 在 {levels} 的运行中途停过：{worst}，而这时有请求在途。",
            en="{series} fell silent in the middle of the run at {levels}: {worst} though requests were in flight.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, MOST_OF_ALL, series, worst, levels),
        ),
        bias=say(
            zh="{series} 的吞吐与尾部时延因此显得更差，那段时间并不是在服务。",
            en="Throughput and tails make {series} look worse: in that time it did not serve.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="在服务端日志里查这段时间：编译、换页、抢占还是重启；预热之后再测一次。",
            en="See in the server's log what happened then: compiling, swapping, preemption or a restart. Warm up and run "
            "again.",
        ),
    )


def _never(series: Series, known: list[tuple[float, Level]]) -> Finding:
    worst = highest(known)
    return Finding(
        check="silent_gaps",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=tuple(at_level("longest_silence", series, level) for _, level in known),
        message=say(
            zh="{series} 没有停过：最长的静默是 {level} 的 {length}。",
            en="{series} never fell silent for long: at most {length}, at {level}.",
            series=SeriesName(series.id),
            level=LevelName(series.id, worst.id),
            length=level_value("longest_silence", series.id, worst.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪一档有逐条请求与 chunk 的时刻，看不出静默。",
        en="No level has the times of its requests and chunks on record, so silence cannot be seen.",
    )
    return Finding("silent_gaps", "pass", message, is_empty=True)
