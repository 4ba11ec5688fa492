"""Is a latency of nought a measurement? Where tokens came, it is what a client writes that measured none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_level, known_addresses, level_names, number_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import LATENCY
from generator.told.findings import Finding
from generator.told.sentence import Listing, SeriesName, say
from generator.values import Address

STATISTICS: Final = ("mean", "p50", "p90", "p95", "p99")
TELLING: Final = ("mean", "p50")
"""Statistics that are nought only where most of what they are taken from is."""
QUANTITIES: Final = ("ttft", "itl", "tpot", "e2el")


@check(
    theme=LATENCY,
    title=Text(zh="取值为零的时延", en="Zero latencies"),
    question=Text(
        zh="产出了 token 的档位，有没有哪种时延正好是零？",
        en="Is any latency exactly zero at a level that produced tokens?",
    ),
    rule=Text(
        zh="TTFT、ITL、TPOT 或 E2EL 的均值或中位数正好是零，而这一档产出了不止一个 token，就警告：零表示没有测到。",
        en="A warning where the mean or the median of TTFT, ITL, TPOT or E2EL is exactly zero though answers have several tokens: zero stands for not measured.",
    ),
)
def zero_latencies(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    found = {series: noughts for series in analysis.round.series if (noughts := _noughts(analysis, series))}
    return [_found(analysis, series, noughts) for series, noughts in found.items()] or [_none(analysis)]


def _noughts(analysis: Analysis, series: Series) -> list[tuple[Level, str]]:
    """Return the levels and the quantities of which a telling statistic is nought."""
    return [
        (level, quantity)
        for level in series.levels
        if _produced(analysis, series, level)
        for quantity in QUANTITIES
        if any(number_at(analysis, at_level(f"{quantity}_{one}", series, level)) == 0 for one in TELLING)
    ]


def _produced(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether answers had several tokens, as far as is known: by count, else as asked for."""
    tokens = [amount(analysis, key, (series, level)) for key in ("output_tokens_mean", "asked_output_tokens")]
    known = next((one for one in tokens if one is not None), 0.0)
    return known > 1


def _found(analysis: Analysis, series: Series, noughts: list[tuple[Level, str]]) -> Finding:
    levels = list(dict.fromkeys(level for level, _ in noughts))
    names = dict.fromkeys(quantity.upper() for _, quantity in noughts)
    doubted = [at_level(f"{quantity}_{one}", series, level) for level, quantity in noughts for one in STATISTICS]
    doubts = known_addresses(analysis, doubted)
    return Finding(
        check="zero_latencies",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=doubts,
        doubts=doubts,
        message=say(
            zh="{series} 在 {levels} 的 {names} 正好是零，可是有 token 产出：客户端没有认出流，这不是测量值。",
            en="At {levels} {names} of {series} are exactly zero though tokens came: the client did not understand the stream, "
            "and this is not a measurement.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            names=Listing(tuple(same(name) for name in names)),
        ),
        bias=say(
            zh="把零当真，{series} 就在时延上赢过所有系列。",
            en="Taken at their word, these make {series} win every comparison of latency.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="删去这些数；让客户端也读推理内容（reasoning）的流，再测一次。",
            en="Leave these numbers out; let the client read the stream of reasoning as well, and run again.",
        ),
    )


def _none(analysis: Analysis) -> Finding:
    known = [
        value.address
        for series in analysis.round.series
        for level in series.levels
        for value in analysis.frame.known(_telling(series, level))
    ]
    message = say(zh="没有哪种时延正好是零。", en="No latency is exactly zero.")
    return Finding("zero_latencies", "pass", message, evidence=tuple(known), is_empty=not known)


def _telling(series: Series, level: Level) -> list[Address]:
    return [at_level(f"{quantity}_{one}", series, level) for quantity in QUANTITIES for one in TELLING]
