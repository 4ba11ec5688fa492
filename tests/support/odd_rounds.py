"""Rounds of every odd shape, which nothing that is told of a round may stumble over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from generator.frame import Analysis
from generator.model import Round
from generator.store.profile import with_profile
from tests.support.analyses import small_analysis
from tests.support.example_rounds import EXAMPLES, OF_ROUND
from tests.support.loads import BURSTY, EVEN, SHAREGPT, load_of, load_of_text, under_load
from tests.support.memory_round import GRAPH, Levels, Numbers, memory_round
from tests.support.telling import analysed, throughputs

WEIGHTS: Final[Mapping[str, Numbers]] = {"a": {"weight_bytes_per_step": 8e9}, "b": {"weight_bytes_per_step": 4e9}}


def series(amounts: Sequence[float], steps: Sequence[float], *, completed: float = 50) -> Levels:
    """Return a series at C = 1, 2, 4, …: tokens a second, and the step in seconds; each answer has 200 tokens."""
    return {
        level: {
            **seen,
            "itl_p50": step,
            "asked_input_tokens": 1000,
            "asked_output_tokens": 200,
            "requests": 60,
            "completed": completed,
            "duration": completed * 200 / (seen["output_throughput"] or 1) or 50,
        }
        for (level, seen), step in zip(throughputs(*amounts).items(), steps, strict=True)
    }


def pair(a: Levels, b: Levels, *, baseline: str | None = "a", weights: Mapping[str, Numbers] = WEIGHTS) -> Round:
    """Return a round of two series."""
    return memory_round({"a": a, "b": b}, of_series=weights, of_round=OF_ROUND, baseline=baseline)


def by_rate(ratios: Sequence[float]) -> Round:
    """Return a round under arrival rates 1, 2, 4, … in which b delivers these multiples of what a does."""
    rates = [2.0**step for step in range(len(ratios))]
    a = {f"r{rate:g}": {"rate": rate, "output_throughput": 100 * rate, "itl_p50": 0.01 * rate} for rate in rates}
    b = {
        level: {**seen, "output_throughput": seen["output_throughput"] * ratio}
        for (level, seen), ratio in zip(a.items(), ratios, strict=True)
    }
    return pair(a, b)


FAST: Final = series((100, 300, 900, 1000), (0.010, 0.012, 0.014, 0.020))
SLOW: Final = series((80, 200, 500, 600), (0.0125, 0.014, 0.018, 0.030))

UNDER_RATES: Final[Levels] = {
    f"r{rate}": {"rate": rate, "output_throughput": 90 * rate, "requests": 500, "completed": 500, "duration": duration,
                 "itl_p50": 0.01, "e2el_p50": 5}
    for rate, duration in ((2, 250), (3, 400))
}  # fmt: skip
"""Of 2 requests a second, all are answered as they come; of 3, only 1.25 are."""

ROUNDS: Final[Mapping[str, Callable[[], Round]]] = {
    **EXAMPLES,
    "compared leads throughout": lambda: pair(SLOW, FAST),
    "compared trails throughout": lambda: pair(FAST, SLOW, weights={"a": WEIGHTS["b"], "b": WEIGHTS["a"]}),
    "three crossings": lambda: pair(throughputs(100, 200, 400, 800), throughputs(110, 190, 440, 700)),
    "no baseline": lambda: pair(FAST, SLOW, baseline=None),
    "nothing recorded": lambda: pair({"c1": {"concurrency": 1}}, {"c1": {"concurrency": 1}}, weights={}),
    "no levels": lambda: pair({}, {}),
    "one level": lambda: pair({"c1": FAST["c1"]}, {"c1": SLOW["c1"]}),
    "no level shared": lambda: pair({"c1": FAST["c1"]}, {"c8": SLOW["c8"]}),
    "nothing completed": lambda: pair(series((0, 0, 0, 0), (0.01,) * 4, completed=0), SLOW),
    "falls at the end": lambda: pair(throughputs(100, 200, 300, 250), SLOW),
    "two dips": lambda: pair(throughputs(100, 50, 200, 120, 400), SLOW),
    "spike": lambda: pair(throughputs(10, 100, 20, 40, 160), SLOW),
    "arrival rates": lambda: by_rate((1.1, 1.2, 1.3)),
    "arrival rates that cross": lambda: by_rate((1.1, 0.9, 0.8)),
    "rates beside concurrencies": lambda: pair({**FAST, **UNDER_RATES}, {**SLOW, **UNDER_RATES}),
    "a load twice": lambda: pair(
        {**FAST, "again": FAST["c2"]}, {**SLOW, "again": {**FAST["c2"], "output_throughput": 400}}
    ),
    "nothing delivered between others": lambda: pair(throughputs(100, 0, 200, 400), SLOW),
    "numbers that contradict each other": lambda: pair(
        {
            "c1": {
                **FAST["c1"],
                "completed": 70,
                "prompt_cache_hits": 90,
                "itl_p99": 0.001,
                "ttft_p50": 9,
                "e2el_p50": 2,
            }
        },
        SLOW,
    ),
    "memory overdrawn": lambda: memory_round(
        {"a": {}},
        of_series={"a": {"weights_loaded": 8e9, "kv_pool_bytes": 8e9, "device_memory_used": 10e9}},
        of_round=OF_ROUND,
    ),
    "under the load of users": lambda: with_profile(pair(FAST, SLOW), load_of(EVEN), GRAPH.places()),
    "under bursts that no level keeps up with": lambda: with_profile(pair(FAST, SLOW), load_of(BURSTY), GRAPH.places()),
    "under a load of texts alone": lambda: with_profile(pair(FAST, SLOW), load_of_text(SHAREGPT), GRAPH.places()),
    "under a load and without levels": lambda: under_load(load_of(EVEN)),
    "sweep over lengths": lambda: memory_round(
        {
            "a": {
                f"c1-in{n}": {"concurrency": 1, "asked_input_tokens": n, "output_throughput": 9e4 / n}
                for n in (1, 2, 3)
            }
        }
    ),
}
"""Name -> the round."""


def _analysed(make: Callable[[], Round]) -> Analysis:
    return analysed(make())


SPOILT: Final[Mapping[str, Callable[[], Analysis]]] = {
    "all of the compared series spoilt": lambda: small_analysis(spoil={"llamacpp-q4_k_m": ("c1", "c8", "c64")}),
    "all of both series spoilt": lambda: small_analysis(
        spoil={"llamacpp-q4_k_m": ("c1", "c8", "c64"), "vllm-bf16": ("c1", "c8", "c64")}
    ),
}
"""Name -> the analysis of a round of which a check left nothing."""

ANALYSES: Final[Mapping[str, Callable[[], Analysis]]] = {
    **{name: partial(_analysed, make) for name, make in ROUNDS.items()},
    **SPOILT,
}
"""Name -> the analysis."""
