"""Batching: what one more request in flight costs each step."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Picked, Unknown, metric
from generator.text import Text

FEWEST: Final = 2
"""Levels that a line needs."""
ONE_LEVEL = Unknown(Text(zh="可用档位不足两个，算不出斜率", en="a slope needs two usable levels"))


@metric(
    "(last(itl_p50) − first(itl_p50)) ÷ (last(concurrency) − first(concurrency))",
    scope="series",
    unit="ms/slot",
    symbol="m",
    better="lower",
    title=Text(zh="边际步长成本", en="marginal step cost"),
    meaning=Text(
        zh="每多一条在途请求，解码一步多花的时间（可用的最低档到最高档）。",
        en="What one more request in flight adds to a decode step, from the lowest usable level to the highest.",
    ),
)
def marginal_step_cost(itl_p50: Column, concurrency: Column) -> Picked | Unknown:
    """Return the slope of the step over the usable range. Seconds in, seconds a slot out."""
    if len(concurrency) < FEWEST:
        return ONE_LEVEL
    slope = (itl_p50[-1] - itl_p50[0]) / (concurrency[-1] - concurrency[0])
    return Picked(float(slope), rows=(0, len(concurrency) - 1))


@metric(
    "first(mean_context) × kv_bytes_per_token ÷ memory_bandwidth",
    scope="series",
    unit="ms/slot",
    symbol="m_floor",
    better="lower",
    title=Text(zh="边际地板", en="marginal floor"),
    meaning=Text(zh="每多一条请求，至少要多读的 KV 所花的时间。", en="Least time to read the KV of one more request."),
)
def marginal_floor(mean_context: Column, kv_bytes_per_token: float, memory_bandwidth: float) -> float | Unknown:
    """Return KV bytes of a request ÷ bandwidth. Tokens, bytes and B/s in, seconds a slot out.

    It rests on every level, since all must agree on the context.
    """
    if (mean_context != mean_context[0]).any():
        return Unknown(Text(zh="各档位的上下文长度不同", en="the levels differ in context length"))
    return float(mean_context[0] * kv_bytes_per_token / memory_bandwidth)


@metric(
    "marginal_step_cost ÷ marginal_floor",
    scope="series",
    unit="ratio",
    symbol="m ÷ m_floor",
    better="lower",
    style="times",
    title=Text(zh="边际成本与地板之比", en="marginal cost over its floor"),
    meaning=Text(
        zh="每多一条请求的代价是硬件下限的几倍。",
        en="How many times the hardware's minimum one more request costs.",
    ),
)
def marginal_cost_over_floor(marginal_step_cost: float, marginal_floor: float) -> float:
    """Return cost ÷ floor."""
    return marginal_step_cost / marginal_floor
