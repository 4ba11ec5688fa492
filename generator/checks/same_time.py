"""Were all series measured at about the same time? Between two days a machine is warmed, updated, or another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from generator.across.levels import machine_of
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.telling import difference
from generator.machines.times import DAY_S, When, are_apart, when
from generator.model import Series
from generator.text import Text
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import clipped, series_names
from generator.told.sentence import Sentence, SeriesName, say

HOURS: Final = DAY_S / 3600
DATES: Final = Text(zh="日期", en="dates")


@check(
    theme=FAIRNESS,
    title=Text(zh="测量时间是否相近", en="Dates"),
    question=Text(
        zh="各系列，以及一个系列的各次运行，是在相近的时间测的吗？",
        en="Were the series, and the runs of each, measured at about the same time?",
    ),
    rule=Text(
        zh="两个系列之间，或者一个系列的首末两次运行之间，隔了 {hours} 小时以上就警告；只写日期的，日期不同就算。",
        en="A warning where {hours} hours or more lie between two series, or between the first and the last run of one; where only dates are given, between two dates.",
    ).format(hours=f"{HOURS:g}"),
)
def same_time(analysis: Analysis) -> Sequence[Finding]:
    """Compare when the series were measured, and the runs of each."""
    known = {series.id: found for series in analysis.round.series if (found := _when(analysis, series)) is not None}
    long = [_long(series, known[series.id]) for series in analysis.round.series if _is_long(known.get(series.id))]
    return [*long, _between(analysis, known)]


def _when(analysis: Analysis, series: Series) -> When | None:
    return when(machine_of(analysis.round, series))


def _is_long(time: When | None) -> bool:
    if time is None or time.first is None or time.last is None:
        return False
    return (time.last - time.first).total_seconds() >= DAY_S


def _long(series: Series, time: When) -> Finding:
    return Finding(
        check="same_time",
        status="warn",
        series=series.id,
        message=say(
            zh="{series} 的各次运行相隔一天以上：{dates}。",
            en="The runs of {series} lie more than a day apart: {dates}.",
            series=SeriesName(series.id),
            dates=clipped(time.words),
        ),
        bias=say(
            zh="其间机器可能变了：几次运行之间的差别不全是噪声。",
            en="The machine may have changed meanwhile: what the runs differ by is not noise alone.",
        ),
        remedy=say(
            zh="把 {series} 在一天之内重测一遍。",
            en="Measure {series} again within a day.",
            series=SeriesName(series.id),
        ),
    )


def _between(analysis: Analysis, known: Mapping[str, When]) -> Finding:
    count = len(analysis.round.series)
    if count == 1:
        return _alone()
    if len(known) < min(2, count):
        return _unknown()
    said = [are_apart(known[one], known[other]) for one, other in combinations(known, 2)]
    if True in said:
        return _apart(known)
    return _together() if len(known) == count and None not in said else _partly(known)


def _apart(known: Mapping[str, When]) -> Finding:
    return Finding(
        check="same_time",
        status="warn",
        message=say(
            zh="各系列不是同一天测的：{dates}。",
            en="The series were not measured on the same day: {dates}.",
            dates=difference(DATES, {series: clipped(time.words) for series, time in known.items()}),
        ),
        bias=say(
            zh="其间的温度、同机的其他负载、软件版本都可能不同：领先中有多少来自测量时间不同，无从得知。",
            en="Heat, other work on the machine and software versions may have differed: how much of a lead comes from the day is "
            "unknown.",
        ),
        remedy=_remedy(),
    )


def _together() -> Finding:
    return Finding(
        check="same_time",
        status="pass",
        message=say(zh="各系列是在同一天之内测的。", en="The series were measured within a day of each other."),
    )


def _partly(known: Mapping[str, When]) -> Finding:
    return Finding(
        check="same_time",
        status="note",
        message=say(
            zh="何时测的，只有 {series} 说得清：其余系列不能与之比较。",
            en="When it was measured is told of {series} only, or not as a date: the others cannot be compared.",
            series=series_names(known),
        ),
        remedy=_declare(),
    )


def _unknown() -> Finding:
    return Finding(
        check="same_time",
        status="unknown",
        message=say(
            zh="各系列是否在相近的时间测的，无从得知：没有记录日期。",
            en="Whether the series were measured at about the same time cannot be known: no dates are on record.",
        ),
        remedy=_declare(),
    )


def _remedy() -> Sentence:
    return say(
        zh="在同一天、同一台机器上交替重测各系列，或者把基线当天再测一遍作对照。",
        en="Measure the series in turn on one machine on one day, or the baseline once more on that day as a control.",
    )


def _declare() -> Sentence:
    return say(
        zh="把日期写进 round.toml：[round] 的 date，或各系列自己的 date。",
        en="Put the date into round.toml: date of [round], or of each series.",
    )


def _alone() -> Finding:
    return Finding(
        check="same_time",
        status="pass",
        is_empty=True,
        message=say(
            zh="这一轮只有一个系列，不与别的系列比较。", en="This round has a single series to be compared with none."
        ),
    )
