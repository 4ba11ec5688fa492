"""Batching: what one more request in flight costs each step."""

from __future__ import annotations

import math
from typing import Final

from generator.kinds import Column, Picked, Unknown, metric
from generator.text import Text
from generator.themes import DECODING

THEME: Final = DECODING

FEWEST: Final = 2
"""Levels that a line needs."""
ALIKE: Final = 0.05
"""Counted lengths closer than this are those of one load: answers of a model end where it likes."""

ONE_LEVEL = Unknown(Text(zh="可用档位不足两个，算不出斜率", en="a slope needs two usable levels"))
NO_TWO_ALIKE = Unknown(
    Text(
        zh="没有两个可用档位的请求长度相同而负载不同，算不出斜率",
        en="a slope needs two usable levels of different load and equal lengths",
    )
)
NO_RISE = Unknown(
    Text(
        zh="步长没有随负载增加",
        en="the step does not rise with the load",
    )
)


@metric(
    "(last(itl_p50) − first(itl_p50)) ÷ (last(decoded_together) − first(decoded_together))"
    " × first(request_tokens) ÷ last(request_tokens)",
    scope="series",
    over="ladder",
    unit="ms/slot",
    symbol="m",
    better="lower",
    title=Text(zh="边际步长成本", en="marginal step cost"),
    meaning=Text(
        zh="每多一条一起解码的请求，解码一步多花的时间：长度相同的可用档位里，一起解码的请求从最少到最多的两档；长度只有计数时，折算到最低档的长度。",
        en="What one more request adds to a decode step, between the usable levels of one length at which the fewest and the most "
        "are decoded together; where lengths were only counted, scaled to that of the lowest.",
    ),
)
def marginal_step_cost(itl_p50: Column, decoded_together: Column, request_tokens: Column) -> Picked | Unknown:
    """Return the slope of the step over the usable range of one length. Seconds in, seconds a slot out.

    Requests that wait make no step longer.
    """
    rows = widest_alike(decoded_together, request_tokens)
    if rows is None:
        return ONE_LEVEL if len(decoded_together) < FEWEST else NO_TWO_ALIKE
    low, high = rows
    slope = (itl_p50[high] - itl_p50[low]) / (decoded_together[high] - decoded_together[low])
    if slope <= 0:
        return NO_RISE
    return Picked(float(slope * request_tokens[low] / request_tokens[high]), rows)


def widest_alike(loads: Column, lengths: Column) -> tuple[int, int] | None:
    """Return the rows of lowest and highest load of one length that lie furthest apart; None where no two do.

    Args:
        loads: of each row, those of higher loads further down; what an engine computes of them may fall again.
        lengths: tokens of a request at each row.
    """
    pairs = [
        (low, high)
        for low in range(len(loads))
        for high in range(low + 1, len(loads))
        if loads[high] > loads[low] and math.isclose(lengths[low], lengths[high], rel_tol=ALIKE)
    ]
    return max(pairs, key=lambda pair: loads[pair[1]] - loads[pair[0]], default=None)


@metric(
    "first(kv_bytes_of_sequence) ÷ memory_bandwidth",
    scope="series",
    over="ladder",
    unit="ms/slot",
    symbol="m_floor",
    better="lower",
    title=Text(zh="边际下限", en="marginal floor"),
    meaning=Text(zh="每多一条请求，至少要多读的 KV 所花的时间。", en="Least time to read the KV of one more request."),
)
def marginal_floor(kv_bytes_of_sequence: Column, memory_bandwidth: float) -> float | Unknown:
    """Return KV bytes of a request ÷ bandwidth. Bytes and B/s in, seconds a slot out.

    It rests on every level, since all must agree on what a request keeps.
    """
    if (kv_bytes_of_sequence != kv_bytes_of_sequence[0]).any():
        return Unknown(Text(zh="各档位的上下文长度不同", en="the levels differ in context length"))
    return float(kv_bytes_of_sequence[0] / memory_bandwidth)


@metric(
    "marginal_step_cost ÷ marginal_floor",
    scope="series",
    unit="ratio",
    symbol="m ÷ m_floor",
    better="lower",
    style="times",
    title=Text(zh="边际成本与下限之比", en="marginal cost over its floor"),
    meaning=Text(
        zh="每多一条请求的代价是硬件下限的几倍。",
        en="How many times the hardware's minimum one more request costs.",
    ),
)
def marginal_cost_over_floor(marginal_step_cost: float, marginal_floor: float) -> float:
    """Return cost ÷ floor."""
    return marginal_step_cost / marginal_floor
