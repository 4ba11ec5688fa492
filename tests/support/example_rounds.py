"""The published rounds, and invented ones that take the ways round a missing number which those do not."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.store.reading import read_round
from generator.values import Source
from tests.support import anatomy_rounds
from tests.support.cliff_rounds import told_in_every_way
from tests.support.economic_rounds import with_demand, without_demand
from tests.support.gauged_rounds import BLOCKS, PRINTED, sampled, sampled_slots
from tests.support.ladder_rounds import by_rates, ladder_and_sweep, walled
from tests.support.memory_round import GRAPH, Levels, address, memory_round, observation
from tests.support.model_rounds import models_of_several_kinds
from tests.support.request_rows import answer, failure, requests_of, tokenless
from tests.support.started_rounds import started_in_every_way
from tests.support.traffic_rounds import crossing_under_load
from tests.support.watched_rounds import watched_round

RUNS: Final = Path(__file__).parents[2] / "runs"

OF_ROUND: Final = {
    "layers": 28.0,
    "kv_heads": 4.0,
    "head_dim": 128.0,
    "kv_dtype_bytes": 2.0,
    "matmul_params": 7e9,
    "memory_bandwidth": 1e12,
    "memory_capacity": 24e9,
    "peak_compute": 1.6e14,
}
COLLECTED: Final = {"calibration_itl_p99_truth": 0.02, "calibration_itl_p99_seen": 0.0205}
STARTED: Final = {"cold_start_t1": 1.5, "cold_start_first_token": 4.0, "cold_start_first_completion": 4.6}
"""What is on record of the instrument and of a start, in seconds."""
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
        of_series={"alone": {"weight_dtype_bytes": 2.0, "embedding_bytes": 1e9, "kv_pool_tokens": 9e4, **STARTED}},
        of_round={**OF_ROUND, **COLLECTED},
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


@cache
def runs() -> Round:
    """Make a round of single requests: a load that was driven three times, one once, and one without their times.

    One level more has nothing but the sums that a client printed.
    """
    concurrency: Levels = {
        "c2": {"concurrency": 2.0, "asked_output_tokens": 6.0},
        "c4": {"concurrency": 4.0, "asked_output_tokens": 6.0},
    }
    seen: Levels = {**concurrency, "c8": {"concurrency": 8.0, **SUMS}}
    trials: list[Trial] = [
        ("base", "c2", 1),
        ("base", "c2", 2),
        ("base", "c2", 3),
        ("base", "c4", None),
        ("fast", "c2", None),
    ]
    said = [
        observation(address("duration", "level", series, level, trial=trial), 3.0 + number, "reported")
        for number, (series, level, trial) in enumerate([*trials, ("fast", "c4", None)])
    ]
    said += [observation(address(key, "level", "base", "c4"), number, "reported") for key, number in CLIENT.items()]
    said += [
        observation(address(key, "level", series, level), number, "reported")
        for (series, level), counted in COUNTERS.items()
        for key, number in counted.items()
    ]
    made: dict[Trial, Requests | None] = {
        trial: driven(slower=number / 100, fails=number) for number, trial in enumerate(trials)
    }
    made["fast", "c4", None] = driven(slower=0.2, fails=1, timed=False)
    return memory_round(
        {"base": seen, "fast": concurrency},
        of_series={"base": COUNTERS_OF_SERIES},
        of_round=OF_ROUND,
        baseline="base",
        further=said,
        runs=made,
    )


@cache
def held_up() -> Round:
    """Make a round of one run, in which two requests in the middle wait far longer than the others.

    Of another load there are the parts of a latency, and no count of tokens.
    """
    waits = [0.1, 0.1, 0.1, 0.9, 0.1, 0.9, 0.1, 0.1]
    rows = [answer(wait, 0.05, 0.05, start=0.3 * number) for number, wait in enumerate(waits)]
    parts = {"asked_output_tokens": 5.0, "ttft_p50": 0.2, "tpot_p50": 0.03, "generation_throughput": 40.0}
    return memory_round(
        {"a": {"c2": {"concurrency": 2.0, "asked_input_tokens": 12.0}, "c3": {"concurrency": 3.0, **parts}}},
        runs={("a", "c2", None): requests_of(*rows)},
    )


CLIENT: Final = {
    "ttft_p50__reported": 0.27,
    "ttft_p99__reported": 0.32,
    "itl_p50__reported": 0.45,
    "itl_p99__reported": 0.5,
    "tpot_mean__reported": 0.2,
    "e2el_p50__reported": 1.5,
    "output_throughput__reported": 8.0,
}
"""What a client says of a run whose single requests are there too, in seconds and tok/s."""

COUNTERS: Final = {
    ("base", "c4"): {
        "server_cached_prompt_tokens": 30.0,
        "server_prefix_cache_queries": 120.0,
        "server_preemptions": 3.0,
    },
    ("fast", "c2"): {"server_cached_prompt_tokens": 20.0, "warm_up_input_tokens": 12.0},
}
"""What servers count of a run; the second one has no count of what it looked up in its cache."""
COUNTERS_OF_SERIES: Final = {
    "server_cached_prompt_tokens_of_series": 90.0,
    "server_prefix_cache_queries_of_series": 400.0,
    "server_preemptions_of_series": 5.0,
}

SUMS: Final = {
    "requests": 40.0,
    "completed": 38.0,
    "duration": 19.0,
    "output_tokens_counted": 7600.0,
    "input_tokens_counted": 3800.0,
    "output_throughput": 400.0,
    "ttft_p50": 0.3,
    "tpot_p50": 0.02,
    "e2el_p50": 4.3,
    "e2el_mean": 4.5,
    "request_goodput": 1.5,
    "rate": 2.5,
    "logged_requests": 41.0,
    "log_truncated": 1.0,
    "log_cancelled": 2.0,
    "log_engine_errors": 3.0,
    "output_tokens_retokenized": 7524.0,
    "server_output_tokens": 7850.0,
    "warm_up_output_tokens": 200.0,
    "server_prompt_tokens": 3950.0,
    "warm_up_input_tokens": 100.0,
}
"""What a client says of a level whose single requests it did not keep."""


def logged() -> Round:
    """Make a round of one level of which the logs of its run and of its series tell."""
    level = {
        "graphs_reused_increment": 667.0, "log_timing_lines": 48.0, "log_graph_intervals": 47.0,
        "asked_output_tokens": 64.0, "log_releases": 48.0, "log_cached_tokens": 300.0,
        "log_prompt_tokens_computed": 900.0, "log_cold_prompt_tokens": 800.0, "log_cold_prompt_seconds": 0.5,
        "log_draft_tokens": 800.0, "log_draft_accepted": 600.0,
    }  # fmt: skip
    of_series = {
        f"{key}_of_series": number
        for key, number in level.items()
        if key.startswith("log_") and key not in ("log_releases", "log_timing_lines", "log_graph_intervals")
    }
    pool = {"log_kv_pool_bytes_of_series": 2.0**30}
    return watched_round({"c4": level}, of_series={"s": {**of_series, **pool}})


def driven(*, slower: float, fails: int, timed: bool = True) -> Requests:
    """Invent a run: eight answers, three requests in flight, one answer in one piece and one empty, and failures."""
    starts = [0.5 * number if timed else math.nan for number in range(10)]
    answers = [
        answer(
            0.2 + slower + 0.01 * number,
            *[0.3 + slower, 0.4 + slower, 0.45 + 0.01 * number],
            start=start,
            tokens=4 + number,
        )
        for number, start in enumerate(starts[:8])
    ]
    others = [answer(0.25, start=starts[8], prompt=30), tokenless(starts[9])]
    failed = [failure(0.9, ttft=7.0, start=0.1 * number if timed else math.nan, tokens=2) for number in range(fails)]
    return requests_of(*answers, *others, *failed, source=Source("base/c2/requests.parquet", ""))


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


def saturated() -> Round:
    """Make a table of two levels, of which the higher delivers 3 % more; nobody says how many requests there were."""
    of_both = {"output_tokens_mean": 250.0, "output_tokens_counted": 10_000.0, "reasoning_tokens": 4000.0}
    return memory_round(
        {
            "s": {
                "c8": {"concurrency": 8.0, "output_throughput": 400.0, "e2el_mean": 5.0, **of_both},
                "c16": {"concurrency": 16.0, "output_throughput": 412.0, "e2el_mean": 9.7, **of_both},
            }
        }
    )


EXAMPLES: Final[Mapping[str, Callable[[], Round]]] = {
    "round-1": lambda: published("round-1"),
    "round-2": lambda: published("round-2"),
    "one series": one_series,
    "three series": three_series,
    "runs": runs,
    "held up": held_up,
    "logged": logged,
    "saturated": saturated,
    "sampled blocks": lambda: sampled(**BLOCKS),
    "sampled share": lambda: sampled(**PRINTED),
    "sampled slots": sampled_slots,
    "models of several kinds": models_of_several_kinds,
    "cliffs": told_in_every_way,
    "anatomy": anatomy_rounds.told_in_every_way,
    "starts": started_in_every_way,
    "ladder and sweep": ladder_and_sweep,
    "rates": by_rates,
    "walls": walled,
    "under load": crossing_under_load,
    "economics": with_demand,
    "economics without demand": without_demand,
}
