"""Why the totals of a client lack latencies: nothing was answered, or the answers did not come as a stream."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from generator.kinds import Metric
from generator.model import Series, Trial
from generator.places import Place
from generator.text import Text
from generator.values import Address, Observation

OF_A_STREAM: Final = ("ttft_", "tpot_", "itl_")
WHOLE: Final = "e2el_"
NOT_ANSWERED: Final = Text(zh="没有一条请求得到回答", en="no request was answered")
NOT_STREAMING: Final = Text(
    zh="没有测到：压测工具只给出整条回答的时延，回答不是流式返回的，或者它没有读懂流",
    en="not measured (not streaming): the client gives latencies of whole answers alone, for they were not streamed, "
    "or it did not read their stream",
)


def why_no_latency(
    series: Sequence[Series],
    observations: Iterable[Observation],
    requests: Collection[Trial],
    places: Mapping[Place, Metric],
) -> dict[Address, Text]:
    """Say of runs without single requests why latencies are missing, where their other numbers tell.

    Args:
        series: the series; tables of results are passed over, for their authors choose what they print.
        observations: all numbers found.
        requests: the trials whose single requests are on record; those say themselves what is missing.
        places: every place where a number may be written down, and the metric it is of.
    """
    latencies = [metric.key for place, metric in places.items() if _is_latency(place, metric)]
    seen: dict[Address, dict[str, float]] = {}
    for one in observations:
        seen.setdefault(one.address._replace(metric="", basis=None), {})[one.address.metric] = one.value
    found: dict[Address, Text] = {}
    for where in _runs(series, requests):
        numbers = seen.get(where, {})
        found |= {where._replace(metric=key): why for key, why in _reasons(numbers, latencies)}
    return found


def _is_latency(place: Place, metric: Metric) -> bool:
    return place.kind == "column" and metric.basis is None and metric.key.startswith((*OF_A_STREAM, WHOLE))


def _runs(series: Iterable[Series], requests: Collection[Trial]) -> Iterable[Address]:
    return (
        Address("", "level", one.id, level.id, trial=trial)
        for one in series
        for level in one.levels
        if level.from_runs
        for trial in level.runs
        if (one.id, level.id, trial) not in requests
    )


def _reasons(numbers: Mapping[str, float], latencies: Iterable[str]) -> Iterable[tuple[str, Text]]:
    if numbers.get("completed") == 0:
        return [(key, NOT_ANSWERED) for key in latencies]
    whole = any(key.startswith(WHOLE) for key in numbers)
    if whole and not any(key.startswith(OF_A_STREAM) for key in numbers):
        return [(key, NOT_STREAMING) for key in latencies if key.startswith(OF_A_STREAM)]
    return []
