"""Three bounds of the concurrency that can be computed beforehand: memory, bandwidth, scheduler.

Memory and scheduler are walls: more requests than fit wait, or are preempted. Bandwidth is none, but the load at which
reading KV takes as long as reading weights. A floor of (W + C × k) ÷ BW for a step gives C × BW ÷ (W + C × k) tokens a
second, which nears BW ÷ k; half of that is reached at C = W ÷ k (Hockney and Jesshope 1981: the n½ of a pipeline).
"""

from __future__ import annotations

import math
from typing import Final

from generator.kinds import Column, Picked, Unknown, metric, observed
from generator.places import flags
from generator.text import Text
from generator.themes import SATURATION

THEME: Final = SATURATION

ONE_GROUP: Final = Unknown(
    Text(
        zh="各层的 KV 长得一样，池的 token 数就够算", en="all layers keep alike, and the tokens of the pool are enough"
    )
)
slots_by_flags = observed(
    "slots_by_flags",
    scope="series",
    unit="1",
    symbol="N_slot,flags",
    digits=9,
    places=[flags("slots", "1")],
    title=Text(zh="启动参数里的槽位数", en="slots by the server's flags"),
    meaning=Text(
        zh="引擎自报的、或启动参数给定的最多同时计算的请求数：llama.cpp 的 --parallel，vLLM 的 --max-num-seqs，SGLang 的 --max-running-requests。没写就不知道，不猜默认值。",
        en="Requests computed at once at most, as the engine says itself or by its flags: --parallel of llama.cpp, --max-num-seqs "
        "of vLLM, --max-running-requests of SGLang. Not known where it is not given: defaults are not guessed.",
    ),
)


def blocks_at(tokens: float, block: float, whole: float, window: float, reach: float) -> float:
    """Return the blocks that a request of so many tokens takes of one pool that layers with and without a window share.

    vLLM (docs/design/hybrid_kv_cache_manager) splits the layers into groups of as many as the fewest kind has, and
    gives each group blocks of its own: those with a window take none for what lies before it.

    Args:
        tokens: how long the request is.
        block: tokens of a block, of one group.
        whole: KV elements per token of the layers that keep all.
        window: those of the layers that keep a window.
        reach: tokens of the window.
    """
    group = min(whole, window)
    kept = math.ceil(tokens / block) * whole + math.ceil(min(tokens, reach) / block) * window
    return kept / group


@metric(
    "(kv_pool_tokens < (engine_pool_blocks_of_series − 2) × engine_block_tokens_of_series)"
    " × (ceil(mean(request_tokens) ÷ engine_block_tokens_of_series) × kv_elements"
    " + ceil(min(mean(request_tokens), attention_window) ÷ engine_block_tokens_of_series) × kv_window_elements)"
    " ÷ min(kv_elements, kv_window_elements)",
    scope="series",
    over="ladder",
    unit="1",
    symbol="n_block,req",
    better="lower",
    digits=4,
    title=Text(zh="一条请求的 KV 块数", en="KV blocks of a request"),
    meaning=Text(
        zh="有窗口层的模型，一条请求到结束时占的 KV 块数：各层按种类分成同样大的组，每组各占整块，窗口层只占窗口内的。池的 token 数是按最大上下文折算的，不能拿来除。",
        en="Of a model with windows, the KV blocks that a request takes at its end: layers are put into groups of equal size, each of "
        "which takes whole blocks, those with a window for what it reaches. The tokens of the pool are for the largest "
        "context, and no number to divide.",
    ),
)
def kv_blocks_of_request(
    request_tokens: Column,
    engine_block_tokens_of_series: float,
    kv_elements: float,
    kv_window_elements: float,
    attention_window: float,
    engine_pool_blocks_of_series: float,
    kv_pool_tokens: float,
) -> float | Unknown:
    """Return the blocks of a request over all groups; unknown where the pool's tokens are just its blocks: one group."""
    told = (engine_pool_blocks_of_series - 2) * engine_block_tokens_of_series
    if min(kv_elements, kv_window_elements) <= 0 or kv_pool_tokens >= told:
        return ONE_GROUP
    return blocks_at(
        float(request_tokens.mean()), engine_block_tokens_of_series, kv_elements, kv_window_elements, attention_window
    )


@metric(
    "kv_pool_tokens ÷ kv_slot_context",
    scope="series",
    over="ladder",
    unit="1",
    symbol="C_mem",
    better="higher",
    title=Text(zh="显存墙", en="memory wall"),
    meaning=Text(
        zh="KV 池装得下几条到了最大长度的请求：池的 token 数 ÷ 每条请求占的 token 数（输入加输出，块大小已知时向上取整到整块；槽位各留一份上下文的引擎，就是那份上下文；有窗口层而引擎报了块数的，按块数算）。再多就要排队或抢占。",
        en="How many requests at full length the KV pool holds: its tokens ÷ those that a request takes (input and output, up to "
        "whole blocks where their size is known; with an engine that keeps a context for each slot, that context; of a model with "
        "windows, blocks ÷ blocks where the engine tells them). More have to wait, or are preempted.",
    ),
)
def wall_memory(kv_pool_tokens: float, kv_slot_context: float) -> float:
    """Return tokens of the pool ÷ those that a slot keeps."""
    return kv_pool_tokens / kv_slot_context


@wall_memory.otherwise("engine_pool_blocks_of_series ÷ kv_blocks_of_request")
def wall_memory_in_groups(engine_pool_blocks_of_series: float, kv_blocks_of_request: float) -> float:
    """Return blocks of the pool ÷ those of a request, of a model whose layers keep unlike much."""
    return engine_pool_blocks_of_series / kv_blocks_of_request


@wall_memory.otherwise(
    "kv_pool_tokens ÷ (ceil(mean(request_tokens) ÷ engine_block_tokens_of_series) × engine_block_tokens_of_series)"
)
def wall_memory_in_blocks(kv_pool_tokens: float, request_tokens: Column, engine_block_tokens_of_series: float) -> float:
    """Return tokens of the pool ÷ those of a request, in whole blocks."""
    blocks = math.ceil(float(request_tokens.mean()) / engine_block_tokens_of_series)
    return kv_pool_tokens / (blocks * engine_block_tokens_of_series)


@wall_memory.otherwise("kv_pool_tokens ÷ mean(request_tokens)")
def wall_memory_in_tokens(kv_pool_tokens: float, request_tokens: Column) -> float:
    """Return tokens of the pool ÷ those of a request, where no block size is known."""
    return kv_pool_tokens / float(request_tokens.mean())


@metric(
    "last(weight_bytes_read) ÷ last(kv_bytes_of_sequence)",
    scope="series",
    over="ladder",
    unit="1",
    symbol="C_bw",
    better="higher",
    title=Text(zh="带宽拐点", en="bandwidth bend"),
    meaning=Text(
        zh="一步里读 KV 与读权重的字节相等的并发：每步读的权重 ÷ 一条序列的 KV。按下限，吞吐在这里到了并发无穷大时的一半（n½）；再往上，每条请求都主要在为自己的 KV 付时间。MoE 模型取最高档读到的权重。",
        en="The concurrency at which a step reads as many bytes of KV as of weights: weights ÷ KV of one sequence. By the floor, "
        "throughput has come to half of what unlimited concurrency could bring (n½); from there on each request pays mainly "
        "for its own KV. Of a mixture of experts, the weights read at the highest level count.",
    ),
)
def wall_bandwidth(weight_bytes_read: Column, kv_bytes_of_sequence: Column) -> Picked:
    """Return weight bytes of a step ÷ KV bytes of a sequence."""
    return Picked(float(weight_bytes_read[-1] / kv_bytes_of_sequence[-1]), (len(weight_bytes_read) - 1,))


@metric(
    "slots",
    scope="series",
    unit="1",
    symbol="C_sched",
    better="higher",
    digits=9,
    title=Text(zh="调度墙", en="scheduler wall"),
    meaning=Text(
        zh="引擎最多同时计算的请求数：声明的槽位数，没有就看启动日志，再看启动参数。再多的请求在队列里等。",
        en="Requests that the engine computes at once at most: slots as declared, else as in the start-up log, else by the flags. "
        "More wait in its queue.",
    ),
)
def wall_scheduler(slots: float) -> float:
    """Take the slots that are declared."""
    return slots


@wall_scheduler.otherwise("log_slots_of_series")
def wall_scheduler_in_log(log_slots_of_series: float) -> float:
    """Take those that the server printed as it started."""
    return log_slots_of_series


@wall_scheduler.otherwise("slots_by_flags")
def wall_scheduler_by_flags(slots_by_flags: float) -> float:
    """Take those that the server was told to have."""
    return slots_by_flags
