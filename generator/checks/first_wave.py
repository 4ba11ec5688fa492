"""Do the first requests speak for the others? They meet a cold engine, or one that is empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import (
    amount,
    at_levels,
    by_kind_of_data,
    highest,
    known_at,
    level_names,
    lowest,
    seen_at,
    worst_level,
)
from generator.checks import DETAILS
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LATENCY
from generator.told.findings import Finding, Status
from generator.told.quoting import MOST_OF_ALL, level_value
from generator.told.sentence import Count, Sentence, SeriesName, say

COLD: Final = 3.0
"""First TTFT ÷ median of the others above which the first request paid for what happens once."""
FELT: Final = 1.1
"""Mean TTFT ÷ mean without the first wave above which that wave shows in the mean."""
DOMINANT: Final = 1.5
"""The same, above which the mean is no mean of a load that lasts."""
FEW_WAVES: Final = 5
"""Waves below which the first one is a large part of all requests."""
FEWEST: Final = Text(zh="最少的是 {level}，{told}", en="fewest at {level}, {told}")


@check(
    theme=LATENCY,
    title=Text(zh="第一条与第一批请求", en="First request and first wave"),
    question=Text(
        zh="最先发出的请求有没有左右 TTFT 的统计？", en="Do the requests sent first make the TTFT statistics?"
    ),
    rule=Text(
        zh="第一条请求的 TTFT 超过其余中位数的 {cold} 倍就警告；第一批（并发数那么多条）把 TTFT 均值抬高到 {dominant} 倍以上也警告，超过 {felt} 倍则提示；不满 {few} 批也提示。",
        en="A warning where the first request has a TTFT longer than {cold}× the median of the others, or where the first wave, as many requests as are kept in flight, makes the mean TTFT more than {dominant} times what it is without; a note above {felt} times, and for fewer than {few} waves.",
    ).format(cold=f"{COLD:g}", dominant=f"{DOMINANT:g}", felt=f"{FELT:g}", few=FEW_WAVES),
)
def first_wave(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    first, weights = (seen_at(analysis, key, series) for key in ("first_ttft_over_rest", "first_wave_weight"))
    waves = known_at(analysis, "waves", series, series.levels)
    if not first and not waves:
        return []
    cold = [one for one in first if one[0] > COLD]
    felt = [one for one in weights if one[0] > FELT and not _is_first_request(analysis, series, one[1], cold)]
    few = [one for one in waves if one[0] < FEW_WAVES]
    findings = [_cold(series, cold)] if cold else []
    findings += [_felt(series, felt)] if felt else []
    findings += [_few(series, few)] if few else []
    return findings or [_alike(series, bool(first))]


def _is_first_request(analysis: Analysis, series: Series, level: Level, cold: list[tuple[float, Level]]) -> bool:
    """Say whether the first wave is the one request that is told of already."""
    return level in [one for _, one in cold] and amount(analysis, "kept_in_flight", (series, level)) == 1


def _cold(series: Series, found: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in found], highest(found)
    keys = ("first_ttft", "ttft_mean", "ttft_mean_after_first")
    told = say(
        zh="首个 token 等了 {first}，全部请求的 TTFT 均值是 {all}，不含它是 {rest}",
        en="its first token took {first}; the mean TTFT is {all} with it and {rest} without",
        first=level_value("first_ttft", series.id, worst.id),
        all=level_value("ttft_mean", series.id, worst.id),
        rest=level_value("ttft_mean_after_first", series.id, worst.id),
    )
    return Finding(
        check="first_wave",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, *keys),
        doubts=at_levels(series, levels, "ttft_mean"),
        message=say(
            zh="{series} 在 {levels} 的第一条请求远比其余的慢：{worst}。它付了编译、建图之类只付一次的代价。",
            en="At {levels} the first request to {series} is far slower than the others: {worst}. It paid for what happens "
            "once, as compiling or capturing graphs.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=_worst(told, series, worst, levels),
        ),
        bias=say(
            zh="{series} 的 TTFT 均值与高分位数因此显得更差；预热过的一方占便宜。",
            en="The mean and the tail of the TTFT make {series} look worse for it, beside a series that was warmed up.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="先发几条形状相同、不计入结果的请求预热，再测一次；冷启动另行报告。",
            en="Warm up with requests of the same shape that do not count, and run again; report the cold start apart.",
        ),
    )


def _felt(series: Series, found: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in found], highest(found)
    status: Status = "warn" if max(weight for weight, _ in found) > DOMINANT else "note"
    keys = ("ttft_mean", "ttft_mean_after_first_wave", "kept_in_flight")
    told = say(
        zh="TTFT 均值是 {all}，去掉最先发出的 {n} 条之后是 {rest}",
        en="the mean TTFT is {all}, and {rest} without the {n} {n:request|requests} sent first",
        all=level_value("ttft_mean", series.id, worst.id),
        rest=level_value("ttft_mean_after_first_wave", series.id, worst.id),
        n=level_value("kept_in_flight", series.id, worst.id),
    )
    return Finding(
        check="first_wave",
        status=status,
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, *keys),
        doubts=at_levels(series, levels, "ttft_mean") if status == "warn" else (),
        message=say(
            zh="{series} 在 {levels} 的 TTFT 均值被第一批请求抬高：{worst}。它们同时遇上空闲的引擎，prefill 彼此排队。",
            en="At {levels} the first wave raises the mean TTFT of {series}: {worst}. These requests meet an idle engine all at "
            "once, and their prefills queue.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=_worst(told, series, worst, levels),
        ),
        bias=say(
            zh="{series} 的 TTFT 均值显得更差；批次越少越明显，所以请求数不同的运行不可比。",
            en="The mean TTFT makes {series} look worse, the more so the fewer the waves: runs of unequal length do not compare.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="看稳态的 TTFT，或多发几批请求，让第一批的比重变小。",
            en="Read the TTFT of the steady part, or send more waves, so that the first one weighs less.",
        ),
    )


def _few(series: Series, found: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in found], lowest(found)
    told = say(zh="只有 {n} 批", en="{n} {n:wave|waves}", n=level_value("waves", series.id, worst.id))
    return Finding(
        check="first_wave",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, "waves"),
        message=say(
            zh="{series} 在 {levels} 的请求不满 {few} 批：{worst}。起步与收尾占了运行的一大部分。",
            en="{series} has fewer than {few} waves of requests at {levels}: {worst}. The start and the end are a large part of "
            "the run.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            few=Count(FEW_WAVES),
            worst=worst_level(told, FEWEST, series, worst, levels),
        ),
        remedy=say(
            zh="在 {levels} 多发请求，至少 {few} 批。",
            en="Send more requests at {levels}: {few} waves or more.",
            levels=level_names(series, levels),
            few=Count(FEW_WAVES),
        ),
    )


def _worst(told: Sentence, series: Series, level: Level, levels: list[Level]) -> Sentence:
    return worst_level(told, MOST_OF_ALL, series, level, levels)


def _alike(series: Series, seen: bool) -> Finding:
    """Pass a series whose first requests are like the others; without single requests that is unknown."""
    levels = tuple(level.id for level in series.levels)
    parts = {"s": SeriesName(series.id)}
    if seen:
        return Finding("first_wave", "pass", Sentence(ALIKE, parts), series.id, levels)
    remedy = by_kind_of_data([series], runs=DETAILS, table=FOR_TABLES)
    return Finding("first_wave", "unknown", Sentence(ENOUGH, parts), series.id, levels, remedy=remedy)


ALIKE: Final = Text(
    zh="{s} 最先发出的请求与其余的相近，批次也够多。",
    en="The requests sent first to {s} are like the others, and there are waves enough.",
)
ENOUGH: Final = Text(
    zh="{s} 的批次够多；没有逐条请求的记录，第一批等了多久不得而知。",
    en="{s} has waves enough; without per-request records, how long the first wave waited cannot be known.",
)
FOR_TABLES: Final = Text(
    zh="保留含逐条请求的明细结果。",
    en="Keep the detailed results of the runs, with each request in them.",
)


def _nothing() -> Finding:
    message = say(
        zh="没有闭环的档位，也没有逐条请求的记录，谈不上第一批。",
        en="No level is a closed loop and none has its single requests on record, so there is no first wave to examine.",
    )
    return Finding("first_wave", "pass", message, is_empty=True)
