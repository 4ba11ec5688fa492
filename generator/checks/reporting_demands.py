"""Does the round say what a comparison of engines has to say? Without it, its figures are qualitative only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import Place, all_places, amount, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Round, Series
from generator.text import Text
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.quoting import joined, series_names
from generator.told.sentence import Listing, Part, Sentence, SeriesName, say

TAILS: Final = tuple(
    f"{quantity}_{tail}" for quantity in ("ttft", "itl", "tpot", "e2el") for tail in ("p90", "p95", "p99")
)
COLLECTED: Final = "cold_requests"
"""What a run of our own client says of itself: it keeps the requests of its warm-up apart."""


@check(
    theme=RECORDS,
    title=Text(zh="必须写明的四项", en="Required disclosures"),
    question=Text(
        zh="精度、分并发的结果、尾部分位数与预热状态，是否都写明了？",
        en="Are precision, results per concurrency, tail percentiles and the state of warm-up all stated?",
    ),
    rule=Text(
        zh="四项缺一就警告，并在结论旁标明“仅供定性参考”：每个系列的精度；每一档的并发或到达率；每一档至少一个尾部分位数；预热状态（[workload] warm_up，或由 rounds collect 采集）。",
        en="A warning, and a mark beside the verdict that figures are qualitative only, where one of four is missing: the precision of each series; the concurrency or rate of each level; a tail percentile at each level; the state of warm-up ([workload] warm_up, or runs of rounds collect).",
    ),
)
def reporting_demands(analysis: Analysis) -> Sequence[Finding]:
    """Examine the round as a whole."""
    lacking = tuple(_lacking(analysis))
    return [_short(lacking) if lacking else _met()]


@dataclass(frozen=True, slots=True)
class Lacking:
    """Something that is not stated, and what to add."""

    told: Sentence
    remedy: Text


def _lacking(analysis: Analysis) -> Iterator[Lacking]:
    """Yield what is not stated, with those it is not stated of."""
    nameless = [series for series in analysis.round.series if not series.table.precision]
    if nameless:
        yield Lacking(_of_series(nameless, PRECISION), ADD_PRECISION)
    places = all_places(analysis)
    unplaced = [place for place in places if place[1].concurrency is None and place[1].rate is None]
    if unplaced or not places:
        told = _of(analysis, unplaced, LOAD) if unplaced else say(zh="分档位的结果", en="results per level")
        yield Lacking(told, ADD_LOAD)
    without_tail = [place for place in places if all(amount(analysis, key, place) is None for key in TAILS)]
    if without_tail:
        yield Lacking(_of(analysis, without_tail, TAIL), ADD_TAIL)
    if not _warm_up_is_known(analysis.round):
        yield Lacking(Sentence(WARM_UP), ADD_WARM_UP)


PRECISION: Final = Text(zh="{who} 的权重精度", en="the precision of {who}")
LOAD: Final = Text(zh="{who} 的并发或到达率", en="the concurrency or rate of {who}")
TAIL: Final = Text(zh="{who} 的尾部分位数", en="a tail percentile for {who}")
WARM_UP: Final = Text(zh="各档开始时服务端是否已预热", en="whether the server was warm when each level began")
ADD_PRECISION: Final = Text(zh="给系列写上 precision", en="declare the precision of the series")
ADD_LOAD: Final = Text(zh="写明每一档的并发或到达率", en="give the concurrency or rate of each level")
ADD_TAIL: Final = Text(zh="记录缺少的 p95 或 p99", en="record the p95 or p99 that is missing")
ADD_WARM_UP: Final = Text(
    zh="在 round.toml 里声明预热状态（[workload] warm_up）",
    en="declare the state of warm-up in round.toml ([workload] warm_up)",
)


def _of_series(series: Sequence[Series], told: Text) -> Sentence:
    return Sentence(told, {"who": series_names(one.id for one in series)})


def _of(analysis: Analysis, places: Sequence[Place], told: Text) -> Sentence:
    """Name series with their levels; without these where a series has it at no level."""
    by_series = {one: [level for of, level in places if of == one] for one in analysis.round.series}
    named = tuple(_named(one, levels) for one, levels in by_series.items() if levels)
    ends_in_bracket = isinstance(named[-1], Sentence)
    text = Text(zh=told.zh.replace("} ", "}"), en=told.en) if ends_in_bracket else told
    return Sentence(text, {"who": Listing(named)})


def _named(series: Series, levels: Sequence[Level]) -> Part:
    name = SeriesName(series.id)
    if len(levels) == len(series.levels):
        return name
    return say(zh="{s}（{levels}）", en="{s} ({levels})", s=name, levels=level_names(series, levels))


def _warm_up_is_known(round_: Round) -> bool:
    """Say whether the state of the servers is declared, or all runs are our own."""
    runs = [(series.id, level.id, trial) for series in round_.series for level in series.levels for trial in level.runs]
    collected = all(COLLECTED in round_.described.get(run, {}) for run in runs)
    return round_.file.workload.warm_up is not None or (bool(runs) and collected)


def _short(lacking: Sequence[Lacking]) -> Finding:
    return Finding(
        check="reporting_demands",
        status="warn",
        message=say(
            zh="记录里没有写明：{lacking}。",
            en="The record does not state {lacking}.",
            lacking=joined(one.told for one in lacking),
        ),
        bias=say(
            zh="缺了这些，图表中的数仅供定性参考：方向与量级可信，大小相近的两个数分不出高下。",
            en="Without these its figures are qualitative only: direction and order of magnitude hold, but numbers that are close cannot be distinguished.",
        ),
        remedy=say(
            zh="{what}。", en="Complete the record: {what}.", what=joined(Sentence(one.remedy) for one in lacking)
        ),
    )


def _met() -> Finding:
    message = say(
        zh="精度、分档位的结果、尾部分位数与预热状态都写明了。",
        en="Precision, results per level, tail percentiles and the state of warm-up are all stated.",
    )
    return Finding("reporting_demands", "pass", message)
