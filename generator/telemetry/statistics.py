"""What samples of a span of time come to: one number a statistic, over all GPUs that were in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from generator.telemetry.samples import GPU, HELD_BY_HARDWARE, POWER_CAP, THROTTLED, Numbers, Samples

LOADED: Final = 0.5
"""Utilisation from which on a GPU counts as under load: idle clocks are low by design."""

Span = tuple[float, float]
"""Begin and end of a run on the clock of the samples, in s."""
Merge = Literal["max", "min", "sum", "mean", "or"]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number that samples come to.

    Attributes:
        field: what it is of, for the reason why it is not known.
        compute: returns it, of the samples and the span that they were cut to (None: they were not); None where
            the samples do not tell.
        merge: how the numbers of several files become one; a mean is weighted by the samples of each.
    """

    field: str
    compute: Callable[[Samples, Span | None], float | None]
    merge: Merge = "max"


def gpus_in_use(samples: Samples) -> list[str]:
    """Return the GPUs that did something, or of which that is not known; all of them where none did."""
    gpus = [device for device in samples.devices if device.startswith(GPU)]
    used = [gpu for gpu in gpus if _most(samples.of(gpu, "utilisation_gpu")[1]) != 0]
    return used or gpus


def _most(values: Numbers) -> float | None:
    return float(values.max()) if len(values) else None


def _of_gpus(name: str, of_one: Callable[[Numbers], float], over: Callable[[Sequence[float]], float]) -> Statistic:
    """Return a statistic of one field: of each GPU in use, then over them."""

    def compute(samples: Samples, _: Span | None) -> float | None:
        columns = (samples.of(gpu, name)[1] for gpu in gpus_in_use(samples))
        return _over([of_one(values) for values in columns if len(values)], over)

    merge: Merge = "mean" if of_one in (_mean, _throttled, _held, _capped) else "min" if over is min else "max"
    return Statistic(name, compute, merge)


def _over(numbers: Sequence[float], over: Callable[[Sequence[float]], float]) -> float | None:
    return float(over(numbers)) if numbers else None


def _mean(values: Numbers) -> float:
    return float(values.mean())


def _max(values: Numbers) -> float:
    return float(values.max())


def _average(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _share(bits: int) -> Callable[[Numbers], float]:
    return lambda masks: float((masks.astype(np.int64) & bits != 0).mean())


_throttled, _held, _capped = _share(THROTTLED), _share(HELD_BY_HARDWARE), _share(POWER_CAP)


def _union(masks: Numbers) -> float:
    return float(np.bitwise_or.reduce(masks.astype(np.int64)) & THROTTLED)


def _union_over(masks: Sequence[float]) -> float:
    return _union(np.array(masks))


def _pairs(samples: Samples, left: str, right: str) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield two fields of each GPU in use at the moments at which both are known."""
    for gpu in gpus_in_use(samples):
        (at, values), (other_at, others) = samples.of(gpu, left), samples.of(gpu, right)
        _, here, there = np.intersect1d(at, other_at, return_indices=True)
        if len(here):
            yield values[here], others[there]


def _clock_under_load(samples: Samples, _: Span | None) -> float | None:
    pairs = _pairs(samples, "sm_clock", "utilisation_gpu")
    lowest = [float(clocks[used >= LOADED].min()) for clocks, used in pairs if (used >= LOADED).any()]
    return _over(lowest, min)


def _power_while_capped(samples: Samples, _: Span | None) -> float | None:
    pairs = _pairs(samples, "power", "event_reasons")
    capped = [power[masks.astype(np.int64) & POWER_CAP != 0] for power, masks in pairs]
    return _over([float(power.mean()) for power in capped if len(power)], _average)


def _energy(samples: Samples, _: Span | None) -> float | None:
    """Add up how far the counters grew; one that fell was set back by its driver, and then nothing is known."""
    columns = [samples.of(gpu, "energy")[1] for gpu in gpus_in_use(samples)]
    grown = [float(values[-1] - values[0]) for values in columns if len(values) > 1]
    fell = any((np.diff(values) < 0).any() for values in columns)
    return None if fell or len(grown) < len(columns) else _over(grown, sum)


def _power_times_time(samples: Samples, _: Span | None) -> float | None:
    """Add up mean power × time between the first and the last reading of each counter of energy."""
    if samples.clock == "none":
        return None
    found = []
    for gpu in gpus_in_use(samples):
        at, power = samples.of(gpu, "power")
        counted, _energies = samples.of(gpu, "energy")
        if len(counted) > 1 and len(power):
            within = power[(at >= counted[0]) & (at <= counted[-1])]
            found += [float(within.mean() * (counted[-1] - counted[0]))] if len(within) else []
    return _over(found, sum)


def _moments(samples: Samples) -> Numbers:
    """Return the times at which GPUs were sampled: those of the GPU that was sampled most often."""
    at = (np.unique(samples.t[samples.device == samples.devices.index(gpu)]) for gpu in gpus_in_use(samples))
    return max(at, key=len, default=np.empty(0))


def _count(samples: Samples, _: Span | None) -> float | None:
    return float(len(_moments(samples))) or None


def _gap(samples: Samples, span: Span | None) -> float | None:
    """Return the longest time without a sample; in a run, also from its begin to the first and from the last on."""
    moments = _moments(samples)
    if samples.clock == "none" or not len(moments):
        return None
    ends = [*span] if span is not None else []
    gaps = np.diff(np.sort(np.concatenate([moments, ends])))
    return float(gaps.max()) if len(gaps) else None


def _throttled_after(samples: Samples, span: Span | None) -> float | None:
    """Return how long after the begin, or the first sample, a GPU was first held down."""
    if samples.clock == "none":
        return None
    first: list[float] = []
    for gpu in gpus_in_use(samples):
        at, masks = samples.of(gpu, "event_reasons")
        first += at[masks.astype(np.int64) & THROTTLED != 0][:1].tolist()
    moments = _moments(samples)
    begin = span[0] if span is not None else float(moments[0]) if len(moments) else 0.0
    return min(first) - begin if first else None


def _of_device(device: str, name: str, of_one: Callable[[Numbers], float]) -> Statistic:
    def compute(samples: Samples, _: Span | None) -> float | None:
        values = samples.of(device, name)[1]
        return of_one(values) if len(values) else None

    return Statistic(name, compute)


STATISTICS: Final[Mapping[str, Statistic]] = {
    "utilisation_gpu.mean": _of_gpus("utilisation_gpu", _mean, _average),
    "utilisation_gpu.max": _of_gpus("utilisation_gpu", _max, max),
    "power.mean": _of_gpus("power", _mean, _average),
    "power.max": _of_gpus("power", _max, max),
    "power.total": _of_gpus("power", _mean, sum),
    "power.while_capped": Statistic("power", _power_while_capped, "mean"),
    "power_limit.min": _of_gpus("power_limit", lambda values: float(values.min()), min),
    "energy.difference": Statistic("energy", _energy, "sum"),
    "energy.power_times_time": Statistic("energy", _power_times_time, "sum"),
    "sm_clock.mean": _of_gpus("sm_clock", _mean, _average),
    "sm_clock.min_under_load": Statistic("sm_clock", _clock_under_load, "min"),
    "sm_clock.max": _of_gpus("sm_clock", _max, max),
    "sm_clock_most.max": _of_gpus("sm_clock_most", _max, max),
    "memory_clock.max": _of_gpus("memory_clock", _max, max),
    "temperature.max": _of_gpus("temperature", _max, max),
    "memory_used.max": _of_gpus("memory_used", _max, max),
    "event_reasons.throttled": _of_gpus("event_reasons", _throttled, max),
    "event_reasons.held": _of_gpus("event_reasons", _held, max),
    "event_reasons.capped": _of_gpus("event_reasons", _capped, max),
    "event_reasons.union": replace(_of_gpus("event_reasons", _union, _union_over), merge="or"),
    "event_reasons.first": Statistic("event_reasons", _throttled_after, "min"),
    "gpu.samples": Statistic("samples", _count, "sum"),
    "gpu.gap": Statistic("samples", _gap),
    "client.cpu.max": _of_device("client", "cpu", _max),
    "server.rss.max": _of_device("server", "rss", _max),
    "engine.running.max": _of_device("engine", "running", _max),
    "engine.waiting.max": _of_device("engine", "waiting", _max),
    "engine.kv_usage.max": _of_device("engine", "kv_usage", _max),
    "engine.block_tokens.max": _of_device("engine", "block_tokens", _max),
    "engine.pool_blocks.max": _of_device("engine", "pool_blocks", _max),
}
"""Every statistic by its name, which is the place that a metric is read from."""

MERGING: Final[Mapping[Merge, Callable[[Sequence[float]], float]]] = {
    "max": max,
    "min": min,
    "sum": sum,
    "or": _union_over,
}


def merged(numbers: Iterable[tuple[float, int]], merge: Merge) -> float:
    """Return one number for several files: each number with how many samples its file has."""
    values, weights = zip(*numbers, strict=True)
    if merge == "mean":
        return float(np.average(values, weights=np.maximum(weights, 1)))
    return float(MERGING[merge](values))
