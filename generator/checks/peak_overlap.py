"""How many requests were really in flight at once, and does the client say more? It counts by whole seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_level
from generator.frame import Analysis
from generator.kinds import REPORTED, check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LOAD
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, listed_levels, worst_of
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

ROUNDING: Final = 0.01
"""How far a mean may lie above its peak through the rounding of the numbers that it follows from."""
BY_SECONDS: Final = Text(
    zh="{series} 在 {levels} 的在途峰值，压测工具高估了：{worst}。它按整秒计数，同一秒里先后相接的请求也算作同时；"
    "这不说明并发上限被突破。",
    en="The client overstates the peak of {series} at {levels}: {worst}. It counts in one-second bins, in which "
    "requests that follow each other all appear to be in flight at once; this does not mean that the limit was "
    "broken.",
)


@dataclass(frozen=True, slots=True)
class Peak:
    """The most requests in flight in one run: as the client says it, by the times of the requests, and as allowed.

    ``address`` is that of the peak by the times, ``mean`` how many were in flight on average; None stands for what is not
    on record.
    """

    level: Level
    address: Address
    said_at: Address
    said: float | None
    seen: float | None
    cap: float | None
    mean: float | None = None

    @property
    def is_below_mean(self) -> bool:
        """Say whether the peak, by the times or else as the client says it, is below the mean: that cannot be."""
        peak = self.said if self.seen is None else self.seen
        return peak is not None and self.mean is not None and self.mean > peak * (1 + ROUNDING)

    @property
    def mean_at(self) -> Address:
        """Return where the mean number in flight stands."""
        return self.address._replace(metric="mean_concurrency")

    @property
    def excess(self) -> float:
        """Return how many more were in flight than allowed, by the times of the requests; 0 where that is unknown."""
        return self.seen - self.cap if self.seen is not None and self.cap is not None else 0.0

    @property
    def overstatement(self) -> float:
        """Return how far the client's number is above the true peak; where that is unknown, above the cap."""
        most = self.cap if self.seen is None else self.seen
        return self.said - most if self.said is not None and most is not None else 0.0

    @property
    def cap_at(self) -> Address:
        """Return where the limit on concurrency stands."""
        return self.address._replace(metric="concurrency")

    @property
    def evidence(self) -> tuple[Address, ...]:
        """Return what is known of it."""
        known = ((self.said, self.said_at), (self.seen, self.address), (self.cap, self.cap_at))
        return tuple(address for number, address in known if number is not None)


@check(
    theme=LOAD,
    title=Text(zh="在途请求数的峰值", en="Peak concurrency"),
    question=Text(
        zh="同时在途的请求有没有超过并发上限，峰值是否不低于均值，压测工具给出的峰值可信吗？",
        en="Were more requests in flight than allowed, is no peak below its mean, and can the client's own be trusted?",
    ),
    rule=Text(
        zh="按请求的时刻，同时在途的多于并发上限就警告；压测工具给出的峰值高于按时刻算出的，只提示。峰值低于平均在途数，超出舍入的 {rounding}，就不通过。",
        en="A warning where, by the times of the requests, more were in flight than the limit allows; a note where the client's own peak is above that of the times. A failure where a peak is below the mean number in flight by more than the rounding, {rounding}.",
    ).format(rounding=f"{ROUNDING:.0%}"),
)
def peak_overlap(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series of which some peak is known."""
    peaks = {series: list(_peaks(analysis, series)) for series in analysis.round.series}
    return [finding for series, found in peaks.items() if found for finding in _examine(series, found)] or [_nothing()]


def _peaks(analysis: Analysis, series: Series) -> Iterator[Peak]:
    for level in series.levels:
        for trial in level.runs:
            address = at_level("peak_concurrency", series, level, trial)
            peak = _peak(analysis, level, address)
            if peak.said is not None or peak.seen is not None:
                yield peak


def _peak(analysis: Analysis, level: Level, address: Address) -> Peak:
    """Find the three numbers. What was read where there are no requests is the client's word, too."""
    reported = address._replace(basis=REPORTED)
    said, found, cap = (_at(analysis, one) for one in (reported, address, address._replace(metric="concurrency")))
    if found is not None and found.formula is None:
        said_at, said, found = (reported, said, None) if said is not None else (address, found, None)
    else:
        said_at = reported
    mean = _at(analysis, address._replace(metric="mean_concurrency"))
    return Peak(level, address, said_at, *(None if one is None else one.value for one in (said, found, cap, mean)))


def _at(analysis: Analysis, address: Address) -> Value | None:
    return next(iter(analysis.frame.known([address])), None)


def _examine(series: Series, peaks: list[Peak]) -> list[Finding]:
    broken = [peak for peak in peaks if peak.excess > 0]
    overstated = [peak for peak in peaks if peak.overstatement > 0 and peak.excess <= 0]
    below = [peak for peak in peaks if peak.is_below_mean]
    findings = [_below_mean(series, below)] if below else []
    findings += [_broken(series, broken)] if broken else []
    if overstated:
        findings.append(_overstated(series, overstated))
    return findings or [_kept(series, peaks)]


def _below_mean(series: Series, peaks: list[Peak]) -> Finding:
    worst = peaks[0]
    at = worst.said_at if worst.seen is None else worst.address
    return Finding(
        check="peak_overlap",
        status="fail",
        series=series.id,
        levels=_levels(peaks),
        evidence=tuple(one for peak in peaks for one in (*peak.evidence, peak.mean_at)),
        doubts=tuple(one for peak in peaks for one in (peak.address, peak.said_at, peak.mean_at)),
        message=say(
            zh="{series} 在 {levels} 的在途峰值低于平均在途数：{level} 的峰值是 {peak}，平均是 {mean}。这不可能，至少有一个数算错了。",
            en="At {levels} the peak of {series} is below the mean number in flight: {peak} at {level}, with a mean of {mean}. "
            "That cannot be; at least one of them is wrong.",
            series=SeriesName(series.id),
            levels=_names(series, peaks),
            level=LevelName(series.id, worst.level.id),
            peak=Quantity(at),
            mean=Quantity(worst.mean_at),
        ),
        remedy=say(
            zh="核对总耗时、完成数与 E2EL 均值：平均在途数由它们算出。",
            en="Go over duration, completed requests and mean E2EL, from which the mean number in flight follows.",
        ),
    )


def _levels(peaks: Sequence[Peak]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(peak.level.id for peak in peaks))


def _names(series: Series, peaks: Sequence[Peak]) -> Listing:
    return listed_levels(series.id, _levels(peaks))


def _evidence(peaks: Sequence[Peak]) -> tuple[Address, ...]:
    return tuple(address for peak in peaks for address in peak.evidence)


def _overstated(series: Series, peaks: list[Peak]) -> Finding:
    worst = max(peaks, key=lambda peak: peak.overstatement)
    return Finding(
        check="peak_overlap",
        status="note",
        series=series.id,
        levels=_levels(peaks),
        evidence=_evidence(peaks),
        doubts=tuple(peak.said_at for peak in peaks),
        message=Sentence(
            BY_SECONDS,
            {
                "series": SeriesName(series.id),
                "levels": _names(series, peaks),
                "worst": _said_and_seen(series, worst, one_of_several=len(_levels(peaks)) > 1),
            },
        ),
        remedy=say(
            zh="引用按发出与结束的时刻算出的峰值。", en="Quote the peak taken from the times of sending and ending."
        ),
    )


def _said_and_seen(series: Series, peak: Peak, *, one_of_several: bool) -> Sentence:
    said = _amounts(peak)
    return worst_of(said, MOST_OF_ALL, LevelName(series.id, peak.level.id), one_of_several=one_of_several)


def _amounts(peak: Peak) -> Sentence:
    said = Quantity(peak.said_at)
    if peak.seen is None:
        cap = Quantity(peak.cap_at)
        return say(zh="它给出 {said}，而上限是 {cap}", en="{said} with a limit of {cap}", said=said, cap=cap)
    return say(
        zh="它给出 {said}，按请求的时刻算是 {seen}",
        en="{said}, where the times of the requests give {seen}",
        said=said,
        seen=Quantity(peak.address),
    )


def _broken(series: Series, peaks: list[Peak]) -> Finding:
    worst = max(peaks, key=lambda peak: peak.excess)
    return Finding(
        check="peak_overlap",
        status="warn",
        series=series.id,
        levels=_levels(peaks),
        evidence=_evidence(peaks),
        message=say(
            zh="{series} 在 {levels} 同时在途的请求超过了并发上限：按请求的时刻算，{level} 最多有 {seen} 条，上限是 {cap}。",
            en="At {levels} more requests to {series} were in flight than allowed: by their times {seen} at {level}, with a "
            "limit of {cap}.",
            series=SeriesName(series.id),
            levels=_names(series, peaks),
            level=LevelName(series.id, worst.level.id),
            seen=Quantity(worst.address),
            cap=Quantity(worst.cap_at),
        ),
        bias=say(
            zh="{series} 承受的负载比标出的更重：吞吐偏高，时延偏长。",
            en="{series} was under a heavier load than the level says: its throughput is too high and its latencies are too "
            "long.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="核对压测工具的并发上限，或者是否有两个进程同时发请求。",
            en="Go over the client's limit, and see whether two processes sent at once.",
        ),
    )


def _kept(series: Series, peaks: list[Peak]) -> Finding:
    return Finding(
        check="peak_overlap",
        status="pass",
        series=series.id,
        levels=_levels(peaks),
        evidence=_evidence(peaks),
        message=say(
            zh="凡是有记录的地方，{series} 同时在途的请求都没有超过并发上限。",
            en="Wherever it is on record, no more requests to {series} were in flight than allowed.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="peak_overlap",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有哪一档记录了在途请求数的峰值，没有可查的。",
            en="No level has a peak of requests in flight on record, so there is none to examine.",
        ),
    )
