"""Does the mean TPOT fit into the time that passed? All slots together cannot decode for longer than that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import by_kind_of_data, level_names
from generator.frame import Analysis
from generator.kinds import AS_PUBLISHED, check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LATENCY
from generator.told.findings import Finding
from generator.told.sentence import Listing, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

SLACK: Final = 0.05
"""Outputs a few percent short of what was asked raise a mean TPOT by as much; the bound knows nothing of them."""
RESTING_ON_MEAN: Final = (
    ("stall_share", AS_PUBLISHED),
    ("stall_share", None),
    ("stall_overhead", None),
    ("itl_mean_over_p50", None),
)
"""Metrics that may have been computed from the mean TPOT."""

RECORDED: Final = Text(
    zh="{series} 在 {levels} 的 TPOT 均值为 {means}，超过总耗时允许的上限 {bounds}：一定有请求只有几个 token，"
    "把均值抬高了。",
    en="At {levels} the mean TPOT of {series} is {means}, where the wall clock allows {bounds} at most: requests of very few "
    "counted tokens must have inflated it.",
)
IMPLIED: Final = Text(
    zh="由 {series} 在 {levels} 的原报告停顿“占比”反推，TPOT 均值为 {means}，超过总耗时允许的上限 {bounds}："
    "一定有请求只有几个 token，把均值抬高了。",
    en="The stall “shares” printed for {series} at {levels} require a mean TPOT of {means}, where the wall clock allows "
    "{bounds} at most: requests of very few counted tokens must have inflated it.",
)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean TPOT, the number of the file that it was read from or that implies it, and its upper bound."""

    level: Level
    mean: Value
    read: Address
    bound: Value
    message: Text

    @property
    def fits(self) -> bool:
        """Say whether the mean is within the bound, but for a little slack."""
        return (self.mean.value or 0.0) <= (self.bound.value or 0.0) * (1 + SLACK)


FOR_RUNS: Final = Text(
    zh="若请求都产出固定的长度，在 round.toml 的 [workload] 里写明 output_tokens。",
    en="Where requests run to a fixed length, declare it: [workload] output_tokens of round.toml.",
)
FOR_TABLES: Final = Text(
    zh="补上 tpot_mean_ms、completed 与 duration_s 几列，并让请求产出固定的长度。",
    en="Fill in the columns tpot_mean_ms, completed and duration_s, and let requests run to a fixed length.",
)


@check(
    theme=LATENCY,
    title=Text(zh="TPOT 均值的上限", en="Upper bound of the mean TPOT"),
    question=Text(zh="TPOT 均值是否在总耗时允许的范围之内？", en="Is the mean TPOT within what the wall clock allows?"),
    rule=Text(
        zh="TPOT 均值不能超过并发 × 总耗时 ÷ 间隔总数；超过就警告。只适用于输出至少达到要求长度 {least} 的档位。",
        en="The mean TPOT cannot exceed concurrency × duration ÷ all gaps: a warning where it does. It holds where outputs reach {least} or more of the length requested.",
    ).format(least=f"{1 - SLACK:.0%}"),
)
def tpot_bound(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [finding for series in analysis.round.series for finding in _examine(analysis, series)]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    means = [mean for level in series.levels for mean in _means(analysis, series, level)]
    bounded = [one for one in means if one.bound.value is not None and _has_its_length(analysis, series, one.level)]
    if not bounded:
        return [_unknown(series, _why_unknown(means))]
    too_large = [one for one in bounded if not one.fits]
    kinds = [[one for one in too_large if one.message is message] for message in (RECORDED, IMPLIED)]
    return [_too_large(analysis, series, kind) for kind in kinds if kind] or [_fits(series, bounded)]


def _means(analysis: Analysis, series: Series, level: Level) -> list[Mean]:
    """Return the mean TPOT on record, and the one that a printed stall share gives away."""
    bound = analysis.frame.of_level("tpot_bound", series.id, level.id)
    recorded = analysis.frame.of_level("tpot_mean", series.id, level.id)
    implied = analysis.frame.of_level("tpot_mean_implied", series.id, level.id, AS_PUBLISHED)
    share = analysis.frame.of_level("stall_share", series.id, level.id, AS_PUBLISHED)
    means = [] if recorded.value is None else [Mean(level, recorded, recorded.address, bound, RECORDED)]
    if implied.value is not None and share.formula is None:
        means.append(Mean(level, implied, share.address, bound, IMPLIED))
    return means


def _has_its_length(analysis: Analysis, series: Series, level: Level) -> bool:
    """Say whether requests ran to the length asked; the bound holds for no others."""
    short = analysis.frame.of_level("output_shortfall", series.id, level.id).value
    if short is None:
        return analysis.round.file.workload.ignore_eos is not False
    return short <= SLACK


def _too_large(analysis: Analysis, series: Series, means: list[Mean]) -> Finding:
    levels = level_names(series, (one.level for one in means))
    return Finding(
        check="tpot_bound",
        status="warn",
        series=series.id,
        levels=tuple(one.level.id for one in means),
        evidence=tuple(value.address for one in means for value in (one.mean, one.bound)),
        doubts=tuple(address for one in means for address in (one.read, *_resting_on(analysis, one.read))),
        message=Sentence(
            means[0].message,
            {
                "series": SeriesName(series.id),
                "levels": levels,
                "means": Listing(tuple(Quantity(one.mean.address) for one in means)),
                "bounds": Listing(tuple(Quantity(one.bound.address) for one in means)),
            },
        ),
        bias=say(
            zh="被抬高的均值夸大了 {series} 的停顿，让它显得更差。",
            en="The inflated mean overstates the stalls of {series} and makes it look worse.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="停顿用 ITL 均值来算；TPOT 同时给出 p50、均值和只产出几个 token 的请求数，并把这些请求排除在均值之外。",
            en="Take stalls from the mean ITL; give the TPOT as p50 and mean with the number of requests of few tokens, and "
            "leave those out of the mean.",
        ),
    )


def _resting_on(analysis: Analysis, read: Address) -> list[Address]:
    """Return the stalls of a level that were computed from a mean TPOT."""
    stalls = [Address(key, "level", read.series, read.level, basis) for key, basis in RESTING_ON_MEAN]
    known = analysis.frame.known(stalls)
    return [value.address for value in known if any(listed.address == read for listed in value.inputs)]


def _fits(series: Series, means: list[Mean]) -> Finding:
    return Finding(
        check="tpot_bound",
        status="pass",
        series=series.id,
        levels=tuple(dict.fromkeys(one.level.id for one in means)),
        evidence=tuple(value.address for one in means for value in (one.mean, one.bound)),
        message=say(
            zh="凡是查得到的档位，{series} 的 TPOT 均值都在总耗时允许的范围之内。",
            en="Wherever it can be checked, the mean TPOT of {series} is within what the wall clock allows.",
            series=SeriesName(series.id),
        ),
    )


NO_MEAN: Final = Text(zh="没有记录 TPOT 均值", en="no mean TPOT is on record")
ENDED_EARLY: Final = Text(
    zh="请求没有产出要求的长度，这个上限不适用",
    en="the requests did not run to the requested length, which the bound requires",
)


def _why_unknown(means: list[Mean]) -> Text:
    if not means:
        return NO_MEAN
    return next((one.bound.reason for one in means if one.bound.reason is not None), ENDED_EARLY)


def _unknown(series: Series, reason: Text) -> Finding:
    return Finding(
        check="tpot_bound",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 的 TPOT 均值无从与总耗时对照：{reason}。",
            en="The mean TPOT of {series} cannot be compared with the wall clock: {reason}.",
            series=SeriesName(series.id),
            reason=reason,
        ),
        remedy=by_kind_of_data([series], runs=FOR_RUNS, table=FOR_TABLES),
    )
