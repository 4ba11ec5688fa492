"""Memory as a budget: what the weights leave for KV, and how much context and how many requests fit into it."""

from __future__ import annotations

import math
from typing import Final

from generator.kinds import Column, Derivation, Metric, Parameter, metric
from generator.text import Text
from generator.themes import MEMORY

THEME: Final = MEMORY

PRECISIONS: Final = {"bits16": 2.0, "bits8": 1.0, "bits4": 0.5}
"""Precisions that are tried beside the one served, and the bytes of a weight in each; scales are not counted."""


@metric(
    "memory_capacity − device_memory_used + kv_pool_bytes",
    scope="series",
    unit="GiB",
    symbol="M_KV",
    better="higher",
    title=Text(zh="可以留给 KV 的显存", en="memory that is left for KV"),
    meaning=Text(
        zh="显存容量减去权重与其余占用（CUDA context、缓冲区）。已用显存或 KV 池没有记录时，其余占用按零计，这就是上限。",
        en="Capacity less the weights and whatever else is in use (CUDA context, buffers). Where the memory in use or the KV pool is not on "
        "record, nothing else is counted, and this is an upper bound.",
    ),
)
def memory_for_kv(memory_capacity: float, device_memory_used: float, kv_pool_bytes: float) -> float:
    """Return capacity − (used − pool), in bytes: all that is in use now and is no KV stays in use."""
    return memory_capacity - device_memory_used + kv_pool_bytes


@memory_for_kv.otherwise("memory_capacity − weights_loaded")
def memory_beside_weights(memory_capacity: float, weights_loaded: float) -> float:
    """Return capacity − weights, which leaves nothing to buffers: an upper bound."""
    return memory_capacity - weights_loaded


@metric(
    "floor(max(0, memory_for_kv) ÷ kv_bytes_per_token)",
    scope="series",
    unit="tok",
    symbol="L_max",
    better="higher",
    title=Text(zh="装得下的上下文", en="context that fits"),
    meaning=Text(
        zh="可以留给 KV 的显存 ÷ 每个 token 的 KV 字节，向下取整：所有在途请求加起来最多这么多 token。",
        en="Memory that is left for KV ÷ KV bytes of a token, rounded down: all requests in flight together can have no more tokens.",
    ),
)
def context_that_fits(memory_for_kv: float, kv_bytes_per_token: float) -> float:
    """Return bytes ÷ bytes of a token, rounded down; 0 where the weights alone are too large."""
    return float(math.floor(max(0.0, memory_for_kv) / kv_bytes_per_token))


@metric(
    "floor(context_that_fits ÷ mean(request_tokens))",
    scope="series",
    over="ladder",
    unit="1",
    symbol="N_max",
    better="higher",
    title=Text(zh="装得下的请求", en="requests that fit"),
    meaning=Text(
        zh="装得下的上下文 ÷ 一条请求到结束时的 token 数（这一轮的输入加输出），向下取整。",
        en="Context that fits ÷ tokens of a request at its end, with input and output as long as in this round, rounded down.",
    ),
)
def requests_that_fit(context_that_fits: float, request_tokens: Column) -> float:
    """Return tokens ÷ tokens of a request at full length, rounded down: a part of one does not fit."""
    return float(math.floor(context_that_fits / float(request_tokens.mean())))


def _at(basis: str, width: float) -> Metric:
    def context(memory_capacity: float, weight_params: float, kv_bytes_per_token: float) -> float:
        return float(math.floor(max(0.0, memory_capacity - weight_params * width) / kv_bytes_per_token))

    taken = ("memory_capacity", "weight_params", "kv_bytes_per_token")
    formula = f"floor(max(0, memory_capacity − weight_params × {width:g}) ÷ kv_bytes_per_token)"
    bits = basis.removeprefix("bits")
    return Metric(
        "context_that_fits", "series", "tok", TITLE.format(bits=bits), f"L_max,{bits}", MEANING.format(bits=bits), basis=basis,
        better="higher", why=WHY, derivations=[Derivation(context, formula, tuple(Parameter(one, is_column=False) for one in taken))],
    )  # fmt: skip


TITLE: Final = Text(zh="权重每个 {bits} 位时装得下的上下文", en="context that fits with weights of {bits} bits")
MEANING: Final = Text(
    zh="假如每个权重占 {bits} 位，显存里剩下的能装多少 token；量化的缩放系数与缓冲区不计，是上限。",
    en="Tokens for which there is room if each weight took {bits} bits; scales of the quantisation and buffers are not counted: an upper bound.",
)
WHY: Final = Text(
    zh="换一种精度装得下多少，不必先测：只看权重的大小。",
    en="How much fits at another precision need not be measured first: it is a matter of the size of the weights.",
)
contexts_at: Final = tuple(_at(*one) for one in PRECISIONS.items())
