"""What the prefill of one request does to the answers of others: gaps beside a prefill, and gaps without one."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric
from generator.numeric import statistics
from generator.runs.zeros import zero_gap
from generator.text import Text
from generator.themes import FIRST_TOKEN

THEME: Final = FIRST_TOKEN

BESIDE: Final = Text(zh="其他请求 prefill 期间的 ITL p50", en="ITL p50 beside a prefill")
ALONE: Final = Text(zh="无其他 prefill 时的 ITL p50", en="ITL p50 undisturbed")


@metric(
    "percentile(gap_beside_prefill, 50)",
    scope="level",
    unit="ms",
    symbol="ITL_p50,beside",
    better="lower",
    zero=zero_gap(BESIDE),
    title=BESIDE,
    meaning=Text(
        zh="间隔的中位数，只取与另一条请求的“发出到首个 token”重叠的间隔；那段时间里也有它的排队。",
        en="Median of those gaps that overlap the time from sending to first token of another request; what that one waited in a "
        "queue is in that time.",
    ),
)
def itl_p50_beside_prefill(gap_beside_prefill: Column) -> float:
    """Return the median gap beside a prefill, in seconds."""
    return statistics.percentile(gap_beside_prefill, 50)


@metric(
    "percentile(gap_undisturbed, 50)",
    scope="level",
    unit="ms",
    symbol="ITL_p50,alone",
    better="lower",
    zero=zero_gap(ALONE),
    title=ALONE,
    meaning=Text(
        zh="间隔的中位数，只取没有别的请求在等首个 token 的间隔。",
        en="Median of those gaps in which no other request waited for its first token.",
    ),
)
def itl_p50_undisturbed(gap_undisturbed: Column) -> float:
    """Return the median gap without a prefill beside it, in seconds."""
    return statistics.percentile(gap_undisturbed, 50)


@metric(
    "itl_p50_beside_prefill ÷ itl_p50_undisturbed",
    scope="level",
    unit="ratio",
    symbol="r_beside",
    better="lower",
    style="times",
    title=Text(zh="其他请求 prefill 期间的间隔是平时的几倍", en="gap beside a prefill over an undisturbed one"),
    meaning=Text(
        zh="两个中位数之比：1 表示其他请求的 prefill 没有拖慢解码。",
        en="The one median ÷ the other; 1 where a neighbour's prefill does not slow decoding.",
    ),
)
def itl_beside_prefill_ratio(itl_p50_beside_prefill: float, itl_p50_undisturbed: float) -> float:
    """Return beside ÷ undisturbed."""
    return itl_p50_beside_prefill / itl_p50_undisturbed


@metric(
    "last(gap_beside_prefill)",
    scope="level",
    unit="ms",
    symbol="ITL_max,beside",
    better="lower",
    title=Text(zh="其他请求 prefill 期间最长的间隔", en="longest gap beside a prefill"),
    meaning=Text(
        zh="整块插入的 prefill 只拖长一个间隔，中位数看不出来，最长的那个看得出。",
        en="A prefill that runs in one piece stretches a single gap: the median does not show it, the longest gap does.",
    ),
)
def longest_gap_beside_prefill(gap_beside_prefill: Column) -> float:
    """Return the longest gap beside a prefill, in seconds."""
    return float(gap_beside_prefill[-1])


@metric(
    "count(gap_beside_prefill) ÷ (count(gap_beside_prefill) + count(gap_undisturbed))",
    scope="level",
    unit="ratio",
    symbol="s_beside",
    style="percent",
    title=Text(zh="与其他 prefill 重叠的间隔占比", en="share of gaps beside a prefill"),
    meaning=Text(
        zh="与另一条请求的 prefill 重叠的间隔 ÷ 全部间隔。",
        en="Gaps that overlap the prefill of another request ÷ all gaps.",
    ),
)
def gaps_beside_prefill_share(gap_beside_prefill: Column, gap_undisturbed: Column) -> float:
    """Return the share of gaps beside a prefill."""
    return len(gap_beside_prefill) / (len(gap_beside_prefill) + len(gap_undisturbed))
