"""Was the load kept up? By Little's law the latencies of all requests ÷ duration are the requests in flight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_level, highest, known_at, level_names, lowest, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LOAD
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF, level_value
from generator.told.sentence import LevelName, Sentence, SeriesName, say
from generator.values import Address

REACHED: Final = 0.8
"""Mean concurrency ÷ concurrency below which a level is not the load that its name says."""
TOLERANCE: Final = 0.02
"""By how much it may be above one: durations and latencies are rounded, and clocks are read twice."""

SHORT: Final = Text(
    zh="{s} 在 {levels} 的平均在途数没有达到并发：{worst}。",
    en="At {levels} {s} had fewer requests in flight than its concurrency: {worst}.",
)
BEYOND: Final = Text(
    zh="{s} 在 {levels} 的平均在途数超过并发，这不可能：{worst}。时延、总耗时与并发里有一个不对。",
    en="At {levels} {s} had more requests in flight on average than its concurrency allows: {worst}. One of latencies, duration "
    "and concurrency is wrong.",
)


@check(
    theme=LOAD,
    title=Text(zh="并发是否达到", en="Concurrency reached"),
    question=Text(
        zh="端到端时延之和 ÷ 总耗时，是否等于声称的并发？",
        en="Are the end-to-end latencies of all requests ÷ duration the concurrency that was requested?",
    ),
    rule=Text(
        zh="闭环、没有失败的档位：平均在途数低于并发的 {reached} 就警告，高出 {tolerance} 以上也警告。任何调度方式都满足 Little 定律，所以通过并不说明调度方式。",
        en="Of closed loops in which nothing failed: a warning where the mean concurrency is below {reached} of what was requested, or more than {tolerance} above. Every scheduler obeys Little's law, so passing proves none.",
    ).format(reached=f"{REACHED:.0%}", tolerance=f"{TOLERANCE:.0%}"),
)
def concurrency_reached(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    known = {series: found for series in analysis.round.series if (found := _shares(analysis, series))}
    return [one for series, found in known.items() for one in _examine(series, found)] or [_nothing()]


def _shares(analysis: Analysis, series: Series) -> list[tuple[float, Level]]:
    """Return mean ÷ asked concurrency where nothing failed: how long a failed request was in flight is not known."""
    return [
        (share, level)
        for share, level in known_at(analysis, "concurrency_share", series, series.levels)
        if not amount(analysis, "failed", (series, level))
    ]


def _examine(series: Series, known: list[tuple[float, Level]]) -> list[Finding]:
    short = [one for one in known if one[0] < REACHED]
    beyond = [one for one in known if one[0] > 1 + TOLERANCE]
    found = [_short(series, short)] if short else []
    found += [_beyond(series, beyond)] if beyond else []
    return found or [_reached(series, known)]


def _short(series: Series, short: list[tuple[float, Level]]) -> Finding:
    return Finding(
        check="concurrency_reached",
        status="warn",
        series=series.id,
        levels=tuple(level.id for _, level in short),
        evidence=_evidence(series, short),
        message=_told(SHORT, series, short, lowest(short)),
        bias=say(
            zh="{series} 的时延属于更低的负载，显得更好；吞吐显得更差。",
            en="The latencies of {series} are those of a lower load and look better; its throughput looks worse.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="多发请求，让起步与收尾的比重变小；若稳态里也达不到，查客户端是否补得上空出来的槽位。",
            en="Send more requests, so that the start and the end weigh less; where the steady part falls short as well, see "
            "whether the client refills free slots in time.",
        ),
    )


def _beyond(series: Series, beyond: list[tuple[float, Level]]) -> Finding:
    return Finding(
        check="concurrency_reached",
        status="warn",
        series=series.id,
        levels=tuple(level.id for _, level in beyond),
        evidence=_evidence(series, beyond),
        doubts=tuple(at_level(key, series, level) for _, level in beyond for key in ("e2el_mean", "duration")),
        message=_told(BEYOND, series, beyond, highest(beyond)),
        remedy=say(
            zh="核对总耗时从何时算到何时，以及并发上限是否真的生效。",
            en="See from when to when the duration was taken, and whether the limit on concurrency was in force.",
        ),
    )


def _evidence(series: Series, found: list[tuple[float, Level]]) -> tuple[Address, ...]:
    return tuple(at_level(key, series, level) for _, level in found for key in ("mean_concurrency", "kept_in_flight"))


def _told(message: Text, series: Series, found: list[tuple[float, Level]], worst: Level) -> Sentence:
    pair = say(
        zh="{mean} 对 {asked}",
        en="{mean} against {asked}",
        mean=level_value("mean_concurrency", series.id, worst.id),
        asked=level_value("kept_in_flight", series.id, worst.id),
    )
    levels = [level for _, level in found]
    return Sentence(
        message,
        {
            "s": SeriesName(series.id),
            "levels": level_names(series, levels),
            "worst": worst_level(pair, FURTHEST_OFF, series, worst, levels),
        },
    )


def _reached(series: Series, known: list[tuple[float, Level]]) -> Finding:
    worst = lowest(known)
    return Finding(
        check="concurrency_reached",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=_evidence(series, known),
        message=say(
            zh="{series} 的平均在途数与要求的并发相符（最低：{level} 的 {share}）。按 Little 定律，任何调度方式都如此。",
            en="The mean concurrency of {series} matches the requested concurrency (lowest: {share} at {level}). By Little's law this "
            "holds for any scheduler.",
            series=SeriesName(series.id),
            level=LevelName(series.id, worst.id),
            share=level_value("concurrency_share", series.id, worst.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪个闭环档位既无失败、又记录了总耗时与 E2EL 均值，平均在途数算不出来。",
        en="No closed loop without failures has its duration and mean E2EL on record, so the mean concurrency cannot be told.",
    )
    return Finding("concurrency_reached", "pass", message, is_empty=True)
