"""Is each throughput that a client states its count ÷ the duration? Some divide by another time, or count what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import at_level, at_levels, level_names, number_at, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import THROUGHPUT
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF, level_value
from generator.told.sentence import Sentence, SeriesName, say
from generator.values import Address

SLACK: Final = 0.01
"""Rounding of what a client prints explains less than this."""
RATES: Final = (("output_throughput", "output_tokens_counted"), ("request_throughput", "completed"))
"""A throughput, and the count that it is a rate of."""


@check(
    theme=THROUGHPUT,
    title=Text(zh="吞吐与总数", en="Rates and totals"),
    question=Text(
        zh="压测工具给出的吞吐 × 总耗时，是否等于它自己数到的总数？",
        en="Is each throughput × duration the total that the same client counted?",
    ),
    rule=Text(
        zh="输出吞吐 × 总耗时要等于产出的 token，请求吞吐 × 总耗时要等于完成的请求：相差超过 {slack} 就警告。",
        en="Output throughput × duration has to be the tokens produced, and request throughput × duration the requests completed: a warning where they are more than {slack} apart.",
    ).format(slack=f"{SLACK:.0%}"),
)
def rates_add_up(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that states both; where none does there is nothing to examine."""
    found = [one for series in analysis.round.series for rate in RATES for one in _examine(analysis, series, *rate)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series, rate: str, count: str) -> list[Finding]:
    ratios = {level: _furthest(analysis, series, level, rate, count) for level in series.levels}
    known = {level: ratio for level, ratio in ratios.items() if ratio is not None}
    off = {level: ratio for level, ratio in known.items() if abs(ratio - 1) > SLACK}
    if off:
        return [_off(series, rate, count, off)]
    return [_fits(series, rate, count, list(known))] if known else []


def _furthest(analysis: Analysis, series: Series, level: Level, rate: str, count: str) -> float | None:
    """Return stated ÷ counted of the run of a level that is furthest off; None where no run states all three."""
    ratios = [one for run in level.runs if (one := _ratio(analysis, series, level, run, rate, count)) is not None]
    return max(ratios, key=lambda ratio: abs(ratio - 1), default=None)


def _ratio(analysis: Analysis, series: Series, level: Level, run: int | None, rate: str, count: str) -> float | None:
    counted, duration = (number_at(analysis, at_level(key, series, level, run)) for key in (count, "duration"))
    stated = _stated(analysis, at_level(rate, series, level, run))
    return stated * duration / counted if stated is not None and counted and duration else None


def _stated(analysis: Analysis, rate: Address) -> float | None:
    """Return a throughput that was read; one that follows from the count fits it by itself."""
    known = analysis.frame.known([rate])
    return known[0].value if known and known[0].formula is None else None


def _off(series: Series, rate: str, count: str, off: dict[Level, float]) -> Finding:
    worst = max(off, key=lambda level: abs(off[level] - 1))
    return Finding(
        check="rates_add_up",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in off),
        evidence=at_levels(series, off, rate, count, "duration"),
        doubts=at_levels(series, off, rate),
        looks="better" if off[worst] > 1 else "worse",
        message=say(
            zh="{series} 在 {levels} 的吞吐不是总数 ÷ 总耗时：{worst}。",
            en="At {levels} a throughput of {series} is not its total ÷ duration: {worst}.",
            series=SeriesName(series.id),
            levels=level_names(series, off),
            worst=worst_level(_told(series, worst, rate, count), FURTHEST_OFF, series, worst, off),
        ),
        remedy=say(
            zh="用总数 ÷ 总耗时重算；或者查明压测工具除的是哪一段时间、数的是哪些请求。",
            en="Take the total ÷ the duration; or find out which time the client divides by, and which requests it counts.",
        ),
    )


def _told(series: Series, level: Level, rate: str, count: str) -> Sentence:
    return say(
        zh="给出 {rate}，而 {duration} 里是 {count}",
        en="{rate} is stated, and {count} came in {duration}",
        rate=level_value(rate, series.id, level.id),
        count=level_value(count, series.id, level.id),
        duration=level_value("duration", series.id, level.id),
    )


def _fits(series: Series, rate: str, count: str, levels: Sequence[Level]) -> Finding:
    return Finding(
        check="rates_add_up",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, rate, count),
        message=say(
            zh="{series} 的{rate}都是总数 ÷ 总耗时。",
            en="Wherever it is known, {rate} of {series} is a total ÷ duration.",
            series=SeriesName(series.id),
            rate=TITLES[rate],
        ),
    )


TITLES: Final = {
    "output_throughput": Text(zh="输出吞吐", en="the output throughput"),
    "request_throughput": Text(zh="请求吞吐", en="the request throughput"),
}


def _nothing() -> Finding:
    return Finding(
        check="rates_add_up",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有哪一档同时有吞吐、总数与总耗时，没有可检查的。",
            en="No level has a throughput together with its total and duration, so there is nothing to examine.",
        ),
    )
