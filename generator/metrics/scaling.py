"""How throughput scales with the load: against one request alone, and against what the floor of a step allows."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from generator.kinds import Column, Picked, Unknown, metric
from generator.runs.requests import OPEN_LOOP
from generator.text import Text
from generator.themes import THROUGHPUT

THEME: Final = THROUGHPUT

ALIKE: Final = 0.05
"""Lengths closer than this are those of one load: answers of a model end where it likes."""
NONE_ALONE: Final = Unknown(
    Text(
        zh="没有并发为 1 的档位，不知道单条请求的吞吐",
        en="there is no level with one request at a time, so its throughput is not known",
    )
)
OTHER_LENGTHS: Final = Unknown(
    Text(
        zh="并发为 1 的档位，请求的长度与这一档不同",
        en="requests at the level with one at a time have other lengths",
    )
)


@metric(
    "first(output_throughput) ÷ first(kept_in_flight)",
    scope="series",
    over="whole_ladder",
    unit="tok/s",
    symbol="X_1",
    better="higher",
    title=Text(zh="单条请求的吞吐", en="throughput of one request at a time"),
    meaning=Text(
        zh="单条请求独跑那一档的输出吞吐；扩展效率以它为单位。",
        en="Output throughput of the level at which one request is kept in flight: the unit of the scaling efficiency.",
    ),
)
def throughput_alone(output_throughput: Column, kept_in_flight: Column) -> Picked | Unknown:
    """Return the throughput at C=1, in tokens a second."""
    rows = np.flatnonzero(kept_in_flight == 1)
    return Picked(float(output_throughput[rows[0]]), (int(rows[0]),)) if len(rows) else NONE_ALONE


@metric(
    "first(request_tokens) ÷ first(kept_in_flight)",
    scope="series",
    over="whole_ladder",
    unit="tok",
    symbol="n_req,1",
    digits=5,
    title=Text(zh="单条请求独跑时的 token 数", en="tokens of a request where one is sent at a time"),
    meaning=Text(
        zh="扩展效率只在长度相同的档位之间计算。",
        en="The scaling efficiency is taken between levels of this length alone.",
    ),
)
def request_tokens_alone(request_tokens: Column, kept_in_flight: Column) -> Picked | Unknown:
    """Return the tokens of a request at C=1, in and out."""
    rows = np.flatnonzero(kept_in_flight == 1)
    return Picked(float(request_tokens[rows[0]]), (int(rows[0]),)) if len(rows) else NONE_ALONE


@metric(
    "output_throughput ÷ (kept_in_flight × throughput_alone) × request_tokens ÷ request_tokens_alone",
    scope="level",
    unit="ratio",
    symbol="η_C",
    better="higher",
    style="percent",
    title=Text(zh="扩展效率", en="scaling efficiency"),
    meaning=Text(
        zh="输出吞吐 ÷（并发 × 单条请求的吞吐）：达到 100% 是并发翻倍吞吐也翻倍；长度只有计数时，折算到 C=1 的档位的长度。",
        en="Output throughput ÷ (concurrency × that of one request at a time): 100% where twice the load delivers twice as much; "
        "where lengths were only counted, scaled to that of the level at C=1.",
    ),
)
def scaling_efficiency(
    output_throughput: float,
    kept_in_flight: float,
    throughput_alone: float,
    request_tokens: float,
    request_tokens_alone: float,
) -> float | Unknown:
    """Return throughput ÷ (C × throughput at C=1), between levels of one length."""
    if not kept_in_flight:
        return Unknown(OPEN_LOOP)
    if not math.isclose(request_tokens, request_tokens_alone, rel_tol=ALIKE):
        return OTHER_LENGTHS
    return output_throughput / (kept_in_flight * throughput_alone) * request_tokens / request_tokens_alone


@metric(
    "decoded_together ÷ decode_floor",
    scope="level",
    unit="tok/s",
    symbol="X_floor",
    better="higher",
    title=Text(zh="下限允许的吞吐", en="throughput that the floor allows"),
    meaning=Text(
        zh="一起解码的请求数 ÷ 解码步长下限：每一步都只花读权重与 KV 的时间，没有 prefill，也没有停顿。",
        en="Requests decoded together ÷ floor of a decode step: every step takes no more than reading weights and KV, and there is "
        "neither prefill nor stall.",
    ),
)
def floor_throughput(decoded_together: float, decode_floor: float) -> float:
    """Return requests ÷ seconds of a step, in tokens a second (roofline, Williams et al. 2009)."""
    return decoded_together / decode_floor


@metric(
    "percentile(output_throughput, 100)",
    scope="series",
    over="reachable",
    unit="tok/s",
    symbol="X_max",
    better="higher",
    title=Text(zh="最高的输出吞吐", en="highest output throughput"),
    meaning=Text(
        zh="只有负载不同的可用档位里，最高的输出吞吐；有排除的档位时，只算它之下的，因为更高的负载要先经过它。",
        en="The highest output throughput over the usable levels that differ in the load alone; where a level is excluded, over those "
        "below it, since a higher load passes through it.",
    ),
)
def best_throughput(output_throughput: Column) -> Picked:
    """Return the largest, in tokens a second."""
    best = int(output_throughput.argmax())
    return Picked(float(output_throughput[best]), (best,))
