"""The starts of a series as their report tells them: their numbers, and how each found the model's files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.across.levels import number_at
from generator.frame import Analysis
from generator.model import Series
from generator.runs.starts import RESIDENT, StartState, starts_in, state_of
from generator.text import Text
from generator.values import Address

BASES: Final[Mapping[StartState, str]] = {"cold": "cold", "warm": "warm", "unknown": "unknown_cache"}
"""The basis of a median over the starts of a kind."""
NAMES: Final[Mapping[StartState, Text]] = {
    "cold": Text(zh="冷", en="cold"),
    "warm": Text(zh="热", en="warm"),
    "unknown": Text(zh="不明", en="unknown"),
}
STAGE_NAMES: Final[Mapping[str, Text]] = {
    "start_imports": Text(zh="进程与模块", en="process and modules"),
    "log_stage_engine_of_series": Text(zh="引擎与显存规划", en="engine and fit to memory"),
    "log_stage_weights_of_series": Text(zh="载入权重", en="loading weights"),
    "log_stage_compile_of_series": Text(zh="编译", en="compiling"),
    "log_stage_graphs_of_series": Text(zh="捕获 CUDA graph", en="capturing CUDA graphs"),
    "log_stage_setup_of_series": Text(zh="试跑、KV 池与预热", en="profiling, KV pool, warm-up"),
}
"""What the log of a start tells, in the order of a start, and what a reader calls it."""
STAGES: Final = tuple(STAGE_NAMES)


def started(analysis: Analysis) -> list[Series]:
    """Return the series of which a start is known, by its moments or as declared."""
    series = analysis.round.series
    return [one for one in series if analysis.frame.of_series("cold_start_t1", one.id).value is not None]


def starts_of(analysis: Analysis, series: Series) -> tuple[int, ...]:
    """Return the numbers of the starts on record of a series; none of one that was only declared."""
    return starts_in(analysis.round.observations).get(series.id, ())


def first_of(analysis: Analysis, series: Series) -> int | None:
    """Return the number of the first start on record; None where there is none."""
    return next(iter(starts_of(analysis, series)), None)


def at_start(metric: str, series: Series, start: int | None) -> Address:
    """Return where a number of a start stands; without a number, that of the first, or the declared one."""
    return Address(metric, "series", series.id, trial=start)


def of_start(analysis: Analysis, metric: str, series: Series, start: int | None) -> float | None:
    """Return a number of a start in base units; None where it is not known."""
    return number_at(analysis, at_start(metric, series, start))


def state_at(analysis: Analysis, series: Series, start: int | None) -> StartState:
    """Return how a start found the model's files."""
    return state_of(of_start(analysis, RESIDENT, series, start))


def span_of(analysis: Analysis, series: Series) -> tuple[float, float] | None:
    """Return the shortest and longest time to the first token, over the starts alike the first; None without any."""
    once = analysis.frame.of_series("cold_start_perceived", series.id).value
    if once is None:
        return None
    basis = BASES[state_at(analysis, series, first_of(analysis, series))]
    keys = ("cold_start_perceived_low", "cold_start_perceived_high")
    low, high = (analysis.frame.of_series(key, series.id, basis).value for key in keys)
    return (low or once, high or once)


def soonest(analysis: Analysis) -> tuple[list[Series], list[Series]]:
    """Part the series into the soonest ones, that the spread of repeated starts cannot tell apart, and the later ones.

    Of a series that was started several times all starts count. One that was started once is granted the widest spread,
    longest ÷ shortest, that starts of another one show. Where no engine was started twice the spread is not known, and
    all are in the first part.
    """
    spans = {one: span for one in started(analysis) if (span := span_of(analysis, one)) is not None}
    spread = max((high / low for low, high in spans.values() if low), default=1.0)
    if spread <= 1:
        return list(spans), []
    first = min(spans, key=lambda one: spans[one][1])
    longest = spans[first][1]
    granted = {one: 1.0 if _repeated(spans[first]) and _repeated(span) else spread for one, span in spans.items()}
    later = [one for one, (low, _) in spans.items() if low > granted[one] * longest]
    return [one for one in spans if one not in later], later


def _repeated(span: tuple[float, float]) -> bool:
    """Say whether starts of a series were seen to differ: it was started several times."""
    return span[0] < span[1]
