"""How far the slow requests are from the typical one: from the single requests alone."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric
from generator.numeric.statistics import count_between, percentile
from generator.text import Text
from generator.themes import LATENCY

THEME: Final = LATENCY

SLOW: Final = 2
"""From how many medians on an answer counts as slow."""


@metric(
    "percentile(request_ttft, 99) ÷ percentile(request_ttft, 50)",
    scope="level",
    unit="ratio",
    style="times",
    symbol="TTFT_p99 ÷ TTFT_p50",
    better="lower",
    title=Text(zh="TTFT 的 p99 与中位数之比", en="TTFT p99 over median"),
    meaning=Text(
        zh="首个 token 来得最慢的请求，等待时间是典型请求的多少倍；1 表示各请求等得一样久。",
        en="How many times the typical wait the slowest first tokens took; 1 where all waited alike.",
    ),
)
def ttft_p99_over_p50(request_ttft: Column) -> float:
    """Return the 99th percentile ÷ the median."""
    return percentile(request_ttft, 99) / percentile(request_ttft, 50)


@metric(
    "percentile(request_itl, 99) ÷ percentile(request_itl, 50)",
    scope="level",
    unit="ratio",
    style="times",
    symbol="ITL_p99 ÷ ITL_p50",
    better="lower",
    title=Text(zh="ITL 的 p99 与中位数之比", en="ITL p99 over median"),
    meaning=Text(
        zh="最长的间隔是典型间隔的多少倍；停顿越久，比值越大。",
        en="How many times the typical gap the longest ones took; the longer the stalls, the larger.",
    ),
)
def itl_p99_over_p50(request_itl: Column) -> float:
    """Return the 99th percentile ÷ the median."""
    return percentile(request_itl, 99) / percentile(request_itl, 50)


@metric(
    "percentile(request_e2el, 99) ÷ percentile(request_e2el, 50)",
    scope="level",
    unit="ratio",
    style="times",
    symbol="E2EL_p99 ÷ E2EL_p50",
    better="lower",
    title=Text(zh="E2EL 的 p99 与中位数之比", en="E2EL p99 over median"),
    meaning=Text(
        zh="最慢的回答用时是典型回答的多少倍。", en="How many times the typical answer's time the slowest ones took."
    ),
)
def e2el_p99_over_p50(request_e2el: Column) -> float:
    """Return the 99th percentile ÷ the median."""
    return percentile(request_e2el, 99) / percentile(request_e2el, 50)


@metric(
    "count_between(request_ttft, 2 × percentile(request_ttft, 50), last(request_ttft)) ÷ count(request_ttft)",
    scope="level",
    unit="ratio",
    style="percent",
    symbol="f_slow",
    better="lower",
    title=Text(zh="首个 token 来得慢的回答所占份额", en="share of answers that were slow to begin"),
    meaning=Text(zh="TTFT 超过中位数两倍的回答占多少。", en="Share of the answers with a TTFT above twice the median."),
)
def slow_first_tokens(request_ttft: Column) -> float:
    """Return the share of the answers that waited more than so many medians for their first token."""
    slow = count_between(request_ttft, SLOW * percentile(request_ttft, 50), float(request_ttft[-1]))
    return slow / len(request_ttft)
