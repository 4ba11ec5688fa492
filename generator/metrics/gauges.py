"""What the engine said of itself during a run: how many requests it computed, how many waited, how full its pool was.

Samples are taken at even times, so that a mean over them is one over time. A level's number is the median of its runs'.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.kinds import Answer, Column, Metric, Unknown, from_samples, metric
from generator.text import Text
from generator.themes import SERVER
from generator.told.sentence import Style

THEME: Final = SERVER

NOT_SAID: Final = Unknown(
    Text(zh="引擎的 /metrics 与 /slots 里没有这一项", en="the engine's /metrics and /slots do not have it")
)
ONE_MOMENT: Final = Unknown(Text(zh="只采样了一个时刻", en="only one moment was sampled"))
FEWEST: Final = 2
"""Moments that an interval takes."""

MEAN: Final = Text(zh="{title}（均值）", en="mean {title}")
MOST: Final = Text(zh="{title}（最大）", en="{title} (largest sample)")
MEANING: Final = Text(
    zh="{meaning}取运行期间全部采样的{which}。", en="{meaning} The {which} over all samples of the run."
)
GAUGES: Final = (
    (
        "running", "1", "N̄_run", "plain",
        Text(zh="引擎正在计算的请求", en="requests running in the engine"),
        Text(zh="引擎自报的正在计算的请求数。", en="Requests that the engine said it was computing."),
    ),
    (
        "waiting", "1", "N̄_wait", "plain",
        Text(zh="引擎里排队的请求", en="requests waiting in the engine"),
        Text(zh="引擎自报的、还没有开始算的请求数。", en="Requests that the engine said it had not admitted yet."),
    ),
    (
        "kv_usage", "ratio", "ū_KV", "percent",
        Text(zh="KV 池占用", en="KV pool use"),
        Text(zh="引擎自报的 KV 池占用份额。", en="Share of the KV pool in use, as the engine said."),
    ),
)  # fmt: skip


def _known(values: Column) -> Column:
    found: Column = values[np.isfinite(values)]
    return found


def _mean(**sample: Column) -> Answer:
    [values] = sample.values()
    known = _known(values)
    return float(known.mean()) if len(known) else NOT_SAID


def _most(**sample: Column) -> Answer:
    [values] = sample.values()
    known = _known(values)
    return float(known.max()) if len(known) else NOT_SAID


def _gauge(key: str, unit: str, symbol: str, style: Style, title: Text, meaning: Text, *, most: bool) -> Metric:
    sample = f"gauge_{key}_in_order"
    way = (
        from_samples(_most, f"percentile({sample}, 100)", sample)
        if most
        else from_samples(_mean, f"mean({sample})", sample)
    )
    which = Text(zh="最大值", en="largest") if most else Text(zh="均值", en="mean")
    return Metric(
        key=f"gauge_{key}_{'most' if most else 'mean'}",
        scope="level",
        unit=unit,
        symbol=f"max {symbol[0]}{symbol[2:]}" if most else symbol,
        style=style,
        title=(MOST if most else MEAN).format(title=title),
        meaning=MEANING.format(meaning=meaning, which=which),
        derivations=[way],
        digits=9 if most and unit == "1" else 3,
    )


gauges_mean: Final = tuple(_gauge(*one, most=False) for one in GAUGES)
gauges_most: Final = tuple(_gauge(*one, most=True) for one in GAUGES)


@metric(
    "count(gauge_time_in_order)",
    scope="level",
    unit="1",
    symbol="N_gauge",
    digits=9,
    title=Text(zh="引擎的采样数", en="samples of the engine"),
    meaning=Text(zh="运行期间问过引擎的时刻数。", en="Moments of the run at which the engine was asked."),
)
def gauge_samples(gauge_time_in_order: Column) -> float:
    """Return how many moments there are."""
    return float(len(gauge_time_in_order))


@metric(
    "(last(gauge_time_in_order) − first(gauge_time_in_order)) ÷ (count(gauge_time_in_order) − 1)",
    scope="level",
    unit="s",
    symbol="Δt_gauge",
    title=Text(zh="引擎的采样间隔", en="interval of the engine's samples"),
    meaning=Text(zh="相邻两次采样相隔的时间，均值。", en="Mean time from one sample to the next."),
)
def gauge_interval(gauge_time_in_order: Column) -> float | Unknown:
    """Return the time from the first to the last moment ÷ the intervals between, in s."""
    if len(gauge_time_in_order) < FEWEST:
        return ONE_MOMENT
    return float((gauge_time_in_order[-1] - gauge_time_in_order[0]) / (len(gauge_time_in_order) - 1))
