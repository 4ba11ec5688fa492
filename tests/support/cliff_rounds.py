"""Rounds in memory that climb to a full KV pool: 720 tokens, requests of 128 + 32, so that 4.5 of them fit in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.model import Round, Trial
from tests.support.memory_round import Numbers, memory_round
from tests.support.watched_rounds import measured

LOADS: Final = (1, 2, 4, 6, 8, 12)
ASKED: Final = {"asked_input_tokens": 128.0, "asked_output_tokens": 32.0, "failed": 0.0, "requests": 48.0}
POOL: Final = {"kv_pool_tokens": 720.0, "engine_block_tokens_of_series": 16.0}
THROUGHPUT: Final = (474.0, 933.0, 1816.0, 1917.0, 1908.0, 1912.0)
TTFT: Final = (0.0055, 0.006, 0.0076, 0.0099, 0.0455, 0.112)
P99: Final = (0.0055, 0.0075, 0.0091, 0.0675, 0.0756, 0.144)
PREEMPTED: Final = (0.0, 0.0, 0.0, 9.0, 13.0, 21.0)
WAITING: Final = (0.0, 0.0, 0.0, 2.0, 2.0, 8.0)
USE: Final = (0.222, 0.444, 0.822, 0.867, 0.822, 0.867)
Column = Sequence[float | None]


def climbing(loads: Sequence[int] = LOADS, **columns: Column) -> dict[str, Numbers]:
    """Return levels at some concurrencies, with a number of each metric; None where it is not known."""
    seen = {"output_throughput": THROUGHPUT, "ttft_p50": TTFT, "ttft_p99": P99} | columns
    return {
        f"c{load}": {
            "concurrency": float(load),
            **ASKED,
            **{key: number for key, column in seen.items() if (number := column[at]) is not None},
        }
        for at, load in enumerate(loads)
    }


def cliff_round(all_levels: Mapping[str, Mapping[str, Numbers]], of_series: Mapping[str, Numbers]) -> Round:
    """Make a round whose levels were all run once."""
    runs: dict[Trial, None] = {(series, level, None): None for series, levels in all_levels.items() for level in levels}
    return measured(memory_round(all_levels, of_series=of_series, runs=runs))


def preempting(**pool: float) -> Round:
    """Return a round of one series ``s`` that preempts from C = 6 on."""
    levels = climbing(server_preemptions=PREEMPTED, gauge_waiting_mean=WAITING, gauge_kv_usage_most=USE)
    return cliff_round({"s": levels}, {"s": {**POOL, "slots": 32.0, **pool}})


def told_in_every_way() -> Round:
    """Return a round of series each of which tells of its cliff, or of its wall, in another way."""
    few = (1, 4, 8)
    said: dict[str, dict[str, Column]] = {
        "counted": {"server_preemptions": (0.0, 0.0, 9.0)},
        "logged": {"log_preemptions": (0.0, 0.0, 7.0)},
        "retracted": {"log_retracted": (0.0, 0.0, 5.0)},
        "at least": {"log_preemptions_at_least": (None, None, 51.0)},
        "waiting": {"log_waiting_most": (0.0, 0.0, 4.0), "log_waiting_share": (0.0, 0.0, 0.5)},
        "refusing": {"log_kv_full": (5.0, 11.0, 86.0), "failed": (0.0, 0.0, 18.0)},
        "sampled": {"gauge_waiting_mean": (0.0, 0.0, 2.0), "gauge_running_mean": (1.0, 4.0, 6.0)},
        "felt": {},
    }  # fmt: skip
    delivered: Column = (474.0, 1816.0, 1900.0)
    felt: dict[str, Column] = {
        "output_throughput": delivered,
        "ttft_p50": (0.0055, 0.0076, 0.07),
        "ttft_p99": (0.0055, 0.0091, 0.08),
    }
    levels = {name.replace(" ", "-"): climbing(few, **{**felt, **columns}) for name, columns in said.items()}
    walls: dict[str, Numbers] = dict.fromkeys(levels, POOL)
    walls |= {"logged": {"kv_pool_tokens": 720.0}, "waiting": {"slots": 4.0}, "sampled": {**POOL, "slots": 6.0}}
    return cliff_round(levels, walls)
