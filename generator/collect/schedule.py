"""When the requests of an open loop are sent: the arrival process that round.toml names, from the seed of the run."""

from __future__ import annotations

from collections.abc import Iterable

from generator.collect.arrivals import Seconds, constant, gamma, poisson, ramp, trace
from generator.collect.dataset import Dataset
from generator.collect.round_plan import PlannedRun
from generator.declared.round_tables import WorkloadTable
from generator.errors import InputError
from generator.text import counted


def arrivals_of(run: PlannedRun, workload: WorkloadTable, dataset: Dataset | None = None) -> Seconds | None:
    """Return the times of sending, in seconds after the start; None for a closed loop.

    A trace gives the pattern, and the level its rate: the times of the first requests of the trace are stretched
    alike, so that the mean rate is that of the level.

    Raises:
        InputError: the arrivals are to be those of a trace, and the dataset has no times, or not enough of them.
    """
    if run.rate is None:
        return None
    match workload.arrival:
        case "constant":
            return constant(run.rate, run.requests)
        case "gamma":
            return gamma(run.rate, run.requests, workload.burstiness, run.seed)
        case "ramp":
            return _as_on_ramp(run.rate, run.requests, workload.ramp_from)
        case "trace":
            return _as_in_trace(run.rate, run, dataset)
        case _:
            return poisson(run.rate, run.requests, run.seed)


def _as_on_ramp(rate: float, count: int, start: float) -> Seconds:
    """Return arrivals whose rate goes evenly from ``start`` × the rate to as far on its other side."""
    return ramp(start * rate, (2 - start) * rate, count / rate)


def _as_in_trace(rate: float, run: PlannedRun, dataset: Dataset | None) -> Seconds:
    if dataset is None or not len(dataset.times):
        file = dataset.file if dataset is not None else "round.toml"
        problem = 'arrival = "trace" needs the time of each request, and there is none'
        raise InputError(file, "", problem, "name a trace in dataset_file, or choose another arrival")
    place = f"level {run.level}"
    if len(dataset.times) < run.requests:
        problem = counted(
            "has {n} {n:request|requests}, and {m} {m:is|are} planned", n=len(dataset.times), m=run.requests
        )
        raise InputError(dataset.file, place, problem, "plan fewer requests, or take a longer trace")
    times = dataset.times[: run.requests]
    span = float(times[-1])
    if run.requests > 1 and not span > 0:
        problem = f"its first {run.requests} requests came all at once: they have no rate"
        raise InputError(dataset.file, place, problem, "plan more requests, or choose another arrival")
    return trace(times, rate * span / (run.requests - 1)) if run.requests > 1 else times


def refuse_impossible(runs: Iterable[PlannedRun], workload: WorkloadTable, dataset: Dataset | None) -> None:
    """Find out before any server is started what cannot be sent.

    Raises:
        InputError: as of ``arrivals_of``.
    """
    if workload.arrival == "trace":
        for run in runs:
            arrivals_of(run, workload, dataset)
