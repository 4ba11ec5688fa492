"""The ceiling of prefill: two operations for each parameter and token, at the peak of the device."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric, observed
from generator.places import device, record, setting
from generator.text import Text
from generator.themes import FLOORS

THEME: Final = FLOORS

peak_compute = observed(
    "peak_compute",
    scope="round",
    unit="TFLOP/s",
    symbol="F",
    digits=5,
    places=[
        setting("hardware.peak_tflops", "TFLOP/s"),
        device("compute by its data sheet", "TFLOP/s"),
    ],
    title=Text(zh="峰值算力", en="peak compute"),
    meaning=Text(
        zh="矩阵乘的峰值：先看作者声明的（所用精度下），再看数据手册（稠密 BF16）。",
        en="Peak of matrix products: as the author declares it, at the precision served; else by the data sheet (dense BF16).",
    ),
)
measured_compute = observed(
    "measured_compute",
    scope="round",
    unit="TFLOP/s",
    symbol="F_FP32",
    places=[record("calibration.json", "probe.compute_tflops.high", "TFLOP/s")],
    title=Text(zh="实测算力（FP32）", en="measured compute (FP32)"),
    meaning=Text(
        zh="没有 GPU 的机器上，numpy 的 FP32 矩阵乘达到的算力，取各次重复里最高的。它不是引擎的上限：BF16 与 8 位整数的 kernel 可以更快。",
        en="What FP32 matrix products of numpy reach on a machine without a GPU, the highest of the repeats. It is not a ceiling of an "
        "engine: kernels in BF16 and 8-bit integers may be faster.",
    ),
)


@metric(
    "peak_compute ÷ (2 × matmul_params)",
    scope="round",
    unit="tok/s",
    symbol="R_max",
    digits=4,
    title=Text(zh="prefill 的算力上限", en="ceiling of prefill"),
    meaning=Text(
        zh="每个 token 每个参数要一乘一加；注意力另算，所以实际的上限更低。",
        en="A multiplication and an addition for each parameter and token; attention comes on top, so the true ceiling is lower.",
    ),
)
def prefill_ceiling(peak_compute: float, matmul_params: float) -> float:
    """Return the most tokens a second that the device can prefill (2 × P operations each)."""
    return peak_compute / (2 * matmul_params)


@metric(
    "input_tokens_mean ÷ ttft_p50",
    scope="level",
    unit="tok/s",
    symbol="R_in",
    better="higher",
    title=Text(zh="一条请求的 prefill 速率", en="prefill rate of one request"),
    meaning=Text(
        zh="输入 token ÷ TTFT p50；排队与第一步解码也算在时间里，所以是下限。",
        en="Input tokens ÷ TTFT p50. Queueing and the first decode step are in that time, so the engine is not slower than this.",
    ),
)
def prefill_rate(input_tokens_mean: float, ttft_p50: float) -> float:
    """Return input tokens ÷ the time to the first token, in tokens a second."""
    return input_tokens_mean / ttft_p50


@prefill_rate.otherwise("asked_input_tokens ÷ ttft_p50")
def prefill_rate_asked(asked_input_tokens: float, ttft_p50: float) -> float:
    """Return the same with the length that was asked, where none was counted."""
    return asked_input_tokens / ttft_p50


@metric(
    "first(asked_input_tokens) ÷ server_prefill",
    scope="series",
    unit="tok/s",
    symbol="R_server",
    better="higher",
    over="all",
    title=Text(zh="服务端的 prefill 速率", en="prefill rate of the server"),
    meaning=Text(
        zh="最低档位要求的输入长度 ÷ 服务端记录的 prefill 时间。",
        en="Input length asked at the lowest level ÷ the prefill time that the server records.",
    ),
)
def server_prefill_rate(asked_input_tokens: Column, server_prefill: float) -> float:
    """Return input tokens ÷ prefill time, in tokens a second."""
    return float(asked_input_tokens[0]) / server_prefill
