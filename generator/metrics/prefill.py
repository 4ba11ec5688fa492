"""Prefill: what the servers record, and how much sooner one series answers than the baseline."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric, observed
from generator.places import fact
from generator.text import Text
from generator.themes import FIRST_TOKEN

THEME: Final = FIRST_TOKEN

server_prefill = observed(
    "server_prefill",
    scope="series",
    unit="ms",
    better="lower",
    symbol="t_prefill,server",
    places=[fact("server.prefill_ms", "ms")],
    title=Text(zh="服务端 prefill", en="prefill on the server"),
    meaning=Text(
        zh="服务端自己记录的 prefill 时间，最低并发；不含排队与网络。",
        en="Prefill as the server itself records it, at the lowest level; without queueing and network.",
    ),
)


@metric(
    "1 − compared_server_prefill ÷ baseline_server_prefill",
    scope="pair",
    unit="ratio",
    better="higher",
    style="percent",
    symbol="σ_prefill",
    title=Text(zh="服务端 prefill 耗时降幅", en="saved on the server's prefill"),
    meaning=Text(
        zh="1 − 被比较的系列 ÷ 基线；为负表示更慢。", en="1 − compared ÷ baseline; negative where it is slower."
    ),
)
def server_prefill_saving(compared_server_prefill: float, baseline_server_prefill: float) -> float:
    """Return the part of the baseline's prefill that the compared series does without."""
    return 1 - compared_server_prefill / baseline_server_prefill


@metric(
    "1 − compared_ttft_p50 ÷ baseline_ttft_p50",
    scope="pair-level",
    unit="ratio",
    better="higher",
    style="percent",
    symbol="σ_TTFT",
    title=Text(zh="TTFT p50 降幅", en="saved on the TTFT p50"),
    meaning=Text(
        zh="1 − 被比较的系列 ÷ 基线；为负表示更长。", en="1 − compared ÷ baseline; negative where it is later."
    ),
)
def ttft_p50_saving(compared_ttft_p50: float, baseline_ttft_p50: float) -> float:
    """Return the part of the baseline's median TTFT that the compared series does without."""
    return 1 - compared_ttft_p50 / baseline_ttft_p50


@metric(
    "1 − compared_ttft_p99 ÷ baseline_ttft_p99",
    scope="pair-level",
    unit="ratio",
    better="higher",
    style="percent",
    symbol="σ_TTFT99",
    title=Text(zh="TTFT p99 降幅", en="saved on the TTFT p99"),
    meaning=Text(
        zh="1 − 被比较的系列 ÷ 基线；为负表示更长。", en="1 − compared ÷ baseline; negative where it is later."
    ),
)
def ttft_p99_saving(compared_ttft_p99: float, baseline_ttft_p99: float) -> float:
    """Return the part of the baseline's tail TTFT that the compared series does without."""
    return 1 - compared_ttft_p99 / baseline_ttft_p99
