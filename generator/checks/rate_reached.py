"""Were requests answered as fast as they came? Where not, a queue grew, and latencies tell how long it was let grow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.findings import Finding
from generator.frame import Analysis
from generator.kinds import check
from generator.levels import amount
from generator.model import Level, Series
from generator.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.text import Text
from generator.values import Address, Value

TOLERANCE: Final = 0.05
"""A rate this little below the one asked for is reached."""
DEVIATIONS: Final = 2
"""Arrivals drawn at random take longer than planned: by more standard deviations than this hardly ever."""
LATENCIES: Final = tuple(
    f"{of}_{statistic}" for of in ("ttft", "e2el") for statistic in ("mean", "p50", "p90", "p95", "p99")
)


@dataclass(frozen=True, slots=True)
class Run:
    """A level under an arrival rate: requests a second asked for, requests sent, seconds."""

    level: Level
    rate: float
    requests: float
    duration: float
    typical: float | None
    """The median latency of a request; with a queue it lags behind that of the last one."""

    @property
    def seen(self) -> float:
        """Return the requests that the level dealt with, a second."""
        return self.requests / self.duration

    @property
    def is_reached(self) -> bool | None:
        """Say whether the level took no longer than sending, and answering the last one; None where that is unknown."""
        if self.seen >= self.rate * (1 - TOLERANCE):
            return True
        if self.duration <= self._sending:
            return True
        return None if self.typical is None else self.duration <= self._sending + self.typical

    @property
    def _sending(self) -> float:
        gaps = max(self.requests - 1, 0.0)
        return (gaps + DEVIATIONS * math.sqrt(gaps)) / self.rate


@check(
    title=Text(zh="到达率是否达到", en="Arrival rate reached"),
    question=Text(
        zh="引擎回答请求的速度，跟得上请求到来的速度吗？",
        en="Were requests answered as fast as they were asked to arrive?",
    ),
)
def rate_reached(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that has levels under an arrival rate."""
    asked = {series: [level for level in series.levels if level.kind == "rate"] for series in analysis.round.series}
    if not any(asked.values()):
        return [_no_rate()]
    return [finding for series, levels in asked.items() if levels for finding in _examine(analysis, series, levels)]


def _examine(analysis: Analysis, series: Series, levels: list[Level]) -> list[Finding]:
    runs = [run for level in levels if (run := _run(analysis, series, level)) is not None]
    known = [run for run in runs if run.is_reached is not None]
    missed = [run for run in known if not run.is_reached]
    examined = {run.level for run in known}
    open_ = [level for level in levels if level not in examined]
    findings = [_missed(analysis, series, missed)] if missed else []
    if open_:
        findings.append(_unknown(series, open_))
    return findings or [_reached(series, known)]


def _run(analysis: Analysis, series: Series, level: Level) -> Run | None:
    place = (series, level)
    requests, completed, duration, p50, mean = (
        amount(analysis, key, place) for key in ("requests", "completed", "duration", "e2el_p50", "e2el_mean")
    )
    sent = completed if requests is None else requests
    if completed is None or sent is None or not duration or not level.load:
        return None
    return Run(level, level.load, sent, duration, mean if p50 is None else p50)


def _at(key: str, series: Series, level: Level) -> Address:
    return Address(key, "level", series.id, level.id)


def _names(series: Series, levels: Sequence[Level]) -> Listing:
    return Listing(tuple(LevelName(series.id, level.id) for level in levels))


def _evidence(series: Series, runs: Sequence[Run]) -> tuple[Address, ...]:
    return tuple(_at(key, series, run.level) for run in runs for key in ("request_throughput", "duration"))


def _latencies(analysis: Analysis, series: Series, runs: Sequence[Run]) -> list[Value]:
    return analysis.frame.known(_at(key, series, run.level) for run in runs for key in LATENCIES)


def _missed(analysis: Analysis, series: Series, runs: list[Run]) -> Finding:
    worst = min(runs, key=lambda run: run.seen / run.rate)
    levels = [run.level for run in runs]
    return Finding(
        check="rate_reached",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=_evidence(series, runs),
        doubts=tuple(value.address for value in _latencies(analysis, series, runs)),
        message=say(
            zh="{series} 在 {levels} 跟不上请求到来的速度：{worst}，比发送所需的时间长得多。引擎已饱和，队列一直在长。",
            en="{series} does not keep up with the requests at {levels}: {worst}, far longer than sending takes. It is "
            "saturated, and a queue grows.",
            series=SeriesName(series.id),
            levels=_names(series, levels),
            worst=_worst(series, worst.level),
        ),
        bias=say(
            zh="队列有多长取决于测了多久：测得越短，{series} 的 TTFT 与 E2EL 越被美化。",
            en="How long the queue is depends on how long was measured: the shorter, the more TTFT and E2EL of {series} are "
            "flattered.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="{levels} 只引用吞吐，不引用时延；要比较时延，就把到达率降到引擎跟得上的程度。",
            en="Quote throughputs of {levels} and no latencies; to compare latencies, ask for rates that the engine keeps up "
            "with.",
            levels=_names(series, levels),
        ),
    )


def _worst(series: Series, level: Level) -> Sentence:
    return say(
        zh="{level} 每秒只完成 {seen}，历时 {duration}",
        en="{level} completes {seen} and takes {duration}",
        level=LevelName(series.id, level.id),
        seen=Quantity(_at("request_throughput", series, level)),
        duration=Quantity(_at("duration", series, level)),
    )


def _reached(series: Series, runs: Sequence[Run]) -> Finding:
    return Finding(
        check="rate_reached",
        status="pass",
        series=series.id,
        levels=tuple(run.level.id for run in runs),
        evidence=_evidence(series, runs),
        message=say(
            zh="{series} 在每个到达率下都跟得上请求到来的速度。",
            en="{series} keeps up with the requests at every arrival rate.",
            series=SeriesName(series.id),
        ),
    )


def _unknown(series: Series, levels: list[Level]) -> Finding:
    return Finding(
        check="rate_reached",
        status="unknown",
        series=series.id,
        levels=tuple(level.id for level in levels),
        message=say(
            zh="{series} 在 {levels} 跟不跟得上请求到来的速度，无从得知：缺请求数、总耗时，或端到端时延。",
            en="Whether {series} keeps up with the requests at {levels} cannot be known: their number, the duration or the "
            "end-to-end latency is missing.",
            series=SeriesName(series.id),
            levels=_names(series, levels),
        ),
        remedy=say(
            zh="补上 requests、completed 与 duration_s 几列，以及 E2EL p50。",
            en="Fill in the columns requests, completed and duration_s, and the E2EL p50.",
        ),
    )


def _no_rate() -> Finding:
    return Finding(
        check="rate_reached",
        status="pass",
        message=say(
            zh="没有按到达率施压的档位，也就没有达不到的到达率。",
            en="No level is under an arrival rate, so there is none to fall short of.",
        ),
    )
