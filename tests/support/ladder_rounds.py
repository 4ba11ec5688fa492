"""Rounds with ladders of loads, also beside sweeps of lengths, from numbers that are known."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from generator.model import Round, Trial
from generator.runs.requests import Requests
from tests.support.memory_round import Levels, Numbers, memory_round
from tests.support.request_rows import answer, requests_of

SHAPE: Final = {"layers": 32.0, "kv_heads": 8.0, "head_dim": 128.0, "kv_dtype_bytes": 2.0, "memory_bandwidth": 1e12}
"""131 072 B of KV a token: 2 × 32 × 8 × 128 × 2."""
SLOTS: Final = {"kv_pool_tokens": 16_000.0, "slots": 16.0, "weight_bytes_per_step": 16e9}
DELIVERED: Final = {1: 60.0, 2: 116.0, 4: 220.0, 8: 400.0, 16: 640.0, 32: 660.0, 64: 665.0}
"""Tokens a second by concurrency: from C=16 on 3 %, then less, for a doubling."""


def level(
    concurrency: float, delivered: float, *, length: float = 1000, answer: float = 200, **more: float
) -> dict[str, float]:
    """Return a level of a closed loop; by Little's law a request takes C × answer ÷ throughput."""
    whole = concurrency * answer / delivered
    return {
        "concurrency": concurrency,
        "asked_input_tokens": length,
        "asked_output_tokens": answer,
        "requests": 100.0,
        "completed": 100.0,
        "duration": 100 * answer / delivered,
        "output_throughput": delivered,
        "itl_p50": 0.016 + 0.0002 * concurrency,
        "itl_p99": 0.017 + 0.0008 * concurrency,
        "ttft_p50": 0.1 * concurrency,
        "ttft_p99": 0.3 * concurrency,
        "e2el_p50": whole,
        "e2el_p99": 1.5 * whole,
        **more,
    }


def ladder_levels(delivered: Mapping[int, float] = DELIVERED, **more: float) -> Levels:
    """Return a level for each concurrency."""
    return {f"c{load}": level(load, x, **more) for load, x in delivered.items()}


def sweep_levels(*lengths: float) -> Levels:
    """Return levels at C=1 with prompts of some lengths, whose first tokens come after some 0.1 s for 1000 tokens."""
    return {
        f"in{length:g}": {
            **level(1, 5e4 / length, length=length),
            "ttft_p50": 0.05 + 4.5e-5 * length + 1e-8 * length**2,
        }
        for length in lengths
    }


def of_ladder(
    levels: Levels, *, of_series: Numbers | None = None, runs: Mapping[Trial, Requests | None] | None = None
) -> Round:
    """Return a round of one series."""
    known = SLOTS if of_series is None else of_series
    return memory_round({"a": levels}, of_series={"a": known}, of_round=SHAPE, runs=runs or {})


@cache
def ladder_and_sweep() -> Round:
    """Return a ladder up to C=64 and a sweep of lengths at C=1, of one series."""
    return of_ladder({**ladder_levels(), **sweep_levels(100, 2000, 4000)})


@cache
def by_rates() -> Round:
    """Return two series under rates, both served up to 4 req/s: a by its table, b by its requests.

    Of a, 400 requests take 100 s at 4 req/s and 2 s more to be answered; at 8 req/s they are answered in 80 s.
    """
    durations = {1: 402.0, 2: 202.0, 4: 102.0, 8: 82.0}
    table = {
        f"r{rate}": {
            "rate": float(rate), "requests": 400.0, "completed": 400.0, "duration": duration, "e2el_p50": 2.0,
            "output_throughput": 400 * 100 / duration,
        }
        for rate, duration in durations.items()
    }  # fmt: skip
    seen = {f"r{rate}": {"rate": float(rate), "duration": 200.0} for rate in (2, 4, 8)}
    runs: dict[Trial, Requests | None] = {("b", f"r{rate}", None): arrived(rate, 4.0) for rate in (2, 4, 8)}
    return memory_round({"a": table, "b": seen}, runs=runs)


def arrived(rate: float, served: float, count: int = 400) -> Requests:
    """Return requests that come at even gaps and are answered one after the other, so many a second."""
    free, rows = 0.0, []
    for number in range(count):
        start = number / rate
        free = max(free, start) + 1 / served
        first = free - start - 1 / 64
        rows.append(answer(first, 1 / 64, start=start, tokens=2))
    return requests_of(*rows)


@cache
def walled() -> Round:
    """Return three series whose walls are known from a slot's context, from blocks, and from a table alone."""
    levels = ladder_levels({1: 60.0, 2: 116.0, 4: 220.0})
    return memory_round(
        {"slotted": levels, "paged": levels, "plain": levels},
        of_series={
            "slotted": {
                "kv_pool_tokens": 16_384.0, "log_slot_context_of_series": 2048.0, "log_slots_of_series": 8.0,
                "weight_bytes_per_step": 16e9,
            },
            "paged": {
                "kv_pool_tokens": 16_384.0, "engine_block_tokens_of_series": 512.0, "slots_by_flags": 32.0,
                "weight_bytes_per_step": 16e9,
            },
            "plain": SLOTS,
        },
        of_round=SHAPE,
    )  # fmt: skip
