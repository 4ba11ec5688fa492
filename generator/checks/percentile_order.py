"""Do the statistics of the latencies go together? Percentiles rise, and a first token is not later than the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from generator.across.levels import by_kind_of_data, level_names
from generator.checks import DETAILS_FOR_STATISTICS
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import LATENCY
from generator.told.findings import Finding
from generator.told.quoting import series_names, worst_of
from generator.told.sentence import LevelName, Quantity, Sentence, SeriesName, say
from generator.units import half_a_digit
from generator.values import Value

QUANTITIES: Final = ("ttft", "itl", "tpot", "e2el")
PERCENTILES: Final = ("p50", "p90", "p95", "p99")
BEYOND: Final = {"p50": 0.5, "p90": 0.1, "p95": 0.05, "p99": 0.01}
"""Share of the samples that reach a percentile: times it, the least that a mean of no negative numbers can be."""
MEAN: Final = Text(zh="均值", en="mean")
NOISE: Final = 1e-9
"""What floating-point arithmetic adds."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Two statistics of one level: ``more`` is never below ``share`` × ``less``."""

    less: str
    more: str
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statistics that no set of requests has; ``factor`` says by how much they miss the rule."""

    level: Level
    less: Value
    more: Value
    factor: float


Pair = tuple[Level, Rule, Value, Value]
"""Where two statistics are compared with each other, by which rule, and both of them."""

RULES: Final = (
    *(Rule(f"{of}_{low}", f"{of}_{high}") for of in QUANTITIES for low, high in combinations(PERCENTILES, 2)),
    *(Rule(f"{of}_{tail}", f"{of}_mean", BEYOND[tail]) for of in QUANTITIES for tail in PERCENTILES),
    *(Rule(f"ttft_{statistic}", f"e2el_{statistic}") for statistic in ("mean", *PERCENTILES)),
)


FOR_TABLES: Final = Text(
    zh="补上 TTFT、ITL、TPOT、E2EL 的均值与分位数各列。",
    en="Fill in the columns of means and percentiles of TTFT, ITL, TPOT and E2EL.",
)


WORST: Final = Text(zh="最甚的是 {level}，{told}", en="worst at {level}, where {told}")


@check(
    theme=LATENCY,
    title=Text(zh="分位数的次序", en="Order of the percentiles"),
    question=Text(
        zh="各分位数是否逐级上升，首个 token 是否不晚于最后一个？",
        en="Do percentiles increase, and does no first token come after the last?",
    ),
    rule=Text(
        zh="分位数必须逐级不降，均值不低于各分位数所能保证的下限，TTFT 不晚于 E2EL；超出显示位数的舍入就不通过。",
        en="Percentiles must not fall, a mean must not be below what its percentiles guarantee, and no TTFT lies beyond the E2EL: more than the rounding of the printed digits is a failure.",
    ),
)
def percentile_order(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series; those whose statistics are in order are named together."""
    pairs = {series: list(_pairs(analysis, series)) for series in analysis.round.series}
    found = {series: _contradictions(listed) for series, listed in pairs.items()}
    in_order = [series for series in pairs if pairs[series] and not found[series]]
    findings = [_contradict(series, contradictions) for series, contradictions in found.items() if contradictions]
    findings += [_unknown(series) for series, listed in pairs.items() if not listed]
    return [*findings, _in_order(in_order)] if in_order else findings


def _contradictions(pairs: Sequence[Pair]) -> list[Contradiction]:
    return [one for level, rule, less, more in pairs if (one := _held(level, rule, less, more)) is not None]


def _pairs(analysis: Analysis, series: Series) -> Iterator[Pair]:
    """Yield the statistics that can be compared with each other."""
    for level in series.levels:
        for rule in RULES:
            less, more = (analysis.frame.of_level(key, series.id, level.id) for key in (rule.less, rule.more))
            if less.value is not None and more.value is not None:
                yield level, rule, less, more


def _held(level: Level, rule: Rule, less: Value, more: Value) -> Contradiction | None:
    low, high = (less.value or 0.0) * rule.share, more.value or 0.0
    allowed = _rounding(less) * rule.share + _rounding(more) + NOISE * low
    if low - high <= allowed:
        return None
    return Contradiction(level, less, more, low / high if high > 0 else float("inf"))


def _rounding(value: Value) -> float:
    """Return how far a number as printed may be from what was measured, in seconds."""
    return 0.0 if value.decimals is None else half_a_digit(value.decimals, "ms")


def _contradict(series: Series, found: list[Contradiction]) -> Finding:
    worst = max(found, key=lambda one: one.factor)
    levels = list(dict.fromkeys(one.level for one in found))
    both = tuple(dict.fromkeys(value.address for one in found for value in (one.less, one.more)))
    return Finding(
        check="percentile_order",
        status="fail",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=both,
        doubts=both,
        message=say(
            zh="{series} 在 {levels} 的时延自相矛盾：{worst}。没有一批请求能同时有这两个数。",
            en="The latencies of {series} at {levels} contradict each other: {worst}. No set of requests has both.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=_worst(series, worst, one_of_several=len(levels) > 1),
        ),
        bias=say(
            zh="两个数里偏小的那个若错了，它让 {series} 显得更好；若错的是另一个，{series} 显得更差。",
            en="If it is the number that is too small that is wrong, it flatters {series}; if it is the other, {series} looks "
            "worse for it.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="核对这些列：多半是抄错、互换了两列，或者出自不同的一批请求。",
            en="Go over these columns: a number is mistyped, two columns are swapped, or they come from different requests.",
        ),
    )


def _worst(series: Series, found: Contradiction, *, one_of_several: bool) -> Sentence:
    both = say(
        zh="{more} 是 {high}，而 {less} 是 {low}",
        en="{more} is {high} while {less} is {low}",
        more=_name(found.more),
        high=Quantity(found.more.address),
        less=_name(found.less),
        low=Quantity(found.less.address),
    )
    return worst_of(both, WORST, LevelName(series.id, found.level.id), one_of_several=one_of_several)


def _name(value: Value) -> Text:
    quantity, _, statistic = value.address.metric.partition("_")
    return Text(zh="{q} {s}", en="{q} {s}").format(
        q=quantity.upper(), s=MEAN if statistic == "mean" else same(statistic)
    )


def _in_order(series: Sequence[Series]) -> Finding:
    return Finding(
        check="percentile_order",
        status="pass",
        message=say(
            zh="{series} 的均值与各分位数次序都对。",
            en="The means and percentiles of {series} are in order.",
            series=series_names(one.id for one in series),
        ),
    )


def _unknown(series: Series) -> Finding:
    return Finding(
        check="percentile_order",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 没有一档记录了两个可以互相对照的时延统计量。",
            en="No level of {series} records two statistics of its latencies that can be compared.",
            series=SeriesName(series.id),
        ),
        remedy=by_kind_of_data([series], runs=DETAILS_FOR_STATISTICS, table=FOR_TABLES),
    )
