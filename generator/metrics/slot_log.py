"""What the log of a server with slots says, as llama.cpp's does: tokens that it counted, what went wrong, its memory."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Metric, logged
from generator.text import Text
from generator.themes import SERVER

THEME: Final = SERVER


def _of_run(fact: str, unit: str, symbol: str, title: Text, meaning: Text) -> Metric:
    return logged(fact, unit, symbol, title=title, meaning=meaning)


def _of_series(fact: str, unit: str, symbol: str, title: Text, meaning: Text) -> Metric:
    digits = 9 if unit != "B" else 3
    return logged(fact, unit, symbol, scope="series", over="trials", digits=digits, title=title, meaning=meaning)


log_releases = _of_run(
    "releases",
    "1",
    "N_rel,log",
    Text(zh="日志里腾出槽位的次数", en="slots released in the log"),
    Text(
        zh="说一个请求已结束、槽位腾出来的行数；被取消的也在其中。",
        en="Lines that tell of a request that has ended and left its slot, cancelled ones among them.",
    ),
)
log_prompt_tokens_computed = _of_run(
    "prompt_tokens_computed",
    "tok",
    "Σn_in,log",
    Text(zh="日志里算过的输入 token 数", en="prompt tokens computed, in the log"),
    Text(
        zh="各请求 prompt eval 的 token 数之和；缓存里已有的前缀不在其中。",
        en="The sum of the prompt eval tokens of all requests: what was found in the cache is not among them.",
    ),
)
log_output_tokens = _of_run(
    "output_tokens",
    "tok",
    "Σn_out,log",
    Text(zh="日志里生成的 token 数", en="tokens generated, in the log"),
    Text(
        zh="各请求 eval 的 token 数之和，由服务端自己数。",
        en="The sum of the eval tokens of all requests, as the server counts.",
    ),
)
log_cached_tokens = _of_run(
    "cached_tokens",
    "tok",
    "Σn_hit,log",
    Text(zh="日志里取自缓存的输入 token 数", en="prompt tokens taken from the cache, in the log"),
    Text(
        zh="各请求的输入里不必再算、缓存里已有的 token 数之和。",
        en="Tokens of all prompts that were in the cache and not computed again.",
    ),
)
log_truncated = _of_run(
    "truncated",
    "1",
    "N_cut,log",
    Text(zh="日志里被截断的请求数", en="truncated requests in the log"),
    Text(
        zh="输入或输出因上下文放不下而被截断的请求。",
        en="Requests whose prompt or answer was cut because the context had no more room.",
    ),
)
log_cancelled = _of_run(
    "cancelled",
    "1",
    "N_cancel,log",
    Text(zh="日志里被取消的请求数", en="cancelled requests in the log"),
    Text(zh="客户端断开、服务端因此取消的请求。", en="Requests that the server gave up because the client had left."),
)
log_engine_errors = _of_run(
    "engine_errors",
    "1",
    "N_err,log",
    Text(zh="日志里的引擎错误行数", en="engine errors in the log"),
    Text(
        zh="说引擎自己出错的行数：KV cache 满、解码失败、超出上下文、断言不成立等。",
        en="Lines in which the engine tells of a failure of its own: KV cache full, decoding failed, context exceeded, an assertion.",
    ),
)
log_draft_tokens = _of_run(
    "draft_tokens",
    "tok",
    "Σn_draft,log",
    Text(zh="日志里的 draft token 数", en="tokens drafted, in the log"),
    Text(zh="投机解码提出的 draft token 数之和。", en="Tokens that speculative decoding proposed."),
)
log_draft_accepted = _of_run(
    "draft_accepted",
    "tok",
    "Σn_acc,log",
    Text(zh="日志里被接受的 draft token 数", en="drafted tokens accepted, in the log"),
    Text(zh="draft token 中被模型接受的。", en="Drafted tokens that the model accepted."),
)

log_truncated_of_series = _of_series(
    "truncated",
    "1",
    "ΣN_cut,log",
    Text(zh="该系列日志里被截断的请求数", en="truncated requests in the logs of the series"),
    log_truncated.meaning,
)
log_cancelled_of_series = _of_series(
    "cancelled",
    "1",
    "ΣN_cancel,log",
    Text(zh="该系列日志里被取消的请求数", en="cancelled requests in the logs of the series"),
    log_cancelled.meaning,
)
log_engine_errors_of_series = _of_series(
    "engine_errors",
    "1",
    "ΣN_err,log",
    Text(zh="该系列日志里的引擎错误行数", en="engine errors in the logs of the series"),
    log_engine_errors.meaning,
)


@log_truncated_of_series.otherwise("sum(log_truncated)")
def log_truncated_of_levels(log_truncated: Column) -> float:
    """Add up what the logs of the runs say."""
    return float(log_truncated.sum())


@log_cancelled_of_series.otherwise("sum(log_cancelled)")
def log_cancelled_of_levels(log_cancelled: Column) -> float:
    """Add up what the logs of the runs say."""
    return float(log_cancelled.sum())


@log_engine_errors_of_series.otherwise("sum(log_engine_errors)")
def log_engine_errors_of_levels(log_engine_errors: Column) -> float:
    """Add up what the logs of the runs say."""
    return float(log_engine_errors.sum())


log_releases_of_series = _of_series(
    "releases",
    "1",
    "ΣN_rel,log",
    Text(zh="该系列日志里腾出槽位的次数", en="slots released in the logs of the series"),
    log_releases.meaning,
)
log_slot_tokens_most = _of_run(
    "slot_tokens_most",
    "tok",
    "n_slot,most",
    Text(zh="日志里一个槽位装过的 token 数，最多", en="most tokens held by a slot in the log"),
    Text(
        zh="请求结束时槽位里输入与输出的 token 数，取最多的一条；到了槽位的上下文，回答就被掐断。",
        en="Tokens of prompt and answer in a slot as a request ended, the most of any: at the slot's context the answer is cut.",
    ),
)
log_slot_tokens_most_of_series = _of_series(
    "slot_tokens_most",
    "tok",
    "n_slot,most,series",
    Text(zh="该系列日志里一个槽位装过的 token 数，最多", en="most tokens held by a slot in the logs of the series"),
    log_slot_tokens_most.meaning,
)


@log_releases_of_series.otherwise("sum(log_releases)")
def log_releases_of_levels(log_releases: Column) -> float:
    """Add up what the logs of the runs say."""
    return float(log_releases.sum())


log_slots_of_series = _of_series(
    "slots",
    "1",
    "N_slot,log",
    Text(zh="日志里的槽位数", en="slots in the log"),
    Text(
        zh="启动时打印的、可以同时在算的请求数。",
        en="The requests that can be under way at once, as printed at the start.",
    ),
)
log_slot_context_of_series = _of_series(
    "slot_context",
    "tok",
    "n_ctx,slot,log",
    Text(zh="日志里每个槽位的上下文", en="context of a slot in the log"),
    Text(
        zh="启动时打印的、一个槽位最多容纳的 token 数；KV cache 统一使用时可以等于整个上下文。",
        en="The most tokens of one slot, as printed at the start; with a unified KV cache it may be the whole context.",
    ),
)
log_kv_pool_bytes_of_series = _of_series(
    "kv_pool_bytes",
    "B",
    "M_KV,log",
    Text(zh="日志里 KV cache 的大小", en="size of the KV cache in the log"),
    Text(
        zh="最后一次载入模型时各设备 KV buffer 之和。",
        en="The KV buffers of all devices, as the model was last loaded.",
    ),
)
log_state_bytes_of_series = _of_series(
    "state_bytes",
    "B",
    "M_RS,log",
    Text(zh="日志里循环状态的大小", en="size of the recurrent state in the log"),
    Text(
        zh="混合结构的模型另有的、与长度无关的状态（RS buffer）之和。",
        en="The state that hybrid models keep besides, whatever the length (RS buffers), on all devices.",
    ),
)
log_weights_bytes_of_series = _of_series(
    "weights_bytes",
    "B",
    "M_w,log",
    Text(zh="日志里权重的大小", en="size of the weights in the log"),
    Text(
        zh="最后一次载入模型时各设备 model buffer 之和，留在内存里的也在其中。",
        en="The model buffers of all devices, as the model was last loaded; those on the host are among them.",
    ),
)
log_compute_buffer_bytes_of_series = _of_series(
    "compute_buffer_bytes",
    "B",
    "M_comp,log",
    Text(zh="日志里计算缓冲区的大小", en="size of the compute buffers in the log"),
    Text(
        zh="最后一次载入模型时各设备 compute buffer 之和。",
        en="The compute buffers of all devices, as the model was last loaded.",
    ),
)
