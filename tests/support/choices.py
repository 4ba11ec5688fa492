"""Rounds to choose by: two series whose numbers at C = 1, 2, 4, … are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from generator.deciding.leads import Pair
from generator.frame import Analysis
from generator.model import Round
from generator.values import Observation
from tests.support.memory_round import Numbers, address, memory_round, observation
from tests.support.telling import analysed

NONE: Mapping[str, Numbers] = {}


def levels(first: float = 1, /, **columns: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return levels at C = first, twice that, …, with a metric a column."""
    count = len(next(iter(columns.values())))
    loads = [first * 2**step for step in range(count)]
    return {
        f"c{load:g}": {"concurrency": load, **{metric: numbers[at] for metric, numbers in columns.items()}}
        for at, load in enumerate(loads)
    }


def two(base: Mapping[str, Numbers], other: Mapping[str, Numbers], of_series: Mapping[str, Numbers] = NONE) -> Round:
    """Return a round of a series ``base`` and of ``other``, which is compared with it, at one precision."""
    made = memory_round({"base": base, "other": other}, of_series=of_series, baseline="base")
    return stated(made)


def stated(round_: Round, **engines: str) -> Round:
    """Return a round that states precision and warm-up, and the engine of some series."""
    tables = tuple(
        replace(one, table=one.table.model_copy(update={"precision": "BF16", "engine": engines.get(one.id)}))
        for one in round_.series
    )
    workload = round_.file.workload.model_copy(update={"warm_up": "warmed"})
    return replace(round_, series=tables, file=round_.file.model_copy(update={"workload": workload}))


def tried(metric: str, base: Sequence[float], other: Sequence[float]) -> Round:
    """Return a round of one level, C = 1, that was run once or several times: a number of each trial."""
    level = {"c1": {"concurrency": 1.0}}
    trials = {"base": base, "other": other}
    seen: list[Observation] = [
        observation(address(metric, "level", series, "c1", trial=number), value)
        for series, values in trials.items()
        for number, value in _numbered(values)
    ]
    runs = {(series, "c1", number): None for series, values in trials.items() for number, _ in _numbered(values)}
    return stated(memory_round({"base": level, "other": level}, baseline="base", further=seen, runs=runs))


def _numbered(values: Sequence[float]) -> list[tuple[int | None, float]]:
    """Return the numbers of trials; None for one alone."""
    return [(None, values[0])] if len(values) == 1 else list(enumerate(values, start=1))


def pair_of(round_: Round) -> tuple[Analysis, Pair]:
    """Return a round of two series analysed, and the two."""
    analysis = analysed(round_)
    base, other = analysis.round.series
    return analysis, (base, other)
