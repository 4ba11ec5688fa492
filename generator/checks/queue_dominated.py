"""Is the end-to-end latency a wait for the first token? Such a level measures the queue, not the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import (
    amount,
    at_level,
    at_levels,
    highest,
    known_addresses,
    known_at,
    level_names,
    number_at,
    worst_level,
)
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import SATURATION
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, level_value
from generator.told.sentence import LevelName, SeriesName, say
from generator.values import Address

QUEUE: Final = 0.9
"""TTFT ÷ E2EL, both medians, above which the wait is nearly all of the latency."""
IN_ONE_PIECE: Final = 0.5
"""Share of answers that came all at once, above which the first token is late because nothing was streamed."""
OF_WAIT: Final = 0.5
"""Share of the mean TTFT that the engine must have let requests wait, where it tells of it: else it computed them."""
LATENCIES: Final = ("ttft_p50", "ttft_p99", "e2el_p50")


@check(
    theme=SATURATION,
    title=Text(zh="排队主导的档位", en="Queue-dominated levels"),
    question=Text(
        zh="有没有哪一档的端到端时延几乎全在等首个 token？",
        en="Is there a level whose end-to-end latency is nearly all a wait for the first token?",
    ),
    rule=Text(
        zh="回答不止一个 token，而 TTFT p50 超过 E2EL p50 的 {queue} 就警告：这一档不用来比较引擎的时延。一次到齐的回答、一次只发一条的档位、引擎自报的排队不到 TTFT 均值 {wait} 的档位不在此列。",
        en="A warning where answers have several tokens and the TTFT p50 is above {queue} of the E2EL p50: such a level says nothing of the latency of engines. Answers that came all at once are another matter, as are levels with one request at a time, and those where by the engine's own account less than {wait} of the mean TTFT went by in the queue.",
    ).format(queue=f"{QUEUE:.0%}", wait=f"{OF_WAIT:.0%}"),
)
def queue_dominated(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    known = {series: found for series in analysis.round.series if (found := _shares(analysis, series))}
    return [_examine(analysis, series, found) for series, found in known.items()] or [_nothing()]


def _shares(analysis: Analysis, series: Series) -> list[tuple[float, Level]]:
    """Return TTFT ÷ E2EL of the levels whose answers are streams of several tokens."""
    return [
        (share, level)
        for share, level in known_at(analysis, "ttft_share", series, series.levels)
        if _may_queue(analysis, series, level)
        and (amount(analysis, "output_tokens_mean", (series, level)) or 0.0) > 1
        and (number_at(analysis, at_level("all_at_once_share", series, level)) or 0.0) <= IN_ONE_PIECE
    ]


def _may_queue(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether requests can have waited: not where one is sent at a time, nor where the engine saw little of it."""
    alone = level.rate is None and level.concurrency == 1
    share = number_at(analysis, at_level("ttft_queue_share", series, level))
    return not alone and (share is None or share >= OF_WAIT)


def _examine(analysis: Analysis, series: Series, known: list[tuple[float, Level]]) -> Finding:
    queued = [one for one in known if one[0] > QUEUE]
    if not queued:
        return _served(series, known)
    latencies = [at_level(key, series, level) for _, level in queued for key in LATENCIES]
    return _queued(series, queued, known_addresses(analysis, latencies))


def _queued(series: Series, queued: list[tuple[float, Level]], doubts: tuple[Address, ...]) -> Finding:
    levels, worst = [level for _, level in queued], highest(queued)
    told = say(
        zh="{ttft} 对 {e2el}",
        en="{ttft} against {e2el}",
        ttft=level_value("ttft_p50", series.id, worst.id),
        e2el=level_value("e2el_p50", series.id, worst.id),
    )
    return Finding(
        check="queue_dominated",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "ttft_share"),
        doubts=doubts,
        message=say(
            zh="{series} 在 {levels} 的 TTFT p50 几乎就是 E2EL p50：{worst}。时延由排队主导，不是引擎的快慢。",
            en="At {levels} the TTFT p50 of {series} is nearly its E2EL p50: {worst}. The latency is that of the queue, not of "
            "the engine.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, MOST_OF_ALL, series, worst, levels),
        ),
        bias=say(
            zh="{series} 的时延显得更差；已过饱和点，时延只随请求数增长。",
            en="Its latencies make {series} look worse: beyond saturation they grow with the number of requests.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="比较时延时不用 {levels}；降低负载，或查服务端日志里的 Waiting。",
            en="Leave {levels} out where latencies are compared; lower the load, or see Waiting in the server's log.",
            levels=level_names(series, levels),
        ),
    )


def _served(series: Series, known: list[tuple[float, Level]]) -> Finding:
    worst = highest(known)
    return Finding(
        check="queue_dominated",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=tuple(at_level("ttft_share", series, level) for _, level in known),
        message=say(
            zh="{series} 没有排队主导的档位：TTFT ÷ E2EL 最高是 {level} 的 {share}。",
            en="No level of {series} is ruled by the queue: TTFT ÷ E2EL is at most {share}, at {level}.",
            series=SeriesName(series.id),
            level=LevelName(series.id, worst.id),
            share=level_value("ttft_share", series.id, worst.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪一档同时记录了流式回答的 TTFT 与 E2EL，看不出是否排队主导。",
        en="No level has both TTFT and E2EL of streamed answers on record, so a queue cannot be told.",
    )
    return Finding("queue_dominated", "pass", message, is_empty=True)
