"""Did some requests in a row wait far longer than all others? That is an event, and not the spread of a load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import at_level, at_levels, highest, level_names, number_at, seen_at, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.runs.requests import SLOW
from generator.text import Text
from generator.themes import LATENCY
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, level_value
from generator.told.sentence import SeriesName, say

CLUSTER: Final = 5
"""Slow requests that make a cluster: a few stragglers are a tail."""
DENSE: Final = 0.5
"""Share of slow ones among the requests sent from the first of them to the last, from which on they came in a row."""


@check(
    theme=LATENCY,
    title=Text(zh="集中变慢的请求", en="Clusters of slow requests"),
    question=Text(
        zh="有没有一段时间，发出的请求首个 token 都特别晚？",
        en="Was there a period in which every request sent got its first token very late?",
    ),
    rule=Text(
        zh="稳态里 TTFT 超过中位数 {slow} 倍的请求至少 {cluster} 条，而且从第一条到最后一条之间发出的请求有 {dense} 以上是慢的，就警告。",
        en="A warning where {cluster} requests or more of the steady part have a TTFT above {slow}× the median, and of all requests sent from the first of them to the last {dense} or more are slow.",
    ).format(slow=SLOW, cluster=CLUSTER, dense=f"{DENSE:.0%}"),
)
def late_cluster(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose requests are on record."""
    known = {series: found for series in analysis.round.series if (found := seen_at(analysis, "slow_requests", series))}
    return [_examine(analysis, series, found) for series, found in known.items()] or [_nothing()]


def _examine(analysis: Analysis, series: Series, known: list[tuple[float, Level]]) -> Finding:
    clusters = [
        (slow, level)
        for slow, level in known
        if slow >= CLUSTER and (number_at(analysis, at_level("slow_density", series, level)) or 0.0) >= DENSE
    ]
    return _clustered(series, clusters) if clusters else _none(series, known)


def _clustered(series: Series, clusters: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in clusters], highest(clusters)
    keys = ("slow_requests", "slow_density", "slow_from", "slow_until", "ttft_p50")
    told = say(
        zh="{n} 条，发出于 {since} 到 {until} 之间，TTFT 中位数是 {median}",
        en="{n} of them, sent between {since} and {until}, where the median TTFT is {median}",
        n=level_value("slow_requests", series.id, worst.id),
        since=level_value("slow_from", series.id, worst.id),
        until=level_value("slow_until", series.id, worst.id),
        median=level_value("ttft_p50", series.id, worst.id),
    )
    return Finding(
        check="late_cluster",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, *keys),
        doubts=at_levels(series, levels, "ttft_p99"),
        message=say(
            zh="{series} 在 {levels} 有一串请求的首个 token 特别晚：{worst}。",
            en="At {levels} requests to {series} in a row had a very late first token: {worst}.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, MOST_OF_ALL, series, worst, levels),
        ),
        bias=say(
            zh="若是客户端忙不过来，{series} 的 TTFT 尾部就显得比实际更差。",
            en="If it was the client that could not keep up, the TTFT tail makes {series} look worse than it is.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="对照这段时间的服务端日志与客户端负载；服务端没有排队，就是客户端的问题。",
            en="Look at the server's log and the client's load in that time: where the server had no queue, it was the client.",
        ),
    )


def _none(series: Series, known: list[tuple[float, Level]]) -> Finding:
    return Finding(
        check="late_cluster",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=tuple(at_level("slow_requests", series, level) for _, level in known),
        message=say(
            zh="{series} 没有扎堆变慢的请求。",
            en="No requests to {series} were slow in a row.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪一档有逐条请求的记录，看不出请求是否扎堆变慢。",
        en="No level has its single requests on record, so whether any were slow in a row cannot be seen.",
    )
    return Finding("late_cluster", "pass", message, is_empty=True)
