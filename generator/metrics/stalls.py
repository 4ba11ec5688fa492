"""Stalls: how far the mean gap stands above the undisturbed one."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric
from generator.places import column
from generator.text import Text
from generator.themes import DECODING

THEME: Final = DECODING


@metric(
    "itl_mean ÷ itl_p50",
    scope="level",
    unit="ratio",
    symbol="r_stall",
    better="lower",
    style="times",
    title=Text(zh="ITL 均值与中位数之比", en="mean gap over median gap"),
    meaning=Text(
        zh="1 表示每一步都一样；越大，被打断得越多。",
        en="1 where all steps are alike; the larger, the more was interrupted.",
    ),
)
def itl_mean_over_p50(itl_mean: float, itl_p50: float) -> float:
    """Return mean ÷ median."""
    return itl_mean / itl_p50


@itl_mean_over_p50.otherwise("tpot_mean ÷ itl_p50")
def tpot_mean_over_p50(tpot_mean: float, itl_p50: float) -> float:
    """Stand in the mean of the requests' means where the mean gap is unknown."""
    return tpot_mean / itl_p50


@metric(
    "itl_mean ÷ itl_p50 − 1",
    scope="level",
    unit="ratio",
    symbol="o_stall",
    better="lower",
    style="percent",
    title=Text(zh="停顿开销", en="stall overhead"),
    meaning=Text(
        zh="平均间隔比没被打断时多出的部分，以后者为单位。",
        en="What the mean gap has above the undisturbed one, in units of the latter.",
    ),
)
def stall_overhead(itl_mean: float, itl_p50: float) -> float:
    """Return mean ÷ median − 1."""
    return itl_mean / itl_p50 - 1


@stall_overhead.otherwise("tpot_mean ÷ itl_p50 − 1")
def stall_overhead_from_tpot(tpot_mean: float, itl_p50: float) -> float:
    """Stand in the mean of the requests' means where the mean gap is unknown."""
    return tpot_mean / itl_p50 - 1


@metric(
    "1 − itl_p50 ÷ itl_mean",
    scope="level",
    unit="ratio",
    symbol="s_stall",
    better="lower",
    style="percent",
    title=Text(zh="停顿占比", en="stall share"),
    meaning=Text(zh="解码时间里花在停顿上的比例。", en="Share of the decode time that is spent stalled."),
)
def stall_share(itl_mean: float, itl_p50: float) -> float:
    """Return 1 − median ÷ mean."""
    return 1 - itl_p50 / itl_mean


@stall_share.otherwise("1 − itl_p50 ÷ tpot_mean")
def stall_share_from_tpot(tpot_mean: float, itl_p50: float) -> float:
    """Stand in the mean of the requests' means where the mean gap is unknown."""
    return 1 - itl_p50 / tpot_mean


@metric(
    "tpot_mean ÷ itl_p50 − 1",
    scope="level",
    unit="ratio",
    symbol="s′_stall",
    better="lower",
    style="percent",
    places=(column("stall_share_as_published", "ratio"),),
    title=Text(zh="停顿“占比”（按原报告）", en="stall “share” as published"),
    meaning=Text(zh="原报告写作占比的那个数。", en="What the published report called a share."),
    why=Text(
        zh="均值 ÷ 中位数 − 1 是相对中位数的开销，可以超过 100%；占时间的比例是 1 − 中位数 ÷ 均值。"
        "用 TPOT 均值代替 ITL 均值，还会被只产出几个 token 的请求抬高。",
        en="Mean ÷ median − 1 is an overhead relative to the median and can pass 100 %; the share of time is "
        "1 − median ÷ mean. Taken from the mean TPOT it is also inflated by requests of very few tokens.",
    ),
)
def stall_share__as_published(tpot_mean: float, itl_p50: float) -> float:
    """Return what was printed as a share: mean TPOT ÷ median gap − 1."""
    return tpot_mean / itl_p50 - 1


@metric(
    "itl_p50 × (1 + stall_share)",
    scope="level",
    unit="ms",
    better="lower",
    symbol="TPOT_stall",
    digits=4,
    title=Text(zh="停顿“占比”背后的 TPOT 均值", en="mean TPOT behind the stall “share”"),
    meaning=Text(
        zh="原报告的停顿“占比”是由多大的 TPOT 均值算出来的。",
        en="The mean TPOT that the printed “share” was computed from.",
    ),
    why=Text(
        zh="原报告未给出 TPOT 均值；由它的停顿“占比”与 ITL p50 可以反推回来，再与总耗时对照。",
        en="The published report does not print the mean TPOT; its “share” and its ITL p50 give it back, to be "
        "compared with the wall clock.",
    ),
)
def tpot_mean_implied__as_published(itl_p50: float, stall_share: float) -> float:
    """Undo the division that made the share, in seconds."""
    return itl_p50 * (1 + stall_share)


@metric(
    "last(request_itl)",
    scope="level",
    unit="ms",
    symbol="ITL_max",
    better="lower",
    title=Text(zh="最长的间隔", en="longest gap"),
    meaning=Text(
        zh="全部回答里两个 chunk 之间最长的一次；p99 之外还有百分之一的间隔，最长的停顿在那里。",
        en="The longest time between two chunks of an answer. One gap in a hundred lies beyond the p99, the longest stall "
        "among them.",
    ),
)
def longest_gap(request_itl: Column) -> float:
    """Return the largest of the gaps, in seconds."""
    return float(request_itl[-1])
