"""Is the whole run like its steady part? What slots do while they fill and drain is not what a load that lasts sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_level, level_names, number_at, worst_level
from generator.frame import Analysis
from generator.kinds import STEADY, check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import THROUGHPUT
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF
from generator.told.sentence import Quantity, SeriesName, say
from generator.values import Address

FELT: Final = 0.10
"""Difference between the whole run and its steady part that is worth telling."""
LARGE: Final = 0.25
"""Difference from which on the statistic of the whole run stands for neither."""
COMPARED: Final = (
    ("ttft_p50", same("TTFT p50")),
    ("itl_p50", same("ITL p50")),
    ("e2el_p50", same("E2EL p50")),
    ("output_throughput", Text(zh="输出吞吐", en="output throughput")),
)


@dataclass(frozen=True, slots=True)
class Apart:
    """A statistic of a level that is another one in the steady part, and by how much of it."""

    level: Level
    name: Text
    whole: Address
    by: float

    @property
    def steady(self) -> Address:
        """Return where the statistic of the steady part stands."""
        return self.whole._replace(basis=STEADY)


@check(
    theme=THROUGHPUT,
    title=Text(zh="全程与稳态", en="Whole run and steady part"),
    question=Text(
        zh="全程的统计量与稳态里的相近吗？", en="Are the statistics of the whole run those of its steady part?"
    ),
    rule=Text(
        zh="TTFT、ITL、E2EL 的中位数与输出吞吐，全程与稳态相差超过 {felt} 就提示，超过 {large} 就警告。",
        en="The medians of TTFT, ITL and E2EL and the output throughput: a note where the whole run differs from its steady part by more than {felt}, a warning above {large}.",
    ).format(felt=f"{FELT:.0%}", large=f"{LARGE:.0%}"),
)
def steady_window(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose requests are on record."""
    found = []
    for series in analysis.round.series:
        known = [one for level in series.levels for one in _compared(analysis, series, level)]
        if known:
            found.append(_examine(series, known))
    return found or [_nothing()]


def _compared(analysis: Analysis, series: Series, level: Level) -> list[Apart]:
    compared = []
    for key, name in COMPARED:
        whole = at_level(key, series, level)
        all_, steady = number_at(analysis, whole), number_at(analysis, whole._replace(basis=STEADY))
        if all_ and steady is not None:
            compared.append(Apart(level, name, whole, steady / all_ - 1))
    return compared


def _examine(series: Series, known: list[Apart]) -> Finding:
    apart = [one for one in known if abs(one.by) > FELT]
    return _differs(series, apart) if apart else _alike(series, known)


def _differs(series: Series, apart: list[Apart]) -> Finding:
    levels = list(dict.fromkeys(one.level for one in apart))
    worst = max(apart, key=lambda one: abs(one.by))
    large = [one for one in apart if abs(one.by) > LARGE]
    told = say(
        zh="{name}全程是 {whole}，稳态里是 {steady}",
        en="{name} is {whole} over the whole run and {steady} in the steady part",
        name=worst.name,
        whole=Quantity(worst.whole),
        steady=Quantity(worst.steady),
    )
    return Finding(
        check="steady_window",
        status="warn" if large else "note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=tuple(where for one in apart for where in (one.whole, one.steady)),
        doubts=tuple(one.whole for one in large),
        message=say(
            zh="{series} 在 {levels} 的全程统计与稳态不同：{worst}。",
            en="At {levels} the whole run of {series} is not like its steady part: {worst}.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, FURTHEST_OFF, series, worst.level, levels),
        ),
        bias=say(
            zh="起步时槽位还空着，收尾时并发已降：全程的统计量混进了这两段，短的运行尤其如此。",
            en="Slots are empty at the start, and fewer requests are in flight at the end: both are in the statistics of the "
            "whole run, and most of all in a short one.",
        ),
        remedy=say(
            zh="引用稳态的数，或延长运行，让起步与收尾的比重变小。",
            en="Quote the steady part, or let the run last longer, so that its start and end weigh less.",
        ),
    )


def _alike(series: Series, known: list[Apart]) -> Finding:
    return Finding(
        check="steady_window",
        status="pass",
        series=series.id,
        levels=tuple(dict.fromkeys(one.level.id for one in known)),
        evidence=tuple(one.whole for one in known),
        message=say(
            zh="{series} 的全程统计与稳态相近。",
            en="The statistics of {series} over the whole run are those of its steady part.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪一档有逐条请求的发出时刻，划不出稳态。",
        en="No level has the times of its requests on record, so no steady part can be told.",
    )
    return Finding("steady_window", "pass", message, is_empty=True)
