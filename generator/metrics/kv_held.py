"""What of the KV pool is held for nothing: the ends of last blocks, and the contexts that slots keep."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric
from generator.text import Text
from generator.themes import MEMORY

THEME: Final = MEMORY

SHARED: Final = Unknown(
    Text(
        zh="各槽位共用一个 KV 池，没有为单个槽位留出的位置",
        en="its slots share one KV pool, and no place of it is kept for one of them",
    )
)
FEWER_PLACES: Final = Unknown(
    Text(
        zh="占住的位置比在途的 token 还少：滑动窗口的层只留窗口内的 token，或相同的前缀共用位置，池的 token 数不能这样换算",
        en="fewer places are taken than tokens are in flight: layers with a sliding window keep no more than it, or equal prefixes "
        "share places, so tokens of the pool do not stand for places",
    )
)
MORE: Final = 1.01
"""Contexts of all slots ÷ tokens of the pool from which on the slots share it."""


@metric(
    "(engine_block_tokens_of_series − 1) ÷ 2",
    scope="series",
    unit="tok",
    symbol="n_round",
    title=Text(zh="按块取整多占的 token", en="tokens taken by rounding to blocks"),
    meaning=Text(
        zh="一条序列的最后一块平均空着的位置：长度落在块内任何位置都同样可能时，是（块大小 − 1）÷ 2。",
        en="Places that are empty on average in the last block of a sequence: (block − 1) ÷ 2, as it may end anywhere in it.",
    ),
)
def kv_block_rounding(engine_block_tokens_of_series: float) -> float:
    """Return the mean of what is left over of a block, over all lengths alike. Tokens in and out."""
    return (engine_block_tokens_of_series - 1) / 2


@metric(
    "1 − mean(settled_tokens) ÷ (mean(settled_usage) × kv_pool_tokens)",
    scope="level",
    unit="ratio",
    symbol="f_frag",
    style="percent",
    better="lower",
    title=Text(zh="占住却没有用到的 KV", en="KV reserved but unused"),
    meaning=Text(
        zh="1 减去在途 token 数与为它们占住的位置之比，均值之比。按块分配的引擎取已占用的份额，固定槽位的引擎取在用槽位的全部上下文。",
        en="1 − tokens in flight ÷ places reserved for them, both as means. With an engine that allots blocks, the reserved places "
        "are its pool use; with fixed slots they are the whole context of the slots at work.",
    ),
)
def kv_fragmentation(settled_tokens: Column, settled_usage: Column, kv_pool_tokens: float) -> float | Unknown:
    """Return the share of the places in use that no token of a request in flight fills."""
    share = 1 - float(settled_tokens.mean()) / (float(settled_usage.mean()) * kv_pool_tokens)
    return share if share >= 0 else FEWER_PLACES


@kv_fragmentation.otherwise("1 − mean(settled_tokens) ÷ (mean(settled_sequences) × kv_slot_context)")
def kv_fragmentation_of_slots(settled_tokens: Column, settled_sequences: Column, kv_slot_context: float) -> float:
    """Return the share of the contexts of the slots at work that no token fills."""
    return 1 - float(settled_tokens.mean()) / (float(settled_sequences.mean()) * kv_slot_context)


@metric(
    "log_slot_context_of_series × log_slots_of_series ÷ kv_pool_tokens",
    scope="series",
    unit="ratio",
    symbol="n_slot × N_slot ÷ n_pool",
    style="times",
    title=Text(zh="全部槽位的上下文与 KV 池之比", en="contexts of all slots over the KV pool"),
    meaning=Text(
        zh="大于一，说明各槽位共用一个池，不可能都填满。",
        en="Above one, slots share a pool that cannot fill all of them.",
    ),
)
def kv_slots_over_pool(log_slot_context_of_series: float, log_slots_of_series: float, kv_pool_tokens: float) -> float:
    """Return tokens that all slots may have ÷ tokens of the pool."""
    return log_slot_context_of_series * log_slots_of_series / kv_pool_tokens


@metric(
    "kv_slots_over_pool × kv_pool_tokens ÷ log_slots_of_series",
    scope="series",
    unit="tok",
    symbol="L_slot",
    digits=9,
    title=Text(zh="为一个槽位留出的 KV", en="KV kept for one slot"),
    meaning=Text(
        zh="固定槽位的引擎为每个槽位留出的上下文，不论用没用到；各槽位共用一个池时没有这一项。",
        en="The context that an engine with fixed slots keeps for each of them, used or not; there is none where slots share "
        "one pool.",
    ),
)
def kv_slot_context(kv_slots_over_pool: float, kv_pool_tokens: float, log_slots_of_series: float) -> float | Unknown:
    """Return the context of a slot, in tokens; slots with more than the pool together share it."""
    return SHARED if kv_slots_over_pool > MORE else kv_slots_over_pool * kv_pool_tokens / log_slots_of_series
