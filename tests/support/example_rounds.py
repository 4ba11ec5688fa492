"""The published rounds, and invented ones that take the ways round a missing number which those do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from generator.model import Round
from generator.store.reading import read_round
from tests.support.memory_round import GRAPH, Levels, memory_round

RUNS: Final = Path(__file__).parents[2] / "runs"

OF_ROUND: Final = {
    "layers": 28.0,
    "kv_heads": 4.0,
    "head_dim": 128.0,
    "kv_dtype_bytes": 2.0,
    "matmul_params": 7e9,
    "memory_bandwidth": 1e12,
    "memory_capacity": 24e9,
}
STEPS: Final = {"c1": 1.0, "c4": 4.0, "c16": 16.0, "c64": 64.0}


@cache
def published(round_id: str) -> Round:
    """Read one of the rounds that the repository publishes."""
    return read_round(RUNS / round_id, GRAPH.places())


@cache
def one_series() -> Round:
    """Make a round that compares nothing: its mean gaps and its weights are to be derived.

    Its steps are above their floor, 14.1 ms at C=1, and its throughput is below what the steps alone would give.
    """
    return memory_round(
        {"alone": curve(gap=0.016, growth=0.05, throughput=55)},
        of_series={"alone": {"weight_dtype_bytes": 2.0, "embedding_bytes": 1e9, "kv_pool_tokens": 9e4}},
        of_round=OF_ROUND,
    )


@cache
def three_series() -> Round:
    """Make a round in which two series lead the baseline at first and fall behind later."""
    return memory_round(
        {
            "base": curve(gap=0.020, growth=0.01, throughput=50),
            "early": curve(gap=0.008, growth=0.25, throughput=120, wait=0.02),
            "late": curve(gap=0.015, growth=0.04, throughput=70, wait=0.03),
        },
        of_series={
            "base": {
                "weight_params": 7e9,
                "weight_dtype_bytes": 2.0,
                "embedding_bytes": 5e8,
                "kv_pool_tokens": 1e5,
                "device_memory_used": 22e9,
            },
            "early": {
                "weight_bytes_per_step": 4e9,
                "embedding_bytes": 3e8,
                "kv_pool_tokens": 2e5,
                "device_memory_used": 20e9,
                "weights_loaded": 5e9,
                "kv_pool_bytes": 6e9,
                "slots": 64.0,
            },
            "late": {
                "weight_bytes_per_step": 8e9,
                "embedding_bytes": 4e8,
                "kv_pool_tokens": 1.5e5,
                "output_tokens_total": 1e5,
            },
        },
        of_round=OF_ROUND,
        baseline="base",
    )


def curve(*, gap: float, growth: float, throughput: float, wait: float | None = None) -> Levels:
    """Invent a series over four concurrencies. Seconds and tokens a second; ``wait`` gives it mean gaps."""
    return {
        level: {
            **_asked(concurrency),
            **_answered(concurrency, gap, growth, throughput),
            **({} if wait is None else {"itl_mean": gap + wait * concurrency**0.5}),
        }
        for level, concurrency in STEPS.items()
    }


def _asked(concurrency: float) -> Mapping[str, float]:
    return {
        "concurrency": concurrency,
        "asked_input_tokens": 1000.0,
        "asked_output_tokens": 200.0,
        "requests": 20 + 10 * concurrency,
    }


def _answered(concurrency: float, gap: float, growth: float, throughput: float) -> Mapping[str, float]:
    step, first = gap * (1 + growth * concurrency), 0.1 + 0.01 * concurrency
    whole = first + 207 * step  # the first token, and 199 gaps of 1.04 steps
    return {
        "completed": 19 + 10 * concurrency,
        "duration": whole * (20 + 10 * concurrency) / concurrency,
        "output_throughput": throughput * concurrency / (1 + growth * concurrency),
        "ttft_p50": first,
        "itl_p50": step,
        "tpot_mean": step * 1.04,
        "e2el_p50": first + 205 * step,
        "e2el_mean": whole,
        "prompt_cache_hits": 3 + concurrency,
        "log_timing_lines": 18 + 10 * concurrency,
        "graphs_reused_increment": 900 + concurrency,
    }


EXAMPLES: Final[Mapping[str, Callable[[], Round]]] = {
    "round-1": lambda: published("round-1"),
    "round-2": lambda: published("round-2"),
    "one series": one_series,
    "three series": three_series,
}
