"""Rounds in memory to be compared: one series ``a`` at C=8, unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from generator.analysis.stages import analyse
from generator.comparing.records import Comparison, Difference
from generator.comparing.rounds import Options, compare
from generator.frame import Analysis
from generator.kinds import Metric
from generator.machines.records import Machine
from generator.model import Trial
from generator.runs.requests import Requests
from generator.values import Address, Observation, Source
from tests.support.memory_round import GRAPH, Levels, memory_round, observation

DECLARED: Final[Mapping[str, Metric]] = {
    metric.key: metric for metric in reversed(GRAPH.of_scope("level")) if metric.basis is None
}
Trials = Mapping[str, Sequence[float]]
"""Metric -> its number in each trial."""


def analysed(
    levels: Mapping[str, Trials],
    *,
    series: str = "a",
    machine: Machine | None = None,
    sha256: str = "",
    name: str = "base",
) -> Analysis:
    """Return a round whose levels (``c8`` is C=8) were run as often as their metrics have numbers."""
    seen: list[Observation] = []
    runs: dict[Trial, Requests | None] = {}
    for level, metrics in levels.items():
        for metric, numbers in metrics.items():
            for run, number in enumerate(numbers, start=1):
                trial = None if len(numbers) == 1 else run
                runs[series, level, trial] = None
                seen.append(observation(Address(metric, "level", series, level, trial=trial), number))
    known: Levels = {level: {"concurrency": float(level.removeprefix("c"))} for level in levels}
    round_ = memory_round({series: known}, further=seen, runs=runs)
    machines = {} if machine is None else {series: machine}
    return analyse(replace(round_, id=name, machines=machines, data_sha256=sha256), GRAPH, ())


def of_runs(runs: Mapping[Trial, Requests], duration: float = 10.0) -> Analysis:
    """Return a round of runs whose requests are on record."""
    levels: dict[str, dict[str, dict[str, float]]] = {}
    for series, level, _ in runs:
        load = {"concurrency": float(level.removeprefix("c")), "duration": duration}
        levels.setdefault(series, {})[level] = load
    return analyse(memory_round(levels, runs=runs), GRAPH, ())


def throughputs(*numbers: float, machine: Machine | None = None) -> Analysis:
    """Return a round of one level with nothing but its throughput in each trial, in tok/s."""
    return analysed({"c8": {"output_throughput": numbers}}, machine=machine)


def compared(base: Analysis, head: Analysis, options: Options | None = None) -> Comparison:
    """Compare two rounds by the metrics there are."""
    return compare(base, head, DECLARED, options)


def row(
    base: Analysis, head: Analysis, metric: str = "output_throughput", options: Options | None = None
) -> Difference:
    """Return the row of one metric of the only level."""
    return next(one for one in compared(base, head, options).differences if one.address.metric == metric)


def a_run(seed: int, count: int = 200, pace: float = 1.0) -> Requests:
    """Return requests sent one after the other, each of 20 chunks of a token: TTFT about 100 ms, gaps about 10 ms."""
    generator = np.random.default_rng(seed)
    ttft = pace * 0.1 * np.exp(0.1 * generator.normal(size=count))
    gaps = np.rint(pace * 1e4 * np.exp(0.1 * generator.normal(size=(count, 19)))).astype(np.int32)
    e2el = ttft + gaps.sum(axis=1) * 1e-6
    start = np.concatenate([[0.0], np.cumsum(e2el)[:-1]])
    return Requests(
        answered=np.ones(count, dtype=np.bool_), start=start, ttft=ttft, e2el=e2el, input_tokens=np.full(count, 10.0),
        output_tokens=np.full(count, 20.0), gap_counts=np.full(count, 19), gaps=gaps.ravel(),
        source=Source(f"a/c1/{seed}.parquet", ""),
    )  # fmt: skip
