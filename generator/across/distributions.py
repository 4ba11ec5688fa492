"""Distributions of a quantity over the requests of each run: which curves there are, and what their figure says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.across.levels import Place, at_level, is_small_run, place_name, why_spoilt
from generator.frame import Analysis
from generator.kinds import Missing
from generator.model import Level, Series
from generator.numeric.thinning import distribution
from generator.runs.requests import Numbers, Requests
from generator.text import Text, same
from generator.told.figure_model import Axis, Curve, CurvePlot, Dot, FigureModel, Scale
from generator.told.quoting import level_value, passage
from generator.told.sentence import LevelName, Listing, Sentence, SeriesName, say
from generator.units import FACTORS
from generator.values import Address, Value

MOST_POINTS: Final = 500
"""Points of a curve: every fifth of a per cent, and the largest values as they are."""

MOST_IN_ALL: Final = 12_000
"""Points of all curves of a figure: a reader's browser loads them."""

FEWEST_POINTS: Final = 120
MOST_LEVELS: Final = 4
"""Levels of a series that a reader can still tell apart; of more, three are drawn."""

FAR: Final = 30
"""A quantity that spans more than so many times its smallest value needs a log axis."""

LOWEST_SHOWN: Final = 1.0
"""Per cent of a sample that a log axis may cut off: a few chunks that came in one read are no reason for decades."""

ENOUGH_FOR_P99: Final = 100
"""Requests from which on the 99th percentile is more than the one slowest request."""

UNIT: Final = "ms"
DIGITS: Final = 4
"""Decimals of points: a tenth of a microsecond, and of a share, one in a million."""


@dataclass(frozen=True, slots=True)
class Distributed:
    """A quantity: the key that its metrics begin with, its name, and what there is one of it for."""

    key: str
    name: str
    counted: Text

    def metric(self, statistic: str) -> str:
        """Return the metric of a statistic: ``p50``, ``p99``, ``samples``."""
        return f"{self.key}_{statistic}"


TTFT: Final = Distributed("ttft", "TTFT", Text(zh="请求", en="requests"))
ITL: Final = Distributed("itl", "ITL", Text(zh="间隔", en="gaps"))
E2EL: Final = Distributed("e2el", "E2EL", Text(zh="请求", en="requests"))


@dataclass(frozen=True, slots=True)
class Taken:
    """A sample of one run, in rising order and in seconds, not empty."""

    series: Series
    level: Level
    trial: int | None
    ordered: Numbers


def runs(analysis: Analysis, series: Series) -> Iterator[tuple[Level, int | None, Requests]]:
    """Yield the runs of a series of which the single requests are known, by rising load."""
    for level in series.levels:
        for trial in level.runs:
            requests = analysis.round.requests.get((series.id, level.id, trial))
            if requests is not None:
                yield level, trial, requests


def taken(analysis: Analysis, series: Series, of: Distributed) -> list[Taken]:
    """Return the samples of a series that have a number."""
    samples = [
        Taken(series, level, trial, requests.sample(f"request_{of.key}"))
        for level, trial, requests in runs(analysis, series)
    ]
    return [sample for sample in samples if len(sample.ordered)]


def ecdf(key: str, analysis: Analysis, of: Distributed) -> FigureModel | Missing:
    """Draw how a quantity is distributed: a curve for each run of each level."""
    samples = [taken(analysis, series, of) for series in analysis.round.series]
    count = sum(len(of_series) for of_series in samples)
    most = max(FEWEST_POINTS, min(MOST_POINTS, MOST_IN_ALL // max(count, 1)))
    curves = tuple(curve for of_series in samples for curve in _curves(analysis, of_series, of, most))
    drawn = [curve for curve in curves if curve.is_drawn]
    if not drawn:
        return _missing(analysis, of)
    begins, scale = _x_range(drawn)
    return FigureModel(
        key=key,
        title=_title(analysis, of, drawn),
        caption=_caption(of, curves, scale == "log", begins),
        plot=CurvePlot(
            x=Axis(same(of.name), UNIT, scale),
            y=Axis(Text(zh="{n}的份额", en="share of {n}").format(n=of.counted), "%", "linear"),
            begins=begins,
            curves=curves,
        ),
        accents={series.id: number for number, series in enumerate(analysis.round.series)},
    )


def _curves(analysis: Analysis, samples: Sequence[Taken], of: Distributed, most: int) -> Iterator[Curve]:
    levels = list(dict.fromkeys(sample.level for sample in samples))
    chosen = _chosen(analysis, samples[0].series, levels) if samples else []
    for sample in samples:
        values, shares = distribution(sample.ordered, most)
        shade = levels.index(sample.level) / (len(levels) - 1) if len(levels) > 1 else 1.0
        yield Curve(
            series=sample.series.id,
            level=sample.level.id,
            trial=sample.trial,
            points=_points(values, shares),
            is_whole=len(sample.ordered) <= most,
            shade=shade,
            facts=tuple(_address(sample, of.metric(name)) for name in ("samples", "p50", "p90", "p99")),
            dots=tuple(_dots(analysis, sample, of)),
            is_drawn=sample.level in chosen,
            spoilt=why_spoilt(analysis, (sample.series, sample.level)),
        )


def _points(values: Numbers, shares: Numbers) -> tuple[tuple[float, float], ...]:
    """Return points in the units of the axes, behind one at the smallest value, below which there is nothing."""
    x, y = np.round(values / FACTORS[UNIT][1], DIGITS).tolist(), np.round(shares * 100, DIGITS).tolist()
    return ((x[0], 0.0), *zip(x, y, strict=True))


def _dots(analysis: Analysis, sample: Taken, of: Distributed) -> Iterator[Dot]:
    for name, height in (("p50", 50.0), ("p99", 99.0)):
        address = _address(sample, of.metric(name))
        value = analysis.frame.values[address].value
        if value is not None:
            yield Dot(round(value / FACTORS[UNIT][1], DIGITS), height, same(name), address)


def _address(sample: Taken, metric: str) -> Address:
    return at_level(metric, sample.series, sample.level, sample.trial)


def _chosen(analysis: Analysis, series: Series, levels: Sequence[Level]) -> Sequence[Level]:
    """Return the levels that are drawn: the usable ones; of many, the lowest, a middle one and the highest.

    Those that every series has come first, so that like is seen beside like.
    """
    usable = [level for level in levels if level in analysis.usable(series.id)]
    if len(usable) <= MOST_LEVELS:
        return usable
    everywhere = [level for level in usable if all(_has(analysis, other, level) for other in analysis.round.series)]
    offered = everywhere if len(everywhere) >= MOST_LEVELS - 1 else usable
    return [offered[0], offered[len(offered) // 2], offered[-1]]


def _has(analysis: Analysis, series: Series, level: Level) -> bool:
    return any((one.id, one.order) == (level.id, level.order) for one in analysis.usable(series.id))


def _x_range(drawn: Sequence[Curve]) -> tuple[float, Scale]:
    """Return where the axis of values begins, and its scale."""
    highest = max(curve.points[-1][0] for curve in drawn)
    above = [x for curve in drawn for x, y in curve.points if y >= LOWEST_SHOWN and x > 0]
    begins = min(above, default=highest)
    if highest > FAR * begins:
        return begins, "log"
    return min(curve.points[0][0] for curve in drawn), "linear"


def _title(analysis: Analysis, of: Distributed, drawn: Sequence[Curve]) -> Sentence:
    """Say who is quickest at the highest load that several series share; else how far the tail of the only one is."""
    shared = _shared(analysis, of, drawn)
    if len(shared) > 1:
        return _compared(analysis, of, shared)
    top = max(drawn, key=lambda curve: curve.shade)
    return say(
        zh="{s} 在 {l} 的 {name}：中位数 {p50}，p99 为 {p99}",
        en="{name} of {s} at {l}: median {p50}, p99 {p99}",
        name=same(of.name),
        s=SeriesName(top.series),
        l=LevelName(top.series, top.level),
        p50=level_value(of.metric("p50"), top.series, top.level),
        p99=level_value(of.metric("p99"), top.series, top.level),
    )


def _shared(analysis: Analysis, of: Distributed, drawn: Sequence[Curve]) -> list[tuple[str, str]]:
    """Return the series and level of whoever is drawn at the highest load at which at least two are."""
    places = {(curve.series, curve.level): _place_of(analysis, curve.series, curve.level)[1] for curve in drawn}
    for level in sorted(places.values(), key=lambda level: level.order, reverse=True):
        there = [place for place, other in places.items() if (other.id, other.order) == (level.id, level.order)]
        if len(there) > 1 and all(_number(analysis, of.metric("p99"), *place) is not None for place in there):
            return there
    return []


def _number(analysis: Analysis, metric: str, series: str, level: str) -> float | None:
    return analysis.frame.of_level(metric, series, level).value


def _compared(analysis: Analysis, of: Distributed, there: Sequence[tuple[str, str]]) -> Sentence:
    """Name the series with the lowest p99, or with the lowest median where a p99 would be a single request."""
    if any(is_small_run(analysis, _place_of(analysis, *place)) for place in there):
        return _unranked(of, there)
    sizes = [_number(analysis, of.metric("samples"), *place) or 0 for place in there]
    metric = of.metric("p99" if min(sizes) >= ENOUGH_FOR_P99 else "p50")
    values = [(analysis.frame.of_level(metric, *place), place) for place in there]
    (least, best), (next_least, second), *others = sorted(values, key=lambda one: one[0].value or 0.0)
    name = same(f"{of.name} p99") if metric.endswith("p99") else MEDIAN.format(name=of.name)
    if least.value == next_least.value:
        level = LevelName(*best)
        return say(zh="{name} 在 {l} 的分布", en="How {name} is distributed at {l}", name=same(of.name), l=level)
    text = OF_SEVERAL if others else OF_TWO
    return Sentence(
        OVERLAPPING if _overlap(least, next_least) else text,
        {
            "name": name, "l": LevelName(*best),
            "a": SeriesName(best[0]), "x": level_value(metric, *best),
            "b": SeriesName(second[0]), "y": level_value(metric, *second),
        },
    )  # fmt: skip


def _place_of(analysis: Analysis, series: str, level: str) -> Place:
    of = analysis.round.series_by_id(series)
    return of, next(one for one in of.levels if one.id == level)


def _unranked(of: Distributed, there: Sequence[tuple[str, str]]) -> Sentence:
    """Give the medians of small runs without a ranking: of a few answers a difference may be chance."""
    told = tuple(
        say(zh="{s} 为 {x}", en="{x} for {s}", s=SeriesName(place[0]), x=level_value(of.metric("p50"), *place))
        for place in there
    )
    return say(
        zh="在 {l}，{name}：{told}（回答太少，不分高下）",
        en="At {l}, {name}: {told} (too few answers to rank)",
        name=MEDIAN.format(name=of.name),
        l=LevelName(*there[0]),
        told=Listing(told),
    )


def _overlap(least: Value, next_least: Value) -> bool:
    """Say whether a trial of the lower one came out no lower than one of the other."""
    highest, lowest = least.high, next_least.low
    if highest is None and lowest is None:
        return False
    return (highest or least.value or 0.0) >= (lowest or next_least.value or 0.0)


MEDIAN: Final = Text(zh="{name} 中位数", en="median {name}")
OVERLAPPING: Final = Text(
    zh="在 {l}，{a} 与 {b} 分不出高下（{name}）：{x} 与 {y}，各次重复的范围重叠",
    en="At {l} the {name} of {a} and {b} cannot be distinguished: {x} and {y}, and their runs overlap",
)
OF_TWO: Final = Text(
    zh="在 {l}，{a} 的 {name} 较低，为 {x}；{b} 为 {y}",
    en="At {l} {a} has the lower {name}: {x}, against {y} of {b}",
)
OF_SEVERAL: Final = Text(
    zh="在 {l}，{a} 的 {name} 最低，为 {x}；其次是 {b}，为 {y}",
    en="At {l} {a} has the lowest {name}: {x}, ahead of {b} at {y}",
)


def _caption(of: Distributed, curves: Sequence[Curve], is_log: bool, begins: float) -> Sentence:
    told = [
        say(
            zh="每一点表示不超过这个值的{n}占多大份额；标记是 p50 与 p99。",
            en="Each point gives the share of the {n} that took that long or less; markers stand at p50 and p99.",
            n=of.counted,
        )
    ]
    if len({curve.level for curve in curves if curve.is_drawn}) > 1:
        told.append(say(zh="线越粗，负载越高。", en="The heavier the line, the higher the load."))
    if is_log:
        told.append(say(zh="横轴是对数坐标。", en="The axis of values is logarithmic."))
    if is_log and any(curve.points[0][0] < begins / 2 for curve in curves if curve.is_drawn):
        told.append(CUT_OFF)
    if any(curve.trial is not None for curve in curves):
        told.append(EACH_TRIAL)
    return passage(*told, *_left_out(curves))


CUT_OFF: Final = say(
    zh="同一次读取里到达的 chunk 间隔近于零，落在左边界之外，曲线因此不从零开始。",
    en="Chunks that came in one read are next to no time apart and lie beyond the left border: curves need not begin "
    "at zero.",
)
EACH_TRIAL: Final = say(zh="每次重复各画一条曲线，不合并。", en="Each run has a curve of its own; they are not pooled.")


def _left_out(curves: Sequence[Curve]) -> Iterator[Sentence]:
    """Say which levels are not drawn, and why."""
    hidden = dict.fromkeys((c.series, c.level) for c in curves if not c.is_drawn and c.spoilt is None)
    spoilt = dict.fromkeys((c.series, c.level) for c in curves if not c.is_drawn and c.spoilt is not None)
    if hidden:
        yield say(
            zh="档位太多时只画最低、中间与最高的可用档位；CSV 里有全部曲线。",
            en="Of many levels the lowest, a middle and the highest usable one are drawn; the CSV has all curves.",
        )
    if spoilt:
        yield say(
            zh="没有画出已排除的档位：{levels}。",
            en="Not drawn because excluded: {levels}.",
            levels=Listing(tuple(place_name(*place) for place in spoilt)),
        )


def _missing(analysis: Analysis, of: Distributed) -> Missing:
    if any(taken(analysis, series, of) for series in analysis.round.series):
        return Missing(
            say(
                zh="画不出 {name} 的分布：每个有逐条请求的档位都已排除。",
                en="How {name} is distributed cannot be drawn: every level with per-request records is excluded.",
                name=same(of.name),
            )
        )
    return Missing(
        say(
            zh="画不出 {name} 的分布：没有逐条请求的记录。导入压测工具的明细结果（vLLM 用 --save-detailed）即可。",
            en="How {name} is distributed cannot be drawn: there are no per-request records. Import the detailed "
            "results of the load client (vLLM: --save-detailed).",
            name=same(of.name),
        )
    )
