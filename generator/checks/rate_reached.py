"""Were requests answered as fast as they came? Where not, a queue grew, and latencies tell how long it was let grow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_level, by_kind_of_data, level_names, number_at
from generator.checks import DETAILS_FOR_STATISTICS
from generator.frame import Analysis
from generator.kinds import STEADY, check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LOAD
from generator.told.findings import Finding
from generator.told.quoting import level_value
from generator.told.sentence import LevelName, Sentence, SeriesName, say
from generator.values import Address, Value

TOLERANCE: Final = 0.05
"""A rate this little below the one asked for is reached."""
DEVIATIONS: Final = 2
"""Arrivals drawn at random take longer than planned: by more standard deviations than this hardly ever."""
LATENCIES: Final = tuple(
    f"{of}_{statistic}" for of in ("ttft", "e2el") for statistic in ("mean", "p50", "p90", "p95", "p99")
)


FULL: Final = 0.9
"""A mean concurrency of this share of the limit: nearly all places were taken all the time."""


@dataclass(frozen=True, slots=True)
class Run:
    """A level under an arrival rate: requests a second asked for, requests sent, seconds.

    Attributes:
        typical: the median latency of a request; with a queue it lags behind that of the last one.
        sending_rate: requests a second that were really sent, where their times are known.
        steady: requests a second that were answered while sending went on, and for how long that was.
        limited: whether the limit on concurrency was reached.
    """

    level: Level
    rate: float
    requests: float
    duration: float
    typical: float | None
    sending_rate: float | None = None
    steady: tuple[float, float] | None = None
    limited: bool = False

    @property
    def seen(self) -> float:
        """Return the requests that the level dealt with, a second."""
        return self.requests / self.duration

    @property
    def is_sent(self) -> bool:
        """Say whether requests were sent as fast as asked, as far as their times tell."""
        if self.sending_rate is None or self.sending_rate >= self.rate * (1 - TOLERANCE):
            return True
        return self._gaps / self.sending_rate <= self._sending

    @property
    def is_reached(self) -> bool | None:
        """Say whether requests were sent and answered as fast as asked; None where that is unknown.

        Where their times are known, those decide: the duration also holds the tail of the last answers.
        """
        if not self.is_sent:
            return False
        if self.sending_rate is not None:
            return self._kept_up
        if self.seen >= self.rate * (1 - TOLERANCE) or self.duration <= self._sending:
            return True
        return None if self.typical is None else self.duration <= self._sending + self.typical

    @property
    def _kept_up(self) -> bool:
        """Say whether, while requests were sent, as many were answered; random arrivals vary by their square root."""
        if self.steady is None:
            return True
        answered, seconds = self.steady
        due = self.rate * seconds
        return answered * seconds >= due * (1 - TOLERANCE) - DEVIATIONS * math.sqrt(due)

    @property
    def _gaps(self) -> float:
        return max(self.requests - 1, 0.0)

    @property
    def _sending(self) -> float:
        return (self._gaps + DEVIATIONS * math.sqrt(self._gaps)) / self.rate


FOR_TABLES: Final = Text(
    zh="补上 requests、completed 与 duration_s 几列，以及 E2EL p50。",
    en="Fill in the columns requests, completed and duration_s, and the E2EL p50.",
)


@check(
    theme=LOAD,
    title=Text(zh="到达率是否达到", en="Arrival rate reached"),
    question=Text(
        zh="引擎响应请求的速度，跟得上请求到来的速度吗？",
        en="Were requests answered as fast as they were asked to arrive?",
    ),
    rule=Text(
        zh="按到达率加压的档位：发送或回答的速率比要求低 {slack} 以上（已计随机到达的波动），就警告；并发上限用到 {full} 以上的，另作说明。",
        en="For levels under an arrival rate: a warning where requests were sent or answered more than {slack} slower than asked, beyond the scatter of random arrivals; a note where {full} of the limit on concurrency or more was taken.",
    ).format(slack=f"{TOLERANCE:.0%}", full=f"{FULL:.0%}"),
)
def rate_reached(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that has levels under an arrival rate."""
    asked = {series: [level for level in series.levels if level.rate is not None] for series in analysis.round.series}
    if not any(asked.values()):
        return [_no_rate()]
    return [finding for series, levels in asked.items() if levels for finding in _examine(analysis, series, levels)]


def _examine(analysis: Analysis, series: Series, levels: list[Level]) -> list[Finding]:
    runs = [run for level in levels if (run := _run(analysis, series, level)) is not None]
    known = [run for run in runs if run.is_reached is not None]
    missed = [run for run in known if not run.is_reached]
    examined = {run.level for run in known}
    open_ = [level for level in levels if level not in examined]
    limited = [run for run in missed if run.limited]
    unsent = [run for run in missed if not run.limited and not run.is_sent]
    behind = [run for run in missed if not run.limited and run.is_sent]
    findings = [_limited(series, limited)] if limited else []
    findings += [_unsent(series, unsent)] if unsent else []
    findings += [_missed(analysis, series, behind)] if behind else []
    findings += [_unknown(series, open_)] if open_ else []
    return findings or [_reached(series, known)]


def _run(analysis: Analysis, series: Series, level: Level) -> Run | None:
    requests, completed, duration, p50, mean = (
        _known(analysis, key, series, level) for key in ("requests", "completed", "duration", "e2el_p50", "e2el_mean")
    )
    sent = completed if requests is None else requests
    if completed is None or sent is None or not duration or not level.rate:
        return None
    sending = _known(analysis, "sending_rate", series, level)
    typical, steady = mean if p50 is None else p50, _steady(analysis, series, level)
    return Run(level, level.rate, sent, duration, typical, sending, steady, _is_limited(analysis, series, level))


def _known(analysis: Analysis, key: str, series: Series, level: Level, basis: str | None = None) -> float | None:
    return number_at(analysis, at_level(key, series, level)._replace(basis=basis))


def _steady(analysis: Analysis, series: Series, level: Level) -> tuple[float, float] | None:
    answered = _known(analysis, "request_throughput", series, level, STEADY)
    begin, end = (_known(analysis, key, series, level) for key in ("steady_start", "steady_end"))
    return None if answered is None or begin is None or end is None else (answered, end - begin)


def _is_limited(analysis: Analysis, series: Series, level: Level) -> bool:
    if level.concurrency is None:
        return False
    peak = analysis.frame.known([at_level("peak_concurrency", series, level)])
    reached = any(value.formula is not None and (value.value or 0.0) >= level.concurrency for value in peak)
    return reached or (_known(analysis, "mean_concurrency", series, level) or 0.0) >= FULL * level.concurrency


def _evidence(series: Series, runs: Sequence[Run]) -> tuple[Address, ...]:
    return tuple(at_level(key, series, run.level) for run in runs for key in ("request_throughput", "duration"))


def _latencies(analysis: Analysis, series: Series, runs: Sequence[Run]) -> list[Value]:
    return analysis.frame.known(at_level(key, series, run.level) for run in runs for key in LATENCIES)


def _limited(series: Series, runs: list[Run]) -> Finding:
    worst = min(runs, key=lambda run: run.seen / run.rate)
    levels = [run.level for run in runs]
    keys = ("rate_share", "mean_concurrency", "rate_allowed")
    return Finding(
        check="rate_reached",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=(*_evidence(series, runs), *(at_level(key, series, level) for level in levels for key in keys)),
        message=say(
            zh="{series} 在 {levels} 达不到要求的到达率：{worst}。定下负载的是并发上限，不是到达率。",
            en="{series} does not reach the arrival rate at {levels}: {worst}. It was the limit on concurrency that set the "
            "load, and not the rate.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=_at_its_limit(series, worst.level),
        ),
        bias=say(
            zh="在上限之外等着的时间不进时延：按到达率来看，{series} 的 TTFT 与 E2EL 显得更好。",
            en="Waiting outside the limit is in no latency: as numbers of that rate, TTFT and E2EL of {series} are flattered.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="把 {levels} 当作闭环、按并发来读；要测到达率，就去掉并发上限，或把它提到到达率 × E2EL 之上。",
            en="Read {levels} as a closed loop, by concurrency; to measure a rate, lift the limit, or set it above the rate × "
            "E2EL.",
            levels=level_names(series, levels),
        ),
    )


def _at_its_limit(series: Series, level: Level) -> Sentence:
    quantity = {
        key: level_value(key, series.id, level.id)
        for key in ("rate", "concurrency", "request_throughput", "rate_share", "mean_concurrency", "rate_allowed")
    }
    return say(
        zh="{level} 要求 {rate}，并发上限 {concurrency}，达到 {request_throughput}，即 {rate_share}；平均在途 {mean_concurrency} 条，"
        "上限最多容得下 {rate_allowed}（并发 ÷ E2EL 均值）",
        en="{level} was to send {rate} with a limit of {concurrency} in flight, and reached {request_throughput}, or "
        "{rate_share}; {mean_concurrency} were in flight on average, and the limit allows {rate_allowed} at most (concurrency "
        "÷ mean E2EL)",
        level=LevelName(series.id, level.id),
        **quantity,
    )


def _unsent(series: Series, runs: list[Run]) -> Finding:
    worst = min(runs, key=lambda run: (run.sending_rate or 0.0) / run.rate)
    levels = [run.level for run in runs]
    return Finding(
        check="rate_reached",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=(*_evidence(series, runs), *(at_level("sending_rate", series, level) for level in levels)),
        message=say(
            zh="发给 {series} 的请求在 {levels} 没有要求的那么密：{worst}。慢的是压测工具，不是引擎。",
            en="At {levels}, requests to {series} were not sent as fast as asked: {worst}. It is the client that was slow, not "
            "the engine.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=_sent(series, worst.level),
        ),
        bias=say(
            zh="{series} 承受的负载比标出的轻，时延显得更好。",
            en="{series} was under a lighter load than the level says, and its latencies are flattered.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="把 {levels} 标成实际的发送速率，或让压测工具独占 CPU 再测一次。",
            en="Call {levels} by the rate that was sent, or run again with a CPU for the client alone.",
            levels=level_names(series, levels),
        ),
    )


def _sent(series: Series, level: Level) -> Sentence:
    sent, name = level_value("sending_rate", series.id, level.id), LevelName(series.id, level.id)
    return say(zh="{level} 实际只发出 {sent}", en="at {level} only {sent}", level=name, sent=sent)


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
            levels=level_names(series, levels),
            worst=_worst(series, worst.level),
        ),
        bias=say(
            zh="队列有多长取决于测了多久：测得越短，{series} 的 TTFT 与 E2EL 越显得好。",
            en="How long the queue is depends on how long was measured: the shorter, the more TTFT and E2EL of {series} are "
            "flattered.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(
            zh="{levels} 只引用吞吐，不引用时延；要比较时延，就把到达率降到引擎跟得上的程度。",
            en="Quote throughputs of {levels} and no latencies; to compare latencies, ask for rates that the engine keeps up "
            "with.",
            levels=level_names(series, levels),
        ),
    )


def _worst(series: Series, level: Level) -> Sentence:
    return say(
        zh="{level} 每秒只完成 {seen}，历时 {duration}",
        en="{level} completes {seen} and takes {duration}",
        level=LevelName(series.id, level.id),
        seen=level_value("request_throughput", series.id, level.id),
        duration=level_value("duration", series.id, level.id),
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
            levels=level_names(series, levels),
        ),
        remedy=by_kind_of_data([series], runs=DETAILS_FOR_STATISTICS, table=FOR_TABLES),
    )


def _no_rate() -> Finding:
    return Finding(
        check="rate_reached",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有按到达率加压的档位，也就没有达不到的到达率。",
            en="No level is under an arrival rate, so there is none to fall short of.",
        ),
    )
