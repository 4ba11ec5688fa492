"""The floor of prefill: what a prompt computes and reads at least, against what the device can do."""

from __future__ import annotations

import math
from typing import Final

from generator.kinds import Unknown, metric
from generator.text import Text
from generator.themes import FLOORS

THEME: Final = FLOORS

ALL_USED = Text(zh="没有未用到的专家", en="there is no expert that a token leaves out")
PREFILL_TIME = Text(zh="一条请求的 prefill 时间", en="prefill time of one request")


@metric(
    "log_prompt_tokens_computed ÷ log_timing_lines",
    scope="level",
    unit="tok",
    symbol="n_pre",
    digits=5,
    title=Text(zh="每条请求 prefill 的 token", en="prefill tokens of a request"),
    meaning=Text(
        zh="真正要算的输入 token，取自缓存的不在其中；服务端没有数时，是整个输入。",
        en="Input tokens that are computed, without those from a cache; all of the input where the server does not count.",
    ),
)
def prefill_tokens(log_prompt_tokens_computed: float, log_timing_lines: float) -> float:
    """Spread the tokens that the server computed over its requests."""
    return log_prompt_tokens_computed / log_timing_lines


@prefill_tokens.otherwise("input_tokens_mean")
def prefill_tokens_counted(input_tokens_mean: float) -> float:
    """Take the input that was counted."""
    return input_tokens_mean


@prefill_tokens.otherwise("asked_input_tokens")
def prefill_tokens_asked(asked_input_tokens: float) -> float:
    """Take the input that was asked for."""
    return asked_input_tokens


@metric(
    "log_cached_tokens ÷ log_timing_lines",
    scope="level",
    unit="tok",
    symbol="n_hit,pre",
    digits=5,
    title=Text(zh="每条请求取自缓存的 token", en="cached tokens of a request"),
    meaning=Text(
        zh="输入里缓存已有的 token：不必再算，但后面的 token 仍要看它们。",
        en="Input tokens that a cache holds: not computed, but seen by those behind them.",
    ),
)
def prefill_cached(log_cached_tokens: float, log_timing_lines: float) -> float:
    """Spread the tokens that the server found in its cache over its requests."""
    return log_cached_tokens / log_timing_lines


@metric(
    "prefill_tokens × (prefill_cached + (prefill_tokens + 1) ÷ 2)",
    scope="level",
    unit="1",
    symbol="N_pair",
    digits=6,
    title=Text(zh="prefill 的 query–key 对数", en="pairs of query and key in a prefill"),
    meaning=Text(
        zh="因果注意力：每个 token 看它自己与它前面的全部。",
        en="Causal attention: each token sees itself and all before it.",
    ),
)
def prefill_pairs(prefill_tokens: float, prefill_cached: float) -> float:
    """Return n × m + n × (n + 1) ÷ 2."""
    return prefill_tokens * (prefill_cached + (prefill_tokens + 1) / 2)


@prefill_pairs.otherwise("prefill_tokens × (prefill_tokens + 1) ÷ 2")
def prefill_pairs_of_all(prefill_tokens: float) -> float:
    """Return the same where nothing is known of a cache: all of the input is computed."""
    return prefill_tokens * (prefill_tokens + 1) / 2


@metric(
    "prefill_tokens × min(prefill_tokens, attention_window)"
    " − min(prefill_tokens, attention_window) × (min(prefill_tokens, attention_window) − 1) ÷ 2",
    scope="level",
    unit="1",
    symbol="N_pair,win",
    digits=6,
    title=Text(zh="prefill 在窗口层的 query–key 对数", en="pairs of query and key in layers with a window"),
    meaning=Text(
        zh="每个 token 最多看一个窗口；取自缓存的 token 不计，因此是下限。",
        en="Each token sees a window at most. Tokens from a cache are not counted, so there are no fewer.",
    ),
)
def prefill_window_pairs(prefill_tokens: float, attention_window: float) -> float:
    """Return the sum of min(i, w) over the tokens i = 1 … n."""
    seen = min(prefill_tokens, attention_window)
    return prefill_tokens * seen - seen * (seen - 1) / 2


@metric(
    "2 × prefill_params × prefill_tokens + 2 × head_params + pair_flops × prefill_pairs"
    " + window_pair_flops × prefill_window_pairs",
    scope="level",
    unit="TFLOP",
    symbol="F_pre",
    better="lower",
    digits=4,
    title=Text(zh="一条请求 prefill 的运算量", en="operations of one prefill"),
    meaning=Text(
        zh="每个参数每个 token 一乘一加，输出头只算最后一个 token；再加注意力的 QK 与 AV。归一化、softmax、线性层的递推很少，不计。",
        en="A multiplication and an addition for each parameter and token, the output head for the last token alone, and the two "
        "products of attention. Norms, softmax and the recurrence of linear layers are few and left out.",
    ),
)
def prefill_flops(
    prefill_params: float,
    prefill_tokens: float,
    head_params: float,
    pair_flops: float,
    prefill_pairs: float,
    window_pair_flops: float,
    prefill_window_pairs: float,
) -> float:
    """Return the linear part and that of attention, with layers that have a window."""
    linear = 2 * prefill_params * prefill_tokens + 2 * head_params
    return linear + pair_flops * prefill_pairs + window_pair_flops * prefill_window_pairs


@prefill_flops.otherwise("2 × prefill_params × prefill_tokens + 2 × head_params + pair_flops × prefill_pairs")
def prefill_flops_without_windows(
    prefill_params: float, prefill_tokens: float, head_params: float, pair_flops: float, prefill_pairs: float
) -> float:
    """Return the same where no layer has a window."""
    return 2 * prefill_params * prefill_tokens + 2 * head_params + pair_flops * prefill_pairs


@metric(
    "dense_bytes + experts × (1 − exp(prefill_tokens × ln(1 − experts_used ÷ experts))) × expert_bytes",
    scope="level",
    unit="GB",
    symbol="W_pre",
    better="lower",
    digits=4,
    title=Text(zh="prefill 读的权重", en="weight bytes of a prefill"),
    meaning=Text(
        zh="权重至少读一遍；MoE 模型，长输入几乎读到全部专家。",
        en="The weights once at least; of a mixture a long prompt needs nearly all experts.",
    ),
)
def prefill_weight_bytes(
    dense_bytes: float, experts: float, prefill_tokens: float, experts_used: float, expert_bytes: float
) -> float | Unknown:
    """Return what is always read, and the experts that the tokens of a prompt are expected to need."""
    if experts_used >= experts:
        return Unknown(ALL_USED)
    needed = experts * (1 - math.exp(prefill_tokens * math.log(1 - experts_used / experts)))
    return dense_bytes + needed * expert_bytes


@prefill_weight_bytes.otherwise("weight_bytes_per_step")
def prefill_weight_bytes_of_all(weight_bytes_per_step: float) -> float:
    """Take the bytes of a step, where they do not depend on the tokens."""
    return weight_bytes_per_step


@metric(
    "max(prefill_flops ÷ peak_compute, prefill_weight_bytes ÷ memory_bandwidth)",
    scope="level",
    unit="ms",
    symbol="t_pre,floor",
    better="lower",
    digits=4,
    title=Text(zh="prefill 下限", en="prefill floor"),
    meaning=Text(
        zh="硬件允许的最短 prefill：运算量 ÷ 峰值算力，或权重 ÷ 带宽，取大的（roofline）。峰值若是 BF16 的，更低精度的 kernel 可能更快。",
        en="Least time of a prefill that the hardware allows: operations ÷ peak compute, or weights ÷ bandwidth, whichever is "
        "larger (roofline). Where the peak is that of BF16, kernels of a lower precision may be faster.",
    ),
)
def prefill_floor(
    prefill_flops: float, peak_compute: float, prefill_weight_bytes: float, memory_bandwidth: float
) -> float:
    """Return the larger of both times (roofline, Williams et al. 2009). FLOP, FLOP/s, bytes and B/s in, seconds out."""
    return max(prefill_flops / peak_compute, prefill_weight_bytes / memory_bandwidth)


@metric(
    "prefill_tokens ÷ log_cold_prefill_rate",
    scope="level",
    unit="ms",
    symbol="t_pre",
    better="lower",
    digits=4,
    title=PREFILL_TIME,
    meaning=Text(
        zh="服务端算完一条请求的输入所用的时间，不含排队；同时有别的请求在算时，它们的时间也在里面。",
        en="What the server takes for the input of one request, without queueing; what it computes for others meanwhile is in it.",
    ),
)
def prefill_time(prefill_tokens: float, log_cold_prefill_rate: float) -> float:
    """Return tokens ÷ the rate at which the server computed those of prompts that hit no cache."""
    return prefill_tokens / log_cold_prefill_rate


@prefill_time.otherwise("ttft_prefill")
def prefill_time_of_server(ttft_prefill: float) -> float:
    """Take what the server itself records, where its log does not tell prompts apart that hit a cache."""
    return ttft_prefill


@prefill_time.otherwise("prefill_tokens ÷ prompt_throughput")
def prefill_time_of_client(prefill_tokens: float, prompt_throughput: float) -> float:
    """Return tokens ÷ the rate at which prompts alone were processed."""
    return prefill_tokens / prompt_throughput


@metric(
    "prefill_flops ÷ prefill_time ÷ peak_compute",
    scope="level",
    unit="ratio",
    symbol="MFU",
    better="higher",
    style="percent",
    title=Text(zh="prefill 的算力利用率 MFU", en="compute utilisation of prefill (MFU)"),
    meaning=Text(
        zh="prefill 的运算量 ÷ 服务端的 prefill 时间 ÷ 峰值算力。峰值若取自数据手册，就是 BF16 的；更低精度的 kernel 可以超过 100%。",
        en="Operations of a prefill ÷ its time on the server ÷ peak compute. A peak of the data sheet is that of BF16; kernels of a lower "
        "precision may go beyond 100%.",
    ),
)
def prefill_mfu(prefill_flops: float, prefill_time: float, peak_compute: float) -> float:
    """Return achieved ÷ peak operations a second."""
    return prefill_flops / prefill_time / peak_compute


@metric(
    "prefill_flops ÷ ttft_p50 ÷ peak_compute",
    scope="level",
    unit="ratio",
    symbol="MFU_client",
    better="higher",
    style="percent",
    title=Text(zh="prefill 的算力利用率 MFU（按 TTFT）", en="compute utilisation of prefill (MFU), by TTFT"),
    meaning=Text(
        zh="prefill 的运算量 ÷ TTFT p50 ÷ 峰值算力；排队与网络也在时间里，所以只是下限。",
        en="Operations of a prefill ÷ TTFT p50 ÷ peak compute; queueing and network are in that time: the true one is no lower.",
    ),
    why=Text(
        zh="没有服务端的 prefill 时间时，客户端只看得到 TTFT。",
        en="Without the server's own prefill time, TTFT is all that the client sees.",
    ),
)
def prefill_mfu__client(prefill_flops: float, ttft_p50: float, peak_compute: float) -> float:
    """Return the same over the time to the first token as the client sees it."""
    return prefill_flops / ttft_p50 / peak_compute


@metric(
    "prefill_flops ÷ prefill_time ÷ measured_compute",
    scope="level",
    unit="ratio",
    symbol="F ÷ F_FP32",
    better="higher",
    style="percent",
    title=Text(zh="prefill 的算力 ÷ 实测 FP32 算力", en="compute of prefill ÷ measured FP32 compute"),
    meaning=Text(
        zh="prefill 的运算量 ÷ 服务端的 prefill 时间 ÷ 本机实测的 FP32 矩阵乘算力。引擎用 BF16 或 8 位整数的 kernel 时可以超过 100%：这是相对速度，不是利用率。",
        en="Operations of a prefill ÷ its time on the server ÷ FP32 matrix products as measured on this machine. An engine that computes in "
        "BF16 or 8-bit integers may go beyond 100%: this is a relative speed, no utilisation.",
    ),
)
def prefill_over_fp32(prefill_flops: float, prefill_time: float, measured_compute: float) -> float:
    """Return achieved operations a second ÷ those of FP32 products on the same machine."""
    return prefill_flops / prefill_time / measured_compute
