"""Can the wall clock be trusted? It may be set while a run is measured, and two files may mean different zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.across.levels import machine_of
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.records import RunTime
from generator.machines.telling import difference
from generator.machines.times import moment, ordered
from generator.model import Round, Series
from generator.text import Text
from generator.themes import CLIENT
from generator.told.findings import Finding
from generator.told.quoting import clipped, listed_levels, series_names
from generator.told.sentence import Listing, Sentence, SeriesName, say

ZONE: Final = Text(zh="与 UTC 之差（秒）", en="seconds ahead of UTC")


@check(
    theme=CLIENT,
    title=Text(zh="系统时钟", en="Wall clock"),
    question=Text(
        zh="测量期间，系统时钟有没有被拨动，各系列的时区是否一致？",
        en="Was the wall clock set while runs were measured, and are all times in one zone?",
    ),
    rule=Text(
        zh="结束早于开始，算不通过；运行期间时钟被拨动过，警告；时区不同，只有一部分时间写了时区，或没有监测时钟，提示。",
        en="A failure where a run ended before it started; a warning where the clock was set during one; a note where zones differ, where only some times name theirs, and where nobody watched the clock.",
    ),
)
def clock_steps(analysis: Analysis) -> Sequence[Finding]:
    """Examine the runs of each series, and the zones of all."""
    runs = {series: _runs(analysis.round, series) for series in analysis.round.series}
    if not any(run.started or run.clock_steps is not None for of in runs.values() for run in of):
        return [_unknown()]
    found = [finding for series, of in runs.items() for finding in _examine(series, of)]
    return [*found, *_zones(analysis.round, runs)] or [_steady(runs)]


def _runs(round_: Round, series: Series) -> tuple[RunTime, ...]:
    return machine_of(round_, series).runs


def _examine(series: Series, runs: Sequence[RunTime]) -> list[Finding]:
    backwards = [run for run in runs if _is_backwards(run)]
    stepped = [run for run in runs if run.clock_steps]
    return ([_backwards(series, backwards)] if backwards else []) + ([_stepped(series, stepped)] if stepped else [])


def _is_backwards(run: RunTime) -> bool:
    """Say whether a run ended before it started; times of which only one names its zone are not compared."""
    started, ended = moment(run.started), moment(run.ended)
    if started is None or ended is None or (started.tzinfo is None) != (ended.tzinfo is None):
        return False
    first, last = ordered(run.started), ordered(run.ended)
    return first is not None and last is not None and last < first


def _levels(series: Series, runs: Sequence[RunTime]) -> Listing:
    return listed_levels(series.id, dict.fromkeys(run.level for run in runs))


def _backwards(series: Series, runs: Sequence[RunTime]) -> Finding:
    return Finding(
        check="clock_steps",
        status="fail",
        series=series.id,
        levels=tuple(dict.fromkeys(run.level for run in runs)),
        message=say(
            zh="{series} 在 {levels} 的运行，结束早于开始：系统时钟被往回拨过。",
            en="Runs of {series} at {levels} ended before they started: the wall clock was set back.",
            series=SeriesName(series.id),
            levels=_levels(series, runs),
        ),
        bias=say(
            zh="按系统时钟算的时延与吞吐都不可信，偏向哪一方也无从得知。",
            en="Latencies and throughput by the wall clock mean nothing then; whom that favours cannot be said.",
        ),
        remedy=say(
            zh="停掉会跳变的校时，用单调时钟重测 {levels}。",
            en="Stop what makes the clock jump, and measure {levels} again with a monotonic clock.",
            levels=_levels(series, runs),
        ),
    )


def _stepped(series: Series, runs: Sequence[RunTime]) -> Finding:
    return Finding(
        check="clock_steps",
        status="warn",
        series=series.id,
        levels=tuple(dict.fromkeys(run.level for run in runs)),
        message=say(
            zh="{series} 在 {levels} 运行期间，系统时钟被拨动过。",
            en="The wall clock was set while {series} was measured at {levels}.",
            series=SeriesName(series.id),
            levels=_levels(series, runs),
        ),
        bias=say(
            zh="用单调时钟量的时延不受影响，rounds collect 量的就是；按系统时钟量的时延，以及按它对齐的日志与采样，都会错位。",
            en="Latencies of a monotonic clock, as rounds collect takes them, stay right; those of the wall clock do not, nor do logs "
            "and samples that are lined up by it.",
        ),
        remedy=say(zh="测量期间让 NTP 只调快慢、不跳变。", en="Have NTP slew and not step the clock while measuring."),
    )


def _zones(round_: Round, runs: Mapping[Series, Sequence[RunTime]]) -> list[Finding]:
    offsets = {
        series.id: text
        for series in round_.series
        if (text := machine_of(round_, series).text("machine.clock.utc_offset_s")) is not None
    }
    if len(set(offsets.values())) > 1:
        return [_other_zones(offsets)]
    named = {series.id: {_names_zone(run) for run in of if moment(run.started)} for series, of in runs.items()}
    both = set().union(*named.values()) == {True, False}
    return [_some_zones([one for one, said in named.items() if False in said])] if both else []


def _names_zone(run: RunTime) -> bool:
    time = moment(run.started)
    return time is not None and time.tzinfo is not None


def _other_zones(offsets: Mapping[str, str]) -> Finding:
    told = difference(ZONE, {series: clipped(text) for series, text in offsets.items()})
    return _note(
        say(zh="各系列的时区不同：{told}。", en="The series were measured in different zones: {told}.", told=told)
    )


def _some_zones(lacking: Sequence[str]) -> Finding:
    return _note(
        say(
            zh="{series} 的时间没有写时区，别的写了：谁先谁后、相隔多久，都可能差上几个小时。",
            en="The times of {series} name no zone while others do: their order, and how far apart they are, may be off by hours.",
            series=series_names(lacking),
        )
    )


def _note(message: Sentence) -> Finding:
    return Finding(
        check="clock_steps",
        status="note",
        message=message,
        remedy=say(zh="一律用 UTC 记录时间。", en="Record all times in UTC."),
    )


def _steady(runs: Mapping[Series, Sequence[RunTime]]) -> Finding:
    watched = all(run.clock_steps is not None for of in runs.values() for run in of)
    if not watched:
        return Finding(
            check="clock_steps",
            status="note",
            message=say(
                zh="开始与结束的先后没有矛盾，但没有监测时钟，运行期间是否被拨动无从得知。",
                en="No run ended before it started, but the clock was not watched: whether it was set during a run is unknown.",
            ),
        )
    return Finding(
        check="clock_steps",
        status="pass",
        message=say(zh="各次运行期间，系统时钟没有被拨动。", en="The wall clock was not set during any of the runs."),
    )


def _unknown() -> Finding:
    return Finding(
        check="clock_steps",
        status="unknown",
        message=say(
            zh="系统时钟是否被拨动过无从得知：没有哪次运行记下开始的时刻，也没有监测时钟。",
            en="Whether the wall clock was set cannot be known: no run has its start on record, and nobody watched the clock.",
        ),
        remedy=say(
            zh="用 rounds collect 采集：每次运行都监测时钟。",
            en="Collect with rounds collect, which watches the clock during each run.",
        ),
    )
