"""Is a latency of nought a measurement? Where tokens came, chunks were read together, or the client measured none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import amount, at_level, has_requests, known_addresses, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.runs.zeros import zero_latency
from generator.text import Text, same
from generator.themes import LATENCY
from generator.told.findings import Finding
from generator.told.sentence import Listing, SeriesName, say
from generator.values import Address

STATISTICS: Final = ("mean", "p50", "p90", "p95", "p99")
TELLING: Final = ("mean", "p50")
"""Statistics that are nought only where most of what they are taken from is."""
QUANTITIES: Final = ("ttft", "itl", "tpot", "e2el")


@dataclass(frozen=True, slots=True)
class _Nought:
    """A quantity of a level of which a telling statistic is nought, in which of its runs it is."""

    level: Level
    quantity: str
    at: tuple[Address, ...]
    is_merged: bool


@check(
    theme=LATENCY,
    title=Text(zh="取值为零的时延", en="Zero latencies"),
    question=Text(
        zh="产出了 token 的档位，有没有哪种时延正好是零？",
        en="Is any latency exactly zero at a level that produced tokens?",
    ),
    rule=Text(
        zh="TTFT、ITL、TPOT 或 E2EL 的均值或中位数正好是零，而这一档产出了不止一个 token，就警告；这样的数当作没有测到，不显示，也不用于任何结论。"
        "ITL 的中位数是零而均值不是，说明几个 chunk 在一次读取里到齐。",
        en="A warning where the mean or the median of TTFT, ITL, TPOT or E2EL is exactly zero though answers have several tokens; such a number is taken for not measured, is not shown, and nothing is concluded from it. "
        "Where the median ITL is zero and the mean is not, several chunks came in one read.",
    ),
)
def zero_latencies(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series, in it what was merged beside what was not measured."""
    found = [
        tell(analysis, series, some)
        for series in analysis.round.series
        for is_merged, tell in ((False, _not_measured), (True, _merged))
        if (some := [one for one in _noughts(analysis, series) if one.is_merged == is_merged])
    ]
    return found or [_none(analysis)]


def _noughts(analysis: Analysis, series: Series) -> list[_Nought]:
    return [
        _Nought(level, quantity, at, quantity == "itl" and _has_gaps(analysis, series, level))
        for level in series.levels
        if _produced(analysis, series, level)
        for quantity in QUANTITIES
        if (at := tuple(_zeros(analysis, series, level, quantity)))
    ]


def _zeros(analysis: Analysis, series: Series, level: Level, quantity: str) -> Iterable[Address]:
    """Yield where a telling statistic was nought, and is therefore not known: of the level, or of one of its runs."""
    for key in (f"{quantity}_{one}" for one in TELLING):
        for trial in dict.fromkeys((None, *level.runs)):
            value = analysis.frame.values.get(at_level(key, series, level, trial))
            if value is not None and value.reason == zero_latency(key):
                yield value.address


def _has_gaps(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether gaps were measured: single ones are on record, or their mean is more than nought."""
    return has_requests(analysis, (series, level)) or amount(analysis, "itl_mean", (series, level)) is not None


def _produced(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether answers had several tokens, as far as is known: by count, else as asked for."""
    tokens = [amount(analysis, key, (series, level)) for key in ("output_tokens_mean", "asked_output_tokens")]
    known = next((one for one in tokens if one is not None), 0.0)
    return known > 1


def _merged(analysis: Analysis, series: Series, noughts: list[_Nought]) -> Finding:
    """Report gaps that were no time: their sum, and with it the mean, holds; percentiles do not."""
    return Finding(
        check="zero_latencies",
        status="warn",
        series=series.id,
        levels=_levels_of(noughts),
        evidence=_evidence(noughts),
        doubts=_doubts(analysis, series, noughts, ("p90", "p95", "p99")),
        message=say(
            zh="{series} 在 {levels} 的 ITL 过半正好是零：几个 chunk 在一次读取里到齐，它们之间的间隔没有测到。"
            "客户端或服务端抢不到 CPU，或者一步产出不止一个 token。ITL p50 不是步长，不显示，也不用于任何结论。",
            en="At {levels} most gaps between the chunks of {series} are exactly zero: several came in one read, and the time "
            "between them was not measured. The client or the server was short of CPU, or a step yields several tokens. "
            "The median ITL is no step: it is not shown, and nothing is concluded from it.",
            series=SeriesName(series.id),
            levels=_names(series, noughts),
        ),
        bias=say(
            zh="把零当真，{series} 的步长就不要时间，大的分位数则偏大；ITL 的均值、TPOT 与吞吐不受影响。",
            en="Taken at their word, these make the steps of {series} take no time, and high percentiles too long; the mean ITL, TPOT and "
            "throughput are not affected.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="让客户端与服务端各有空闲的核（taskset、另一台机器），关掉同时运行的其他程序，再测一次；若用了投机解码，看 TPOT。",
            en="Give the client and the server idle cores of their own (taskset, another machine), stop what else is running, and run "
            "again; with speculative decoding, read the TPOT instead.",
        ),
    )


def _not_measured(analysis: Analysis, series: Series, noughts: list[_Nought]) -> Finding:
    quantities = dict.fromkeys(nought.quantity.upper() for nought in noughts)
    return Finding(
        check="zero_latencies",
        status="warn",
        series=series.id,
        levels=_levels_of(noughts),
        evidence=_evidence(noughts),
        doubts=_doubts(analysis, series, noughts, STATISTICS),
        message=say(
            zh="{series} 在 {levels} 的 {names} 正好是零，可是有 token 产出：客户端没有认出流，这不是测量值，不显示，也不用于任何结论。",
            en="At {levels} {names} of {series} are exactly zero though tokens came: the client did not understand the stream. "
            "This is not a measurement: it is not shown, and nothing is concluded from it.",
            series=SeriesName(series.id),
            levels=_names(series, noughts),
            names=Listing(tuple(same(name) for name in quantities)),
        ),
        bias=say(
            zh="把零当真，{series} 就在时延上赢过所有系列。",
            en="Taken at their word, these make {series} win every comparison of latency.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="让客户端也读推理内容（reasoning）的流，再测一次。",
            en="Let the client read the stream of reasoning as well, and run again.",
        ),
    )


def _levels_of(noughts: Iterable[_Nought]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(nought.level.id for nought in noughts))


def _names(series: Series, noughts: Iterable[_Nought]) -> Listing:
    return level_names(series, dict.fromkeys(nought.level for nought in noughts))


def _evidence(noughts: Iterable[_Nought]) -> tuple[Address, ...]:
    return tuple(address for nought in noughts for address in nought.at)


def _doubts(
    analysis: Analysis, series: Series, noughts: Iterable[_Nought], statistics: Iterable[str]
) -> tuple[Address, ...]:
    keys = [(nought.level, f"{nought.quantity}_{one}") for nought in noughts for one in statistics]
    return known_addresses(analysis, [at_level(key, series, level) for level, key in keys])


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
