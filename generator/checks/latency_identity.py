"""Do the latencies fit together? A request is its first token and the gaps behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_levels, by_kind_of_data, has_requests, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LATENCY
from generator.told.findings import Finding, Looks
from generator.told.quoting import FURTHEST_OFF, level_value, worst_of
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say
from generator.values import Value


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to hold latencies against each other: by how much two numbers differ, and what that means.

    Attributes:
        departure: the metric that says how far ``seen`` is above ``expected``, as a fraction.
        tolerance: the largest departure that is no finding, either way.
        doubted: the metrics of which one must be wrong where it is larger.
        below: whom it flatters where ``seen`` is the smaller one; ``above`` the other way round.
        looks: how the series looks for it, where both ways it is the same.
    """

    departure: str
    tolerance: float
    seen: str
    expected: str
    doubted: tuple[str, ...]
    compared: Text
    message: Text
    below: Text
    above: Text
    remedy: Text
    looks: Looks | None = None


IDENTITY: Final = Rule(
    departure="e2el_closure",
    tolerance=0.02,  # medians do not add up exactly; where definitions agree they are off by less than this
    seen="e2el_p50",
    expected="e2el_from_parts",
    doubted=("e2el_p50", "ttft_p50", "tpot_p50"),
    compared=Text(zh="E2EL p50 与由 TTFT、TPOT 合成的值", en="the E2EL p50 and what TTFT and TPOT put together"),
    message=Text(
        zh="{series} 在 {levels} 的 E2EL p50 不等于 TTFT p50 加上每个间隔一个 TPOT p50：{worst}。"
        "三者有一个定义不同，或者请求之间差别太大，中位数不能相加。",
        en="At {levels} the E2EL p50 of {series} is not its TTFT p50 and a TPOT p50 for every gap: {worst}. One of "
        "the three is defined differently, or the requests are too unlike for medians to add up.",
    ),
    below=Text(
        zh="若错在 E2EL，它让 {series} 显得更好；若错在 TTFT 或 TPOT，它们让 {series} 显得更差。",
        en="If the E2EL is wrong, it flatters {series}; if TTFT or TPOT is, {series} looks worse for it.",
    ),
    above=Text(
        zh="若错在 TTFT 或 TPOT，它们让 {series} 显得更好；若错在 E2EL，它让 {series} 显得更差。",
        en="If TTFT or TPOT is wrong, it flatters {series}; if the E2EL is, {series} looks worse for it.",
    ),
    remedy=Text(
        zh="核对这三个数是不是出自同一批请求、同样的定义，再逐条请求验证 E2EL = TTFT + 间隔数 × TPOT。",
        en="See that the three come from the same requests and the usual definitions, then check E2EL = TTFT + gaps × TPOT "
        "request by request.",
    ),
)
SKEW: Final = Rule(
    departure="tpot_implied_departure",
    tolerance=0.05,  # alike requests stay below 3 %; those that were held up unequally begin at 9 %
    seen="tpot_implied",
    expected="itl_mean",
    doubted=(),
    compared=Text(zh="反推的 TPOT 与 ITL 均值", en="the implied TPOT and the mean ITL"),
    message=Text(
        zh="{series} 在 {levels} 由 E2EL 与 TTFT 的中位数反推的 TPOT 与 ITL 均值对不上：{worst}。"
        "两者有一个定义不同，或者典型的请求与均值相去甚远；TPOT p50 没有记录，分不清是哪一种。",
        en="At {levels} the TPOT that the medians of E2EL and TTFT imply for {series} disagrees with the mean ITL: "
        "{worst}. One of them is defined differently, or the typical request is far from the mean; without a TPOT "
        "p50 on record it cannot be said which.",
    ),
    below=Text(
        zh="只看中位数会让 {series} 显得更好：典型的请求比均值快，慢的请求不在 E2EL p50 里。",
        en="Medians alone flatter {series}: the typical request is faster than the mean, and its E2EL p50 leaves out the "
        "slow ones.",
    ),
    above=Text(
        zh="ITL 均值让 {series} 显得更好：典型的请求每个 token 花的时间比它长。",
        en="The mean ITL flatters {series}: the typical request takes longer than that for a token.",
    ),
    remedy=Text(
        zh="记录 TPOT p50 与 E2EL 均值，以及每条请求实际产出的 token 数。",
        en="Record the TPOT p50, the mean E2EL, and the tokens that each request really produced.",
    ),
    looks="better",
)
RULES: Final = (IDENTITY, SKEW)
"""The sharper one first: a level is examined by the first whose numbers are known there."""

Examined = dict[Level, tuple[Rule, Value]]


FOR_RUNS: Final = Text(
    zh="导入明细结果（vLLM bench 用 --save-detailed）；没有逐条请求时，在 round.toml 里写明 [workload] output_tokens。",
    en="Import detailed results (--save-detailed of vLLM bench); without single requests, declare [workload] output_tokens of round.toml.",
)
FOR_TABLES: Final = Text(
    zh="补上 E2EL、TTFT 与 TPOT 的 p50 几列，并在 round.toml 里写明 [workload] output_tokens。",
    en="Fill in the columns for the p50 of E2EL, TTFT and TPOT, and declare [workload] output_tokens of round.toml.",
)


@check(
    theme=LATENCY,
    title=Text(zh="时延是否自洽", en="Latency consistency"),
    question=Text(
        zh="端到端时延是否等于 TTFT 加上各个间隔？",
        en="Does the end-to-end latency equal the TTFT plus the gaps?",
    ),
    rule=Text(
        zh="E2EL p50 与 TTFT p50 加上各间隔的 TPOT p50 相差超过 {identity} 就警告；没有 TPOT p50 时，由中位数反推的 TPOT 与 ITL 均值相差超过 {skew} 才警告，因为由中位数反推只是近似。逐条请求都对得上、只有中位数对不上的，只提示。",
        en="A warning where the E2EL p50 is off by more than {identity} from the TTFT p50 and a TPOT p50 for each gap; without a TPOT p50, where the TPOT that the medians imply is off by more than {skew} from the mean ITL (inverting medians is approximate, hence only above that). Only a note where each request fits and just the medians do not.",
    ).format(identity=f"{IDENTITY.tolerance:.0%}", skew=f"{SKEW.tolerance:.0%}"),
)
def latency_identity(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [finding for series in analysis.round.series for finding in _examine(analysis, series)]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    examined = {level: found for level in series.levels if (found := _departure(analysis, series, level)) is not None}
    if not examined:
        return [_unknown(series)]
    # Single requests give the TPOT from their E2EL and TTFT, so that the three fit by definition.
    sure = {
        level for level, (rule, _) in examined.items() if rule is IDENTITY and has_requests(analysis, (series, level))
    }
    doubtful = {level: found for level, found in examined.items() if level not in sure}
    certain = {level: found for level, found in examined.items() if level in sure}
    off = [_off(series, rule, beyond) for rule in RULES if (beyond := _beyond(rule, doubtful))]
    unlike = [_unlike(series, beyond)] if (beyond := _beyond(IDENTITY, certain)) else []
    return [*off, *unlike] or [_fits(series, examined)]


def _departure(analysis: Analysis, series: Series, level: Level) -> tuple[Rule, Value] | None:
    tried = ((rule, analysis.frame.of_level(rule.departure, series.id, level.id)) for rule in RULES)
    return next(((rule, value) for rule, value in tried if value.value is not None), None)


def _beyond(rule: Rule, examined: Examined) -> dict[Level, float]:
    departures = {level: value.value or 0.0 for level, (by, value) in examined.items() if by is rule}
    return {level: amount for level, amount in departures.items() if abs(amount) > rule.tolerance}


def _off(series: Series, rule: Rule, found: dict[Level, float]) -> Finding:
    worst = max(found, key=lambda level: abs(found[level]))
    return Finding(
        check="latency_identity",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in found),
        evidence=at_levels(series, found, rule.seen, rule.expected),
        doubts=at_levels(series, found, *rule.doubted),
        message=Sentence(
            rule.message,
            {
                "series": SeriesName(series.id),
                "levels": level_names(series, found),
                "worst": _worst(series, rule, worst, one_of_several=len(found) > 1),
            },
        ),
        bias=Sentence(rule.below if found[worst] < 0 else rule.above, {"series": SeriesName(series.id)}),
        looks=rule.looks,
        remedy=Sentence(rule.remedy),
    )


def _unlike(series: Series, found: dict[Level, float]) -> Finding:
    """Note levels of which the three fit request by request, so that only their medians are apart."""
    worst = max(found, key=lambda level: abs(found[level]))
    return Finding(
        check="latency_identity",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in found),
        evidence=at_levels(series, found, IDENTITY.seen, IDENTITY.expected),
        message=say(
            zh="{series} 在 {levels} 的 E2EL p50 不等于 TTFT p50 加上每个间隔一个 TPOT p50：{worst}。"
            "逐条请求三者必然相符，因为 TPOT 由另外两者算出；差别只说明请求之间差别大，中位数不能相加。",
            en="At {levels} the E2EL p50 of {series} is not its TTFT p50 and a TPOT p50 for every gap: {worst}. Request by "
            "request the three fit, as TPOT is taken from the other two; the requests are too unlike for medians to add up.",
            series=SeriesName(series.id),
            levels=level_names(series, found),
            worst=_worst(series, IDENTITY, worst, one_of_several=len(found) > 1),
        ),
    )


def _worst(series: Series, rule: Rule, level: Level, *, one_of_several: bool) -> Sentence:
    pair = Sentence(Text(zh="{seen} 对 {expected}", en="{seen} against {expected}"), _pair(series, rule, level))
    return worst_of(pair, FURTHEST_OFF, LevelName(series.id, level.id), one_of_several=one_of_several)


def _pair(series: Series, rule: Rule, level: Level) -> dict[str, Part]:
    return {
        "seen": level_value(rule.seen, series.id, level.id),
        "expected": level_value(rule.expected, series.id, level.id),
    }


def _fits(series: Series, examined: Examined) -> Finding:
    worst = max(examined, key=lambda level: abs(examined[level][1].value or 0.0))
    rule = examined[worst][0]
    return Finding(
        check="latency_identity",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level in examined),
        evidence=tuple(value.address for _, value in examined.values()),
        message=say(
            zh="凡是查得到的档位，{series} 的时延都自洽；差得最多的是 {level}，{compared}分别为 {seen} 与 {expected}。",
            en="Wherever it can be checked, the latencies of {series} fit together; they are furthest apart at {level}, "
            "where {compared} are {seen} and {expected}.",
            series=SeriesName(series.id),
            level=LevelName(series.id, worst.id),
            compared=rule.compared,
            **_pair(series, rule, worst),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="latency_identity",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有一档同时记录了 E2EL、TTFT 以及 TPOT 或 ITL 均值，时延是否自洽无从得知。",
            en="No level of {series} records E2EL, TTFT and either TPOT or the mean ITL together, so whether its latencies fit "
            "cannot be known.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=FOR_RUNS, table=FOR_TABLES),
    )
