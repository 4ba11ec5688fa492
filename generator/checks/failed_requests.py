"""How many requests failed? They drop out of the latencies, which look better for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.findings import Finding, Status
from generator.frame import Analysis
from generator.kinds import check
from generator.levels import at_level, by_kind_of_data, highest, level_names
from generator.model import Level, Series
from generator.quoting import MOST_OF_ALL, level_value, worst_of
from generator.sentence import LevelName, Quantity, Sentence, SeriesName, say
from generator.text import Text
from generator.values import Address

TOLERABLE: Final = 0.01
"""A share of failures above this can move a p99 by itself."""

Failing = list[tuple[float, Level]]


FOR_RUNS: Final = Text(
    zh="导入明细结果（vLLM bench 用 --save-detailed）：失败的请求也在其中。",
    en="Import detailed results (--save-detailed of vLLM bench): failed requests are in them, too.",
)
FOR_TABLES: Final = Text(
    zh="补上 requests 与 completed 两列。",
    en="Fill in the columns requests and completed.",
)


@check(
    title=Text(zh="失败的请求", en="Failed requests"),
    question=Text(zh="每一档有多少请求失败？", en="How many requests failed at each level?"),
)
def failed_requests(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [_examine(analysis, series) for series in analysis.round.series]


def _examine(analysis: Analysis, series: Series) -> Finding:
    known = _worst_runs(analysis, series)
    failing = [(ratio, level) for ratio, level in known if ratio > 0]
    if failing:
        return _fails(series, failing)
    return _none_failed(series, known) if known else _unknown(series)


def _worst_runs(analysis: Analysis, series: Series) -> Failing:
    """Return the failure ratio of each level; of one that was run more often, that of its worst run."""
    values = [(analysis.frame.of_level("failure_ratio", series.id, level.id), level) for level in series.levels]
    ratios = [(value.value if value.high is None else value.high, level) for value, level in values]
    return [(ratio, level) for ratio, level in ratios if ratio is not None]


def _fails(series: Series, failing: Failing) -> Finding:
    worst = highest(failing)
    repeated = any(level.trials > 1 for level in series.levels)
    counts = tuple(at_level(key, series, level) for _, level in failing for key in ("failed", "requests"))
    status: Status = "warn" if max(ratio for ratio, _ in failing) > TOLERABLE else "note"
    return Finding(
        check="failed_requests",
        status=status,
        series=series.id,
        levels=tuple(level.id for _, level in failing),
        evidence=(_total("failed", series), _total("requests", series)) if repeated else counts,
        message=say(
            zh="{series} 在 {levels} 有请求失败：{worst}。",
            en="Requests to {series} failed at {levels}: {worst}.",
            series=SeriesName(series.id),
            levels=level_names(series, (level for _, level in failing)),
            worst=_in_all(series) if repeated else _worst(series, worst, one_of_several=len(failing) > 1),
        ),
        bias=say(
            zh="失败的请求不进时延统计；若是超时，丢掉的正是最慢的那些：{series} 的时延显得更好。",
            en="Failed requests drop out of the latencies, and where they timed out these were the slowest: the latencies of "
            "{series} are flattered.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="在引擎日志里查失败的原因（超时、拒绝、显存不足），排除后重跑 {levels}。",
            en="Look in the engine's log for why they failed (time-out, refusal, out of memory), fix it and run "
            "{levels} again.",
            levels=level_names(series, (level for _, level in failing)),
        ),
    )


def _total(what: str, series: Series) -> Address:
    return Address(f"{what}_total", "series", series.id)


def _in_all(series: Series) -> Sentence:
    """Count over all levels and trials: the median of several trials may be 0 where one of them failed."""
    return say(
        zh="全部运行合计 {requests} 条里的 {failed} 条，占 {ratio}",
        en="{failed} of {requests} over all runs, or {ratio}",
        failed=Quantity(_total("failed", series)),
        requests=Quantity(_total("requests", series)),
        ratio=Quantity(Address("failure_ratio_total", "series", series.id)),
    )


def _worst(series: Series, level: Level, *, one_of_several: bool) -> Sentence:
    share = say(
        zh="{requests} 条里的 {failed} 条，占 {ratio}",
        en="{failed} of {requests}, or {ratio}",
        failed=level_value("failed", series.id, level.id),
        requests=level_value("requests", series.id, level.id),
        ratio=level_value("failure_ratio", series.id, level.id),
    )
    return worst_of(share, MOST_OF_ALL, LevelName(series.id, level.id), one_of_several=one_of_several)


def _none_failed(series: Series, known: Failing) -> Finding:
    return Finding(
        check="failed_requests",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=tuple(at_level("failed", series, level) for _, level in known),
        message=say(
            zh="凡是有记录的档位，{series} 没有请求失败。",
            en="Wherever it is on record, no request to {series} failed.",
            series=SeriesName(series.id),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="failed_requests",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有一档同时记录了发出与完成的请求数，有没有失败无从得知。",
            en="No level of {series} records both the requests sent and those completed: whether any failed cannot be known.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=FOR_RUNS, table=FOR_TABLES),
    )
