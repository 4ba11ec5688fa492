"""Crossover: where the compared series stops leading the baseline, or begins to."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from generator.kinds import Column, Derivation, Metric, Parameter, Picked, Unknown, metric
from generator.text import Text
from generator.themes import COMPARISON

THEME: Final = COMPARISON

FORMULA = (
    "first(baseline_kept_in_flight) × exp(ln(last(baseline_kept_in_flight) ÷ first(baseline_kept_in_flight)) "
    "× ln(first({ratio})) ÷ (ln(first({ratio})) − ln(last({ratio}))))"
)
NOISE: Final = 1e-12
"""|ln(ratio)| that is nothing but the rounding of a division."""
NO_CROSSING = Unknown(
    Text(zh="在共有的可用档位上领先者没有变", en="the lead does not change across the usable levels that both have")
)
FEWEST: Final = 2
"""Levels that a line needs."""
ONE_LEVEL = Unknown(Text(zh="共有的可用档位不足两个", en="fewer than two usable levels are shared"))
SAME_LOAD = Unknown(
    Text(
        zh="换位处有几个档位的负载相同，曲线在那里没有唯一的值",
        en="where the lead changes, several levels have the same load, so the curve has no single value there",
    )
)


def crossings(ratios: Column) -> list[tuple[int, int]]:
    """Return the neighbouring rows between which a ratio passes 1; a row at 1 ends its bracket.

    To touch 1 and turn back is not to pass it.
    """
    found, leader, last = [], 0, 0
    for row, sign in enumerate(_signs(ratios)):
        if sign == 0:
            continue
        if leader and sign != leader:
            found.append((last, last + 1))
        leader, last = sign, row
    return found


def _signs(ratios: Column) -> list[int]:
    """Return which side leads at each row: 1, −1, or 0 where the ratio is 1 but for rounding noise."""
    return [0 if abs(math.log(r)) < NOISE else int(math.copysign(1, math.log(r))) for r in ratios]


def log_log_crossing(kept_in_flight: Column, ratio: Column) -> Picked | Unknown:
    """Return the concurrency at which a ratio passes 1, straight between the brackets on log–log axes.

    Levels under a rate, where none are kept in flight, are no points of that line. The first crossing where there are several. It is unknown where a bracket has a load that further levels have
    too: taking one of them is arbitrary, and their mean would mix levels that may differ in more than chance.
    """
    closed = np.flatnonzero(kept_in_flight)
    concurrency, ratio = kept_in_flight[closed], ratio[closed]
    if len(closed) < FEWEST:
        return ONE_LEVEL
    found = crossings(ratio)
    if not found:
        return NO_CROSSING
    left, right = found[0]
    if any(np.count_nonzero(concurrency == concurrency[row]) > 1 for row in (left, right)):
        return SAME_LOAD
    part = math.log(ratio[left]) / (math.log(ratio[left]) - math.log(ratio[right]))
    width = math.log(concurrency[right] / concurrency[left])
    return Picked(float(concurrency[left] * math.exp(width * part)), rows=(int(closed[left]), int(closed[right])))


@metric(
    "compared_output_throughput ÷ baseline_output_throughput",
    scope="pair-level",
    unit="ratio",
    symbol="R",
    better="higher",
    style="times",
    title=Text(zh="吞吐倍数", en="throughput ratio"),
    meaning=Text(
        zh="被比较的系列 ÷ 基线；大于 1 表示前者更高。",
        en="Compared ÷ baseline; above 1 the compared series delivers more.",
    ),
)
def throughput_ratio(compared_output_throughput: float, baseline_output_throughput: float) -> float:
    """Return compared ÷ baseline."""
    return compared_output_throughput / baseline_output_throughput


@metric(
    "baseline_itl_p50 ÷ compared_itl_p50",
    scope="pair-level",
    unit="ratio",
    symbol="R_ITL",
    better="higher",
    style="times",
    title=Text(zh="步长倍数", en="step ratio"),
    meaning=Text(
        zh="基线 ITL p50 ÷ 被比较的系列；大于 1 表示后者更快。",
        en="ITL p50, baseline ÷ compared; above 1 the compared series is faster.",
    ),
)
def itl_p50_ratio(baseline_itl_p50: float, compared_itl_p50: float) -> float:
    """Return baseline ÷ compared, so that above 1 is better for the compared series."""
    return baseline_itl_p50 / compared_itl_p50


@metric(
    "(compared_output_throughput × compared_asked_output_tokens ÷ compared_output_tokens_mean)"
    " ÷ (baseline_output_throughput × baseline_asked_output_tokens ÷ baseline_output_tokens_mean)",
    scope="pair-level",
    unit="ratio",
    symbol="R_eq",
    better="higher",
    style="times",
    title=Text(zh="吞吐倍数（补齐输出长度）", en="throughput ratio at equal output"),
    meaning=Text(
        zh="两边都按要求的输出长度折算后的吞吐之比。",
        en="Ratio after scaling both to the requested output length.",
    ),
)
def throughput_ratio_equal_tokens(
    compared_output_throughput: float,
    compared_asked_output_tokens: float,
    compared_output_tokens_mean: float,
    baseline_output_throughput: float,
    baseline_asked_output_tokens: float,
    baseline_output_tokens_mean: float,
) -> float:
    """Scale each throughput by asked ÷ counted tokens, then divide."""
    compared = compared_output_throughput * compared_asked_output_tokens / compared_output_tokens_mean
    baseline = baseline_output_throughput * baseline_asked_output_tokens / baseline_output_tokens_mean
    return compared / baseline


@metric(
    FORMULA.format(ratio="throughput_ratio"),
    scope="pair",
    over="ladder",
    unit="1",
    symbol="C*",
    title=Text(zh="吞吐交叉点", en="throughput crossover"),
    meaning=Text(
        zh="两条吞吐曲线相交处的并发数，在 log–log 坐标上于相邻可用档位之间插值。",
        en="Concurrency where the throughput curves meet, interpolated on log–log axes between usable levels.",
    ),
)
def crossover_concurrency(baseline_kept_in_flight: Column, throughput_ratio: Column) -> Picked | Unknown:
    """Return the concurrency at which the throughput ratio passes 1."""
    return log_log_crossing(baseline_kept_in_flight, throughput_ratio)


@metric(
    FORMULA.format(ratio="itl_p50_ratio"),
    scope="pair",
    over="ladder",
    unit="1",
    symbol="C*_ITL",
    title=Text(zh="步长交叉点", en="step crossover"),
    meaning=Text(zh="两条 ITL p50 曲线相交处的并发数。", en="Concurrency where the ITL p50 curves meet."),
)
def crossover_concurrency_itl_p50(baseline_kept_in_flight: Column, itl_p50_ratio: Column) -> Picked | Unknown:
    """Return the concurrency at which the step ratio passes 1."""
    return log_log_crossing(baseline_kept_in_flight, itl_p50_ratio)


@metric(
    FORMULA.format(ratio="throughput_ratio_equal_tokens"),
    scope="pair",
    over="ladder",
    unit="1",
    symbol="C*_eq",
    title=Text(zh="吞吐交叉点（补齐输出长度）", en="throughput crossover at equal output"),
    meaning=Text(
        zh="两边都按要求的输出长度折算之后的交叉点。",
        en="Crossover after scaling both series to the requested output length.",
    ),
)
def crossover_concurrency_equal_tokens(
    baseline_kept_in_flight: Column, throughput_ratio_equal_tokens: Column
) -> Picked | Unknown:
    """Return the concurrency at which the ratio at equal output passes 1."""
    return log_log_crossing(baseline_kept_in_flight, throughput_ratio_equal_tokens)


@metric(
    "count_crossings(throughput_ratio)",
    scope="pair",
    over="ladder",
    unit="1",
    symbol="n_cross",
    title=Text(zh="交叉次数", en="crossings"),
    meaning=Text(zh="吞吐倍数越过 1 的次数。", en="How often the throughput ratio passes 1."),
)
def crossover_count(throughput_ratio: Column) -> float:
    """Count the crossings."""
    return float(len(crossings(throughput_ratio)))


LATENCIES: Final = {"ttft_p50": "TTFT p50", "ttft_p99": "TTFT p99", "e2el_p50": "E2EL p50"}
"""Latencies that a pair is compared with each other by, beside that of the step, and what readers call them."""
RATIO_OF: Final = Text(zh="{name} 的倍数", en="{name} ratio")
RATIO_MEANS: Final = Text(
    zh="基线 {name} ÷ 被比较的系列；大于 1 表示后者更短。",
    en="{name}, baseline ÷ compared; above 1 that of the compared series is shorter.",
)
CROSSING_OF: Final = Text(zh="{name} 交叉点", en="{name} crossover")
CROSSING_MEANS: Final = Text(
    zh="两条 {name} 曲线相交处的并发数，在 log–log 坐标上于相邻可用档位之间插值。",
    en="Concurrency where the {name} curves meet, interpolated on log–log axes between usable levels.",
)


def _ratio_of(latency: str, name: str) -> Metric:
    def ratio(**sides: float) -> float:
        """Return the latency of the baseline ÷ that of the compared series, in this order."""
        baseline, compared = sides.values()
        return baseline / compared

    taken = (f"baseline_{latency}", f"compared_{latency}")
    parameters = tuple(Parameter(side, is_column=False) for side in taken)
    return Metric(
        f"{latency}_ratio", "pair-level", "ratio", RATIO_OF.format(name=name), f"R_{name}",
        RATIO_MEANS.format(name=name), better="higher", style="times",
        derivations=[Derivation(ratio, " ÷ ".join(taken), parameters)],
    )  # fmt: skip


def _crossing_of(latency: str, name: str) -> Metric:
    def crossing(**columns: Column) -> Picked | Unknown:
        """Return the concurrency at which a ratio passes 1; in this order: kept in flight, ratio."""
        return log_log_crossing(*columns.values())

    taken = tuple(Parameter(key, is_column=True) for key in ("baseline_kept_in_flight", f"{latency}_ratio"))
    return Metric(
        f"crossover_concurrency_{latency}", "pair", "1", CROSSING_OF.format(name=name), f"C*_{name}",
        CROSSING_MEANS.format(name=name), over="ladder",
        derivations=[Derivation(crossing, FORMULA.format(ratio=f"{latency}_ratio"), taken)],
    )  # fmt: skip


latency_ratios: Final = tuple(_ratio_of(*one) for one in LATENCIES.items())
latency_crossovers: Final = tuple(_crossing_of(*one) for one in LATENCIES.items())
