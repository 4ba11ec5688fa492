"""Rounds in memory whose starts and costs come to numbers that can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from generator.declared.economics import EconomicsTable
from generator.model import Round
from generator.store.economics import scenario_numbers
from tests.support.memory_round import GRAPH, Levels, Numbers, memory_round

HOUR: Final = 3600.0
SOON: Final = {"cold_start_t1": 8.0, "cold_start_t2": 2.0}
"""A start of 10 s."""
LATE: Final = {"cold_start_t1": 90.0, "cold_start_t2": 10.0}
"""A start of 100 s."""


def delivering(best: float, *, power: float | None = None) -> Levels:
    """Return three levels: a quarter, a half and all of a throughput, in answers of 100 tokens to prompts of 300."""
    return {
        f"c{load}": {
            "concurrency": float(load), "output_throughput": best * share, "request_throughput": best * share / 100,
            "total_token_throughput": best * share * 4, "ttft_p99": 0.1 * load, "tpot_p99": 0.01 * load,
            "completed": 100.0,
            **({} if power is None else {"gpu_power_total": power * (1 + share)}),
        }
        for load, share in ((1, 0.25), (4, 0.5), (16, 1.0))
    }  # fmt: skip


def economic_round(
    starts: Mapping[str, Numbers],
    best: Mapping[str, float],
    *,
    economics: Mapping[str, object] | None = None,
    baseline: str | None = "a",
    power: float | None = None,
) -> Round:
    """Make a round as reading it would, with what is assumed where ``economics`` is silent.

    Args:
        starts: constants of each series, such as those of its start.
        best: the highest throughput of each series.
        economics: the table ``[economics]`` of its round.toml.
        baseline: the series that the others are compared with.
        power: half of what the GPUs take at the highest level, in watts; None is not sampled.
    """
    levels = {one: delivering(best[one], power=power) for one in starts}
    made = memory_round(levels, of_series=starts, baseline=baseline)
    file = made.file.model_copy(update={"economics": EconomicsTable.model_validate(economics or {})})
    scenarios = scenario_numbers(file, made.series, GRAPH.places())
    return replace(made, file=file, observations=(*made.observations, *scenarios))


PRICED: Final = {
    "currency": "USD", "price_per_hour": 3.6, "ops_per_hour": 1.8, "image_cost": 0.5, "price_per_kwh": 0.36,
    "lifetime_h": 1.0, "utilisation": 0.5,
}  # fmt: skip
"""What makes 0.0015 USD of each second of a server: 5.40 USD an hour."""


def with_demand() -> Round:
    """Return two started series that are asked for two requests a second."""
    return economic_round(
        {"a": SOON, "b": LATE}, {"a": 1000.0, "b": 2000.0}, economics={**PRICED, "offered_rate": 2.0}, power=150.0
    )


def without_demand() -> Round:
    """Return three series of which all that they are let produce is served; one was never started."""
    return economic_round(
        {"a": SOON, "b": LATE, "c": {}}, {"a": 1000.0, "b": 2000.0, "c": 500.0}, economics=PRICED, power=150.0
    )
